"""Write the checked form of every rule set that ships (rulez_py/policy/packs/*.json), out of its YAML."""

from __future__ import annotations

import json
import os
import sys

from rulez_py.policy import packs
from rulez_py.policy.check import check
from rulez_py.written.document import parse


def checked_form(name: str) -> dict[str, object]:
    """What `packs.checked_path_of(name)` has to hold. Exits with what is wrong where the rule set is not valid."""
    checked = check(packs.text_of(name).encode(), packs.PREFIX + name)
    if checked.problems:
        sys.exit("\n".join(str(problem) for problem in checked.problems))
    return {"data": checked.data, "rule_lines": list(checked.rule_lines)}


def extended_first(names: list[str]) -> list[str]:
    """Each behind what it extends: that has to be written before it can be checked."""
    ordered: dict[str, None] = {}

    def add(name: str, above: tuple[str, ...]) -> None:
        if name in names and name not in above:
            for other in _extended(name):
                add(other.removeprefix(packs.PREFIX), (*above, name))
            ordered[name] = None

    for name in names:
        add(name, ())
    return list(ordered)


def _extended(name: str) -> list[str]:
    data = parse(packs.text_of(name).encode(), name).data
    extended = data.get("extends") or [] if isinstance(data, dict) else []
    return [extended] if isinstance(extended, str) else extended


def main() -> None:
    """Write them all."""
    names = sorted(name.removesuffix(".yaml") for name in os.listdir(packs.DIRECTORY) if name.endswith(".yaml"))
    for name in extended_first(names):
        checked = json.dumps(checked_form(name), indent=1, ensure_ascii=False) + "\n"
        with open(packs.checked_path_of(name), "w", encoding="utf-8") as file:
            file.write(checked)


if __name__ == "__main__":
    main()
