"""The policy of a project, asked from Python: a call in, a decision out, in this process."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypedDict, cast

from rulez_py.event import UnreadableEvent
from rulez_py.event.arguments import rewritten
from rulez_py.hook import call as calls
from rulez_py.hook.stdio import read_payload
from rulez_py.hook.values import PYTHON, TIME_BUDGET, WORDS, HookCall, Options
from rulez_py.platforms import adapter
from rulez_py.platforms.withholding import left_of
from rulez_py.verdict import ALLOW, ASK, DENY

if TYPE_CHECKING:
    from rulez_py.event import Event
    from rulez_py.hook.values import Outcome

_PROJECT = adapter(WORDS).PROJECT_VARIABLES[0]
_ENDS = (KeyboardInterrupt, SystemExit)


class _Around(TypedDict, total=False):
    """The context of a call or a prompt. `cwd` is where the tool works, the project where it is left out."""

    cwd: str
    session_id: str
    agent_type: str


class _AroundCall(_Around, total=False):
    hook_event_name: str


class Call(_AroundCall):
    """A call that an agent is about to make. `tool_name` is a canonical name (Bash, Write, Edit, Read, ...) or the
    tool's own.

    Without `hook_event_name` it is a call before a tool (`PreToolUse`).
    """

    tool_name: str
    tool_input: Mapping[str, object]


class Prompt(_Around):
    """A prompt of a person."""

    hook_event_name: Literal["UserPromptSubmit"]
    prompt: str


class InvalidPolicy(ValueError):
    """The policy has mistakes. `problems` has each as `file:line:col`, what is wrong and what would be right."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("the policy is not valid:\n" + "\n".join(problems))
        self.problems = problems

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problems,)


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The decision of the policy on a call.

    `decision` is "deny", "ask", "allow", or "" where no rule has a say; `reason` is what the model may be told and
    `rule` the name of the rule. `tool_input` is what to run the tool with instead, None where nothing is rewritten.
    `context` are texts for the model. `failed`: the decision comes from an error, not from a rule. `result` is what the
    model may read of the tool's result at `PostToolUse`, None where that is all of it.
    """

    decision: Literal["deny", "ask", "allow", ""]
    reason: str = ""
    rule: str | None = None
    tool_input: Mapping[str, object] | None = None
    context: tuple[str, ...] = ()
    failed: bool = False
    result: object = None

    def __bool__(self) -> NoReturn:
        """Raises TypeError: `if policy.decide(call)` would be true for what is denied too."""
        raise TypeError("a Decision is neither true nor false; ask for its `passes`, `denied` or `asks`")

    @property
    def denied(self) -> bool:
        """True if the call must not run."""
        return self.decision == DENY

    @property
    def asks(self) -> bool:
        """True if a person must agree first; without one, the call must not run."""
        return self.decision == ASK

    @property
    def passes(self) -> bool:
        """True if the call may run without a question."""
        return self.decision in (ALLOW, "")


@dataclass(frozen=True, kw_only=True)
class Policy:
    """The policy in force in a project: the machine's, the user's, the project's where it is trusted, and the built-in.

    What it says now counts: files that change are read anew. It has no state of its own, and threads and tasks may
    share it. No process is started for a call, but for scripts that a trusted policy itself runs.
    """

    project: str
    rules: str | None = None
    tools: Mapping[str, str] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)
    log: bool = True

    @classmethod
    def load(
        cls,
        project: str | os.PathLike[str] = ".",
        *,
        rules: str | os.PathLike[str] | None = None,
        tools: Mapping[str, str] = MappingProxyType({}),
        environ: Mapping[str, str] | None = None,
        log: bool = True,
    ) -> Policy:
        """Return the policy that holds in the directory `project`.

        With `rules`, that file replaces the user's and the project's own. `tools` says what tools of yours are,
        by canonical names: `{"run_shell": "Bash"}`. `environ` replaces this process's environment; with `log`,
        decisions go to the audit log. Raises NotADirectoryError, and InvalidPolicy where a file has mistakes or the
        environment names one that must not be trusted.
        """
        place = os.path.abspath(project)
        if not os.path.isdir(place):
            raise NotADirectoryError(f"{place} is not a directory; `project` is where the agent works")
        file = None if rules is None else os.path.abspath(rules)
        given = {**(os.environ if environ is None else environ), _PROJECT: place}
        policy = cls(project=place, rules=file, tools=dict(tools), environ=given, log=log)
        # This reads and compiles it, and an environment that must not be trusted raises now.
        hook, outcome = policy._judged({"hook_event_name": "Notification"})
        problems = () if hook.known.policy is None else hook.known.policy.problems
        calls.finish(hook)
        if problems or outcome.verdict.failed:
            raise InvalidPolicy(tuple(map(str, problems)) or (outcome.verdict.reason,))
        return policy

    def decide(self, event: Call | Prompt | Mapping[str, object]) -> Decision:
        """Return what the policy says of a call, of a prompt, or of any hook payload with these names.

        Whatever goes wrong is a denial with `failed` set, as the policy's `on_error` says; nothing is raised.
        """
        hook, outcome = self._judged(event)
        decision = _decision(outcome, hook.known.event)
        if self.log:
            if hook.known.event is not None:
                hook.learn(event=hook.known.event.replace(platform=PYTHON))
            calls.log(hook, outcome)
        calls.finish(hook)
        return decision

    async def adecide(self, event: Call | Prompt | Mapping[str, object]) -> Decision:
        """Return the same in a thread of its own, so that other tasks go on."""
        import asyncio  # The built program has none.

        return await asyncio.to_thread(self.decide, event)

    def _judged(self, event: Mapping[str, object]) -> tuple[HookCall, Outcome]:
        """Return the call that an event is, and its outcome; the call is not finished."""
        hook = HookCall(Options(platform=WORDS, rules=self.rules, timeout=TIME_BUDGET), self.environ, time.monotonic())
        ended: list[BaseException] = []

        def judged() -> Outcome:
            try:
                payload = self._payload(event)
                parsed = adapter(WORDS).parse(payload, None)
                return calls.judged(hook, calls.as_granted(hook, calls.case_for(hook, parsed)))
            except UnreadableEvent as error:  # No hook is set up here that could be looked at.
                return calls.failure(hook, f"the call cannot be read: {error}", "check what is handed to `decide`")
            except _ENDS as error:
                ended.append(error)
                raise

        outcome = calls.safely(hook, judged)
        if ended:
            raise ended[0]
        return hook, outcome

    def _payload(self, event: Mapping[str, object]) -> Mapping[str, object]:
        """Return the event as a hook would be sent it, and bounded as one is. Raises UnreadableEvent."""
        whole = {"session_id": PYTHON, "hook_event_name": "PreToolUse", "cwd": self.project, **event}
        name = whole.get("tool_name")
        if whole["hook_event_name"] == "PreToolUse" and (name is None or "tool_input" not in whole):
            raise UnreadableEvent("it does not say what is called; that is `tool_name` and `tool_input`")
        if isinstance(name, str):
            whole["tool_name"] = self.tools.get(name, name)
        try:
            data = json.dumps(whole, ensure_ascii=False, allow_nan=False, default=_plain).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise UnreadableEvent(f"it cannot be written as JSON: {error}") from None
        return read_payload(data)


def _decision(outcome: Outcome, event: Event | None) -> Decision:
    verdict = outcome.verdict
    changed = None
    if verdict.rewrite is not None and event is not None:
        changed = rewritten(event.own_input, event.tool_name, verdict.rewrite, known=event.known_tool)
        if changed is None:
            reason = "A rule rewrites this call, and its arguments are not where the new ones could be put."
            return Decision(decision="deny", reason=reason, rule=verdict.rule, failed=True)
    return Decision(
        decision=cast("Literal['deny', 'ask', 'allow', '']", verdict.decision),
        reason=verdict.reason,
        rule=verdict.rule,
        tool_input=changed,
        context=verdict.context,
        failed=verdict.failed,
        result=None if verdict.result is None else left_of(verdict.result, event.tool_response if event else None),
    )


def _plain(value: object) -> object:
    """Mappings and sequences of other types as JSON has them. Raises TypeError for what is no data."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "model_dump"):  # pydantic
        return value.model_dump()
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    raise TypeError(f"a {type(value).__name__} is no JSON value")
