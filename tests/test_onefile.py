"""The one file of Linux: where it unpacks itself, what it believes of what is there, and what it says where it cannot.

Most of it is played with a small program in the packed folder; the last tests are those of the real one.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dev.onefile import FOOTER, packed
from rulez_py.install.owners import why_changeable
from rulez_py.system import onefile
from tests.programs import FROZEN, ONE_FILE, ROOT, needs_binary, run_hook

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the one file is PyInstaller's")
ROOT_ONLY = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can play another user"
)
NOBODY = 65_534
SAYS = '#!/bin/sh\nprintf "%s|" "${0%/*}" "$RULEZ_ONEFILE" "$@"\ncat "${0%/*}/_internal/data"\n'


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The program that unpacks, compiled."""
    place = tmp_path_factory.mktemp("starter") / "onefile"
    command = ["cc", "-O1", "-Wall", "-Werror", "-o", str(place), str(ROOT / "dev" / "onefile.c"), "-lz"]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("needs a C compiler and zlib's header")
    return place.read_bytes()


class Machine:
    """A home, a project and a directory for temporary files, and the one file in a place of programs."""

    def __init__(self, top: Path, starter: bytes) -> None:
        self.top, self.starter = top, starter
        self.home, self.project, self.temporary, self.runtime = (top / name for name in ("home", "project", "t", "run"))
        for directory in (self.home, self.project, self.temporary):
            directory.mkdir(mode=0o700)
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(self.home), "TMPDIR": str(self.temporary)}
        self.program = self.build("one")

    def build(self, version: str) -> Path:
        """One file of this version, whose program says where it is, how it was called, and its version."""
        folder = self.top / f"folder-{version}"
        (folder / "_internal" / "deep").mkdir(parents=True)
        (folder / "rulez").write_text(SAYS)
        (folder / "rulez").chmod(0o755)
        (folder / "_internal" / "data").write_text(version)
        (folder / "_internal" / "deep" / "more").write_bytes(bytes(200_000))
        (folder / "_internal" / "empty").touch()
        program = self.top / f"rulez-{version}"
        program.write_bytes(packed(self.starter, folder))
        program.chmod(0o755)
        return program

    def start(self, *arguments: str, program: Path | None = None, **more: object) -> subprocess.CompletedProcess[str]:
        options = {"env": self.environ, "cwd": self.project, **more}
        command = [str(program or self.program), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, **options)  # type: ignore[call-overload,no-any-return]

    def place(self, program: Path | None = None) -> Path:
        """Its usual place."""
        return self.home / ".cache" / "rulez" / "programs" / onefile.digest_of(str(program or self.program))

    def started_in(self, **more: object) -> Path:
        """Start it, as it should -> the place that it has started from."""
        ended = self.start(**more)  # type: ignore[arg-type]
        assert (ended.returncode, ended.stderr) == (0, "")
        place, _, version = ended.stdout.split("|")
        assert version == "one"
        return Path(place)


@pytest.fixture
def machine(tmp_path: Path, starter: bytes) -> Machine:
    return Machine(tmp_path, starter)


def test_it_starts_what_it_has_unpacked_with_its_arguments(machine: Machine) -> None:
    ended = machine.start("hook", "a b", "")
    assert ended.stdout == f"{machine.place()}|{machine.program}|hook|a b||one"
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_place_is_the_users_alone_and_holds_what_was_packed(machine: Machine) -> None:
    place = machine.started_in()
    found = {path.relative_to(place).as_posix(): stat.S_IMODE(path.stat().st_mode) for path in place.rglob("*")}
    assert found == {
        "rulez": 0o700,
        "stamp": 0o600,
        "_internal": 0o700,
        "_internal/data": 0o600,
        "_internal/empty": 0o600,
        "_internal/deep": 0o700,
        "_internal/deep/more": 0o600,
    }
    assert [stat.S_IMODE(path.stat().st_mode) for path in (place, place.parent, place.parent.parent)] == [0o700] * 3
    assert onefile.why_unsound(str(place)) == ""


def test_it_unpacks_itself_once(machine: Machine) -> None:
    place = machine.started_in()
    inode = place.stat().st_ino
    assert machine.started_in() == place
    assert place.stat().st_ino == inode
    assert sorted(path.name for path in place.parent.iterdir()) == [".lock", place.name]


def _same_size(place: Path) -> None:
    """Another text of the same length, with the time of the first."""
    path = place / "_internal" / "data"
    times = path.stat()
    path.write_text("two")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def _in_its_place(place: Path) -> None:
    shutil.copytree(place, other := place.with_name("other"))
    shutil.rmtree(place)
    (other / "_internal" / "data").write_text("two")
    other.rename(place)


def _link(place: Path) -> None:
    other = place.parent.parent / "elsewhere"
    place.rename(other)
    place.symlink_to(other)


def _link_for_the_program(place: Path) -> None:
    (place / "rulez").unlink()
    (place / "rulez").symlink_to("/bin/true")


def _fifo_for_the_stamp(place: Path) -> None:
    (place / "stamp").unlink()
    os.mkfifo(place / "stamp")


def _file_for_the_place(place: Path) -> None:
    shutil.rmtree(place)
    place.write_text("x")


def _nothing_in_the_place(place: Path) -> None:
    shutil.rmtree(place)
    place.mkdir(mode=0o700)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "other bytes": _same_size,
    "a longer file": lambda place: (place / "rulez").write_text(SAYS + "echo more\n"),
    "a missing file": lambda place: (place / "_internal" / "empty").unlink(),
    "a file more": lambda place: (place / "_internal" / "os.py").touch(),
    "a link for a file": _link_for_the_program,
    "a missing stamp": lambda place: (place / "stamp").unlink(),
    "an empty stamp": lambda place: (place / "stamp").write_text(""),
    "a fifo for the stamp": _fifo_for_the_stamp,
    "a stamp of others' making": lambda place: (place / "stamp").chmod(0o666),
    "a mode": lambda place: (place / "_internal" / "data").chmod(0o622),
    "the place's mode": lambda place: place.chmod(0o770),
    "a directory's mode": lambda place: (place / "_internal").chmod(0o777),
    "a copy": _in_its_place,
    "a link": _link,
    "a file": _file_for_the_place,
    "an empty directory": _nothing_in_the_place,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_place_that_has_changed_is_put_aside_and_unpacked_anew(
    damage: Callable[[Path], object], machine: Machine
) -> None:
    place = machine.started_in()
    damage(place)
    assert onefile.why_unsound(str(place)) != ""
    assert machine.started_in() == place
    assert onefile.why_unsound(str(place)) == ""
    aside = [path.name for path in place.parent.iterdir() if path.name.startswith(".old-")]
    assert len(aside) == 1
    assert machine.started_in() == place


def test_what_is_put_aside_again_and_again_does_not_pile_up(machine: Machine) -> None:
    for _ in range(7):
        (machine.started_in() / "stamp").unlink()
    machine.started_in()
    assert len([path for path in machine.place().parent.iterdir() if path.name.startswith(".old-")]) <= 4


@ROOT_ONLY
@pytest.mark.parametrize("path", ["_internal/data", "stamp", "_internal", "."])
def test_what_belongs_to_another_user_is_not_believed(path: str, machine: Machine) -> None:
    place = machine.started_in()
    os.chown(place / path, NOBODY, NOBODY)
    assert onefile.why_unsound(str(place)) != ""
    assert machine.started_in() == place
    assert onefile.why_unsound(str(place)) == ""


ABOVE = [".cache/rulez/programs", ".cache/rulez", ".cache", "."]


@ROOT_ONLY
@pytest.mark.parametrize("path", ABOVE)
def test_another_users_directory_above_is_not_used(path: str, machine: Machine) -> None:
    machine.started_in()
    os.chown(machine.home / path, NOBODY, NOBODY)
    assert machine.started_in().is_relative_to(machine.temporary / f"rulez-{os.geteuid()}")


@pytest.mark.parametrize("mode", [0o770, 0o707])
@pytest.mark.parametrize("path", ABOVE)
def test_a_directory_above_that_others_write_is_not_used(path: str, mode: int, machine: Machine) -> None:
    machine.started_in()
    (machine.home / path).chmod(mode)
    assert machine.started_in().is_relative_to(machine.temporary / f"rulez-{os.geteuid()}")


@pytest.mark.parametrize("path", [".cache/rulez/programs", ".cache/rulez"])
def test_no_link_is_followed_from_the_cache_down(path: str, machine: Machine) -> None:
    machine.started_in()
    (machine.home / path).rename(machine.home / "moved")
    (machine.home / path).symlink_to(machine.home / "moved")
    assert machine.started_in().is_relative_to(machine.temporary)


def test_the_cache_may_lead_to_another_disk(machine: Machine) -> None:
    (machine.top / "disk").mkdir(mode=0o700)
    (machine.home / ".cache").symlink_to(machine.top / "disk")
    machine.started_in()
    assert (machine.top / "disk" / "rulez" / "programs").is_dir()


@ROOT_ONLY
def test_the_directory_in_tmp_may_be_another_users(machine: Machine) -> None:
    del machine.environ["HOME"]
    squatted = machine.temporary / f"rulez-{os.geteuid()}"
    squatted.mkdir(mode=0o700)
    os.chown(squatted, NOBODY, NOBODY)
    assert machine.started_in().is_relative_to(machine.temporary / f"rulez-{os.geteuid()}-1")


@pytest.mark.parametrize(
    ("variables", "found"),
    [
        ({"XDG_CACHE_HOME": "{top}/cache"}, "cache/rulez"),
        ({"XDG_CACHE_HOME": "cache"}, "home/.cache/rulez"),
        ({"HOME": None, "XDG_RUNTIME_DIR": "{top}/run"}, "run/rulez"),
        ({"HOME": "", "XDG_RUNTIME_DIR": "run"}, "t/rulez-{user}"),
        ({"HOME": "/dev/null"}, "t/rulez-{user}"),
        ({"HOME": "{top}/missing/too"}, "t/rulez-{user}"),
        ({"XDG_CACHE_HOME": "{top}/project/cache"}, "t/rulez-{user}"),
        ({"HOME": "{top}/project"}, "t/rulez-{user}"),
        ({"HOME": "/proc"}, "t/rulez-{user}"),
    ],
)
def test_where_it_unpacks_itself(variables: dict[str, str | None], found: str, machine: Machine) -> None:
    machine.runtime.mkdir(mode=0o700)
    (machine.project / "cache").mkdir(mode=0o700)
    for name, value in variables.items():
        machine.environ.pop(name, None)
        if value is not None:
            machine.environ[name] = value.format(top=machine.top)
    wanted = machine.top / found.format(user=os.geteuid())
    assert machine.started_in().parent == wanted / "programs"


@pytest.mark.parametrize("mark", [".git", ".rulez"])
def test_a_place_in_the_repository_around_is_not_used(mark: str, machine: Machine) -> None:
    (machine.project / mark).mkdir()
    (machine.project / "src").mkdir()
    (machine.project / "cache").mkdir(mode=0o700)
    machine.environ["XDG_CACHE_HOME"] = str(machine.project / "cache")
    assert machine.started_in(cwd=machine.project / "src").is_relative_to(machine.temporary)


def test_starts_at_once_work_all(machine: Machine) -> None:
    with ThreadPoolExecutor(3) as pool:
        places = list(pool.map(lambda _: machine.started_in(), range(3)))
    # One that the disk keeps waiting for more than three seconds unpacks elsewhere, and works as well.
    assert machine.place() in places
    assert sorted(path.name for path in machine.place().parent.iterdir()) == [".lock", machine.place().name]


def test_starts_at_once_work_where_the_place_is_damaged(machine: Machine) -> None:
    (machine.started_in() / "_internal" / "data").unlink()
    with ThreadPoolExecutor(10) as pool:
        assert machine.place() in set(pool.map(lambda _: machine.started_in(), range(10)))


def test_a_process_that_keeps_the_lock_does_not_stop_others(machine: Machine) -> None:
    import fcntl

    place = machine.started_in()
    shutil.rmtree(place)
    with (place.parent / ".lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        begun = time.monotonic()
        assert machine.started_in() == place
        assert time.monotonic() - begun < 20


def test_another_version_has_another_place(machine: Machine) -> None:
    place = machine.started_in()
    other = machine.build("two")
    assert machine.start(program=other).stdout.endswith("|two")
    assert machine.started_in() == place
    assert {place, machine.place(other)} <= set(place.parent.iterdir())


def test_versions_that_nobody_uses_are_removed_later(machine: Machine) -> None:
    place = machine.started_in()
    (place.parent / ".new-1").mkdir()
    (place.parent / "mine").mkdir()
    long_ago = time.time() - 30 * 24 * 60 * 60
    os.utime(place, (long_ago, long_ago))
    os.utime(place.parent / "mine", (long_ago, long_ago))
    other = machine.build("two")
    machine.start(program=other)
    # What was put aside is judged by its time of change, which is now.
    assert {path.name for path in place.parent.iterdir()} == {".lock", ".new-1", "mine", machine.place(other).name}


def test_a_start_says_that_the_place_is_used(machine: Machine) -> None:
    place = machine.started_in()
    long_ago = time.time() - 3 * 24 * 60 * 60
    os.utime(place, (long_ago, long_ago))
    machine.started_in()
    assert time.time() - place.stat().st_mtime < 60


def denied(ended: subprocess.CompletedProcess[str], reason: str) -> None:
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("Blocked: rulez cannot start: ")
    assert reason in ended.stderr
    assert ended.stderr.endswith(".\n")


@pytest.mark.parametrize("at", [-1, -40, -64, -70, -200], ids=lambda at: f"cut {at}")
def test_a_file_that_was_cut_off_denies(at: int, machine: Machine) -> None:
    machine.program.write_bytes(machine.program.read_bytes()[:at])
    denied(machine.start("hook"), "its own file")


def test_a_file_with_other_bytes_denies(machine: Machine) -> None:
    whole = bytearray(machine.program.read_bytes())
    begin, _, _, _, _ = FOOTER.unpack(whole[-FOOTER.size :])
    whole[begin + 20] ^= 1
    machine.program.write_bytes(whole)
    denied(machine.start("hook"), "its own file is damaged")


def test_the_digest_is_that_of_all_before_it(machine: Machine) -> None:
    whole = machine.program.read_bytes()
    assert whole[-32:] == hashlib.sha256(whole[:-32]).digest()
    assert onefile.digest_of(str(machine.program)) == whole[-32:].hex()
    assert onefile.digest_of(sys.executable) == onefile.digest_of("/dev/null") == onefile.digest_of("/missing") == ""


@ROOT_ONLY
def test_a_home_that_cannot_be_written(starter: bytes) -> None:
    """As a user without rights: root may write everywhere. What pytest makes is closed to other users."""
    with tempfile.TemporaryDirectory() as top:
        Path(top).chmod(0o755)
        machine = Machine(Path(top), starter)
        for directory in (machine.home, machine.project):
            directory.chmod(0o755)
        os.chown(machine.temporary, NOBODY, NOBODY)
        place = machine.started_in(user=NOBODY, group=NOBODY)
        assert place.is_relative_to(machine.temporary / f"rulez-{NOBODY}")
        assert place.stat().st_uid == NOBODY


def _mounts(directory: Path, options: str) -> bool:
    try:
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(directory)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@pytest.mark.parametrize(
    ("options", "reason"),
    [("size=64k,mode=700", "No space left on device"), ("noexec,mode=700", "no program may run there")],
)
def test_a_disk_that_cannot_hold_it(options: str, reason: str, machine: Machine) -> None:
    if not _mounts(machine.home, options):
        pytest.skip("a file system cannot be mounted here")
    try:
        assert machine.started_in().is_relative_to(machine.temporary)
        assert machine.started_in().is_relative_to(machine.temporary)
        assert not list(machine.home.glob(".cache/rulez/programs/.new-*"))
    finally:
        subprocess.run(["umount", str(machine.home)], check=True)


def test_a_limit_of_size_is_an_error_and_no_signal(machine: Machine) -> None:
    """The kernel ends who writes more, by a signal that agents would take for a failed hook: the call would run."""
    command = ["sh", "-c", 'ulimit -f 8; exec "$0" hook', str(machine.program)]
    ended = subprocess.run(
        command, capture_output=True, text=True, env=machine.environ, cwd=machine.project, check=False
    )
    denied(ended, "File too large")
    assert str(machine.home) in ended.stderr


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_what_is_closed_is_not_written_to(closed: str, machine: Machine) -> None:
    command = ["sh", "-c", f'exec "$0" hook {closed}', str(machine.program)]
    subprocess.run(command, capture_output=True, env=machine.environ, cwd=machine.project, check=False)
    assert onefile.why_unsound(str(machine.place())) == ""


def test_a_program_that_nobody_unpacked_is_no_place(machine: Machine) -> None:
    assert not onefile.is_place(str(machine.project))
    assert onefile.is_place(str(machine.started_in()))
    assert onefile.started() == ""


@pytest.mark.parametrize("text", ["", "x", "{digest}\nnonsense\n", "{other}\n", "\udcff"])
def test_a_damaged_stamp_has_a_reason(text: str, machine: Machine) -> None:
    place = machine.started_in()
    told = text.format(digest=place.name, other="0" * 64)
    (place / "stamp").write_text(told, errors="surrogateescape")
    assert onefile.why_unsound(str(place)) != ""


def test_the_machines_hooks_do_not_call_it(machine: Machine) -> None:
    """Who starts the agent can change what it unpacks."""
    assert "is one file" in why_changeable(f"{machine.program} hook --platform claude")


# The real one.

REAL = (pytest.mark.binary, needs_binary)


@pytest.mark.parametrize("command", ["git push --force", "git status"])
@pytest.mark.parametrize("program", [pytest.param(ONE_FILE, marks=REAL)])
def test_it_answers_as_the_folder_does(program: Path, command: str, home: Path, tmp_path: Path) -> None:
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(tmp_path), "tool_name": "Bash"}
    ours, folders = (
        run_hook((str(one),), "claude", {**event, "tool_input": {"command": command}}, tmp_path)
        for one in (program, FROZEN)
    )
    assert (ours.returncode, ours.stdout, ours.stderr) == (folders.returncode, folders.stdout, folders.stderr)
    assert ours.returncode == (2 if "push" in command else 0)


@pytest.mark.parametrize("program", [pytest.param(ONE_FILE, marks=REAL)])
def test_hooks_call_the_one_file_and_not_its_place(
    program: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".claude").mkdir(exist_ok=True)
    monkeypatch.setenv("RULEZ_ONEFILE", "/bin/true")
    project = tmp_path / "elsewhere"
    project.mkdir()
    ended = subprocess.run([program, "install", "claude"], cwd=project, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    written = (home / ".claude" / "settings.json").read_text()
    assert str(program) in written
    assert "programs" not in written
    told = subprocess.run(
        [program, "doctor", "claude", "--json"], cwd=project, capture_output=True, text=True, check=False
    )
    notes = [one["what"] for one in json.loads(told.stdout)["findings"]]
    assert [str(program) in one and "as it was unpacked" in one for one in notes if "unpacked" in one] == [True]


@pytest.mark.parametrize("program", [pytest.param(FROZEN, marks=REAL)])
def test_a_folder_does_not_believe_that_it_is_of_one_file(
    program: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".claude").mkdir(exist_ok=True)
    monkeypatch.setenv("RULEZ_ONEFILE", "/bin/true")
    ended = subprocess.run([program, "install", "claude"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert str(program) in (home / ".claude" / "settings.json").read_text()


@pytest.mark.parametrize("program", [pytest.param(ONE_FILE, marks=REAL)])
def test_what_an_agent_does_to_the_place_is_denied(program: Path, home: Path, tmp_path: Path) -> None:
    project = tmp_path / "elsewhere"
    project.mkdir()
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(project), "tool_name": "Write"}
    for path in (program, home / ".cache/rulez/programs/x/rulez"):
        call = {**event, "tool_input": {"file_path": str(path), "content": "x"}}
        assert run_hook((str(program),), "claude", call, project).returncode == 2
