"""Values of one call: its input, what is known of it so far, and its outcome."""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.platforms import AUTO, adapter_or_unnamed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rulez_py.event import Event
    from rulez_py.hook.project import Project
    from rulez_py.platforms import Adapter
    from rulez_py.policy.store.cache import InForce
    from rulez_py.system.places import Refusal
    from rulez_py.verdict import Answer, Verdict

TIME_BUDGET = 25.0
"""Seconds from start to answer. The agents' own limits (30 s in hooks/) let the call through when they strike."""
PYTHON = "python"
"""The log's name for a Python program that asks the policy itself (`rulez_py.integrations`)."""
WORDS = "claude"
"""The agent whose names for tools and arguments such a program uses: the canonical ones."""


def platform_of(logged: str) -> str:
    """Return the platform whose names a call has that the log says is from `logged`."""
    return WORDS if logged in (PYTHON, AUTO) else logged


class Options(Value):
    """The command line of one hook call."""

    platform: str
    """One of `PLATFORMS`, or `AUTO`: the payload tells it."""
    event: str | None = None
    rules: str | None = None
    timeout: float = TIME_BUDGET
    stream: bool = False


class Known(Value):
    """What is known of a call so far, from which an error is answered.

    `event_name` is the agent's name of the event, as far as it is known. `refused` are the places in the environment
    that must not be trusted. `redacting` are the rules that may want the result of this call redacted.
    """

    adapter: Adapter
    event_name: str | None
    event: Event | None = None
    project: Project | None = None
    policy: InForce | None = None
    refused: tuple[Refusal, ...] = ()
    redacting: tuple[str, ...] = ()


class HookCall:
    """One call: what it is given, and what is `known` of it, which grows while it is judged.

    Nothing else of a call changes. `known` is replaced whole, so that an alarm that comes between finds what holds.
    """

    def __init__(self, options: Options, environ: Mapping[str, str], started: float) -> None:
        self.options = options
        self.environ = environ
        self.started = started
        self.known = Known(adapter=adapter_or_unnamed(options.platform), event_name=options.event)

    @property
    def deadline(self) -> float:
        """When the answer is due, as a `time.monotonic()` value."""
        return self.started + self.options.timeout

    def learn(self, **facts: Any) -> None:
        """Add to what is known."""
        self.known = self.known.replace(**facts)


class Outcome(Value):
    """The outcome of a call: the policy's verdict and the answer for the agent."""

    verdict: Verdict
    answer: Answer
