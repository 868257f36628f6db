"""`prompt_match`: regexes on what the person wrote to the agent."""

from __future__ import annotations

from rulez_py.policy.patterns import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TypedDict

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

    class Pattern(regex.Regex):
        """`negate`: the prompt must not have it."""

        negate: bool

    class Prompt(TypedDict):
        """The compiled form; `mode` is `any` or `all`."""

        patterns: list[Pattern]
        mode: str


ABOUT = "Regexes, in what the person wrote."
EXAMPLE = r'prompt_match: [deploy, "not:staging"]'
SAYS_LITTLE = ("prompt_match",)


def schema() -> Kind:
    from rulez_py.documents.types import Map, Short, text
    from rulez_py.policy.matchers.schema_parts import SWITCH, one_of, one_or_many

    whole = Map(
        name="PromptMatch",
        about="What the person wrote to the agent.",
        needs=("patterns",),
        fields={
            "patterns": (
                one_or_many(text(_check_pattern)),
                "Regexes; `not:` in front negates one, `contains_word:` looks for one whole word.",
            ),
            "mode": (one_of(("any", "all")), "`any`: one pattern is enough; `all`: every one must match. Default any."),
            "case_insensitive": (SWITCH, "true: upper and lower case are the same. Default false."),
            "anchor": (
                one_of(("start", "end", "contains")),
                "Where in the prompt a pattern must match. Default contains.",
            ),
        },
    )
    return Short(key="patterns", whole=whole, lists=True)


def _check_pattern(value: str) -> None:
    from rulez_py.documents.types import Refusal
    from rulez_py.policy.matchers.schema_parts import check_pattern

    literal, _, rest = _parts(value)
    if not rest:
        raise Refusal("is blank")
    if not literal:
        check_pattern(rest)
        _check_end(rest)


def _check_end(pattern: str) -> None:
    """Check that the text that `anchor` appends to a pattern does not become part of a literal in it."""
    from rulez_py.documents.types import Refusal

    try:
        regex.compile_pattern(f"(?:{pattern})$")
    except regex.BadPattern:
        if "\\Q" in pattern:
            raise Refusal("ends inside of \\Q", "write \\E at its end") from None


def compiled(wanted: Mapping[str, Any]) -> Prompt:
    return {
        "patterns": [_pattern(pattern, wanted) for pattern in wanted["patterns"]],
        "mode": wanted.get("mode", "any"),
    }


def _pattern(pattern: str, options: Mapping[str, Any]) -> Pattern:
    literal, negate, expression = _parts(pattern)
    if literal:
        expression = rf"\b{regex.escape(expression)}\b"
    anchor = options.get("anchor", "contains")
    if anchor == "start":
        expression = f"^(?:{expression})"
    elif anchor == "end":
        expression = f"(?:{expression})$"
    if options.get("case_insensitive", False):
        expression = f"(?i){expression}"
    return {**regex.prepared(expression), "negate": negate}


def _parts(pattern: str) -> tuple[bool, bool, str]:
    """Tell whether a pattern is one literal word, whether it is negated, and what is left of it."""
    negate = pattern.startswith("not:")
    if negate:
        pattern = pattern.removeprefix("not:").strip()
    literal = pattern.startswith("contains_word:")
    if literal:
        pattern = pattern.removeprefix("contains_word:").strip()
    return literal, negate, pattern


def filed_by(match: Match) -> Filing | None:
    from rulez_py.policy.matchers import index_keys

    patterns = match["prompt_match"]["patterns"]
    unless = any(one["negate"] for one in patterns)
    return "prompt", [] if unless else index_keys.of_literals(patterns)


def fits(wanted: Prompt, facts: Facts, *, strict: bool) -> bool:
    prompt = facts.event.prompt
    if prompt is None:
        return False
    enough = all if wanted["mode"] == "all" else any
    return enough(regex.fits(one["regex"], one["literals"], prompt) != one["negate"] for one in wanted["patterns"])


def seen(_wanted: object, facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    return () if facts.event.prompt is None else (facts.event.prompt,)
