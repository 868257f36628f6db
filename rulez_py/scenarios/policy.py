"""The policy that a scenario file is about: the files it names or those in force, as they count in a told project.

People's files are read where they are, and count as if they lay in the project of the scenario, which no machine has:
a scenario says the same wherever the project is checked out. They count as trusted, since that is what is tried.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rulez_py.documents.diagnostics import diagnostic
from rulez_py.policy.format.case_repository import HOME
from rulez_py.policy.judging.index import pack
from rulez_py.policy.model.layers import PROJECT
from rulez_py.policy.store.cache import as_in_force
from rulez_py.policy.store.load import policy_of, read_found
from rulez_py.policy.store.search import Found, Search, root_of, search, shown_path
from rulez_py.system.places import places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.policy.format.scenarios import ScenarioFile
    from rulez_py.policy.model.rule import Rule
    from rulez_py.policy.store.cache import InForce
    from rulez_py.policy.store.file import PolicyFile
    from rulez_py.policy.store.load import Policy
    from rulez_py.system.places import Places

_ENDINGS = (".yaml", ".yml")
_NO_PEOPLE = "rulez test"
"""Whose word it is that no person lets a call pass: exceptions and grants of this machine are not looked for."""


class PolicyOf:
    """The policy of one scenario file. `path` is where that lies; `here` are this person's places."""

    def __init__(self, file: ScenarioFile, path: str, here: Places) -> None:
        self._file = file
        self._here = here
        directory = os.path.dirname(os.path.abspath(path))
        self.found = in_force = search(here, directory)
        self._refused: tuple[Diagnostic, ...] = ()
        if file.policies:
            self.found = self._named(directory)
            self._refused = tuple(self._not_to_be_read(directory, in_force))
        self._home = places({"HOME": HOME})
        self._loaded: dict[str, tuple[Policy, InForce]] = {}

    def _named(self, directory: str) -> Search:
        paths = [(layer, os.path.normpath(os.path.join(directory, said))) for layer, said in self._file.policies]
        root = root_of(next((path for layer, path in paths if layer == PROJECT), paths[0][1]))
        beside = tuple(one for one in search(self._here, root).programs if one.layer == PROJECT)
        return Search(root=root, files=tuple(Found(layer=layer, path=path) for layer, path in paths), programs=beside)

    def _not_to_be_read(self, directory: str, in_force: Search) -> Iterator[Diagnostic]:
        """Yield why named files are not read: an agent must not learn by their errors what it may not read itself."""
        holding = {os.path.realpath(one.path) for one in in_force.files}
        tops = [os.path.realpath(top) for top in (in_force.root, _tested(directory))]
        for one in self.found.files:
            real = os.path.realpath(one.path)
            inside = any(real.startswith(top.rstrip(os.sep) + os.sep) for top in tops)
            if real not in holding and not (inside and real.endswith(_ENDINGS)):
                said = f'"policy" names {self._shown(one)}: no .yaml file of this project, nor in force'
                yield diagnostic(self._file.shown, self._file.policy_at, said)

    @property
    def paths(self) -> Mapping[str, str]:
        """The names for people of the policy files -> their paths."""
        return {self._shown(one): one.path for one in self.found.files}

    def problems(self) -> tuple[Diagnostic, ...]:
        """Return why it cannot judge: a file that is not there or not valid, or that there is none."""
        file = self._file
        if self._refused:
            return self._refused
        if not self.found.files and not file.essentials:
            said = "no policy is in force here"
            return (diagnostic(file.shown, file.policy_at, said, "name one, like policy: ../.rulez/rules.yaml"),)
        return self.loaded(HOME)[0].problems

    def loaded(self, project: str) -> tuple[Policy, InForce]:
        """Return the policy as it counts in a project, an absolute path, also as a call needs it; raises nothing."""
        if project not in self._loaded:
            policy = self._load(project)
            in_force = as_in_force(policy, pack(policy.rules)).replace(no_exceptions=_NO_PEOPLE)
            self._loaded[project] = policy, in_force
        return self._loaded[project]

    def _load(self, project: str) -> Policy:
        files = [
            _moved(read_found(one, _trusted, shown=self._shown(one), project=project), self.found.root, project)
            for one in self.found.files
        ]
        found = self.found.replace(root=project)
        return policy_of(files, found, self._home, trusted=_trusted, with_floor=self._file.essentials)

    def _shown(self, one: Found) -> str:
        return shown_path(one.path, os.getcwd(), self._here.home)


def _tested(directory: str) -> str:
    """Return the directory whose nearest `tests` a directory lies in; itself where it lies in none."""
    above = directory
    while os.path.basename(above) not in ("", "tests"):
        above = os.path.dirname(above)
    return os.path.dirname(above) if os.path.basename(above) else directory


def _trusted(_path: str, _digest: str) -> bool:
    return True


def _moved(file: PolicyFile, root: str, project: str) -> PolicyFile:
    """Return a file as if it lay in another project: what its rules name is looked for there."""

    def moved(path: str) -> str:
        below = os.path.relpath(path, root)
        outside = below == os.pardir or below.startswith(os.pardir + os.sep)
        return path if outside else os.path.normpath(os.path.join(project, below))

    def rule_in(rule: Rule) -> Rule:
        there: Rule = {**rule, "root": moved(rule["root"])}
        if "place" in rule:
            there["place"] = moved(rule["place"])
        return there

    source = file.source.replace(path=moved(file.source.path))
    return file.replace(source=source, rules=tuple(rule_in(rule) for rule in file.rules))
