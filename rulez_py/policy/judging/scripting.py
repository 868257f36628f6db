"""The protocol of rulez and a policy's scripts: the event as JSON, the script's answer."""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.event.fields import FIELDS
from rulez_py.system import jsontext
from rulez_py.verdict import ASK, DENY, NO_OPINION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.system.effects import ScriptResult


class Report(Value):
    """The answer of a script: deny, ask or no objection; the reason; text for the model; arguments with new values."""

    decision: str = NO_OPINION
    reason: str = ""
    context: str = ""
    updated: tuple[tuple[str, object], ...] = ()


def event_json(event: Event, project_dir: str | None = None, more: Mapping[str, object] | None = None) -> str:
    """Return the event as a script reads it on stdin: RuleZ's canonical names, absent fields left out.

    `project_dir` is the root of the project, as scripts have it in their environment; `more` is what the script asks
    for besides: names of `event.described`, and `git`, what is so of the repository.
    """
    fields = {one.key: one.get(event) for one in FIELDS if one.key}
    fields["project_dir"] = project_dir
    fields.update(more or {})
    return jsontext.dumps({name: value for name, value in fields.items() if value is not None})


def read_report(result: ScriptResult) -> Report:
    """Return a finished script's report.

    A non-zero exit code denies, with stderr (or the JSON answer's reason) as the reason. A JSON answer counts as well:
    `continue: false`, `decision`, `permissionDecision`, also nested as Claude Code hooks say it, so that an existing
    hook script works as a validator. The strictest word counts, and an answer of broken JSON denies, as does an
    `updatedInput` that is no object. Other output of a successful script is text for the model.
    """
    output = result.stdout.strip().removeprefix("\ufeff")
    try:
        said = _answer(output)
    except ValueError:
        said = {"decision": ["deny"], "reason": [result.stderr.strip() or "its answer is not valid JSON"]}
    reason = _text(said, "reason", "permissionDecisionReason", "stopReason", "message")
    if result.exit_code != 0:
        return Report(decision=DENY, reason=reason or result.stderr.strip())
    if said is None:
        return Report(context=output)
    words = {word.lower() for key in _DECIDING for word in said.get(key, ()) if isinstance(word, str)}
    if words & {"deny", "block"} or any(value is False for value in said.get("continue", ())):
        return Report(decision=DENY, reason=reason)
    context = _text(said, "context", "additionalContext")
    updated: list[tuple[str, object]] = []
    for value in said.get(_UPDATED, ()):
        if isinstance(value, dict):
            updated += value.items()
        elif value is not None:
            return Report(decision=DENY, reason=f"its {_UPDATED} is no object, so the new arguments are not known")
    decision = ASK if "ask" in words else NO_OPINION
    return Report(decision=decision, reason=reason, context=context, updated=tuple(updated))


_DECIDING = ("decision", "permissionDecision", "behavior")
_UPDATED = "updatedInput"
_KNOWN = frozenset(
    (*_DECIDING, _UPDATED, "continue", "reason", "context", "additionalContext", "systemMessage", "hookSpecificOutput")
)


def _answer(output: str) -> dict[str, list[object]] | None:
    """Return every value of every key of a JSON answer, on all its levels; None where the output is no answer.

    The levels are the object itself, its `hookSpecificOutput`, and a `decision` that is an object, in either.
    Raises ValueError for JSON that is broken and was meant to decide.
    """
    if not output.startswith("{"):
        return None
    try:
        parsed = jsontext.loads(output)
    except ValueError:
        if any(f'"{key}"' in output for key in ("continue", _UPDATED, *_DECIDING)):
            raise
        return None
    if parsed and not _KNOWN & parsed.keys():
        return None
    found: dict[str, list[object]] = {}
    levels: list[dict[str, object]] = [parsed]
    for level in levels:
        for key, value in level.items():
            found.setdefault(key, []).append(value)
            if key in ("hookSpecificOutput", "decision") and isinstance(value, dict):
                levels.append(value)
    return found


def _text(said: Mapping[str, list[object]] | None, *keys: str) -> str:
    values = [value for key in keys for value in (said or {}).get(key, ())]
    return next((value for value in values if isinstance(value, str) and value), "")
