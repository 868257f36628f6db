"""The agents that rulez speaks with: a folder each, with all that is known of one agent and of no other.

A folder is a platform where it has snippets to install (`hooks/`). Beside these it has `adapter.py` (what its hooks
send and honour, as `Adapter` below says), `evidence.py` (what tells its payloads from others'), `tools.py` (what it
calls its tools), `settings.py` (the files that decide about its hooks), `agents.py` where rulez writes its agent
definitions, `skills.py` where it loads skills, and `contract.md` (how all of that was measured). The modules beside the
folders are what all of them share.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from rulez_py.event import Event, EventSpec
    from rulez_py.verdict import Answer, Verdict

    class Adapter(Protocol):
        """The interface of a platform's `adapter` module."""

        NAME: str
        """The platform's name, which its folder has."""
        AGENT: str
        """Its name for people."""
        EVENTS: Mapping[str, EventSpec]
        """Every event name the platform sends -> what it means. For others see `spec_of`."""
        UNRECORDED: Mapping[str, str]
        """Events of that table that no recorded payload shows -> how each is known (`tool_table`)."""
        PROJECT_VARIABLES: tuple[str, ...]
        """Environment variables in which the agent names its project directory, best first."""
        RUNS_IN_PROJECT: bool
        """True if hooks run in the project's directory, which then counts more than the payload's `cwd`."""
        SHELL_MARKS: tuple[str, ...]
        """Environment variables by which a process knows that this agent's shell started it."""
        PROGRAMS: tuple[str, ...]
        """Names of its process, or with `@` the package of the file that it runs."""
        CAPABILITIES: Mapping[str, str]
        """Capability (the keys of `CAPABILITIES` below) -> what happens on this platform, one sentence."""

        def parse(self, payload: Mapping[str, object], event_name: str | None) -> Event:
            """Return the event of one payload; `event_name` is what the caller knows it to be.

            Raises UnreadableEvent.
            """

        def answer(self, verdict: Verdict, event: Event) -> Answer:
            """Return the verdict in this platform's words."""

        def unreadable(self, reason: str, event_name: str | None) -> Answer:
            """Return the sturdiest deny for an event that could not be read."""

        def asks_at(self, event: Event) -> str:
            """Return the later event at which the agent acts on an ask about this call; "" where it does so at once."""

        def may_be_foreign(self, payload: Mapping[str, object]) -> bool:
            """Tell whether another agent may have sent this, because it runs the hooks set up for this one too."""

        def sends_to(self, platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
            """Tell whether this agent sent such a payload to a hook set up for another platform."""


CAPABILITIES: tuple[str, ...] = ("deny", "ask", "allow", "rewrite", "context", "redact", "prompt", "stop", "failure")

AUTO = "auto"
"""The word for a hook that several agents share: its payload tells the agent (`evidence.py`, `unnamed.py`)."""

_DIRECTORY = os.path.dirname(os.path.abspath(__file__))


def snippets(platform: str) -> str:
    """Return the directory of what a person installs in an agent."""
    return os.path.join(_DIRECTORY, platform, "hooks")


def _found() -> tuple[str, ...]:
    try:
        names = os.listdir(_DIRECTORY)
    except OSError:
        return ()
    return tuple(sorted(name for name in names if "." not in name and os.path.isdir(snippets(name))))


PLATFORMS: tuple[str, ...] = _found()
"""The name of each, sorted; none where rulez is not fully installed: then every hook denies."""


def part(platform: str, name: str) -> Any:
    """Return one module of a platform's folder; no other platform is loaded.

    Raises KeyError for an unknown platform.
    """
    if platform not in PLATFORMS:
        raise KeyError(platform)
    # `importlib` would cost the hook path milliseconds.
    return __import__(f"{__name__}.{platform}.{name}", fromlist=["NAME"])


def parts(name: str) -> dict[str, Any]:
    """This module of every platform's folder that has it, sorted by platform."""
    found = {}
    for platform in PLATFORMS:
        try:
            found[platform] = part(platform, name)
        except ModuleNotFoundError as missing:
            if not str(missing.name).endswith(f".{platform}.{name}"):
                raise
    return found


def is_proven(platform: str) -> bool:
    """Tell whether rulez was played on this agent itself; of any other the documentation or the code alone is known.

    Raises KeyError for an unknown name.
    """
    return bool(part(platform, "settings").PROVED)


def titled(platform: str) -> str:
    """Return an agent's name for a table, which says where it is unproven. Raises KeyError for an unknown name."""
    return adapter(platform).AGENT + ("" if is_proven(platform) else " (unproven)")


def adapter(platform: str) -> Adapter:
    """Return the adapter of one platform. Raises KeyError for an unknown name."""
    found: Adapter = part(platform, "adapter")
    return found


def adapter_or_unnamed(platform: str) -> Adapter:
    """Return the same; for `AUTO` the adapter of a sender that is unknown so far. Raises KeyError."""
    if platform != AUTO:
        return adapter(platform)
    found: Adapter = __import__(f"{__name__}.unnamed", fromlist=["NAME"])
    return found


def senders(payload: Mapping[str, object], environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the platforms that may have sent a payload, by the strongest evidence; () for an unknown sender.

    The payload's form counts more than the environment: what an agent starts inherits its variables.
    """
    found = {name: one.EVIDENCE.strength(payload, environ) for name, one in parts("evidence").items()}
    strongest = max(found.values(), default=0)
    return tuple(name for name, strength in found.items() if strength and strength == strongest)


def caller(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> str:
    """Return the platform that really sent a payload to a hook set up for `platform`; the others load only in doubt.

    Another one counts only where it runs such hooks, and the evidence says of no other that it sent this.
    """
    if not adapter(platform).may_be_foreign(payload):
        return platform
    told = senders(payload, environ)
    others = (other for other in PLATFORMS if other != platform and (not told or other in told))
    return next((other for other in others if adapter(other).sends_to(platform, payload, environ)), platform)


def candidates(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return who may have sent a payload that is said to be of `platform`; for `AUTO` all that may have, or `AUTO`."""
    return (senders(payload, environ) or (AUTO,)) if platform == AUTO else (caller(platform, payload, environ),)
