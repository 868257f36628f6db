"""The shapes of secrets that the log redacts, out of secrets.toml: made into secret_keywords.py and
secret_shapes.py when rulez is built.

Most calls need the keywords alone, which is why they have a module of their own.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable
from typing import Any

from rulez_py.policy.patterns.regex import all_literals

Shape = tuple[str, tuple[str, ...], str, str, tuple[tuple[str, ...], ...]]

_SHAPES = "tuple[tuple[str, tuple[str, ...], str, str, tuple[tuple[str, ...], ...]], ...]"
_KINDS = "digit", "mixed"
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "secrets.toml")

_HEAD = '''\
# ruff: noqa
# fmt: off
"""{about}, out of secrets.toml (`shapes.py`): not to be changed here."""

from __future__ import annotations

'''


def table() -> tuple[tuple[str, ...], tuple[Shape, ...]]:
    """`KEYWORDS` of secret_keywords.py, `SHAPES` of secret_shapes.py. Raises ValueError where secrets.toml is wrong."""
    with open(SOURCE, "rb") as file:
        written = tomllib.load(file)
    parts = _resolved(written["parts"])
    shapes = tuple(_shape(rule, parts) for rule in written["rules"])
    keywords = {keyword for _, keywords, *_ in shapes for keyword in keywords}
    return tuple(sorted(word for word in keywords if not any(other in word for other in keywords - {word}))), shapes


def keywords_module() -> bytes:
    """Return what secret_keywords.py has to hold. Raises ValueError."""
    keywords, _shapes = table()
    about = "The keywords of all shapes of secrets, without such as have another one in them"
    # One text is read faster than many.
    text = "\n".join(keywords)
    return f"{_HEAD.format(about=about)}KEYWORDS: tuple[str, ...] = tuple({text!r}.split('\\n'))\n".encode()


def shapes_module() -> bytes:
    """Return what secret_shapes.py has to hold. Raises ValueError."""
    _keywords, shapes = table()
    about = (
        "The shapes of secrets: name, keywords, RE2 pattern, what characters are in such a secret, what each text has"
    )
    rows = "".join(f"    {shape!r},\n" for shape in shapes)
    return f"{_HEAD.format(about=about)}SHAPES: {_SHAPES} = (\n{rows})\n".encode()


def _resolved(parts: dict[str, str]) -> dict[str, str]:
    resolved: dict[str, str] = {}
    for name, pattern in parts.items():
        resolved[name] = _filled(pattern, resolved)
    return resolved


def _filled(pattern: str, parts: dict[str, str]) -> str:
    return re.sub(r"(?<!\?P)<([A-Z]+)>", lambda found: parts[found[1]], pattern)


def _shape(rule: dict[str, Any], parts: dict[str, str]) -> Shape:
    unknown = rule.keys() - {"id", "keywords", "regex", *_KINDS, "description"}
    keywords = tuple(rule.get("keywords", ()))
    if unknown or any(keyword != keyword.lower() for keyword in keywords):
        raise ValueError(f"{rule['id']}: {', '.join(sorted(unknown)) or 'keywords'} cannot be used")
    pattern = _filled(rule["regex"], parts)
    needed = tuple(tuple(group) for group in all_literals(pattern) if not _says_more(keywords, group))
    return rule["id"], keywords, pattern, next((kind for kind in _KINDS if rule.get(kind)), ""), needed


def _says_more(keywords: Iterable[str], group: Iterable[str]) -> bool:
    """Tell whether a text with one of the keywords has one of a group's texts in any case."""
    return bool(keywords) and all(any(text in keyword for text in group) for keyword in keywords)
