"""Running a policy's scripts, and reading the files it injects, in the real world."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulez_py.system import process, scripts
from rulez_py.system.effects import Script, ScriptResult
from rulez_py.system.scripts import World, child_environment

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX programs")

FOREVER = 600
"""Seconds; a test that waits for this has failed."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    (tmp_path / "tmp").mkdir()
    return tmp_path / "project"


def environment(project: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(project.parent), "TMPDIR": str(project.parent / "tmp")}


def run(
    project: Path,
    *command: str,
    shell: bool = False,
    inline: bool = False,
    stdin: str = "",
    timeout: float = 60.0,
    environ: dict[str, str] | None = None,
    deadline: float | None = None,
) -> ScriptResult:
    script = Script(command=command, shell=shell, inline=inline, cwd=str(project), timeout=timeout, stdin=stdin)
    return World({**environment(project), **(environ or {})}, deadline).run(script)


def program(path: Path, text: str, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def gone(pid: int) -> bool:
    """Whether a process ends within a while (a zombie counts as ended)."""
    for _ in range(200):
        state = subprocess.run(
            ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
        ).stdout
        if not state.strip() or state.startswith("Z"):
            return True
        time.sleep(0.05)
    return False


def pid_in(path: Path) -> int:
    """The process id a script writes to a file, as soon as it is there."""
    for _ in range(200):
        if path.exists() and path.read_text().endswith("\n"):
            return int(path.read_text())
        time.sleep(0.05)
    raise AssertionError(f"nothing in {path}")


# What is run.


def test_a_command_is_an_argument_vector_no_shell_reads(project: Path) -> None:
    result = run(project, "printf", "%s|", "a b", "$HOME", "*", "; exit 1")
    assert result == ScriptResult(exit_code=0, stdout="a b|$HOME|*|; exit 1|")


def test_a_shell_line_is_read_by_a_shell(project: Path) -> None:
    result = run(project, "echo out; echo err >&2; exit 3", shell=True)
    assert result == ScriptResult(exit_code=3, stdout="out\n", stderr="err\n")


def test_an_inline_script_runs_by_the_interpreter_it_names(project: Path) -> None:
    text = f"#!{sys.executable} -I\nimport sys\nprint(sys.flags.isolated, sys.stdin.read())\n"
    assert run(project, text, inline=True, stdin="event") == ScriptResult(exit_code=0, stdout="1 event\n")


def test_an_inline_script_without_interpreter_is_a_shell_script(project: Path) -> None:
    assert run(project, "cat\nexit 4", inline=True, stdin="event") == ScriptResult(exit_code=4, stdout="event")


def test_an_inline_script_is_private_and_lies_in_a_directory_of_its_own(project: Path) -> None:
    text = f"""#!{sys.executable}
import os, sys
directory = os.path.dirname(sys.argv[0])
print(oct(os.stat(sys.argv[0]).st_mode & 0o777), oct(os.stat(directory).st_mode & 0o777), os.listdir(directory))
"""
    assert run(project, text, inline=True).stdout == "0o700 0o700 ['script']\n"


@pytest.mark.parametrize("text", ["exit 0", "exit 1", "kill -9 $$", "sleep 600", 'touch "$0.more"', 'rm "$0"'])
def test_an_inline_script_is_removed_however_it_ends(project: Path, text: str) -> None:
    run(project, text, inline=True, timeout=0.3)
    assert os.listdir(project.parent / "tmp") == []


def test_scripts_run_in_the_directory_given_and_ours_does_not_change(project: Path) -> None:
    before = os.getcwd()
    assert run(project, "pwd").stdout == f"{project}\n"
    assert os.getcwd() == before


def test_a_script_gets_the_event_on_stdin(project: Path) -> None:
    assert run(project, "cat", stdin='{"tool_name": "Bash", "text": "é€😀"}').stdout == (
        '{"tool_name": "Bash", "text": "é€😀"}'
    )


def test_a_script_inherits_the_environment(project: Path) -> None:
    assert run(project, "echo $SOME_KEY", shell=True, environ={"SOME_KEY": "value"}).stdout == "value\n"


def test_a_script_dies_of_a_closed_pipe_as_programs_do(project: Path) -> None:
    result = run(project, "bash", "-c", "yes | head -n 1; echo ${PIPESTATUS[0]}")
    assert result.stdout == f"y\n{128 + signal.SIGPIPE}\n"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("./check.sh", "project/check.sh"),
        ("hooks/check.sh", "project/hooks/check.sh"),
        ("../check.sh", "check.sh"),
        ("~/bin/check.sh", "bin/check.sh"),
        ("tool", "onpath/tool"),
    ],
)
def test_where_a_program_is_looked_for(project: Path, name: str, file: str) -> None:
    program(project.parent / file, "#!/bin/sh\necho $0 $1\n")
    path = f"{project.parent}/onpath:{os.environ['PATH']}"
    result = run(project, name, "x", environ={"PATH": path})
    assert result == ScriptResult(exit_code=0, stdout=f"{project.parent / file} x\n")


def test_a_program_is_told_its_whole_name(project: Path) -> None:
    (project.parent / "shell").symlink_to("/bin/sh")
    assert run(project, "~/shell", "-c", "echo $0").stdout == f"{project.parent}/shell\n"


def test_relative_directories_on_the_path_do_not_count(project: Path) -> None:
    program(project / "bin" / "tool", "#!/bin/sh\n")
    program(project / "tool", "#!/bin/sh\n")
    result = run(project, "tool", environ={"PATH": f"bin::.:{os.environ['PATH']}"})
    assert result.error == f"`tool` was not found on PATH; write `./tool` for {project}/tool"


def test_a_program_of_the_frozen_rulez_does_not_load_its_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "_MEIPASS", "/opt/rulez/_internal", raising=False)
    ours = {"PATH": "/bin", "LD_LIBRARY_PATH": "/opt/rulez/_internal", "_PYI_ARCHIVE_FILE": "/opt/rulez/rulez"}
    assert child_environment(ours) == {"PATH": "/bin"}
    theirs = {"LD_LIBRARY_PATH": "/opt/rulez/_internal:/mine", "LD_LIBRARY_PATH_ORIG": "/mine"}
    assert child_environment(theirs) == {"LD_LIBRARY_PATH": "/mine"}
    untouched = {"LD_LIBRARY_PATH": "/mine"}
    assert child_environment(untouched) == untouched


def test_the_environment_of_an_unfrozen_rulez_is_passed_on_whole() -> None:
    environ = {"LD_LIBRARY_PATH": "/mine", "LD_LIBRARY_PATH_ORIG": "/other", "_PYI_X": "1"}
    assert child_environment(environ) == environ


# What cannot be run.


def test_a_program_that_is_nowhere(project: Path) -> None:
    assert run(project, "no-such-program") == ScriptResult(
        exit_code=None, error="`no-such-program` was not found on PATH"
    )


def test_a_script_that_is_not_there(project: Path) -> None:
    result = run(project, "./check.sh")
    assert result == ScriptResult(exit_code=None, error=f"`./check.sh` was not found: there is no {project}/check.sh")


def test_a_script_that_is_not_executable(project: Path) -> None:
    program(project / "check.sh", "#!/bin/sh\n", mode=0o644)
    result = run(project, "./check.sh")
    assert result.exit_code is None
    assert result.error == f"`./check.sh` is not executable; `chmod +x {project}/check.sh` makes it so"


def test_a_directory_instead_of_a_script(project: Path) -> None:
    assert run(project, "../project").error == "`../project` is not a file"


def test_a_script_that_names_no_interpreter(project: Path) -> None:
    program(project / "check", "\0\0binary rubbish")
    assert run(project, "./check") == ScriptResult(
        exit_code=None, error="`./check` names no interpreter; its first line should, as `#!/bin/sh` does"
    )


def test_a_script_whose_interpreter_does_not_exist(project: Path) -> None:
    program(project / "check", "#!/no/such/interpreter\n")
    assert run(project, "./check") == ScriptResult(
        exit_code=None, error="the interpreter that the first line of `./check` names does not exist"
    )


def test_a_working_directory_that_does_not_exist(project: Path) -> None:
    result = run(project / "gone", "true")
    assert result == ScriptResult(exit_code=None, error=f"its working directory `{project}/gone` does not exist")


@pytest.mark.parametrize("command", [(), ("",), ("a\0b",), ("true", "a\0b"), ("true", "\ud800")])
@pytest.mark.parametrize(("shell", "inline"), [(False, False), (True, False), (False, True)])
def test_nonsense_is_a_result_too(project: Path, command: tuple[str, ...], shell: bool, inline: bool) -> None:
    result = run(project, *command, shell=shell, inline=inline)
    assert (result.exit_code is None) == bool(result.error)


# How it ends.


def test_a_signal_is_a_negative_exit_code(project: Path) -> None:
    assert run(project, "kill -9 $$", shell=True) == ScriptResult(exit_code=-9)


def test_the_time_limit_ends_a_script_and_keeps_what_it_said(project: Path) -> None:
    result = run(project, f"echo started; sleep {FOREVER}", shell=True, timeout=2.0)
    assert result == ScriptResult(exit_code=None, stdout="started\n", error="timed out after 2 s")


def test_the_time_limit_ends_grandchildren_that_hold_the_pipes(project: Path) -> None:
    line = f"sleep {FOREVER} & echo $! > pid; wait"
    result = run(project, line, shell=True, timeout=2.0)
    assert result.error == "timed out after 2 s"
    assert gone(pid_in(project / "pid"))


def test_the_time_limit_ends_what_ignores_polite_requests(project: Path) -> None:
    line = f"trap '' TERM; (trap '' TERM; sleep {FOREVER}) & echo $! > pid; while :; do sleep 1; done"
    assert run(project, line, shell=True, timeout=2.0).error == "timed out after 2 s"
    assert gone(pid_in(project / "pid"))


def test_a_grandchild_outside_the_group_is_not_waited_for(project: Path) -> None:
    code = f"import os, time; os.setsid(); open('pid', 'w').write(f'{{os.getpid()}}\\n'); time.sleep({FOREVER})"
    result = run(project, f'{sys.executable} -c "{code}" & wait', shell=True, timeout=2.0)
    assert result.error == "timed out after 2 s"
    os.kill(pid_in(project / "pid"), signal.SIGKILL)


def test_a_grandchild_left_in_the_background_is_not_waited_for(project: Path) -> None:
    result = run(project, f"sleep {FOREVER} & echo $!; exit 5", shell=True)
    os.kill(int(result.stdout), signal.SIGKILL)
    assert (result.exit_code, result.error) == (5, "")


def test_a_script_that_closes_its_output_is_waited_for(project: Path) -> None:
    assert run(project, "exec >&- 2>&-; sleep 0.2; exit 6", shell=True) == ScriptResult(exit_code=6)


def test_the_hook_s_deadline_shortens_the_limit(project: Path) -> None:
    result = run(project, "sleep", str(FOREVER), deadline=time.monotonic() + 1.5)
    assert result.exit_code is None
    assert result.error.startswith("timed out after ")


@pytest.mark.parametrize(("timeout", "left"), [(60.0, 0.0), (60.0, -5.0), (0.0, 60.0), (float("nan"), 60.0)])
def test_without_time_nothing_is_started(project: Path, timeout: float, left: float) -> None:
    result = run(project, "touch", "started", timeout=timeout, deadline=time.monotonic() + left)
    assert result == ScriptResult(exit_code=None, error="not run: no time was left for it")
    assert not (project / "started").exists()


def test_an_exit_code_somebody_else_collected_is_unknown_not_zero(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    previous = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        result = run(project, "exit 7", shell=True)
    finally:
        signal.signal(signal.SIGCHLD, previous)
    assert result == ScriptResult(exit_code=None, error="how it ended is unknown")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda number: number.name)
def test_a_hook_asked_to_end_ends_its_script_first(project: Path, number: signal.Signals) -> None:
    code = f"""
from rulez_py.system.effects import Script
from rulez_py.system.scripts import World
import os
line = "sleep {FOREVER} & echo $! > pid; wait"
World(os.environ, None).run(Script(command=(line,), shell=True, cwd={str(project)!r}, timeout={FOREVER}.0))
"""
    root = Path(__file__).parent.parent
    # Whoever started these tests in the background has made them ignore what a terminal sends.
    heed = functools.partial(signal.signal, number, signal.SIG_DFL)
    hook = subprocess.Popen([sys.executable, "-c", code], cwd=root, stderr=subprocess.DEVNULL, preexec_fn=heed)
    grandchild = pid_in(project / "pid")
    hook.send_signal(number)
    assert hook.wait() in (-number, 130)
    assert gone(grandchild)


# Moving input and output.


def test_a_large_event_and_a_chatty_script_do_not_wait_for_each_other(project: Path) -> None:
    size = 4_000_000
    result = run(project, f"head -c {size} /dev/zero; wc -c", shell=True, stdin="x" * size)
    assert (result.exit_code, len(result.stdout)) == (0, process.OUTPUT_LIMIT)


def test_a_script_need_not_read_its_input(project: Path) -> None:
    assert run(project, "true", stdin="x" * 4_000_000) == ScriptResult(exit_code=0)


def test_a_script_that_reads_slowly_gets_all_of_its_input(project: Path) -> None:
    result = run(project, "sleep 0.2; wc -c", shell=True, stdin="x" * 1_000_000)
    assert result.stdout.strip() == "1000000"


def test_too_much_output_is_cut_and_no_error(project: Path) -> None:
    line = f"head -c {process.OUTPUT_LIMIT + 9} /dev/zero | tr '\\0' o; head -c 3000000 /dev/zero | tr '\\0' e >&2"
    result = run(project, line, shell=True)
    assert result == ScriptResult(exit_code=0, stdout="o" * process.OUTPUT_LIMIT, stderr="e" * process.OUTPUT_LIMIT)


def test_output_that_never_ends_is_cut_by_time(project: Path) -> None:
    result = run(project, "yes", timeout=0.3)
    assert (result.exit_code, result.error) == (None, "timed out after 0.3 s")


def test_output_that_is_not_text_is_shown_as_well_as_it_can_be(project: Path) -> None:
    assert run(project, "printf", r"a\377b").stdout == "a\ufffdb"


def test_no_descriptor_is_left_open(project: Path) -> None:
    before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    run(project, "true", stdin="x")
    run(project, "sleep", str(FOREVER), timeout=0.1)
    run(project, "./nowhere")
    program(project / "check", "\0")
    run(project, "./check")
    assert (os.listdir("/proc/self/fd") if before else []) == before


@given(text=st.text(st.characters(codec="utf-8"), max_size=2000))
@settings(max_examples=30, deadline=None)
def test_whatever_goes_in_comes_out_of_cat(text: str) -> None:
    result = World(os.environ, None).run(Script(command=("cat",), cwd="/", timeout=60.0, stdin=text))
    assert result == ScriptResult(exit_code=0, stdout=text)


# Reading files.

WORLD = World({}, None)


@pytest.mark.parametrize(
    ("content", "limit", "text"),
    [
        (b"", 10, ""),
        (b"hello", 10, "hello"),
        (b"hello", 5, "hello"),
        (b"hello", 4, "hell"),
        (b"hello", 0, ""),
        ("aé".encode(), 2, "a"),
        ("aé".encode(), 3, "aé"),
        (b"a\xc3", 10, "a\ufffd"),
        (b"a\xffb", 10, "a\ufffdb"),
        (b"line\r\nline\n", 100, "line\r\nline\n"),
    ],
)
def test_reading_text(tmp_path: Path, content: bytes, limit: int, text: str) -> None:
    (tmp_path / "file").write_bytes(content)
    assert WORLD.read_text(str(tmp_path / "file"), limit) == text


def test_what_is_not_a_regular_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", tmp_path, tmp_path / "missing", Path("/dev/zero"), Path("a\0b")):
        assert WORLD.read_text(str(path), 100) is None, path


def test_a_link_to_a_regular_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    (tmp_path / "link").symlink_to("file")
    assert WORLD.read_text(str(tmp_path / "link"), 100) == "text"


def test_real_paths(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "loop").symlink_to("loop")
    real = os.path.realpath(tmp_path)
    assert WORLD.real_path(f"{tmp_path}/link/new/../file") == f"{real}/real/file"
    assert WORLD.real_path(f"{tmp_path}/loop").startswith(real)


def test_a_path_that_no_system_opens_is_shortened_and_not_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    real = os.path.realpath(tmp_path)
    asked: list[str] = []
    lstat = os.lstat

    def counted(path: str) -> os.stat_result:
        asked.append(path)
        return lstat(path)

    monkeypatch.setattr(os, "lstat", counted)
    assert WORLD.real_path(f"{tmp_path}/link/{'a/../' * 50_000}file") == f"{real}/real/file"
    assert WORLD.real_path(f"{tmp_path}/{'a/' * 50_000}") == f"{tmp_path}/{'a/' * 50_000}".rstrip("/")
    assert len(asked) < 50


@given(path=st.text(max_size=300))
def test_a_real_path_is_absolute_whatever_the_name(path: str) -> None:
    assert os.path.isabs(WORLD.real_path(path))


def test_the_names_in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", ".b", "c"):
        (tmp_path / name).touch()
    assert sorted(WORLD.names(str(tmp_path))) == [".b", "a", "c"]
    assert [WORLD.names(path) for path in (f"{tmp_path}/a", f"{tmp_path}/none", "\0")] == [[], [], []]
    monkeypatch.setattr(scripts, "MOST_NAMES", 2)
    assert len(WORLD.names(str(tmp_path))) == 2
