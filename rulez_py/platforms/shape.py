"""What a platform's adapter has to provide, and what its events mean."""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.event import EVENT_TYPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from rulez_py.event import Event
    from rulez_py.verdict import Answer, Verdict

    class Adapter(Protocol):
        """What a platform's `adapter` module provides."""

        NAME: str
        """The platform's name, which its folder has."""
        AGENT: str
        """What people call it."""
        EVENTS: Mapping[str, EventSpec]
        """Every event name the platform sends -> what it means. For others see `spec_of`."""
        PROJECT_VARIABLES: tuple[str, ...]
        """Environment variables in which the agent names its project directory, best first."""
        RUNS_IN_PROJECT: bool
        """Whether hooks run in the project's directory, and that says more than the payload's `cwd`."""
        SHELL_MARKS: tuple[str, ...]
        """Environment variables by which a process knows that this agent's shell started it."""
        PROGRAMS: tuple[str, ...]
        """What its process may be called, or with `@` the package that the file it runs lies in."""
        CAPABILITIES: Mapping[str, str]
        """Capability (the keys of `CAPABILITIES` below) -> what happens on this platform, one sentence."""

        def parse(self, payload: Mapping[str, object], event_name: str | None) -> Event:
            """The event of one payload; `event_name` is what the caller knows it to be. Raises UnreadableEvent."""

        def answer(self, verdict: Verdict, event: Event) -> Answer:
            """The verdict in this platform's words."""

        def unreadable(self, reason: str, event_name: str | None) -> Answer:
            """The sturdiest deny for an event that could not be read."""

        def may_be_foreign(self, payload: Mapping[str, object]) -> bool:
            """Whether another agent may have sent this, because it runs the hooks set up for this one too."""

        def sends_to(self, platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
            """Whether this agent sent such a payload to a hook set up for another platform."""


CAPABILITIES: tuple[str, ...] = ("deny", "ask", "allow", "rewrite", "context", "prompt", "stop", "failure")


class EventSpec(Value):
    """What one native event means.

    `guards` marks events that stand before something that can still be stopped: only there does an error deny.
    `deny` and `context` name the adapter's own way of saying it, "" where the platform cannot. `begins` marks those
    that begin a session: a person is told there what is wrong with the protection. `guessed` is an event of a name that
    the platform does not know: it carries a tool and its input, so it counts as one before a tool.
    """

    types: tuple[str, ...]
    guards: bool = False
    deny: str = ""
    context: str = ""
    begins: bool = False
    guessed: bool = False


def spec_of(events: Mapping[str, EventSpec], native: str, *, call: bool = False) -> EventSpec:
    """What an event name means on a platform; `call` says that its payload carries one. Raises nothing.

    A canonical name the platform does not use itself keeps its meaning and is answered as the platform's nearest event.
    INVARIANT: a call under any other name is judged as one that waits. Without a call such an event is a notification.
    """
    known = events.get(native)
    if known is not None:
        return known
    if native not in EVENT_TYPES:
        if not call:
            return EventSpec(types=("Notification",))
        before = next(spec for spec in events.values() if "PreToolUse" in spec.types)
        # Who reads the answer is not known, so neither is what of it counts, but for a deny.
        return before.replace(context="", guessed=True)
    like = next((spec for spec in events.values() if native in spec.types), None)
    return EventSpec(types=(native,)) if like is None else like.replace(types=(native,))


def own_hooks_alone(payload: Mapping[str, object]) -> bool:
    """`may_be_foreign` of a platform whose hooks no other agent runs."""
    return False


def hooks_of_nobody_else(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """`sends_to` of a platform that runs no other's hooks."""
    return False
