"""What a policy says about an event, and how several sayings become one."""

from __future__ import annotations

from rulez_py.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DENY = "deny"
ASK = "ask"
ALLOW = "allow"
NO_OPINION = ""

# INVARIANT: the order is the meaning. Merging takes the highest.
STRICTNESS: dict[str, int] = {NO_OPINION: 0, ALLOW: 1, ASK: 2, DENY: 3}


class RuleHit(Value):
    """One matched rule and what came of it."""

    rule: str
    layer: str
    source: str
    """`path:line` of the rule."""
    mode: str
    decision: str
    """The rule's own outcome after its mode: deny, ask, allow or no opinion ("")."""


class Verdict(Value):
    """The outcome of one event.

    `context` is text for the model, in rule order. `rewrite` maps canonical argument names to new values.
    `notes` are for people and the log, never for the model. `warnings` are sentences for the person about the state of
    the protection, not about this event: told where a session begins, in the log's notes always. `failed` says that the
    decision comes from an error (unreadable event, invalid policy, validator that could not run), not from a rule's own
    word.
    """

    decision: str = NO_OPINION
    reason: str = ""
    rule: str | None = None
    hits: tuple[RuleHit, ...] = ()
    context: tuple[str, ...] = ()
    rewrite: Mapping[str, object] | None = None
    notes: tuple[str, ...] = ()
    failed: bool = False
    warnings: tuple[str, ...] = ()


class Answer(Value):
    """A verdict in one platform's words: what the process prints and how it exits.

    `stdout` is one JSON object or empty. `dropped` names what of the verdict this platform cannot be told.
    """

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0
    dropped: tuple[str, ...] = ()


def _weight(verdict: Verdict) -> tuple[int, bool]:
    return STRICTNESS[verdict.decision], not verdict.failed


def merge(verdicts: Iterable[Verdict]) -> Verdict:
    """The strictest decision, with the first such verdict's reason; everything else is kept, in order.

    Among equally strict verdicts a rule's own word comes before an error: an error binds only events that guard. A
    rewrite survives only where nothing is denied; for the same argument the earlier verdict wins.
    """
    winner = Verdict()
    hits: list[RuleHit] = []
    context: list[str] = []
    notes: list[str] = []
    warnings: list[str] = []
    rewrite: dict[str, object] = {}
    for verdict in verdicts:
        if _weight(verdict) > _weight(winner):
            winner = verdict
        hits.extend(verdict.hits)
        context.extend(text for text in verdict.context if text not in context)
        notes.extend(note for note in verdict.notes if note not in notes)
        warnings.extend(warning for warning in verdict.warnings if warning not in warnings)
        for key, value in (verdict.rewrite or {}).items():
            rewrite.setdefault(key, value)
    return Verdict(
        decision=winner.decision,
        reason=winner.reason,
        rule=winner.rule,
        failed=winner.failed,
        hits=tuple(hits),
        context=tuple(context),
        notes=tuple(notes),
        rewrite=rewrite if rewrite and winner.decision != DENY else None,
        warnings=tuple(warnings),
    )


def printable(text: str) -> str:
    """The text without characters that a terminal obeys or hides or that reorder it; line breaks and tabs stay."""
    return "".join(character for character in text if character in "\n\t" or not _controls(character))


def _controls(character: str) -> bool:
    return character < " " or "\x7f" <= character <= "\x9f" or character in _HIDING


_HIDING = frozenset("\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
