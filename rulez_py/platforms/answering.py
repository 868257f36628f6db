"""A verdict -> the parts of it that an event of a platform can carry: rules that all platforms share."""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.event import REPLACED, WITHHELD
from rulez_py.event.arguments import rewritten
from rulez_py.system import jsontext
from rulez_py.verdict import ALLOW, ASK, DENY, NO_OPINION, Answer, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event, EventSpec
    from rulez_py.verdict import Redacted, Verdict

NO_REASON = "denied by policy"
"""The reason of a deny without one: some agents let a call run when the reason is empty."""

PLEASE_TELL = "rulez, which guards this session, found something that the person must know. Tell them, word for word:"
"""Before warnings that only the model can hand on."""


class Saying(Value):
    """A verdict cut down to what one event of one platform can carry; the adapter only formats it.

    `decision` is a deny only where the event's spec has a way to deny, an ask only before a tool on a platform that
    asks, an allow only where a call waits for one. `new_input` is the tool's whole input after the rewrite, None where
    nothing changes. `message` is what a person should hear although nothing is denied. `result` is what takes the
    place of the tool's result, where the agent takes that and something was redacted.
    """

    decision: str
    reason: str
    context: str = ""
    new_input: Mapping[str, object] | None = None
    message: str = ""
    dropped: tuple[str, ...] = ()
    result: object = None


def settle(
    verdict: Verdict,
    event: Event,
    spec: EventSpec,
    agent: str,
    *,
    asks: bool = False,
    tells: bool = False,
    rewrites: bool = True,
) -> Saying:
    """Return the parts of a verdict that this event can carry.

    `agent` is the platform's name for people. `asks` says that the platform can be made to ask the user before a tool
    runs, `tells` that it can show a person a text without anything being denied, `rewrites` that this event takes a
    new input.
    """
    said = _Draft(verdict, event, spec, agent)
    said.leave_out_errors(tells=tells)
    said.ask_or_deny(asks=asks and not spec.guessed)
    said.keep_to_what_counts()
    if verdict.rewrite and said.decision != DENY:
        said.rewrite(verdict.rewrite, rewrites=rewrites)
    if verdict.result is not None:
        said.redact(verdict.result, tells=tells)
    said.tell(tells=tells)
    return Saying(
        decision=said.decision,
        reason=reason_of(said.reason) if said.decision == DENY else said.reason,
        context=said.context,
        new_input=said.new_input,
        message="\n\n".join(said.heard),
        dropped=tuple(said.dropped),
        result=said.result,
    )


class _Draft:
    """An answer in the making: each step takes out of the verdict what the event cannot carry."""

    def __init__(self, verdict: Verdict, event: Event, spec: EventSpec, agent: str) -> None:
        self.verdict, self.event, self.spec, self.agent = verdict, event, spec, agent
        self.decision, self.reason = verdict.decision, verdict.reason
        self.context = ""
        self.new_input: Mapping[str, object] | None = None
        self.heard: list[str] = []
        """The message for the person."""
        self.result: object = None
        self.more_context: tuple[str, ...] = ()
        self.dropped: list[str] = []

    def drop(self, what: str, why: str) -> None:
        self.dropped.append(f"{what} {self.event.native_event}: {why}")

    def leave_out_errors(self, *, tells: bool) -> None:
        """INVARIANT: an error denies only where something can still be stopped, and never allows out loud."""
        if not self.verdict.failed or (self.spec.guards and self.decision != ALLOW):
            return
        if self.decision in (ASK, DENY):
            if tells:
                self.heard.append(reason_of(self.reason))
            else:
                self.drop("error on", f"{self.agent} does not display errors there")
        self.decision = NO_OPINION

    def ask_or_deny(self, *, asks: bool) -> None:
        """An ask becomes a deny where the agent cannot ask, and something can be stopped."""
        if self.decision != ASK:
            return
        if asks and self.event.type == "PreToolUse":
            return
        if self.event.type == "PermissionRequest":
            self.decision = NO_OPINION  # The user is being asked already.
        elif self.spec.guards and self.spec.deny:
            self.decision = DENY
            self.reason = f"{reason_of(self.reason)} ({self.agent} cannot ask the user here, so it is denied)"
            if self.verdict.way_out:
                self.reason += f" {self.verdict.way_out}"
        else:
            self.decision = NO_OPINION
            self.drop("ask on", "nothing is left to ask about there")

    def keep_to_what_counts(self) -> None:
        """A deny only where the event can be denied, an allow only where a call that we know waits for one."""
        if self.decision == DENY and not self.spec.deny:
            self.decision = NO_OPINION
            self.drop("deny on", f"{self.agent} cannot be stopped there")
        waits = self.event.type in ("PreToolUse", "PermissionRequest")
        if self.decision == ALLOW and (self.spec.guessed or not waits):
            self.decision = NO_OPINION

    def rewrite(self, changes: Mapping[str, object], *, rewrites: bool) -> None:
        """Set the tool's whole new input; deny where the event cannot carry it, or it might get lost."""
        event = self.event
        if event.type != "PreToolUse":
            self.drop("rewrite on", "only the input of a tool that has not run yet can be rewritten")
            return
        new_input = rewritten(event.own_input, event.tool_name, changes, known=event.known_tool)
        if new_input is None:
            self.decision, self.reason = DENY, _not_rewritable(self.verdict, event)
        elif new_input != event.own_input:
            if self.spec.guessed or not rewrites:
                knows = "knows no event" if self.spec.guessed else "takes no new input at"
                why = f"{self.agent} {knows} {_shown(event.native_event)}"
                self.decision, self.reason = DENY, f"a rule rewrites this call, but {why}"
            else:
                self.new_input = new_input

    def redact(self, result: Redacted, *, tells: bool) -> None:
        """Put what is redacted in the place of the result; withhold the result, or warn, where nothing else is heard.

        INVARIANT: a result that is to be withheld is never told as it is where the agent takes anything else for it.
        """
        from rulez_py.platforms import withholding

        own = self.event.tool_response
        way = self.spec.result if own is not None else ""
        if result.withheld and tells:
            self.heard.append(f"rulez: {result.withheld}.")
        if way == REPLACED:
            self.result = withholding.left_of(result, own)
            self.more_context = () if result.withheld else (withholding.beside(result),)
        elif way == WITHHELD:
            if self.decision != DENY:
                told = (withholding.instead(result, result.value), *self.verdict.context)
                self.decision, self.reason = DENY, "\n\n".join(told)
                self.verdict = self.verdict.replace(context=())
        else:
            warned = bool(self.spec.context)
            follows = "so the model is warned" if warned else "and the model reads no warning there"
            self.drop("redact on", f"{self.agent} does not let a hook change it, {follows}")
            self.more_context = (withholding.warning(result),) if warned else ()

    def tell(self, *, tells: bool) -> None:
        """Context for the model; what is wrong with the protection, where a session begins, for the person."""
        begins = self.spec.begins and "SubagentStart" not in self.event.types
        warnings = [printable(warning) for warning in self.verdict.warnings] if begins else []
        if tells:
            self.heard += warnings
            warnings = []
        context = "\n\n".join(
            (*self.verdict.context, *self.more_context, *((PLEASE_TELL, *warnings) if warnings else ()))
        )
        if context and self.decision == DENY:
            self.drop("context for", "a deny carries only its reason")
        elif context and not self.spec.context:
            self.drop("context for", f"{self.agent} drops it")
        else:
            self.context = context


def nested_output(said: Saying, event: Event, specific: Mapping[str, object]) -> dict[str, object]:
    """Return what is not denied, in the form of Claude Code that others took over; {} where there is nothing to say.

    `specific` is what the platform itself puts into `hookSpecificOutput`.
    """
    output: dict[str, object] = {}
    if said.message:
        output["systemMessage"] = said.message
    context = {"additionalContext": said.context} if said.context else {}
    if specific or context:
        output["hookSpecificOutput"] = {"hookEventName": event.native_event, **specific, **context}
    return output


def refused(reason: str, dropped: tuple[str, ...] = ()) -> Answer:
    """Return a deny as our plugins read it (dev/plugin_core.js): `continue: false` and exit code 2."""
    return Answer(stdout=jsontext.dumps({"continue": False, "reason": reason}), exit_code=2, dropped=dropped)


def for_plugin(said: Saying, spec: EventSpec) -> Answer:
    """Return what our plugins read (dev/plugin_core.js).

    Neutral is `continue: true`: they take silence for a failure.
    """
    if said.decision == DENY:
        answer = refused(said.reason, said.dropped)
        return to_whomever(answer, said.reason) if spec.guessed else answer
    output: dict[str, object] = {"continue": True}
    if said.decision == ASK:
        output = {"continue": False, "ask": True, "reason": reason_of(said.reason)}
    if said.new_input is not None:
        output["args"] = said.new_input
    if said.result is not None:
        output["result"] = said.result
    if said.context:
        output["context"] = said.context
    return Answer(stdout=jsontext.dumps(output), dropped=said.dropped)


def refused_unread(events: Mapping[str, EventSpec], reason: str, event_name: str | None) -> Answer:
    """Return the same for an event that cannot be read, unless the caller knows that it guards nothing."""
    spec = events.get(event_name or "")
    if spec is not None and not spec.guards:
        return Answer(stdout=jsontext.dumps({"continue": True}))
    return refused(reason_of(reason))


def exited(said: Saying, spec: EventSpec) -> Answer:
    """Return a deny by exit code 2 with the reason on stderr; a caller that is unknown may look at JSON alone."""
    output = jsontext.dumps({"decision": "deny", "reason": said.reason}) if spec.guessed else ""
    return Answer(stdout=output, stderr=said.reason, exit_code=2, dropped=said.dropped)


def exited_unread(events: Mapping[str, EventSpec], reason: str, event_name: str | None) -> Answer:
    """Return exit code 2 with the reason on stderr, unless the caller knows that the event guards nothing."""
    spec = events.get(event_name or "")
    if spec is not None and not spec.guards:
        return Answer()
    return Answer(stderr=reason_of(reason), exit_code=2)


def to_whomever(answer: Answer, reason: str) -> Answer:
    """Return a deny to an unknown caller: its present output, and exit code 2 with the reason on stderr."""
    return answer.replace(stderr=reason, exit_code=2)


def reason_of(reason: str) -> str:
    """Return the reason as given, or a general one where it is blank."""
    return reason if reason.strip() else NO_REASON


def _not_rewritable(verdict: Verdict, event: Event) -> str:
    said = f"{verdict.reason.strip()} " if verdict.reason.strip() else ""
    tool = event.platform_tool_name or "this tool"
    cause = "has it in more than one place" if isinstance(event.own_input, dict) else "is not an object"
    return f"{said}(a rule rewrites the input of {tool}, but that input {cause}, so the call is denied)"


def _shown(name: str) -> str:
    shown = repr(name)
    return shown if len(shown) <= 40 else shown[:37] + "..."
