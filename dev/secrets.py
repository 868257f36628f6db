"""Write what the log redacts (rulez_py/log/secret_shapes.py), out of dev/secrets.toml."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).with_name("secrets.toml")
TARGET = Path(__file__).parent.parent / "rulez_py" / "log" / "secret_shapes.py"

_HEAD = '''\
# ruff: noqa
# fmt: off
"""The shapes of secrets, out of dev/secrets.toml by `make secrets`: not to be changed here.

`SHAPES`: name, keywords, RE2 pattern, and whether there is a digit in such a secret. `KEYWORDS`: those of them all,
without such as have another one in them.
"""

from __future__ import annotations

'''


def module(source: str) -> str:
    """What the module has to hold. Exits with what is wrong where the table is not valid."""
    table = tomllib.loads(source)
    parts = _resolved(table["parts"])
    shapes = [_shape(rule, parts) for rule in table["rules"]]
    keywords = {keyword for _, keywords, _, _ in shapes for keyword in keywords}
    first = tuple(sorted(word for word in keywords if not any(other in word for other in keywords - {word})))
    rows = "".join(f"    {shape!r},\n" for shape in shapes)
    return f"{_HEAD}KEYWORDS = {first!r}\n\nSHAPES = (\n{rows})\n"


def _resolved(parts: dict[str, str]) -> dict[str, str]:
    resolved: dict[str, str] = {}
    for name, pattern in parts.items():
        resolved[name] = _filled(pattern, resolved)
    return resolved


def _filled(pattern: str, parts: dict[str, str]) -> str:
    return re.sub(r"(?<!\?P)<([A-Z]+)>", lambda found: parts[found[1]], pattern)


def _shape(rule: dict[str, Any], parts: dict[str, str]) -> tuple[str, tuple[str, ...], str, bool]:
    unknown = rule.keys() - {"id", "keywords", "regex", "digit", "description"}
    keywords = tuple(rule.get("keywords", ()))
    if unknown or any(keyword != keyword.lower() for keyword in keywords):
        sys.exit(f"{rule['id']}: {', '.join(sorted(unknown)) or 'keywords'} cannot be used")
    return rule["id"], keywords, _filled(rule["regex"], parts), rule.get("digit", False)


if __name__ == "__main__":
    TARGET.write_text(module(SOURCE.read_text("utf-8")), "utf-8")
