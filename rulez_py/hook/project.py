"""Find the project a call belongs to, whose policies count for it.

INVARIANT: what a repository could set leads to no fewer rules than the process' directory. An agent's own variable and
its payload are the agent's; another agent's variable may be set by anything, so both projects' policies count there.
"""

from __future__ import annotations

import os

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulez_py.event import Event
    from rulez_py.platforms import Adapter

_OTHERS = ("CURSOR_PROJECT_DIR", "DEVIN_PROJECT_DIR", "CLAUDE_PROJECT_DIR")
"""Variables in which agents name the project that run hooks set up for another; they count where nothing else does."""
_ROOTS = ("workspace_roots", "workspaceRoots", "workspacePaths", "workspaceRoot", "working_dir")
"""Keys of payloads in which such agents name it: Cursor, Cline, Antigravity, Grok Build, OpenHands."""


class Project(Value):
    """The policies of `directory` count for a call, and those of the directories `beside` it.

    `told` is true where the payload names the project: the directory in which hooks run says nothing then.
    """

    directory: str | None
    beside: tuple[str, ...] = ()
    told: bool = False


def project_of(adapter: Adapter, event: Event, environ: Mapping[str, str]) -> Project:
    """Return the agent's own variable, else what the payload says, else where the hook runs.

    Where the payload's `cwd` is the call's and not the session's, the model would choose which policy holds.
    """
    here, own, roots = working_directory(), project_variable(adapter, environ), _roots(event.payload)
    if roots:
        first, *others = dict.fromkeys((*((own,) if own else ()), *roots))
        return Project(directory=first, beside=tuple(others), told=True)
    usual = own or event.project_dir or (here if adapter.RUNS_IN_PROJECT else None)
    if usual is None and event.cwd is None:
        other = _first_directory(environ.get(name) for name in _OTHERS)
        if other is not None:
            return Project(directory=other, beside=() if here is None else (here,))
    return Project(directory=usual or event.cwd, told=own is not None and _lies_in(event.cwd, own))


def project_variable(adapter: Adapter, environ: Mapping[str, str]) -> str | None:
    """Return the project that the agent names in its own variable."""
    return _first_directory(environ.get(name) for name in adapter.PROJECT_VARIABLES)


def working_directory() -> str | None:
    """Return where the hook runs."""
    try:
        return os.getcwd()
    except OSError:
        return None  # it has been deleted


def _roots(payload: Mapping[str, object]) -> tuple[str, ...]:
    found: list[str] = []
    for key in _ROOTS:
        value = payload.get(key)
        found += (str(one) for one in (value if isinstance(value, list) else (value,)) if _is_directory(one))
    return tuple(dict.fromkeys(found))


def _first_directory(values: Iterable[object]) -> str | None:
    return next((str(value) for value in values if _is_directory(value)), None)


def _is_directory(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value and os.path.isabs(value) and os.path.isdir(value)


def _lies_in(path: str | None, directory: str) -> bool:
    """Tell whether a path, wherever links lead, is a directory or lies in it."""
    if path is None or "\0" in path:
        return False
    real, top = os.path.realpath(path), os.path.realpath(directory)
    return real == top or real.startswith(top.rstrip(os.sep) + os.sep)
