"""The verdict of a policy on an event, and how several verdicts become one."""

from __future__ import annotations

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DENY = "deny"
ASK = "ask"
ALLOW = "allow"
NO_OPINION = ""
PASS = "pass"  # noqa: S105
"""No opinion, spelled out for people and for what is kept."""
UNKNOWN = "unknown"
"""The verdict of a rule that only logs, where only its script, which does not run, could give one."""

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
    would: str = NO_OPINION
    """The verdict without the mode: deny, ask, no opinion; "unknown" where only a script could give it."""


class Checkpoint(Value):
    """What a call would have lost, kept before it went through, because of a rule.

    `what` says in words how much it is, `names` are the first of its `count` files and branches. `until` is the time
    after which it is deleted, in seconds since the epoch.
    """

    id: str
    rule: str
    what: str
    names: tuple[str, ...] = ()
    count: int = 0
    until: float = 0.0


class Redaction(Value):
    """What one rule wants taken out of a tool's result.

    `shapes` are names of kinds of secrets (`log.kinds`), `regexes` are RE2. `why` is the rule's reason and advice.
    """

    rule: str
    mode: str
    shapes: tuple[str, ...] = ()
    regexes: tuple[str, ...] = ()
    why: str = ""


class Redacted(Value):
    """What has become of a tool's result.

    `value` is the result with marks in the place of secrets; `found` are pairs of a kind and how many there were.
    `withheld` says why none of it may be read, "" where it may; then there is no value. `rules` are those that
    wanted it, `why` their reasons and advice. `failed`: it is withheld because of an error.
    """

    value: object = None
    found: tuple[tuple[str, int], ...] = ()
    withheld: str = ""
    rules: tuple[str, ...] = ()
    why: str = ""
    failed: bool = False


class Verdict(Value):
    """The outcome of one event.

    `context` is text for the model, in rule order. `rewrite` maps canonical argument names to new values.
    `notes` are for people and the log, never for the model. `warnings` are sentences for the person about the state of
    the protection, not about this event: the person hears it where a session begins, and the log's notes always have
    it. `failed` says that the decision comes from an error (unreadable event, invalid policy, validator that could not
    run), not from a rule's own word. `way_out` is what a question says to the person where it has to be a denial, ""
    where they can let nothing pass; `let_pass` by what a person has had rules only log: "pause", "once", "exception 3".
    `checkpoints` are those that were made for the call. `redact` is what rules want taken out of a result, `result`
    what became of it, None where it is as the tool gave it back.
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
    way_out: str = ""
    let_pass: str = ""
    checkpoints: tuple[Checkpoint, ...] = ()
    redact: tuple[Redaction, ...] = ()
    result: Redacted | None = None


class Answer(Value):
    """A verdict in one platform's words: what the process prints and how it exits.

    `stdout` is one JSON object or empty. `dropped` names parts of the verdict that this platform cannot express.
    """

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0
    dropped: tuple[str, ...] = ()


def _weight(verdict: Verdict) -> tuple[int, bool]:
    return STRICTNESS[verdict.decision], not verdict.failed


def merge(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the strictest decision, with the first such verdict's reason; everything else is kept, in order.

    Among equally strict verdicts a rule's own word comes before an error: an error binds only events that guard. A
    rewrite survives only where nothing is denied; for the same argument the earlier verdict wins.
    """
    winner = Verdict()
    hits: list[RuleHit] = []
    context: list[str] = []
    notes: list[str] = []
    warnings: list[str] = []
    rewrite: dict[str, object] = {}
    checkpoints: list[Checkpoint] = []
    redact: list[Redaction] = []
    result: Redacted | None = None
    let_pass = ""
    for verdict in verdicts:
        redact.extend(verdict.redact)
        result = result or verdict.result
        let_pass = let_pass or verdict.let_pass
        if _weight(verdict) > _weight(winner):
            winner = verdict
        hits.extend(verdict.hits)
        context.extend(text for text in verdict.context if text not in context)
        notes.extend(note for note in verdict.notes if note not in notes)
        warnings.extend(warning for warning in verdict.warnings if warning not in warnings)
        checkpoints.extend(one for one in verdict.checkpoints if one not in checkpoints)
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
        let_pass=let_pass,
        checkpoints=tuple(checkpoints),
        redact=tuple(redact),
        result=result,
    )


def printable(text: str) -> str:
    """Return the text without characters that a terminal obeys or hides or that reorder it.

    Line breaks and tabs stay.
    """
    if is_plain(text):
        return text
    return "".join(character for character in text if character in "\n\t" or not hides(character))


def visible(text: str) -> str:
    """Return the text with everything spelled out that a terminal obeys, hides or reorders, or that shows nothing."""
    if is_plain(text):
        return text
    return "".join(
        character
        if character.isprintable() and not hides(character)
        else character.encode("unicode_escape", "surrogatepass").decode()
        for character in text
    )


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number of things in words: `1 call`, `2 calls`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def in_words(found: Iterable[tuple[str, int]]) -> str:
    """Return kinds of secrets and how many of each, in words."""
    return ", ".join(counted(count, kind, kind) for kind, count in found)


def is_plain(text: str) -> bool:
    """Tell if the text is nothing but ASCII that can be seen: nearly all are, and need not be looked at further."""
    return text.isascii() and text.isprintable()


def hides(character: str) -> bool:
    """Tell if a terminal obeys this character or shows nothing in its place, or it reorders the text around it."""
    return not " " <= character <= "~" and any(low <= character <= high for low, high in _HIDING)


_HIDING = (
    ("\0", "\x1f"),
    ("\x7f", "\x9f"),
    ("\xad", "\xad"),
    ("\u034f", "\u034f"),
    ("\u061c", "\u061c"),
    ("\u115f", "\u1160"),
    ("\u17b4", "\u17b5"),
    ("\u180b", "\u180f"),
    ("\u200b", "\u200f"),
    ("\u2028", "\u202e"),
    ("\u2060", "\u206f"),
    ("\u3164", "\u3164"),
    ("\ufe00", "\ufe0f"),
    ("\ufeff", "\ufeff"),
    ("\uffa0", "\uffa0"),
    ("\ufff0", "\ufffb"),
    ("\U0001bca0", "\U0001bca3"),
    ("\U0001d173", "\U0001d17a"),
    ("\U000e0000", "\U000e0fff"),
)
"""Control and format characters, the two ends of a line that only Unicode knows, and all that Unicode calls ignorable
by default: fillers, variation selectors, tags."""
