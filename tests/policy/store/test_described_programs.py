"""What people describe of programs: which files count, which of two does, and that none is passed over in silence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rulez_py.system.places
from rulez_py.analysis import describe
from rulez_py.hook.call import finish, respond
from rulez_py.hook.values import HookCall, Options
from rulez_py.policy.store import cache, load
from rulez_py.policy.store.search import MOST_PROGRAMS
from rulez_py.trust import digest, revoke, trust
from rulez_py.verdict import DENY, Verdict

RULES = """version: "1.0"
rules:
  - name: no-shredding
    matchers: {tools: [Bash], command: {program: shred}}
    actions: {block: true}
"""
FROB = '[frob.options]\n"--bar" = "runs shell"\n'
LINE = "frob --bar 'shred notes.txt'"


class Machine:
    """A home with a policy and a project, and calls of the hook there."""

    def __init__(self, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = home
        self.project = tmp_path / "project"
        (self.project / ".git").mkdir(parents=True)
        self.managed = tmp_path / "etc" / "rules.yaml"
        real = rulez_py.system.places.places
        monkeypatch.setattr(
            rulez_py.system.places, "places", lambda environ: real(environ).replace(managed_policy=str(self.managed))
        )
        monkeypatch.chdir(self.project)
        self.places = rulez_py.system.places.places(os.environ)
        self.mine = Path(self.places.user_policy).parent / "programs"
        self.machines = self.managed.parent / "programs"
        self.projects = self.project / ".rulez" / "programs"
        write(Path(self.places.user_policy), RULES)
        self.compiled = 0
        really = load.load

        def counted(*arguments: Any, **options: Any) -> load.Policy:
            self.compiled += 1
            return really(*arguments, **options)

        monkeypatch.setattr(load, "load", counted)

    def verdict(self, line: str) -> Verdict:
        """What the hook says of a shell line."""
        call = HookCall(Options(platform="claude"), dict(os.environ), time.monotonic())
        payload = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(self.project)}
        outcome = respond(call, json.dumps({**payload, "tool_name": "Bash", "tool_input": {"command": line}}).encode())
        finish(call)
        return outcome.verdict

    def trust(self, path: Path) -> Path:
        """Trust a file of the project, as `rulez trust` does."""
        trust(self.places, str(path), digest(str(path), path.read_bytes(), ()), time.time())
        return path

    def denies(self, line: str = LINE) -> bool:
        return self.verdict(line).decision == DENY

    def told(self) -> list[str]:
        """What is wrong, as the log and the beginning of a session have it."""
        return [one for one in self.verdict("ls").warnings if "programs" in one]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


@pytest.fixture
def machine(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    yield Machine(home, tmp_path, monkeypatch)
    describe("")


# Which files count.


@pytest.mark.parametrize("where", ["mine", "machines"])
def test_what_a_person_or_the_machine_describes_is_known(machine: Machine, where: str) -> None:
    assert not machine.denies()
    write(getattr(machine, where) / "own.toml", FROB)
    assert machine.denies()
    assert machine.told() == []


def test_only_toml_counts(machine: Machine) -> None:
    write(machine.mine / "own.toml.bak", FROB)
    assert not machine.denies()


def test_a_name_of_another_directory_for_settings_counts_too(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "elsewhere"))
    write(machine.mine / "own.toml", FROB)
    assert machine.denies()
    write(tmp_path / "elsewhere" / "rulez" / "programs" / "own.toml", "[frob]\n")
    assert not machine.denies()


def test_where_the_machine_leaves_nothing_to_people_only_its_own_files_count(machine: Machine) -> None:
    write(machine.mine / "own.toml", FROB)
    write(machine.managed, 'version: "1.0"\nsettings: {exceptions: false}\nrules: []\n')
    assert not machine.denies()
    assert "leaves nothing to people" in machine.told()[0]
    write(machine.machines / "own.toml", FROB)
    assert machine.denies()


# Which of two counts.


def test_an_entry_stands_in_place_of_rulez_own(machine: Machine) -> None:
    line = "timeout 5 shred notes.txt"
    assert machine.denies(line)
    write(machine.mine / "own.toml", '[timeout]\noperands = ["value *"]\n')
    assert not machine.denies(line)


def test_a_plain_line_is_read_as_a_person_describes_it(machine: Machine) -> None:
    write(machine.mine / "own.toml", '[ls]\nruns = "words"\n')
    assert machine.denies("ls shred")


def test_a_subcommand_is_added_to_what_rulez_knows(machine: Machine) -> None:
    write(machine.mine / "own.toml", '["git frob"]\noperands = ["runs shell"]\n')
    assert machine.denies("git frob 'shred notes.txt'")
    assert machine.denies("git -c alias.x='!shred notes.txt' x")


def test_what_another_program_is_called_by_is_known(machine: Machine) -> None:
    write(machine.mine / "own.toml", '[sh-red]\nwords-of = "git"\n')
    write(Path(machine.places.user_policy), RULES.replace("program: shred", "program: git, subcommand: push"))
    assert machine.denies("sh-red push")


def test_the_machines_entry_stands_in_place_of_a_persons(machine: Machine) -> None:
    write(machine.mine / "own.toml", "[frob]\n")
    write(machine.machines / "theirs.toml", FROB)
    assert machine.denies()
    assert machine.told() == []


def test_of_two_files_of_one_person_the_first_counts_and_the_other_is_told(machine: Machine) -> None:
    write(machine.mine / "a.toml", FROB)
    write(machine.mine / "b.toml", "# Mine.\n[frob]\n")
    assert machine.denies()
    (said,) = machine.told()
    assert "b.toml:2:1: 'frob' is described twice, in" in said


# A project's files count once they are trusted.

RUNS_NOTHING = '[timeout]\noperands = ["text *"]\n'
SEEN = "timeout 5 shred notes.txt"


def test_a_projects_file_loosens_nothing_until_it_is_trusted_and_never_once_it_has_changed(machine: Machine) -> None:
    path = write(machine.projects / "own.toml", RUNS_NOTHING)
    assert machine.denies(SEEN)
    (said,) = machine.told()
    assert said.startswith(".rulez/programs/own.toml:1:1: this file does not count: it is not trusted, or has changed")
    assert said.endswith("review it, then run `rulez trust` in a terminal")
    machine.trust(path)
    assert not machine.denies(SEEN)
    assert machine.told() == []
    write(path, RUNS_NOTHING + "# More.\n")
    assert machine.denies(SEEN)
    assert "is not trusted, or has changed" in machine.told()[0]


def test_trust_that_is_taken_back_and_another_file_are_seen_by_the_next_call(machine: Machine) -> None:
    path = machine.trust(write(machine.projects / "own.toml", FROB))
    assert [machine.denies() for _ in range(3)] == [True] * 3
    assert machine.compiled == 1
    other = write(machine.projects / "timeout.toml", RUNS_NOTHING)
    assert machine.denies(SEEN)
    machine.trust(other)
    assert not machine.denies(SEEN)
    other.unlink()
    assert machine.denies(SEEN)
    revoke(machine.places, str(path))
    assert not machine.denies()
    assert not machine.denies()
    assert machine.compiled == 4


ABOVE: dict[str, tuple[str, str, str, bool]] = {
    "the user's in place of the project's": ("mine", FROB, "[frob]\n", True),
    "the user's in place of the project's that sees more": ("mine", "[frob]\n", FROB, False),
    "the machine's in place of the project's": ("machines", FROB, "[frob]\n", True),
    "the user's, whose subcommands a project would have": (
        "mine",
        FROB,
        '[frob]\nsubcommands = true\n["frob up"]\n',
        True,
    ),
    "the machine's, whose subcommands a project would have": (
        "machines",
        FROB,
        '[frob]\nsubcommands = true\n["frob up"]\n',
        True,
    ),
    "another name for the user's": ("mine", FROB, "[frobnicate]\nalso = ['frob']\n", True),
}


@pytest.mark.parametrize(("where", "above", "of_project", "denied"), ABOVE.values(), ids=ABOVE)
def test_a_project_has_nothing_in_place_of_what_people_and_the_machine_describe(
    machine: Machine, where: str, above: str, of_project: str, denied: bool
) -> None:
    write(getattr(machine, where) / "own.toml", above)
    machine.trust(write(machine.projects / "own.toml", of_project))
    assert machine.denies() is denied
    assert not any("own.toml" in one and ".rulez" not in one for one in machine.told())


def test_where_the_machine_leaves_nothing_to_people_a_project_describes_nothing(machine: Machine) -> None:
    machine.trust(write(machine.projects / "own.toml", RUNS_NOTHING))
    assert not machine.denies(SEEN)
    write(machine.managed, 'version: "1.0"\nsettings: {exceptions: false}\nrules: []\n')
    assert machine.denies(SEEN)
    assert "leaves nothing to people" in machine.told()[0]


def test_a_broken_file_of_a_project_is_told_with_its_line(machine: Machine) -> None:
    machine.trust(write(machine.projects / "broken.toml", "# A line.\n[timeout]\nflagz = []\n"))
    machine.trust(write(machine.projects / "own.toml", FROB))
    assert machine.denies()
    assert machine.denies(SEEN)
    assert ".rulez/programs/broken.toml:3:1: 'flagz' is no key" in machine.told()[0]


def test_above_the_repository_and_in_another_project_nothing_is_described(machine: Machine) -> None:
    for place in (machine.project.parent, machine.project / "below"):
        machine.trust(write(place / ".rulez" / "programs" / "own.toml", RUNS_NOTHING))
    assert machine.denies(SEEN)
    assert machine.told() == []


def test_a_link_out_of_the_project_is_not_read(machine: Machine) -> None:
    theirs = write(machine.home / "notes.toml", RUNS_NOTHING)
    machine.projects.mkdir(parents=True)
    (machine.projects / "own.toml").symlink_to(theirs)
    machine.trust(machine.projects / "own.toml")
    assert machine.denies(SEEN)
    assert "leads out of the project" in machine.told()[0]


def test_more_files_than_a_call_can_read_are_told_and_none_counts(machine: Machine) -> None:
    machine.trust(write(machine.projects / "own.toml", RUNS_NOTHING))
    for number in range(MOST_PROGRAMS):
        write(machine.projects / f"{number}.toml", "")
    assert machine.denies(SEEN)
    said = f".rulez/programs:1:1: this is no directory, it cannot be read, or more than {MOST_PROGRAMS} files"
    assert said in machine.told()[0]


def test_no_agent_writes_a_projects_file_or_where_its_directory_leads(machine: Machine) -> None:
    write(machine.project / "shared" / "own.toml", RUNS_NOTHING)
    (machine.project / ".rulez").mkdir()
    machine.projects.symlink_to("../shared")
    for name in (".rulez/programs/own.toml", ".rulez/programs/new.toml", "shared/own.toml", "shared/new.toml"):
        assert machine.denies(f"cp x.toml {name}"), name
    assert not machine.denies("cp x.toml notes.toml")


def test_no_module_is_read_where_a_project_describes_no_program(machine: Machine) -> None:
    policy = cache.in_force(machine.places, str(machine.project))
    policy.keep()
    policy.close()
    code = (
        "import os, sys; from rulez_py.policy.store import cache; from rulez_py.system.places import places;"
        f"there = places(os.environ).replace(managed_policy={str(machine.managed)!r});"
        f"cache.in_force(there, {str(machine.project)!r});"
        "print([one for one in sys.modules if one.startswith(('rulez_py.trust', 'rulez_py.policy.store.programs'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]"]


# What is wrong is told, and the rest counts.

BROKEN: dict[str, tuple[str, str]] = {
    "no TOML": ("[frob\n", ":1:1: this is no TOML"),
    "a key that there is not": ("# A line.\n[frob]\nflagz = []\n", ":3:1: 'flagz' is no key"),
    "a subcommand of nothing": ('\n["frob up"]\n', ":2:1: 'frob up' is described and 'frob' is not"),
    "subcommands taken away": ('[git]\nflags = ["-x"]\n', ":1:1: with this file, 'git "),
    "a function of rulez": ('[frob]\ncode = "os.system"\n', ":2:1: `code` of 'frob'"),
    "tests in no form": ('tests = 3\n[frob]\nflags = ["-x"]\n', ":1:1: "),
}


@pytest.mark.parametrize(("text", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_told_with_its_line_and_the_others_count(machine: Machine, text: str, said: str) -> None:
    write(machine.mine / "broken.toml", text)
    write(machine.mine / "own.toml", FROB.replace("frob", "frobnicate"))
    assert machine.denies(LINE.replace("frob", "frobnicate"))
    told = machine.told()
    assert f"broken.toml{said}" in told[0]
    assert "correct that, or remove the file" in told[0]


def test_what_is_no_text_and_what_cannot_be_read_is_told(machine: Machine) -> None:
    write(machine.mine / "a.toml", "").write_bytes(b"\xff\xfe")
    (machine.mine / "b.toml").mkdir()
    (machine.mine / "c.toml").symlink_to("nowhere")
    assert [line.partition(": ")[0].rpartition("/")[2] for line in machine.told()] == [
        "a.toml:1:1",
        "b.toml:1:1",
        "c.toml:1:1",
    ]


def test_a_directory_that_is_none_is_told(machine: Machine) -> None:
    write(machine.mine, "x")
    assert "programs:1:1: this is no directory" in machine.told()[0]


def test_a_file_of_somebody_else_is_ignored(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(machine.mine / "own.toml", FROB)
    from rulez_py.policy.store import search

    really = search._found
    monkeypatch.setattr(
        search,
        "_found",
        lambda layer, found, places, **named: really(layer, found, places, **named).replace(
            owner=(4711, 1) if found == str(path) else None
        ),
    )
    assert not machine.denies()
    assert "belongs to user 4711" in machine.told()[0]


# What it costs.


def test_files_are_compiled_once_and_again_when_one_has_changed(machine: Machine) -> None:
    path = write(machine.mine / "own.toml", FROB)
    assert [machine.denies() for _ in range(3)] == [True] * 3
    assert machine.compiled == 1
    changes: list[Callable[[], object]] = [
        lambda: write(path, "[frob]\n"),
        lambda: write(path, FROB),
        lambda: write(machine.mine / "another.toml", "[zork]\n"),
        path.unlink,
    ]
    found = []
    for number, change in enumerate(changes, 2):
        change()
        found.append(machine.denies())
        machine.verdict("ls")
        assert machine.compiled == number
    assert found == [False, True, True, False]


def test_a_broken_file_is_not_compiled_at_every_call(machine: Machine) -> None:
    write(machine.mine / "own.toml", "[frob\n")
    assert machine.told() == machine.told() != []
    assert machine.compiled == 1


def test_a_warm_call_reads_no_toml(machine: Machine) -> None:
    write(machine.mine / "own.toml", FROB)
    policy = cache.in_force(rulez_py.system.places.places(os.environ), str(machine.project))
    policy.keep()
    policy.close()
    code = (
        "import os, sys; from rulez_py.policy.store import cache; from rulez_py.system.places import places;"
        f"there = places(os.environ).replace(managed_policy={str(machine.managed)!r});"
        f"found = cache.in_force(there, {str(machine.project)!r});"
        "print(bool(found.programs), 'tomllib' in sys.modules, 'rulez_py.policy.store.load' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False", "False"]


def test_when_a_file_has_gone_what_it_described_is_no_longer_known(machine: Machine) -> None:
    path = write(machine.mine / "own.toml", "[frob]\nruns = 'words'\n")
    line = "frob shred"
    assert machine.denies(line)
    path.unlink()
    assert not machine.denies(line)
