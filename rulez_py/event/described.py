"""List what expressions and scripts may know of a call besides its own fields: one table for both.

They are plain values, as JSON has them: text, numbers, booleans, lists and maps; what is unknown is null. An event's
fields are in `fields`, facts of a repository in `system.git.values`.
"""

from __future__ import annotations

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Described(Value):
    """Something to know of a call, in words for people.

    `form` is its type; of a list of maps, the type of each entry's values by name, of a map that of its own (`is_map`).
    """

    about: str
    form: str | Mapping[str, str]
    is_map: bool = False


DESCRIBED: Mapping[str, Described] = {
    "agent": Described(about="The agent, as `platform` has it.", form="text"),
    "subagent": Described(
        about="The agent says that a subagent makes the call; `agent_type` is its name.",
        form="boolean",
    ),
    "commands": Described(
        about="Each command that would be executed: of the line, of what it hands to a shell, of files that it runs.",
        form={
            "program": 'text, "" where it is unknown: the name without directory and `.exe`, in lower case',
            "subcommand": "text: the first of the operands",
            "options": 'list of maps: `names`, every spelling of what it may mean, and its `value`, "" without one',
            "operands": "list of texts: the words that are no options",
            "words": "list of texts: all words, the program's first",
            "known": "boolean: every word of it is, and what it executes",
            "via": "list of texts, as `command: {via}` has them",
            "user": 'text: `root`, or ""',
            "cwd": "text or null: where it runs",
            "script": 'text: the file it is in, "" for the call itself',
            "line": "number: its line there",
        },
    ),
    "files": Described(
        about="Each file that the call touches, by any tool.",
        form={
            "path": "text: absolute",
            "access": "list of texts: `read`, `write`, `delete`, `send`",
            "deep": "boolean: all below it counts",
            "known": "boolean: it is this file for certain",
            "supposed": "boolean: a program's words name it, and what that does with it is not known",
        },
    ),
    "hosts": Described(about="The hosts that the call names or contacts, without port.", form="list of texts"),
    "flows": Described(
        about="Secrets that a command lets go, as `flow` has them.", form={"from": "text", "to": "text"}
    ),
    "written": Described(
        about="Each text that the call writes, as far as it is known.",
        form={"bytes": "number", "lines": "number"},
    ),
    "time": Described(
        about="When the call is judged, by the machine's clock.",
        form={
            "at": "text: as RFC 3339 has it, `2026-11-27T22:30:00+01:00`",
            "hour": "number: 0 to 23, by that clock",
            "minute": "number",
            "weekday": "text: `mon` to `sun`",
        },
        is_map=True,
    ),
}
"""Name -> what it is. `policy.facts.described` finds them."""
