"""Write out what rule sets say of the shapes of secrets, so that no list of them is written twice.

In a rule set's YAML the entry `{shapes: tokens}` of a list becomes one regex for each shape that the log redacts
(`log/secrets.toml`) and that says by itself what it is: a vendor's prefix, or a name beside it. Shapes that are no
more than a name and a value (`password=...`), or that need another look at their characters, are left to the log.
"""

from __future__ import annotations

from rulez_py.log.kinds import GENERAL
from rulez_py.log.secret_shapes import SHAPES

ENTRY = "{shapes: tokens}"


def tokens() -> tuple[str, ...]:
    """Return a regex for each of these shapes."""
    return tuple(
        regex for name, keywords, regex, characters, _ in SHAPES if keywords and not characters and name not in GENERAL
    )


def expanded(text: str) -> str:
    """Return the text of a rule set with every such entry written out, each line of it alone."""
    return "".join(_written_out(line) for line in text.splitlines(keepends=True))


def _written_out(line: str) -> str:
    indent, dash, entry = line.partition("- ")
    if not dash or indent.strip() or entry.strip() != ENTRY:
        return line
    return "".join(f"{indent}- {_quoted(one)}\n" for one in tokens())


def _quoted(regex: str) -> str:
    return "'" + regex.replace("'", "''") + "'"
