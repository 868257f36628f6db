"""The command line of `rulez hook`: what it takes, and that one nobody can carry out denies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.hook.call import respond
from rulez_py.hook.main import USAGE, UsageError, main, parse_options
from rulez_py.hook.values import TIME_BUDGET, HookCall, Options
from rulez_py.platforms import PLATFORMS
from rulez_py.verdict import Answer
from tests.platforms import denies

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ("--platform claude", Options(platform="claude")),
        ("--platform=gemini", Options(platform="gemini")),
        ("--platform copilot --event preToolUse", Options(platform="copilot", event="preToolUse")),
        ("--event=preToolUse --platform copilot", Options(platform="copilot", event="preToolUse")),
        ("--platform opencode --rules a/b.yaml", Options(platform="opencode", rules="a/b.yaml")),
        ("--platform claude --rules=x=y.yaml", Options(platform="claude", rules="x=y.yaml")),
        ("--platform claude --timeout 3", Options(platform="claude", timeout=3.0)),
        ("--platform claude --timeout=0.5", Options(platform="claude", timeout=0.5)),
        ("--platform claude --timeout 3600", Options(platform="claude", timeout=3600.0)),
        ("--platform claude --platform gemini", Options(platform="gemini")),
        ("--platform claude --stream", Options(platform="claude", stream=True)),
        ("--stream --timeout 3 --platform claude", Options(platform="claude", timeout=3.0, stream=True)),
        ("--platform claude --event --stream", Options(platform="claude", event="--stream")),
        ("--platform claude --event --rules", Options(platform="claude", event="--rules")),
    ],
)
def test_a_command_line_that_can_be_carried_out(arguments: str, options: Options) -> None:
    assert parse_options(arguments.split()) == options


def test_every_platform_is_known() -> None:
    for platform in PLATFORMS:
        assert parse_options(["--platform", platform]).platform == platform


def shown(value: object) -> str:
    return " ".join(value) if isinstance(value, list) else ""


USAGE_ERRORS = [
    ([], f"`--platform` is missing; it is one of {', '.join(PLATFORMS)}"),
    (["--event", "PreToolUse"], "`--platform` is missing"),
    (["--platform"], "`--platform` needs a value"),
    (["--platform", "claude", "--rules"], "`--rules` needs a value"),
    (["--platform", "zed"], f"unknown platform `zed`; it is one of {', '.join(PLATFORMS)}"),
    (["--platform", "Claude"], "unknown platform `Claude`"),
    (["--platform", ""], "unknown platform ``"),
    (["--platform="], "unknown platform ``"),
    (["--platform", "claude", "extra"], "unknown argument `extra`; `rulez hook` takes --platform, --event, --rules"),
    (["claude"], "unknown argument `claude`"),
    (["--platform", "claude", "--verbose"], "unknown argument `--verbose`"),
    (["--platform", "claude", "-v"], "unknown argument `-v`"),
    (["--", "--platform", "claude"], "unknown argument `--`"),
    (["--platform", "claude", ""], "unknown argument ``"),
    (["--stream"], "`--platform` is missing"),
    (["--platform", "claude", "--stream="], "`--stream` takes no value"),
    (["--platform", "claude", "--stream=yes"], "`--stream` takes no value"),
    (["--platform", "claude", "--stream", "yes"], "unknown argument `yes`"),
    *(
        (["--platform", "claude", "--timeout", value], f"`--timeout {value}` is not a number of seconds between 0 and")
        for value in ("", "soon", "0", "-1", "nan", "inf", "-inf", "3601", "1e9", "5s", "0x10", "1,5")
    ),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE_ERRORS, ids=shown)
def test_a_command_line_that_cannot_be_carried_out_says_why(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_options(arguments)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(("arguments", "message"), USAGE_ERRORS, ids=shown)
def test_it_denies_on_the_agent_it_was_for(
    arguments: list[str], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    exit_code = main(arguments)
    stdout, stderr = capfd.readouterr()
    reason = stderr if not stdout else json.loads(stdout).get("reason", stderr)
    assert reason.startswith(f"Blocked: the command line of `rulez hook` is wrong: {message}")
    assert reason.rstrip("\n").endswith("Instead: correct the agent's hook settings.")
    assert exit_code == 2


@pytest.mark.parametrize("spelled", ["--platform {}", "--platform={}", "{}"])
@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_agent_is_denied_in_its_own_words(platform: str, spelled: str, capfd: pytest.CaptureFixture[str]) -> None:
    exit_code = main([*spelled.format(platform).split(), "--nonsense"])
    stdout, stderr = capfd.readouterr()
    assert denies(Answer(stdout=stdout, stderr=stderr, exit_code=exit_code), platform)
    assert "unknown argument" in stdout + stderr


@pytest.mark.parametrize("arguments", [["--platform", "x\x1b[2J\x07"], ["--platform", "claude", "\x9b\u202e"]])
def test_nothing_that_a_terminal_obeys_is_printed(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    stdout, stderr = capfd.readouterr()
    assert (stdout + stderr).replace("\n", "").isprintable()


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_is_no_deny(flag: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--platform", "claude", flag]) == 0
    stdout, stderr = capfd.readouterr()
    assert (stdout, stderr) == (USAGE, "")


def test_help_names_every_option_and_platform() -> None:
    for option in (*(f"--{name}" for name in Options(platform="x").as_dict()), *PLATFORMS):
        assert option in USAGE
    assert f"default {TIME_BUDGET:g}" in USAGE


WORDS = st.sampled_from(["--platform", "--event", "--timeout", "--rules", "--stream", "claude", "", "5"])


@given(st.lists(WORDS | st.text(max_size=9)))
def test_any_command_line_is_carried_out_or_refused(arguments: list[str]) -> None:
    try:
        options = parse_options(arguments)
    except UsageError as error:
        assert str(error)
    else:
        assert options.platform in PLATFORMS
        assert 0 < options.timeout <= 3600


@pytest.mark.parametrize(
    ("arguments", "exit_code"),
    [(["hook"], 2), (["hook", "--platform", "nobody"], 2), (["hook", "--help"], 0), (["hook", "--platform=claude"], 2)],
)
def test_the_process_says_the_same(arguments: list[str], exit_code: int, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "rulez_py", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert ended.returncode == exit_code
    assert (ended.stdout == b"") is (exit_code == 2)
    assert (ended.stderr == b"") is (exit_code == 0)


def test_rules_in_a_file_named_on_the_command_line_stand_in_for_the_projects(tmp_path: Path, home: Path) -> None:
    own, named = tmp_path / ".rulez" / "rules.yaml", tmp_path / "named.yaml"
    own.parent.mkdir()
    own.write_text("version: '1.0'\nrules: [{name: own, matchers: {tools: [Bash]}, actions: {block: true}}]\n")
    named.write_text("version: '1.0'\nrules: [{name: named, matchers: {tools: [Read]}, actions: {block: true}}]\n")
    said = {}
    for tool in ("Bash", "Read"):
        call = HookCall(Options(platform="claude", rules=str(named)), {"HOME": str(home)}, 0.0)
        payload = {"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": tool, "cwd": str(tmp_path)}
        said[tool] = respond(call, json.dumps(payload).encode()).answer.exit_code
    assert said == {"Bash": 0, "Read": 2}


@pytest.mark.parametrize("event", ["PreToolUse", "SessionStart"])
def test_an_event_on_the_command_line_serves_payloads_that_name_none(event: str, tmp_path: Path, home: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rule = "{name: r, matchers: {operations: [PreToolUse]}, actions: {block: true}}"
    rules.write_text(f"version: '1.0'\nrules: [{rule}]\n")
    call = HookCall(Options(platform="claude", event=event, rules=str(rules)), {"HOME": str(home)}, 0.0)
    payload = {"session_id": "s", "tool_name": "Bash", "cwd": str(tmp_path)}
    assert respond(call, json.dumps(payload).encode()).answer.exit_code == (2 if event == "PreToolUse" else 0)
