"""The settings snippets in hooks/: each is a file a person can paste as it is, true to what its agent really does.

What is known of an agent (`FACTS`) is from docs/contracts/.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rulez_py.adapters import PLATFORMS, adapter
from rulez_py.hook import TIME_BUDGET, parse_options

Json = dict[str, Any]

HOOKS = os.path.join(os.path.dirname(__file__), "..", "..", "hooks")

FACTS: dict[str, Json] = {
    "claude": {
        "file": "claude/settings.json",
        "events": (
            "PreToolUse PostToolUse PostToolUseFailure PostToolBatch PermissionRequest PermissionDenied "
            "UserPromptSubmit UserPromptExpansion SessionStart SessionEnd Setup Stop StopFailure SubagentStart "
            "SubagentStop PreCompact PostCompact PreModelSwitch PostModelSwitch Notification ConfigChange "
            "InstructionsLoaded CwdChanged FileChanged DirectoryAdded TaskCreated TaskCompleted TeammateIdle "
            "Elicitation ElicitationResult MessageDisplay"
        ),
        "must have": "PreToolUse PostToolUse PermissionRequest UserPromptSubmit SessionStart Stop PreCompact",
        "must not have": {
            "WorktreeCreate": "its hook replaces what git does and must print the worktree's path",
            "WorktreeRemove": "its hook replaces what git does",
        },
        "matched by tool": "PreToolUse PostToolUse PostToolUseFailure PermissionRequest",
        "timeout key": "timeout",
        "timeouts per second": 1,
        "entry keys": "type command timeout onFailure",
    },
    "gemini": {
        "file": "gemini/settings.json",
        "events": (
            "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection BeforeTool "
            "AfterTool PreCompress Notification"
        ),
        "must have": "BeforeTool AfterTool BeforeAgent AfterAgent SessionStart PreCompress Notification",
        "must not have": {
            "PreCompact": "Gemini CLI calls it PreCompress",
            "BeforeModel": "a process per model call",
            "AfterModel": "a process per chunk of the reply",
            "BeforeToolSelection": "any answer to it narrows the tools the model is offered",
        },
        "matched by tool": "",
        "timeout key": "timeout",
        "timeouts per second": 1000,
        "entry keys": "type name command timeout",
    },
    "copilot": {
        "file": "copilot/rulez.json",
        "events": (
            "SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PermissionRequest Stop "
            "SubagentStart SubagentStop PreCompact ErrorOccurred Notification"
        ),
        "must have": "PreToolUse PostToolUse PermissionRequest UserPromptSubmit SessionStart Stop PreCompact",
        "must not have": {"preToolUse": "VS Code and Copilot CLI read different answers under this spelling"},
        "matched by tool": "",
        "timeout key": "timeoutSec",
        "timeouts per second": 1,
        "entry keys": "type command timeoutSec",
    },
    "codex": {
        "file": "codex/hooks.json",
        "events": (
            "SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse PreCompact PostCompact "
            "SubagentStart SubagentStop Stop StopFailure Interrupt SessionEnd"
        ),
        "must have": "PreToolUse PostToolUse PermissionRequest UserPromptSubmit SessionStart Stop PreCompact",
        "must not have": {"SessionEnd": "Codex CLI gives it 3 seconds, and says so at every start"},
        "matched by tool": "",
        "timeout key": "timeout",
        "timeouts per second": 1,
        "entry keys": "type command timeout",
    },
}


def settings(platform: str) -> Json:
    with open(os.path.join(HOOKS, FACTS[platform]["file"]), encoding="utf-8") as file:
        content: Json = json.load(file)
    return content


def entries(platform: str) -> list[tuple[str, Json, Json]]:
    """(event, its group, its entry) for every entry; Copilot's file is flat, so there a group is its own entry."""
    found = []
    for event, groups in settings(platform)["hooks"].items():
        for group in groups:
            found += [(event, group, entry) for entry in group.get("hooks", [group])]
    return found


def rulez_of(entry: Json) -> str:
    """The call of rulez in an entry's command, without what is to happen when it fails."""
    command: str = entry["command"]
    return command.partition(" || ")[0]


ENTRIES = [
    pytest.param(platform, event, group, entry, id=f"{platform}-{event}")
    for platform in FACTS
    for event, group, entry in entries(platform)
]
each_entry = pytest.mark.parametrize(("platform", "event", "group", "entry"), ENTRIES)
each_platform = pytest.mark.parametrize("platform", FACTS)


def test_every_platform_has_something_to_install() -> None:
    assert set(FACTS) | {"opencode"} == set(PLATFORMS)
    assert os.path.isfile(os.path.join(HOOKS, "opencode", "rulez.js"))


@each_platform
def test_a_snippet_holds_nothing_but_hooks(platform: str) -> None:
    assert set(settings(platform)) == ({"version", "hooks"} if platform == "copilot" else {"hooks"})


def test_copilots_file_has_the_only_version_it_reads() -> None:
    assert settings("copilot")["version"] == 1


@each_platform
def test_every_guarding_event_is_there(platform: str) -> None:
    assert set(FACTS[platform]["must have"].split()) <= set(settings(platform)["hooks"])


@each_platform
def test_no_event_is_there_that_does_harm(platform: str) -> None:
    assert set(settings(platform)["hooks"]).isdisjoint(FACTS[platform]["must not have"])


@each_entry
def test_the_agent_sends_the_event(platform: str, event: str, group: Json, entry: Json) -> None:
    assert event in FACTS[platform]["events"].split()


@each_entry
def test_our_adapter_knows_the_event(platform: str, event: str, group: Json, entry: Json) -> None:
    assert event in adapter(platform).EVENTS


@each_entry
def test_an_event_is_registered_once(platform: str, event: str, group: Json, entry: Json) -> None:
    assert len(settings(platform)["hooks"][event]) == 1


@each_entry
def test_an_entry_has_only_keys_the_agent_reads(platform: str, event: str, group: Json, entry: Json) -> None:
    assert entry["type"] == "command"
    assert set(entry) <= set(FACTS[platform]["entry keys"].split())


@each_entry
def test_the_command_is_rulez_for_this_platform(platform: str, event: str, group: Json, entry: Json) -> None:
    program, command, *arguments = shlex.split(rulez_of(entry))
    assert (program, command) == ("rulez", "hook")
    options = parse_options(arguments)
    assert options.platform == platform
    assert options.event in (None, event)


@each_entry
def test_the_agent_waits_longer_than_rulez_takes(platform: str, event: str, group: Json, entry: Json) -> None:
    """An agent that gives up first lets the call through."""
    seconds = entry[FACTS[platform]["timeout key"]] / FACTS[platform]["timeouts per second"]
    assert TIME_BUDGET + 3 <= seconds <= 60


@each_entry
def test_a_matcher_stands_only_where_it_means_all_tools(platform: str, event: str, group: Json, entry: Json) -> None:
    """Elsewhere it is left out: what `*` or the empty text then means differs by agent and event, down to "never"."""
    matched = event in FACTS[platform]["matched by tool"].split()
    assert group.get("matcher") == ("*" if matched else None)


GUARDING = ("PreToolUse", "PermissionRequest", "UserPromptSubmit")


@pytest.mark.parametrize("event", GUARDING)
def test_claude_code_is_told_to_block_when_rulez_is_missing(event: str) -> None:
    assert [entry["onFailure"] for name, _, entry in entries("claude") if name == event] == ["block"]


def test_claude_code_is_told_so_only_where_something_can_be_blocked() -> None:
    telling = {event for event, _, entry in entries("claude") if "onFailure" in entry}
    assert telling == set(GUARDING)


CODEX = {event: entry["command"] for event, _, entry in entries("codex")}
# What rulez does -> what Codex CLI then gets: exit code, stdout, and what stderr begins and ends with.
ENDINGS = {
    "has nothing to say": ("exit 0", 0, "", "", ""),
    "answers": ("echo '{}'", 0, "{}\n", "", ""),
    "denies": ("echo no >&2; exit 2", 2, "", "no\n", "no\n"),
    "crashes": ("echo Traceback >&2; exit 1", 2, "", "Traceback\n", "/hooks.\n"),
    "ends oddly": ("exit 77", 2, "", "Blocked: rulez ", "/hooks.\n"),
    "is killed": ("kill -9 $$", 2, "", "", "/hooks.\n"),
    "is missing": (None, 2, "", "", "/hooks.\n"),
}


@pytest.mark.parametrize("shell", [name for name in ("sh", "bash", "zsh") if shutil.which(name)])
@pytest.mark.parametrize("ending", ENDINGS)
def test_codex_is_told_to_block_when_rulez_fails(ending: str, shell: str, tmp_path: Path) -> None:
    """It lets the call run unless the hook exits with 2 and says why; it runs the command in the user's own shell."""
    script, exit_code, stdout, begins, ends = ENDINGS[ending]
    if script is not None:
        (tmp_path / "rulez").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "rulez").chmod(0o755)
    program = shutil.which(shell)
    assert program is not None
    ended = subprocess.run(
        [program, "-c", CODEX["PreToolUse"]], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (exit_code, stdout)
    assert ended.stderr.startswith(begins) and ended.stderr.endswith(ends)
    assert bool(ended.stderr) == (exit_code == 2)


@pytest.mark.parametrize(
    ("script", "exit_code"), [("exit 0", 0), ("echo no >&2; exit 2", 1), ("exit 77", 1), (None, 1)]
)
def test_codex_does_not_go_on_because_rulez_fails(script: str | None, exit_code: int, tmp_path: Path) -> None:
    """Exit code 2 with a text makes it go on, and nothing ends that; what the policy says comes with exit code 0."""
    if script is not None:
        (tmp_path / "rulez").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "rulez").chmod(0o755)
    command = ["/bin/sh", "-c", CODEX["Stop"]]
    ended = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, check=False)
    assert ended.returncode == exit_code


def test_codex_is_told_so_where_something_can_be_blocked_and_only_there() -> None:
    said = {event: command.partition(" || ")[2] for event, command in CODEX.items()}
    assert {event for event, otherwise in said.items() if "exit 2" in otherwise} == set(GUARDING)
    assert len({CODEX[event] for event in GUARDING}) == 1
    assert {event for event, otherwise in said.items() if otherwise == "exit 1"} == {"Stop", "SubagentStop"}


def test_copilot_names_the_event_its_payload_does_not_name() -> None:
    named = {parse_options(shlex.split(entry["command"])[2:]).event for _, _, entry in entries("copilot")}
    assert named == {None, "SubagentStart"}


def test_the_readme_tells_of_every_file() -> None:
    with open(os.path.join(HOOKS, "README.md"), encoding="utf-8") as file:
        text = file.read()
    files = [fact["file"] for fact in FACTS.values()] + ["opencode/rulez.js"]
    assert [name for name in files if name not in text] == []
