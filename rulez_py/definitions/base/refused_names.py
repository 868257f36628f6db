"""Refuse a name that some of the chosen platforms load nothing by: once, for all of them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulez_py.definitions.base.notes import CannotSay
from rulez_py.platforms import adapter


def check_name(kind: str, name: str, path: str, patterns: Mapping[str, re.Pattern[str]]) -> None:
    """Raise CannotSay where a platform loads no definition of this name.

    `kind` is the word for one, `path` its file, `patterns` are platform -> the regex of names that it loads.
    """
    refusing = [platform for platform, pattern in patterns.items() if not pattern.fullmatch(name)]
    if not refusing:
        return
    *others, last = (adapter(platform).AGENT for platform in refusing)
    who = f"{', '.join(others)} and {last} load" if others else f"{last} loads"
    plain = re.sub(r"[-_]+", "-", name)
    better = plain != name and all(patterns[platform].fullmatch(plain) for platform in refusing)
    rename = f"call it {plain}" if better else "choose another name"
    leave_out = "leave them out" if others else "leave it out"
    raise CannotSay(
        f"{path}: {who} no {kind} called {name}; {rename}, or {leave_out}: name the other platforms in `platforms` of "
        "rulez.agents.yaml, or with --platform. Nothing is written"
    )
