"""A definition from a file, and to the file of a platform: what `rulez agents write` does, from Python."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.agents.reading import read
from rulez_py.definitions.agents.writers import file_path, render
from rulez_py.definitions.base.composing import files_beside
from rulez_py.definitions.base.files import content_of, tell_of
from rulez_py.definitions.base.platforms import AGENT_FILES
from rulez_py.definitions.base.tool import platform_of
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.definitions.output.marks import NO_FILE, mark
from rulez_py.definitions.output.store import CannotWrite, check_ways, state, write
from rulez_py.definitions.output.targets import WholeFile
from rulez_py.definitions.output.written import Scope, State, Written
from rulez_py.documents.diagnostics import errors
from rulez_py.renamed import takes

if TYPE_CHECKING:
    from rulez_py.definitions.agents.enrichers import ToolEnricher
    from rulez_py.definitions.base.notes import Warn
    from rulez_py.definitions.base.tool import Platform


def load(
    path: str | os.PathLike[str], *, variables: Mapping[str, str] = MappingProxyType({}), warn: Warn | None = None
) -> AgentDefinition:
    """Return the definition in a file, YAML or Markdown with front matter, and in the files that it names.

    `variables` are values for `{{var:NAME}}`, which win over the definition's own. `warn` is told of what is doubtful.

    Raises InvalidAgent with every problem and its place, one a line; CannotLoad where the file cannot be read.
    """
    name = os.fspath(path)
    content = content_of(name)
    done = read(content, name, files=files_beside(name), variables=variables)
    if done.agent is None:
        raise InvalidAgent("\n".join(one.labelled for one in errors(done.problems)))
    tell_of(done.problems, warn)
    return done.agent


@takes(harness="platform")
def write_file(
    agent: AgentDefinition,
    platform: Platform | str,
    root: str | os.PathLike[str] | None = None,
    *,
    scope: Scope = "project",
    check: bool = False,
    force: bool = False,
    enricher: ToolEnricher | None = None,
    warn: Warn | None = None,
    source: str = NO_FILE,
) -> Written:
    """Write the Markdown file that a platform loads, with the mark by which rulez knows it again.

    `root` is the project's directory, by default the current one; in the scope `user` the home directory. With `check`
    nothing is written. An edited file is written over with `force` only, and then kept beside it.

    Raises CannotSay and EnricherError as `render` does; CannotWrite where the file is another's or cannot be written;
    InvalidAgent for an unknown platform or scope.
    """
    platform = platform_of(platform)
    if scope not in ("project", "user"):
        raise InvalidAgent(f"there is no scope {scope!r}; there are project, user")
    text = mark(render(agent, platform, enricher=enricher, warn=warn), source, after_first_line=True)
    if scope == "user":
        home = os.fspath(root) if root is not None else os.path.expanduser("~")
        file = AGENT_FILES[platform]
        path = os.path.join(home, *file.user_directory.split("/"), agent.name + file.ending)
    else:
        path = os.path.join(os.curdir if root is None else os.fspath(root), *file_path(agent, platform).split("/"))
        check_ways(os.curdir if root is None else os.fspath(root), [path])
    target = WholeFile(path, os.path.normpath(path), text)
    found = state(target)
    if found is State.Edited and not (force or check):
        raise CannotWrite(
            f"{target.shown}: {State.Edited.value}; put what is in there into the definition, or force it"
        )
    if check or found is State.Same:
        return Written(path, found)
    return Written(path, found, *write([target]))


# `AgentDefinition.write`, which definition.py declares: how a file is written, a definition need not know.
AgentDefinition.write = write_file  # type: ignore[method-assign, assignment]
