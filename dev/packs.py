"""Write the checked form of every rule set that ships (rulez_py/policy/packs/*.json), out of its YAML."""

from __future__ import annotations

import json
import os
import sys

from rulez_py.policy import packs
from rulez_py.policy.check import check


def checked_form(name: str) -> dict[str, object]:
    """What `packs.checked_path_of(name)` has to hold. Exits with what is wrong where the rule set is not valid."""
    with open(packs.path_of(name), "rb") as file:
        checked = check(file.read(), packs.PREFIX + name)
    if checked.problems:
        sys.exit("\n".join(str(problem) for problem in checked.problems))
    return {"data": checked.data, "rule_lines": list(checked.rule_lines)}


def main() -> None:
    """Write them all."""
    names = sorted(name.removesuffix(".yaml") for name in os.listdir(packs.DIRECTORY) if name.endswith(".yaml"))
    for name in names:
        with open(packs.checked_path_of(name), "w", encoding="utf-8") as file:
            file.write(json.dumps(checked_form(name), indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
