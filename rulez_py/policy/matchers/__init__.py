"""The matchers: one module for each kind, listed here and nowhere else.

A matcher's module is called like its key in a policy file. It has

- `ABOUT` and `EXAMPLE`: a line about it, and one that may be written;
- `schema()`: what may be written (`documents.types`), and `compiled(wanted)`: what is compiled of it;
- `filed_by(match)`: what a rule with it is filed by (`index_keys.Filing`), None where that says nothing of an event;
- `fits(wanted, facts, strict=)`, of a part `fits(wanted, part, facts, strict=)`, of a file `fits(wanted, file, facts,
  strict=)`: whether what the rule wants, in its compiled form, is so. One entry of a list is enough; a matcher whose
  field the event does not have does not fit. A strict fit is for what weakens a policy (`except`, `allow`): where the
  event touches several files, hosts or texts, or can be read in several ways, all of them must fit instead of one;
- `seen(wanted, facts)`, of a part `seen(wanted, part, facts)`: the texts it has looked at, for `rulez explain`
  (a file is shown as it is written, and `command` is explained part by part);
- `wants(wanted)`, where what it wants is no list: that in a few words, for people;
- `about`, where an exception is asked of a part of the event alone: the part by which the rule matched;
- `VARIABLES`, where it is so: the keys of its lists in which `$NAME` is a list of the file's `vars`
  (`format.variables`); of a matcher that is a list itself, its own name. `OWN_VARIABLES` are names that it knows
  itself: there any other name is a mistake, elsewhere it may be a word of a command line;
- for people, where it is so: `GENERAL`, nearly every call fits it; `SAYS_LITTLE`, checks by which no rule comes near;
  `NEEDS_TOOL`, events without a tool never fit; `NEVER_WITH`, tools that never fit (`declared`).

A hook call asks for `fits` and `about` alone: what only the others need, they import themselves.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rulez_py.policy.model.rule import Match

CALL, PART, FILE = "call", "part", "file"

KINDS = {
    "operations": CALL,
    "platforms": CALL,
    "agent_types": CALL,
    "projects": CALL,
    "tools": CALL,
    "mcp": CALL,
    "require_fields": CALL,
    "field_types": CALL,
    "extensions": FILE,
    "directories": FILE,
    "paths": FILE,
    "command": PART,
    "flow": PART,
    "domains": PART,
    "loses": PART,
    "pushes": PART,
    "git": PART,
    "content": CALL,
    "max_bytes": CALL,
    "command_match": CALL,
    "content_match": CALL,
    "input_match": CALL,
    "prompt_match": CALL,
}
"""Matcher -> what it looks at: the call as a whole, each part of it (a command; `facts.Part`), or each file of a part.

They are asked in this order: what is cheap to know first, what may load a regex engine last.
"""


WRITE_NOTHING = ("Read", "Glob", "Grep", "List", "LSP", "WebFetch", "WebSearch")
"""Tools that write no text, by their canonical names."""
RUN_NOTHING = (*WRITE_NOTHING, "Write", "Edit", "TodoWrite")
"""Tools that run no command."""


def matchers_of(matchers: Mapping[str, Any]) -> Match:
    """Return matchers, as a file has them, compiled and in the order in which they are asked.

    Raises KeyError for an unknown one, which may not be skipped.
    """
    compiled = {kind: matcher(kind).compiled(wanted) for kind, wanted in matchers.items()}
    return {kind: compiled[kind] for kind in KINDS if kind in compiled}


def declared(name: str) -> dict[str, Any]:
    """Return what matchers say of themselves under a name: kind -> value, for those that say something."""
    found = {kind: getattr(matcher(kind), name, None) for kind in KINDS}
    return {kind: value for kind, value in found.items() if value}


def matcher(kind: str) -> Any:
    """Return the module of one kind; only it is imported. Raises KeyError for an unknown kind."""
    if kind not in _loaded:
        if kind not in KINDS:
            raise KeyError(kind)
        # `importlib` would cost the hook path milliseconds, and asking for a loaded module microseconds each time.
        _loaded[kind] = __import__(f"{__name__}.{kind}", fromlist=["fits"])
    return _loaded[kind]


_loaded: dict[str, Any] = {}
