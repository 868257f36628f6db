"""A definition's `policy`: rules for that agent alone, as sections of the project's policy file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.base.notes import Note
from rulez_py.definitions.base.platforms import AGENT_FILES
from rulez_py.definitions.output import sections, yamltext
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.definitions.output.sections import YAML, Broken, Comments, Section, Sections
from rulez_py.definitions.output.store import CannotWrite
from rulez_py.documents.diagnostics import errors
from rulez_py.documents.document import parse
from rulez_py.platforms import adapter
from rulez_py.platforms.agent_files import LARGEST_FILE
from rulez_py.policy.format.check import check
from rulez_py.policy.format.schema import ACTIONS
from rulez_py.system.files import NO_SYMLINK, read_pieces

POLICY = ".rulez/rules.yaml"
_HEADER = b'version: "1.0"\nextends: [builtin:essentials]\nrules:\n'
"""The head of a new file, which says that the essentials hold."""
_INDENT = 2
_ONLY_TIGHTENING = ("block", "ask", "block_if_match", "inject_inline", "validate_expr")
"""What the rules of an agent may do: definitions come with a repository, and nothing that came with one loosens.

The others approve, change what is called, or run something.
"""
_DEFINITIONS = "agents"
_PACKAGES = frozenset(("node_modules", "site-packages"))
"""Equal to the globs of `rulez-protects-definitions-with-rules` in self-protection."""


@dataclass(frozen=True)
class Rules(Sections):
    """Our rules in a project's policy file: the source of each definition, and its rules as YAML."""

    comments: ClassVar[Comments] = YAML

    def wanted(self, before: bytes | None) -> bytes:
        content, indent = _HEADER, _INDENT
        if before is not None:
            indent = self._indent(before)
            content = before
        try:
            for source, text in self.parts:
                shifted = "".join(f"{' ' * indent}{line}\n" for line in text.splitlines())
                content = sections.put(content, source, shifted, self.comments, blank=False)
        except Broken as error:
            raise CannotWrite(f"{self.shown}: {error}") from error
        wrong = errors(check(content, self.shown, layer="project").problems)
        if wrong:
            raise CannotWrite("\n".join(one.labelled for one in wrong))
        return content

    def _indent(self, before: bytes) -> int:
        """Return how far the rules of a file are indented, which must be its last. Raises CannotWrite."""
        document = parse(before, self.shown)
        data, rules = document.data, document.data.get("rules") if isinstance(document.data, dict) else None
        if document.problems or not isinstance(data, dict):
            raise CannotWrite("\n".join(one.labelled for one in document.problems) or f"{self.shown} is no policy")
        if list(data)[-1] != "rules" or not isinstance(rules, list) or not rules:
            raise CannotWrite(f"{self.shown}: put `rules:` behind all other keys, with a rule in it")
        line, column = document.position(("rules", 0))
        written = before.decode().splitlines()[line - 1][: column - 1]
        if written.strip() != "-":
            raise CannotWrite(f"{self.shown}:{line}: write the rules as a list with a line `- name: ...` each")
        return len(written) - len(written.lstrip())


def rules_of(agent: AgentDefinition) -> str:
    """Return the rules of an agent as YAML, each for it alone. Raises InvalidAgent for invalid rules."""
    return "".join(_rule(agent, rule) for rule in agent.policy)


def _rule(agent: AgentDefinition, written: Mapping[str, Any]) -> str:
    name, matchers = written.get("name"), written.get("matchers")
    if not isinstance(name, str) or not isinstance(matchers, Mapping):
        raise InvalidAgent(f"a rule in the policy of agent {agent.name} needs a name and matchers, as in a policy file")
    if "agent_types" in matchers:
        raise InvalidAgent(f"rule {name} of agent {agent.name} has agent_types: it is for that agent alone already")
    actions = written.get("actions")
    for action in actions if isinstance(actions, Mapping) else ():
        if action in ACTIONS.fields and action not in _ONLY_TIGHTENING:
            raise InvalidAgent(
                f"rule {name} of agent {agent.name} has {action}: the policy of an agent only denies, asks and tells; "
                f"write that rule into {POLICY} yourself"
            )
    own = name if name.startswith(f"{agent.name}-") else f"{agent.name}-{name}"
    rule = {**written, "name": own, "matchers": {"agent_types": [agent.name], **matchers}}
    lines = yamltext.mapping({"name": own, **rule}).splitlines()
    return "".join(f"{'- ' if number == 0 else '  '}{line}\n" for number, line in enumerate(lines))


def target(place: str, agents: Iterable[tuple[str, AgentDefinition]]) -> Rules | None:
    """Return the project's policy file with the rules of these (source, agent); None where none has any."""
    parts = tuple((source, rules_of(agent)) for source, agent in agents if agent.policy and _guarded(source))
    path = os.path.join(place, *POLICY.split("/"))
    return Rules(path, os.path.normpath(path), parts) if parts else None


def _guarded(source: str) -> bool:
    """Tell whether a definition lies where self-protection knows it for one. Raises InvalidAgent where it does not."""
    directories = source.split("/")[:-1]
    if _DEFINITIONS in directories and not _PACKAGES.intersection(directories):
        return True
    raise InvalidAgent(
        f"{source}: a definition with a policy lies in the project, in a directory called {_DEFINITIONS}: "
        "there rulez keeps agents from changing it"
    )


def notes(agents: Iterable[AgentDefinition], platforms: Sequence[str]) -> Iterator[Note]:
    """Yield where the rules of an agent cannot hold."""
    for agent in agents:
        for platform, file in AGENT_FILES.items() if agent.policy else ():
            if platform.value in platforms and not file.names_callers:
                told = "does not say which agent makes a call, so its policy does not hold there"
                yield Note(f"{agent.name}, {adapter(platform.value).AGENT}: {told}", grave=True)


def left(place: str, asked: Iterable[str]) -> list[tuple[str, Section]]:
    """(path, section) of rules that no definition asks for. Raises CannotWrite."""
    path = os.path.join(place, *POLICY.split("/"))
    known = {sections.shown(source) for source in asked}
    try:
        there = sections.sections(_content(path), YAML)
    except OSError:
        return []
    except Broken as error:
        raise CannotWrite(f"{os.path.normpath(path)}: {error}") from error
    return [(path, one) for one in there if one.source not in known]


def take_out(path: str, source: str) -> None:
    """Take the rules of a source out; a file that was made for such rules and has no others goes.

    Raises CannotWrite.
    """
    try:
        rest = sections.without(_content(path), source, YAML)
        if rest in (None, _HEADER):
            os.unlink(path)
    except (OSError, Broken) as error:
        said = error.strerror or error if isinstance(error, OSError) else error
        raise CannotWrite(f"{os.path.normpath(path)}: {said}") from error
    if rest is not None and rest != _HEADER:
        sections.write_rest(path, rest)


def _content(path: str) -> bytes:
    return b"".join(read_pieces(path, LARGEST_FILE + 1, os.O_RDONLY | NO_SYMLINK))
