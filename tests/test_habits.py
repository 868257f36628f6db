"""What people expect of any command line: help that leads, completion, colours, and ends without a traceback."""

from __future__ import annotations

import errno
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from rulez_py.cli import cli, help
from rulez_py.cli.help import OTHER, SECTIONS
from rulez_py.cli.running import colours
from tests.programs import ROOT, SOURCE_COMMAND

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")


def at_a_terminal(*arguments: str, typed: bytes = b"", **environ: str) -> tuple[str, int]:
    """What a command of rulez prints whose stdin, stdout and stderr are a terminal, and its exit code."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", **environ}
    return typed_to([*SOURCE_COMMAND, *arguments], typed, ROOT, env)


def typed_to(command: list[str], typed: bytes, directory: Path, env: dict[str, str]) -> tuple[str, int]:
    """The same of any program."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=directory, env=env) as process:
        os.close(theirs)
        os.write(ours, typed)
        said = b""
        while True:
            try:
                data = os.read(ours, 65536)
            except OSError as error:
                assert error.errno == errno.EIO  # what Linux says at the end
                break
            if not data:
                break
            said += data
        code = process.wait(30)
    os.close(ours)
    return said.decode().replace("\r\n", "\n"), code


# Help.


def test_every_command_stands_where_people_look_for_it() -> None:
    listed = [name for _title, names in SECTIONS for name in names]
    assert set(cli.commands) == set(listed)
    assert len(listed) == len(set(listed))


def test_every_file_with_a_command_is_loaded() -> None:
    files = {
        path.stem
        for path in Path(help.__file__).parent.glob("*.py")
        if "\n@click.command" in (text := path.read_text("utf-8")) or "\n@click.group" in text
    }
    commands = {name.replace("-", "_") for name in cli.commands}
    assert files - {"__init__"} == commands


def test_help_lists_the_commands_by_what_they_are_for() -> None:
    said = CliRunner().invoke(cli, ["-h"]).output
    titles = [title for title, names in SECTIONS if set(names) & set(cli.commands)]
    assert [line[:-1] for line in said.splitlines() if line[:-1] in titles] == titles
    assert OTHER not in said
    assert "..." not in said.partition("Options:")[2]
    assert max(map(len, said.splitlines())) <= 80


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_every_command_has_help_in_80_columns(name: str) -> None:
    if name == "hook":
        pytest.skip("it is answered before click is loaded")
    # Not `-h`: click keeps the names of this option from the first call, and tests call commands by themselves.
    result = CliRunner().invoke(cli, [name, "--help"])
    assert result.exit_code == 0
    assert max(map(len, result.output.splitlines())) <= 80


@posix_only
def test_rulez_alone_at_a_terminal_is_help() -> None:
    said, code = at_a_terminal()
    assert "Write rules and check them:" in said
    assert code == 2


@posix_only
@pytest.mark.parametrize("arguments", [["hook", "--platform", "claude"], ["gemini", "hook"]])
def test_a_hook_at_a_terminal_does_not_wait(arguments: list[str]) -> None:
    said, code = at_a_terminal(*arguments)
    assert said.startswith("`rulez hook` is what agents call")
    assert "rulez explain 'git push -f'" in said
    assert code == 2


@posix_only
@pytest.mark.parametrize(
    "arguments",
    [
        *(["explain"], ["validate"], ["lint"], ["test"], ["log"], ["replay"], ["trust", "--list"], ["agents"]),
        *(["packs"], ["packs", "list"], ["tools"], ["programs"], ["schema"], ["completion", "bash"], ["hooks"]),
    ],
    ids=" ".join,
)
def test_no_command_waits_for_what_a_terminal_does_not_send(arguments: list[str], home: Path) -> None:
    said, code = at_a_terminal(*arguments, HOME=str(home))  # it ends, or the test does not
    assert said
    assert "Traceback" not in said
    assert code in (0, 1, 2)


@posix_only
def test_a_policy_that_is_typed_is_waited_for_with_a_word(home: Path) -> None:
    said, code = at_a_terminal("lint", "-", typed=b'version: "1.0"\nrules: []\n\x04', HOME=str(home))
    assert "reading a policy from the terminal; Ctrl-D ends it\n" in said
    assert "1 file: 1 warning" in said
    assert code == 1


def leaves(command: click.Command, name: str) -> list[tuple[str, click.Command]]:
    """A command, or those below it, with their names."""
    if not isinstance(command, click.Group):
        return [(name, command)]
    return [leaf for below, one in command.commands.items() for leaf in leaves(one, f"{name} {below}".strip())]


@pytest.mark.parametrize("name", [name for name, _command in leaves(cli, "")])
def test_every_command_says_how_it_ends(name: str) -> None:
    """In its help, or in its part of docs/cli.md."""
    helped = CliRunner().invoke(cli, [*name.split(), "--help"]).output if name != "hook" else ""
    sections = (ROOT / "docs" / "cli.md").read_text("utf-8").split("\n## ")
    told = [one for one in sections if re.search(rf"`rulez {name.split()[0]}\b", one.partition("\n")[0])]
    assert any("exit code" in text.lower() for text in (helped, *told)) or name == "hook"


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_every_command_has_its_part_of_the_page(name: str) -> None:
    headings = re.findall(r"^## `rulez ([\w-]+)", (ROOT / "docs" / "cli.md").read_text("utf-8"), re.MULTILINE)
    assert headings.count(name) == 1


def test_help_as_a_word() -> None:
    runner = CliRunner()
    assert runner.invoke(cli, ["help"]).output == runner.invoke(cli, ["--help"]).output
    assert runner.invoke(cli, ["help", "packs", "show"]).output.startswith("Usage: cli packs show ")


@pytest.mark.parametrize("option", ["-V", "--version", "version"])
def test_version(option: str) -> None:
    assert CliRunner().invoke(cli, [option]).output.startswith("rulez ")


# Completion.


def completed(words: str, at: int, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SOURCE_COMMAND, *arguments],
        input="",
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "COMP_WORDS": words, "COMP_CWORD": str(at), **environ},
        check=False,
    )


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_asks_what_is_no_hook_call(shell: str) -> None:
    said = CliRunner().invoke(cli, ["completion", shell]).output
    assert f"{shell}_complete" in said
    asking = next(line for line in said.splitlines() if "env " in line and f"{shell}_complete" in line)
    assert " completion)" in asking


def test_commands_and_options_are_completed() -> None:
    ended = completed("rulez va", 1, "completion", _RULEZ_COMPLETE="bash_complete")
    assert (ended.stdout, ended.returncode) == ("plain,validate\n", 0)
    ended = completed("rulez test --p", 2, "completion", _RULEZ_COMPLETE="bash_complete")
    assert ended.stdout == "plain,--pack\n"


COMPLETIONS = {
    "rulez va": "validate",
    "rulez packs sh": "show",
    "rulez lint --fi": "--fix",
    "rulez log --platform co": "codex copilot",
    "rulez lint pol": "policy.yaml",
}
"""What is typed before the tabulator, and what the shell proposes for the last word."""
each_completion = pytest.mark.parametrize("words", COMPLETIONS)


@pytest.fixture
def at_home(tmp_path: Path) -> dict[str, str]:
    """The environment of a person who has `rulez` on the PATH; in the working directory is a file."""
    program = tmp_path / "bin" / "rulez"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m rulez_py "$@"\n', "utf-8")
    program.chmod(0o755)
    (tmp_path / "policy.yaml").touch()
    path = f"{program.parent}:{os.environ['PATH']}"
    return {**os.environ, "PYTHONPATH": str(ROOT), "PATH": path, "HOME": str(tmp_path), "TERM": "dumb"}


def program(name: str) -> str:
    """A shell; skips where there is none."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: its completion is not tried")
    return found


def said_by(*command: str, at_home: dict[str, str]) -> str:
    run = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=at_home["HOME"], env=at_home, check=False
    )
    assert run.stderr == ""
    return run.stdout


@posix_only
@each_completion
def test_bash_completes(words: str, at_home: dict[str, str]) -> None:
    asking = (
        'eval "$(rulez completion bash)"; complete -p rulez >/dev/null || exit; '
        'compopt() { COMPREPLY=($(compgen -f "${COMP_WORDS[COMP_CWORD]}")); }; '  # bash itself does this, later
        f"COMP_WORDS=({words}); COMP_CWORD={len(words.split()) - 1}; _rulez_completion rulez; "
        'echo "${COMPREPLY[*]}"'
    )
    assert said_by(program("bash"), "--norc", "-c", asking, at_home=at_home).split() == COMPLETIONS[words].split()


@posix_only
@each_completion
def test_fish_completes(words: str, at_home: dict[str, str]) -> None:
    asking = f"rulez completion fish | source; complete -C {shlex.quote(words)}"
    said = said_by(program("fish"), "--no-config", "-c", asking, at_home=at_home)
    assert [line.partition("\t")[0] for line in said.splitlines() if line] == COMPLETIONS[words].split()


@posix_only
@each_completion
def test_zsh_completes(words: str, at_home: dict[str, str]) -> None:
    """At a terminal, for it completes nowhere else; the script is a file of $fpath, as the help has it."""
    home = Path(at_home["HOME"])
    (home / "_rulez").write_text(CliRunner().invoke(cli, ["completion", "zsh"]).output, "utf-8")
    typed = (
        f"fpath=({home} $fpath); autoload -U compinit; compinit -u -D; zstyle ':completion:*' insert-tab false\n"
        # Of several it takes the first. Then the line becomes one that prints it.
        f"setopt menu_complete\n{words}\t\x01print -r -- wo''uld run: \x05\nexit\n"
    )
    said, _ = typed_to([program("zsh"), "-f", "-i"], typed.encode(), home, at_home)
    assert re.findall(r"^would run: (.*)$", said, re.M) == [
        f"{words.rpartition(' ')[0]} {COMPLETIONS[words].split()[0]}"
    ]


@pytest.mark.parametrize("asked", ["bash_complete", "bash_source", "zsh_complete", "fish_source"])
def test_no_variable_turns_a_hook_call_into_anything_else(asked: str) -> None:
    """INVARIANT: what a repository's `.env` sets does not take the hook away."""
    for arguments in ([], ["hook", "--platform", "claude"], ["claude", "hook"]):
        ended = completed("rulez ", 1, *arguments, _RULEZ_COMPLETE=asked)
        assert ended.returncode == 2
        assert "Blocked: " in ended.stderr


# Output.


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({}, None),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, None),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "0"}, None),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
    ids=str,
)
def test_colours(environ: dict[str, str], wanted: bool | None) -> None:
    assert colours(environ) is wanted


@posix_only
@pytest.mark.parametrize(("environ", "bold"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_a_terminal_gets_colours_unless_somebody_says_no(environ: dict[str, str], bold: bool) -> None:
    said, _code = at_a_terminal("packs", "show", "essentials", typed=b"", **environ)
    assert ("\x1b[" in said) is bold


def test_what_is_no_terminal_gets_colours_only_where_they_are_asked_for() -> None:
    command = [*SOURCE_COMMAND, "packs", "show", "essentials"]
    for environ, bold in (({}, False), ({"FORCE_COLOR": "1"}, True)):
        ended = subprocess.run(command, capture_output=True, cwd=ROOT, env={**os.environ, **environ}, check=True)
        assert (b"\x1b[" in ended.stdout) is bold


@posix_only
def test_a_closed_pipe_ends_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [*SOURCE_COMMAND, "packs", "show", "recommended", "--yaml"]
    ended = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, cwd=ROOT, check=False)
    os.close(writing)
    assert (ended.stderr, ended.returncode) == (b"", 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", [["-h"], ["schema"], ["packs", "show", "essentials"], ["-V"]])
def test_a_full_disk_is_said_in_a_line(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [*SOURCE_COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, cwd=ROOT, check=False
        )
    assert ended.stderr == b"Error: the output cannot be written: No space left on device\n"
    assert ended.returncode == 1


@posix_only
def test_closed_streams_are_no_traceback() -> None:
    ended = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *SOURCE_COMMAND, "-V"], stderr=subprocess.PIPE, cwd=ROOT, check=False
    )
    assert b"Traceback" not in ended.stderr
