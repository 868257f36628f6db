"""`prompt_match`: regexes on what the person wrote to the agent."""

from __future__ import annotations

from rulez_py.policy import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    from rulez_py.policy.facts import Facts

    class Pattern(TypedDict):
        """`negate`: the prompt must not have it."""

        regex: str
        negate: bool

    class Prompt(TypedDict):
        """The compiled form; `mode` is `any` or `all`."""

        patterns: list[Pattern]
        mode: str


def fits(wanted: Prompt, facts: Facts, *, strict: bool) -> bool:
    prompt = facts.event.prompt
    if prompt is None:
        return False
    enough = all if wanted["mode"] == "all" else any
    return enough((regex.search(one["regex"], prompt) is not None) != one["negate"] for one in wanted["patterns"])
