"""The result of a call, as far as the agent's event after it says: `results.py` of each platform's folder.

A platform without that module says nothing of the commands that its shell ran. Of a call that runs no command, an event
after it that is no failure is a success.
"""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.platforms import part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.event import Event

SUCCESS, FAILURE, UNKNOWN = "success", "failure", ""
AFTER, FAILED = "PostToolUse", "PostToolUseFailure"


class Form(Value):
    """How an agent's event tells the result of a command line.

    - `events`, `tools`: the agent's own names of those that tell it; all where there are none;
    - `silent`: what says nothing of a failure is a success, since a failure comes as another event;
    - `code`: keys of the exit code, from the response on, with dots between them;
    - `going`: the code of a command that has not ended;
    - `text`: keys of a text, "" for the response itself, whose last line with `before` at its start has the exit code,
      up to `behind`;
    - `whole`: a text with a line that begins so, and without an exit code, is that of a success; lines that begin with
      one of `unless_lines` leave it unknown;
    - `each`: the response is a list, and each entry has this key;
    - `unless`: keys of the response or the payload; where one has a value that counts as true, the result is unknown;
    - `untold`: by their names for people, the parts of the agent that tell no result; its own name where none does.
    """

    events: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    silent: bool = False
    code: tuple[str, ...] = ()
    going: int | None = None
    text: tuple[str, ...] = ()
    before: str = ""
    behind: str = ""
    whole: str = ""
    unless_lines: tuple[str, ...] = ()
    each: str = ""
    unless: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()


def result(event: Event, *, is_command: bool) -> str:
    """Return SUCCESS, FAILURE or UNKNOWN of the call that an event comes after; raises nothing."""
    if FAILED in event.types:
        return FAILURE
    if AFTER not in event.types:
        return UNKNOWN
    response = _decoded(event.tool_response)
    if isinstance(response, dict) and (
        response.get("success") is False or any(response.get(key) is True for key in ("isError", "is_error"))
    ):
        return FAILURE
    if not is_command:
        return SUCCESS
    try:
        form: Form = part(event.platform, "results").FORM
    except (KeyError, ModuleNotFoundError):
        return UNKNOWN
    return _told(form, response, event)


def _told(form: Form, response: object, event: Event) -> str:
    if form.events and event.native_event not in form.events:
        return UNKNOWN
    if form.tools and event.platform_tool_name not in form.tools:
        return UNKNOWN
    if any(_at(response, key) or _at(event.payload, key) for key in form.unless):
        return UNKNOWN
    for key in form.code:
        found = _at(response, key)
        if type(found) is int and found == form.going:
            return UNKNOWN
        if type(found) is int:
            return SUCCESS if found == 0 else FAILURE
    if form.each and isinstance(response, list) and response:
        return SUCCESS if all(_at(one, form.each) is True for one in response) else FAILURE
    texts = (_at(response, key) if key else response for key in form.text)
    if text := next((one for one in texts if isinstance(one, str)), ""):
        return _of_text(form, text.splitlines())
    return SUCCESS if form.silent else UNKNOWN


def _of_text(form: Form, lines: list[str]) -> str:
    """INVARIANT: what the command itself prints makes no success of a failure: the agent's own lines stand last."""
    said = next((line for line in reversed(lines) if line.startswith(form.before)), None)
    if said is not None:
        _, found, number = said.rpartition(form.behind) if form.behind else ("", "x", said[len(form.before) :])
        number = number.strip().rstrip(">]")
        if not found or not number.lstrip("-").isdigit():
            return UNKNOWN
        return SUCCESS if number == "0" else FAILURE
    if not form.whole or not any(line.startswith(form.whole) for line in lines):
        return UNKNOWN
    return UNKNOWN if any(line.startswith(form.unless_lines) for line in lines) else SUCCESS


def _at(value: object, path: str) -> object:
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _decoded(response: object) -> object:
    from rulez_py.platforms.parsing import decoded

    return decoded(response)
