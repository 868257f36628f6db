"""OpenCode: what our plugin (hooks/opencode/rulez.js) sends and how it takes the answer.

OpenCode has no command hooks. The plugin's form is in `opencode_form`, as OpenCode's forks have it too; every fact
about OpenCode is from contract.md.
"""

from __future__ import annotations

from rulez_py.platforms import opencode_form
from rulez_py.platforms.opencode.tools import INBOUND
from rulez_py.platforms.parsing import asks_at_once, hooks_of_nobody_else, own_hooks_alone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event, EventSpec
    from rulez_py.verdict import Answer, Verdict

NAME = "opencode"
AGENT = "OpenCode"
PROJECT_VARIABLES: tuple[str, ...] = ()
RUNS_IN_PROJECT = False
SHELL_MARKS: tuple[str, ...] = ("OPENCODE",)  # the source of its entry point
PROGRAMS: tuple[str, ...] = ("opencode", "opencode-ai", "@opencode-ai/cli")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone
sends_to = hooks_of_nobody_else

EVENTS: Mapping[str, EventSpec] = opencode_form.EVENTS
UNRECORDED: Mapping[str, str] = opencode_form.UNRECORDED
CAPABILITIES: Mapping[str, str] = opencode_form.capabilities(AGENT)

unreadable = opencode_form.unreadable


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload, in the plugin's form or the flat one. Raises UnreadableEvent."""
    return opencode_form.parse(payload, event_name, platform=NAME, tools=INBOUND)


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict as the plugin reads it."""
    return opencode_form.answer(verdict, event, agent=AGENT)
