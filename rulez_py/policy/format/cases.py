"""The `tests` that rules carry: each case becomes an event, and its rule alone is asked about it.

INVARIANT: the answer comes from `decide.decide`, as a hook's does. Nothing runs, no script and no command, and nothing
of the machine is looked at: a case holds on all of them or on none.
"""

from __future__ import annotations

import os

from rulez_py.analysis import Value
from rulez_py.documents.diagnostics import WARNING, diagnostic
from rulez_py.event import UnreadableEvent
from rulez_py.platforms import PLATFORMS, adapter
from rulez_py.platforms.tool_table import CANONICAL, INBOUND
from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.policy.format.case_repository import HOME, KEYS, PROJECT_DIR, Untold, repository_of
from rulez_py.policy.format.check import check_document, read_document
from rulez_py.policy.format.compile import compile_rules
from rulez_py.policy.judging.decide import decide
from rulez_py.policy.model.layers import BUILT_IN
from rulez_py.system import jsontext
from rulez_py.system.effects import Kept, ScriptResult
from rulez_py.verdict import ALLOW, ASK, DENY, NO_OPINION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.documents.document import Path, Position
    from rulez_py.event import Event
    from rulez_py.policy.format.check import Beside
    from rulez_py.policy.model.rule import Rule
    from rulez_py.system.effects import Script, ToKeep
    from rulez_py.verdict import Verdict

    _Case = tuple[str, int]

_AROUND = Surroundings(root=PROJECT_DIR, home=HOME, environ={"HOME": HOME})
_MUST = {DENY: "must be denied", ASK: "must be asked about", ALLOW: "must be let through"}
_IS = {DENY: "is denied", ASK: "is asked about", ALLOW: "is approved", NO_OPINION: "is not"}
_SCRIPTS = ("run", "inline_script")
_BEFORE, _PROMPT = "PreToolUse", "UserPromptSubmit"
_LONGEST = 300


class Failure(Value):
    """A case whose rule says something else; `decision` is what it says, "" for nothing. `tried` is that rule."""

    rule: str
    tried: Rule
    expected: str
    decision: str
    example: object
    problem: Diagnostic


class Held(Value):
    """A case that failed: its rule, the expected decision, and its line."""

    rule: str
    expected: str
    example: object
    line: int


class Tested(Value):
    """The results of the cases of one policy file.

    `skipped` says of each rule that could not be tried why; `untested` names the rules that have no cases.
    """

    holding: tuple[Held, ...] = ()
    failures: tuple[Failure, ...] = ()
    skipped: tuple[Diagnostic, ...] = ()
    untested: tuple[str, ...] = ()

    @property
    def held(self) -> int:
        """The number of cases that hold."""
        return len(self.holding)


class _Nothing:
    """A world without files, in which nothing runs."""

    def __init__(self, git: Untold) -> None:
        self.git = git

    def run(self, script: Script) -> ScriptResult:
        return ScriptResult(exit_code=None, error="tests run nothing")

    def read_text(self, path: str, limit: int) -> str | None:
        return None

    def read_bytes(self, path: str, limit: int) -> bytes | None:
        return None

    def is_committed(self, path: str, data: bytes) -> bool:
        return False

    def real_path(self, path: str) -> str:
        return os.path.normpath(path)

    def has_seen(self, session: str, path: str) -> bool | None:
        return self.git.has_seen

    def keep(self, wanted: ToKeep) -> Kept:
        return Kept(error="tests keep nothing")

    def names(self, directory: str) -> list[str]:
        return []


class _NoEvent(UnreadableEvent):
    """A case that does not say what is called; the message says what would be right."""


def run_cases(content: bytes, shown: str, *, beside: Beside | None = None) -> Tested:
    """Return the cases of a valid policy file, named `shown` for people; `beside` is that of `check_document`.

    Raises ValueError where the file is not valid.
    """
    document = read_document(content, shown)
    checked = check_document(document, shown, beside=beside)
    if checked.data is None:
        raise ValueError(f"{shown} is not valid")
    compiled = compile_rules(
        checked.data, checked.rule_lines, layer=BUILT_IN, shown=shown, root=PROJECT_DIR, trusted=True
    )
    rules: dict[str, Rule] = {rule["name"]: {**rule, "mode": "enforce"} for rule in compiled}
    holding: list[Held] = []
    failures: list[Failure] = []
    skipped: list[Diagnostic] = []
    untested: list[str] = []
    for index, written in enumerate(checked.data.get("rules") or ()):
        name, cases = written["name"], list(_cases(written))
        place: Path = ("rules", index, "tests")
        if not cases:
            untested.append(name)
        elif why := _why_not(rules.get(name)):
            count = "its test is" if len(cases) == 1 else f"its {len(cases)} tests are"
            told = f'rule "{name}" {why}: {count} skipped'
            skipped.append(diagnostic(shown, document.position(place), told, severity=WARNING))
        else:
            for case, example in cases:
                at = document.position((*place, *case))
                failure = _failure(rules[name], case, example, shown, at)
                if failure is None:
                    holding.append(Held(rule=name, expected=case[0], example=example, line=at[0]))
                else:
                    failures.append(failure)
    return Tested(holding=tuple(holding), failures=tuple(failures), skipped=tuple(skipped), untested=tuple(untested))


def _cases(rule: Mapping[str, Any]) -> Iterator[tuple[_Case, object]]:
    """Yield each example, with what is expected of it and its place in the list of these."""
    for expected, examples in (rule.get("tests") or {}).items():
        for number, example in enumerate(examples or ()):
            yield (expected, number), example


def _why_not(rule: Rule | None) -> str:
    if rule is None:
        return "is switched off"
    return "runs a script" if any(action in rule["actions"] for action in _SCRIPTS) else ""


def _failure(rule: Rule, case: _Case, example: object, shown: str, at: Position) -> Failure | None:
    """Return what is wrong with one case, None where the rule says what is expected."""
    expected, said = case[0], NO_OPINION
    try:
        verdict = judged(rule, example)
        said = verdict.decision
        if not verdict.failed and (said == expected or (expected == ALLOW and said == NO_OPINION)):
            return None
        is_so = "its rule fails" if verdict.failed else _IS[said]
        told = (verdict.reason, *verdict.notes) if verdict.failed else verdict.notes
        message, help = f"{_MUST[expected]}, and {is_so}", "; ".join(told)
    except UnreadableEvent as error:
        message, help = "is no call", str(error)
    report = diagnostic(shown, at, f'rule "{rule["name"]}": {shown_case(example)} {message}', help)
    return Failure(rule=rule["name"], tried=rule, expected=expected, decision=said, example=example, problem=report)


def judged(rule: Rule, example: object) -> Verdict:
    """Return what one rule says to one case. Raises UnreadableEvent."""
    return decide((rule,), facts_of(rule, example))


def facts_of(rule: Rule, example: object) -> Facts:
    """Return the facts of a case. Raises UnreadableEvent."""
    told = example if isinstance(example, dict) else {}
    return Facts(_event(rule, example), _AROUND, _Nothing(repository_of(told)))


def _event(rule: Rule, example: object) -> Event:
    """Return the event of a case: a tool about to be called, or a prompt."""
    called: Mapping[str, Any] = example if isinstance(example, dict) else {"command": example}
    tool = called.get("tool", "Bash" if "command" in called else None)
    if tool is None and isinstance(called.get("prompt"), str):
        return _parsed(rule, _PROMPT, "", {"prompt": called["prompt"]})
    if not isinstance(tool, str) or not tool:
        raise _NoEvent("name its tool, like {tool: Write, file_path: .env, content: x}")
    arguments = {key: value for key, value in called.items() if key not in ("tool", *KEYS)}
    return _parsed(rule, _BEFORE, tool, {"tool_input": arguments})


def _parsed(rule: Rule, kind: str, tool: str, payload: dict[str, Any]) -> Event:
    """Return the event as the first agent sends it that the rule is for and that has this tool."""
    wanted = [platform for platform in PLATFORMS if platform in rule["match"].get("platforms", PLATFORMS)]
    platform = next((one for one in wanted if not tool or tool in CANONICAL or tool in INBOUND[one]), wanted[0])
    events = adapter(platform).EVENTS
    native = next((name for name, spec in events.items() if kind in spec.types), None)
    if native is None:
        raise _NoEvent(f"{platform} has no {kind} event")
    named = {"tool_name": _native(platform, tool)} if tool else {}
    whole = {"session_id": "test", "hook_event_name": native, "cwd": PROJECT_DIR, **named, **payload}
    return adapter(platform).parse(whole, None).replace(project_dir=PROJECT_DIR)


def _native(platform: str, tool: str) -> str:
    """Return what a platform calls a tool."""
    known = INBOUND[platform]
    if tool in known:
        return tool
    return next((name for name, row in known.items() if row.canonical == tool), tool)


def shown_case(example: object) -> str:
    """Return a case as it is named to people."""
    text = f'"{example}"' if isinstance(example, str) else jsontext.dumps(example)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
