"""The frozen program: what is in it, what is published of it."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from dev import glibc
from dev.groups import copied, groups
from rulez_py import __version__
from tests.programs import ARCHIVE, BUILD_PYTHON, FROZEN, ONE_FILE, PIECES, ROOT, needs_binary, run_hook
from tests.recordings import RECORDINGS

pytestmark = [pytest.mark.binary, needs_binary]

# Every package in the program that is neither ours nor Python's, and who needs it.
PACKAGES = {
    "cel_expr_python": "expressions",
    "click": "the command line",
    "markdown_it": "the sections of a prompt",
    "mdurl": "needed by markdown_it",
    "orjson": "JSON",
    "re2": "regexes and globs",
    "rich": "tables and charts for people",
    "yaml": "YAML",
}
# Libraries that would mean that something has crept in: encryption, terminals, windows, foreign functions. SQLite is
# there for the transcripts that OpenCode keeps in its database (`rulez replay`).
UNWANTED = (
    "libcrypto",
    "libssl",
    "readline",
    "ncurses",
    "libtinfo",
    "libtcl",
    "libtk",
    "bz2",
    "lzma",
    "libffi",
)
LARGEST = 40 * 1024 * 1024


def modules() -> set[str]:
    from PyInstaller.archive.readers import ZlibArchiveReader  # type: ignore[import-untyped]

    # In the programs other things stand before it: on Linux a launcher of our own (dev/launcher.c).
    return set(ZlibArchiveReader(str(ARCHIVE)).toc)


def files() -> list[Path]:
    return [path for path in FROZEN.parent.rglob("*") if path.is_file()]


def test_it_holds_the_packages_that_are_needed_and_no_others() -> None:
    found = {name.partition(".")[0] for name in modules()}
    foreign = {name for name in found - {"rulez_py"} - sys.stdlib_module_names if not name.startswith("_sysconfigdata")}
    assert foreign == set(PACKAGES)


def test_it_holds_every_module_of_ours() -> None:
    ours = {path.relative_to(ROOT).with_suffix("") for path in (ROOT / "rulez_py").rglob("*.py")}
    names = {".".join(path.parts).removesuffix(".__init__") for path in ours}
    missing = names - modules()
    assert {
        name for name in missing if not name.startswith("rulez_py.integrations")
    } == set()  # They are for Python programs.


def test_it_holds_no_library_that_nothing_needs() -> None:
    names = [path.name for path in files() if not path.name.endswith(".pyc")]
    assert any("_re2" in name for name in names)
    assert [name for name in names if any(word in name for word in UNWANTED)] == []


def test_it_stays_small() -> None:
    assert sum(path.stat().st_size for path in files()) < LARGEST


@pytest.mark.parametrize("variable", ["PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONINSPECT"])
@pytest.mark.parametrize("program", [FROZEN, ONE_FILE], ids=["directory", "one file"])
def test_nothing_in_its_surroundings_changes_it(
    program: Path, variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("sitecustomize", "orjson", "os", "rulez_py", "encodings"):
        (tmp_path / f"{name}.py").write_text("import posix; posix._exit(77)")
    monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    ended = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, f"rulez {__version__}\n")


def damaged(text: bytes, instead: bytes, place: Path) -> tuple[str, ...]:
    """The program with another text in it, in the one place that has it."""
    shutil.copytree(FROZEN.parent, place)
    program = place / FROZEN.name
    whole = program.read_bytes()
    assert (whole.count(text), len(text)) == (1, len(instead))
    program.write_bytes(whole.replace(text, instead))
    return (str(program),)


def test_a_module_that_is_damaged_denies(home: Path, tmp_path: Path) -> None:
    """One that calls with git need: the launcher has those that all calls need in itself."""
    program = damaged(b"core.gitproxy", b"core.gatproxy", tmp_path / "rulez")
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(tmp_path), "tool_name": "Bash"}
    ended = run_hook(program, "claude", {**event, "tool_input": {"command": "git fetch origin && date"}}, tmp_path)
    assert "rulez_py.analysis.programs.special.git is damaged" in ended.stdout + ended.stderr
    assert ended.returncode == 2


@pytest.mark.skipif(not PIECES.exists(), reason="modules as data need our launcher, and a Python to link with it")
def test_the_modules_in_the_launcher_are_those_of_the_archive() -> None:
    ended = subprocess.run([PIECES, "hook"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    table = YAML(typ="safe").load(ROOT / "tests" / "data" / "imports.yaml")
    names = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in (ROOT / "rulez_py").rglob("*.py")}
    sources = {name.removesuffix(".__init__"): path.read_text() for path, name in names.items()}
    assert copied(table)
    wanted = [group for group in groups(table, sources) if len(group) > 1]
    assert sorted(line.split() for line in ended.stdout.splitlines()) == sorted(wanted)


def test_a_function_that_is_damaged_denies(home: Path, tmp_path: Path) -> None:
    """One that few calls need, in no group."""
    program = damaged(b"), so every tool call is denied.", b"), so no tool call is denied.   ", tmp_path / "rulez")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".rulez").mkdir()
    (tmp_path / ".rulez" / "rules.yaml").write_text("nonsense")
    event = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "cwd": str(tmp_path), "prompt": "x"}
    ended = run_hook(program, "claude", event, tmp_path)
    assert "rulez_py.hook.failing is damaged" in ended.stdout + ended.stderr
    assert '"decision":"block"' in ended.stdout or ended.returncode == 2


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="PyInstaller's launcher is used there")


@LINUX
@pytest.mark.parametrize("language", ["C", "en_US.ISO-8859-1", "C.UTF-8"])
def test_a_call_is_read_and_answered_in_utf_8_in_every_language(language: str, home: Path, tmp_path: Path) -> None:
    event = {"session_id": "s", "hook_event_name": "PreToolUse", "cwd": str(tmp_path), "tool_name": "Bash"}
    command = "git push --force origin größer"
    ended = subprocess.run(
        [str(FROZEN), "hook", "--platform", "claude"],
        input=json.dumps({**event, "tool_input": {"command": command}}, ensure_ascii=False).encode(),
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "LC_ALL": language},
        check=False,
    )
    assert ended.returncode == 2
    assert "größer" in ended.stderr.decode() + (home / ".local/state/rulez/audit.jsonl").read_text()


@LINUX
@pytest.mark.parametrize("missing", ["libpython*", "*"])
def test_a_program_without_its_libraries_denies(missing: str, tmp_path: Path) -> None:
    """Whichever these are: Python may be a part of the program, and what it brings compiled as well."""
    place = tmp_path / "rulez"
    shutil.copytree(FROZEN.parent, place)
    for found in (place / "_internal").glob(missing):
        shutil.rmtree(found) if found.is_dir() else found.unlink()
    event = {"session_id": "s", "hook_event_name": "PreToolUse", "cwd": str(tmp_path), "tool_name": "Bash"}
    command = {"tool_input": {"command": "git push --force"}}
    ended = run_hook((str(place / FROZEN.name),), "claude", {**event, **command}, tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.startswith("Blocked")


@LINUX
@pytest.mark.parametrize("kept", [-1, -1000, 9_000])
def test_a_program_that_was_cut_off_denies(kept: int, tmp_path: Path) -> None:
    place = tmp_path / "rulez"
    shutil.copytree(FROZEN.parent, place)
    program = place / FROZEN.name
    program.write_bytes(program.read_bytes()[:kept])
    try:
        ended = run_hook((str(program),), "claude", {}, tmp_path)
    except OSError:
        return  # What the kernel cannot start.
    assert ended.returncode not in (0, 1)
    assert "Blocked: rulez cannot start: " in ended.stderr or ended.returncode < 0


@LINUX
def test_it_starts_through_a_link_under_another_name(tmp_path: Path) -> None:
    (tmp_path / "guard").symlink_to(FROZEN)
    ended = subprocess.run([tmp_path / "guard", "--version"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, f"rulez {__version__}\n")


@LINUX
def test_it_needs_no_newer_glibc_than_the_machine_that_builds_it_has() -> None:
    own = os.confstr("CS_GNU_LIBC_VERSION")
    assert own
    version, file = glibc.newest(FROZEN.parent)
    assert (2,) < version <= tuple(map(int, own.removeprefix("glibc ").split("."))), file


@LINUX
def test_a_release_fails_where_a_file_needs_a_newer_glibc_than_it_promises(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    version, _file = glibc.newest(FROZEN.parent)
    monkeypatch.setattr(sys, "argv", ["glibc.py", str(FROZEN.parent), ".".join(map(str, version))])
    glibc.main()
    assert "needs glibc 2." in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["glibc.py", str(FROZEN.parent), "2.2"])
    with pytest.raises(SystemExit, match=r"it is to run with 2\.2"):
        glibc.main()


@LINUX
@pytest.mark.skipif(shutil.which("objdump") is None, reason="objdump says it for comparison")
@pytest.mark.parametrize("file", [FROZEN, ONE_FILE], ids=["directory", "one file"])
def test_the_versions_of_glibc_are_those_that_objdump_says(file: Path) -> None:
    said = subprocess.run(["objdump", "-p", str(file)], capture_output=True, text=True, check=True).stdout
    assert sorted(glibc.needed(file.read_bytes())) == sorted(
        {line.split()[-1].encode() for line in said.partition("Version References:")[2].splitlines() if " 0x" in line}
    )


DEFINITIONS = sorted(str(path) for path in (ROOT / "tests" / "definitions" / "agents" / "definitions").iterdir())
COMMANDS = (
    ["--help"],
    ["hook", "--help"],
    ["schema"],
    ["tools", "--json"],
    ["trust", "--list"],
    ["packs", "list"],
    ["status"],
    ["status", "--json"],
    ["packs", "show", "essentials", "--yaml"],
    ["test"],
    ["test", "--pack", "essentials"],
    ["test", "--pack", "essentials", "--junit", "results.xml"],
    ["lint"],
    ["lint", "--format", "sarif"],
    ["explain", "git push --tags"],
    ["completion", "bash"],
    ["validate", "--json"],
    ["validate", "--help"],
    ["validate", "--nonsense"],
    ["schema", "agent"],
    ["tools", "map", "--platform", "claude", "Shell", "Todo"],
    ["agents", "write", "missing.yaml"],
    ["agents", "write", *DEFINITIONS, "--platform", "all", "--out", "-", "--warn", "--enricher", "of_mine:add"],
)


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda words: " ".join(words).replace(str(ROOT), ""))
def test_its_command_line_says_what_the_source_says(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / ".rulez").mkdir()
    (tmp_path / "of_mine.py").write_text("def add(platform, agent, tools):\n    return tools.enable('mcp_x_y')\n")
    (tmp_path / ".rulez" / "rules.yaml").write_text("version: '1.0'\nrules: [{name: x, matchers: {tols: [Bash]}}]\n")
    said = [
        subprocess.run(
            [*program, *arguments],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80"},
            check=False,
        )
        for program in ((sys.executable, "-m", "rulez_py"), (str(FROZEN),))
    ]
    source, frozen = ((ended.returncode, ended.stdout, ended.stderr) for ended in said)
    assert frozen == source


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory that `make dist` fills."""
    place = tmp_path_factory.mktemp("dist")
    subprocess.run([str(BUILD_PYTHON), str(ROOT / "dev" / "pack.py"), "--into", str(place)], check=True)
    return place


def test_the_archives_say_what_they_are_for(packed: Path) -> None:
    name = f"rulez-{__version__}-{sys.platform.replace('darwin', 'macos').replace('win32', 'windows')}-"
    found = sorted(path.name for path in packed.iterdir())
    assert [one.startswith(name) for one in found] == [False, True, True]
    assert found[0] == "SHA256SUMS"
    assert {one.removeprefix(name).partition(".")[2] for one in found[1:]} == {"tar.gz", "zip"}
    assert platform.machine().lower() in ("amd64", "aarch64") or f"-{platform.machine()}." in found[1]


def test_the_checksums_are_those_of_the_archives(packed: Path) -> None:
    archives = [path for path in packed.iterdir() if path.name != "SHA256SUMS"]
    expected = {f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in archives}
    assert set((packed / "SHA256SUMS").read_text().splitlines()) == expected


def test_the_same_program_makes_the_same_archives(tmp_path: Path) -> None:
    sums = []
    for number, names in enumerate((("rulez", "_internal"), ("_internal", "rulez"))):
        program = tmp_path / f"program{number}"
        program.mkdir()
        for name in names:
            (program / name).write_text(name)
            os.utime(program / name, (number, number))
        (program / "rulez").chmod(0o755 if number else 0o700)
        packing = [sys.executable, str(ROOT / "dev" / "pack.py"), "--program", str(program)]
        subprocess.run([*packing, "--into", str(tmp_path / str(number))], check=True)
        sums.append((tmp_path / str(number) / "SHA256SUMS").read_text())
    assert sums[0] == sums[1]


def unpack_tar(archive: Path, into: Path) -> None:
    """As people do: Python's own way to unpack has changed from one release to the next."""
    subprocess.run(["tar", "-xzf", str(archive), "-C", str(into)], check=True)


def unpack_zip(archive: Path, into: Path) -> None:
    """As `unzip` does: with the modes the archive says."""
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(into)
        for member in packed.infolist():
            (into / member.filename).chmod(stat.S_IMODE(member.external_attr >> 16))


@pytest.mark.parametrize(("ending", "unpack"), [("tar.gz", unpack_tar), ("zip", unpack_zip)], ids=["tar.gz", "zip"])
def test_what_is_unpacked_judges_a_real_call(
    packed: Path, ending: str, unpack: object, tmp_path: Path, home: Path
) -> None:
    assert callable(unpack)
    (archive,) = packed.glob(f"*.{ending}")
    unpack(archive, tmp_path)
    top = tmp_path / f"rulez-{__version__}"
    assert {path.name for path in top.iterdir()} == {
        "LICENSE",
        "README.md",
        "_internal",
        "licenses",
        "sbom.cdx.json",
        FROZEN.name,
    }
    recording = next(one for one in RECORDINGS if one.name == "claude/PreToolUse__Bash.json")
    payload = {**recording.payload, "tool_input": {"command": "git push --force"}}
    (tmp_path / "project").mkdir()
    ended = run_hook((str(top / FROZEN.name),), "claude", payload, tmp_path / "project")
    assert ended.returncode == 2
    assert json.loads(ended.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
