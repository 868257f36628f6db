"""The settings snippets in hooks/: each is a file a person can paste as it is, true to what its agent really does.

What is known of an agent (`FACTS`) is from docs/contracts/.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dev import demo
from rulez_py.hook.main import parse_options
from rulez_py.hook.values import TIME_BUDGET
from rulez_py.install.entries import by_event, is_plugin
from rulez_py.platforms import PLATFORMS, adapter, part
from tests.platforms import PLATFORMS as PLATFORM_FACTS
from tests.platforms import PROVEN

Json = dict[str, Any]

HOOKS = os.path.join(os.path.dirname(__file__), "..", "..", "hooks")
ROOT = Path(HOOKS).parent

FACTS: dict[str, Json] = {name: facts.settings for name, facts in PLATFORM_FACTS.items() if facts.settings}


def settings(platform: str) -> Json:
    with open(os.path.join(HOOKS, FACTS[platform]["file"]), encoding="utf-8") as file:
        content: Json = json.load(file)
    return {**content, "hooks": by_event(content["hooks"])}


def entries(platform: str) -> list[tuple[str, Json, Json]]:
    """(event, its group, its entry) for every entry; Copilot's file is flat, so there a group is its own entry."""
    found = []
    for event, groups in settings(platform)["hooks"].items():
        for group in groups:
            flat = {key: said for key, said in {**group, **group.get("action", {})}.items() if key != "action"}
            found += [(event, group, entry) for entry in group.get("hooks", [flat])]
    return found


WATCHED = "$(command -v timeout >/dev/null && echo timeout -k 1 27) "
"""What comes before a call of rulez that is ended when it takes too long, where there is a `timeout`."""


def command_of(entry: Json) -> str:
    """The command where there is a POSIX shell."""
    command: str = entry.get("bash") or entry["command"]
    return command


def rulez_of(entry: Json) -> str:
    """The call of rulez in an entry's command, without what watches over it or is to happen when it fails."""
    return command_of(entry).removeprefix(WATCHED).partition(" || ")[0]


GUARDING = ("PreToolUse", "PermissionRequest", "UserPromptSubmit")
CLOSING = {name: tuple(facts["closing"].split()) for name, facts in FACTS.items() if facts["closing"]}
"""Platform -> the events before something that can be stopped, where the snippet has to see to it."""

ENTRIES = [
    pytest.param(platform, event, group, entry, id=f"{platform}-{event}")
    for platform in FACTS
    for event, group, entry in entries(platform)
]
each_entry = pytest.mark.parametrize(("platform", "event", "group", "entry"), ENTRIES)
each_platform = pytest.mark.parametrize("platform", FACTS)


def test_every_platform_has_something_to_install() -> None:
    snippets = {name: part(name, "settings").HOOKS.snippet for name in PLATFORMS}
    others = {name for name, snippet in snippets.items() if is_plugin(name) or not snippet.endswith(".json")}
    assert set(FACTS) | others == set(PLATFORMS)
    assert all(os.path.isfile(os.path.join(HOOKS, name, snippet)) for name, snippet in snippets.items())


@each_platform
def test_a_snippet_holds_nothing_but_hooks(platform: str) -> None:
    assert list(settings(platform)) == FACTS[platform]["top"]


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
    assert entry.get("type", "command") == "command"
    assert set(entry) <= set(FACTS[platform]["entry keys"].split())


@each_entry
def test_the_command_is_rulez_for_this_platform(platform: str, event: str, group: Json, entry: Json) -> None:
    program, command, *arguments = shlex.split(rulez_of(entry))
    assert (program, command) == ("rulez", "hook")
    options = parse_options(arguments)
    assert options.platform == platform
    assert options.event in (None, event)
    assert entry.get("powershell") in (None, rulez_of(entry))


@each_entry
def test_the_agent_waits_longer_than_rulez_takes(platform: str, event: str, group: Json, entry: Json) -> None:
    """An agent that gives up first lets the call through."""
    if not FACTS[platform]["timeout key"]:
        assert set(entry).isdisjoint(("timeout", "timeoutSec"))
        return
    seconds = entry[FACTS[platform]["timeout key"]] / FACTS[platform]["timeouts per second"]
    assert TIME_BUDGET + 3 <= seconds <= (120 if event in CLOSING.get(platform, ()) else 60)


@each_entry
def test_where_a_call_can_be_stopped_the_snippet_sees_to_it(
    platform: str, event: str, group: Json, entry: Json
) -> None:
    """Claude Code does it by itself; these run the call when the hook fails or takes too long.

    Gemini CLI waits for every hook that is stopped, for ever, whatever its event.
    """
    closes = event in CLOSING.get(platform, ())
    assert command_of(entry).startswith(WATCHED) is (closes or platform == "gemini")
    assert command_of(entry).endswith("exit 2; }") is closes
    key = FACTS[platform]["timeout key"]
    assert not (closes and key) or entry[key] == 120 * FACTS[platform]["timeouts per second"]


def test_rulez_is_given_the_time_it_takes() -> None:
    assert int(WATCHED.rpartition(" 1 ")[2].rstrip(") ")) > TIME_BUDGET


def test_gemini_clis_hooks_have_no_name_to_switch_them_off_by() -> None:
    """A repository's `hooksConfig.disabled` names hooks, of the person's own settings too."""
    assert not any("name" in entry for _, _, entry in entries("gemini"))


@each_entry
def test_a_matcher_stands_only_where_it_means_all_tools(platform: str, event: str, group: Json, entry: Json) -> None:
    """Elsewhere it is left out: what `*` or the empty text then means differs by agent and event, down to "never"."""
    matched = event in FACTS[platform]["matched by tool"].split()
    assert group.get("matcher") == ("*" if matched else None)


@pytest.mark.parametrize("event", GUARDING)
def test_claude_code_is_told_to_block_when_rulez_is_missing(event: str) -> None:
    assert [entry["onFailure"] for name, _, entry in entries("claude") if name == event] == ["block"]


def test_claude_code_is_told_so_only_where_something_can_be_blocked() -> None:
    telling = {event for event, _, entry in entries("claude") if "onFailure" in entry}
    assert telling == set(GUARDING)


COMMANDS = {platform: {event: command_of(entry) for event, _, entry in entries(platform)} for platform in CLOSING}
BEFORE_TOOL = {platform: COMMANDS[platform][events[0]] for platform, events in CLOSING.items()}
# What rulez does -> what the agent then gets: exit code, stdout, what stderr begins with, whether it says more.
ENDINGS = {
    "has nothing to say": ("exit 0", 0, "", "", False),
    "answers": ("echo '{}'", 0, "{}\n", "", False),
    "crashes": ("echo Traceback >&2; exit 1", 2, "", "Traceback\n", True),
    "crashes in the middle": ("printf '{\"dec'; exit 1", 2, '{"dec', "Blocked: ", True),
    "ends oddly": ("exit 77", 2, "", "Blocked: ", True),
    "is killed": ("kill -9 $$", 2, "", "", True),
    "stops": ("kill -STOP $$", 2, "", "", True),
    "hangs": ("while :; do :; done", 2, "", "", True),
    "is missing": (None, 2, "", "", True),
}
SHELLS = [name for name in ("sh", "bash", "zsh") if shutil.which(name)]
ENDED = [
    (ending, shell, watched)
    for ending in ENDINGS
    for shell in SHELLS
    for watched in (True, False)
    # Without a `timeout` nobody watches.
    if ending not in ("stops", "hangs") or (watched and shell == SHELLS[0])
]


def ended(command: str, script: str | None, directory: Path, shell: str = "sh") -> subprocess.CompletedProcess[str]:
    """What becomes of a snippet's command where `rulez` is this script; the time limits in it are cut to a second."""
    if script is not None:
        (directory / "rulez").write_text(f"#!/bin/sh\n{script}\n")
        (directory / "rulez").chmod(0o755)
    program = shutil.which(shell)
    assert program is not None
    hasty = command.replace(" 27)", " 1)")
    environ = {"PATH": str(directory)}
    return subprocess.run([program, "-c", hasty], env=environ, capture_output=True, text=True, check=False)


def put_timeout(directory: Path) -> None:
    program = shutil.which("timeout")
    if program is None:
        pytest.skip("no timeout on this machine")
    (directory / "timeout").symlink_to(program)


@pytest.mark.parametrize("platform", CLOSING)
@pytest.mark.parametrize(("ending", "shell", "watched"), ENDED)
def test_the_agent_is_told_to_block_when_rulez_fails(
    ending: str, platform: str, shell: str, watched: bool, tmp_path: Path
) -> None:
    """It lets the call run unless the hook exits with 2 and says why; Codex CLI does so in the user's own shell."""
    script, exit_code, stdout, begins, more = ENDINGS[ending]
    if watched:
        put_timeout(tmp_path)
    end = ended(BEFORE_TOOL[platform], script, tmp_path, shell)
    assert (end.returncode, end.stdout) == (exit_code, stdout)
    assert end.stderr.startswith(begins)
    assert ("Blocked: rulez is missing or has failed. Instead: tell the person" in end.stderr) is more
    assert bool(end.stderr) is more


@pytest.mark.parametrize("platform", ["codex", "copilot", "devin", "droid", "kiro", "windsurf"])
def test_a_denial_that_comes_with_exit_code_2_is_told_as_it_is(platform: str, tmp_path: Path) -> None:
    end = ended(BEFORE_TOOL[platform], "echo no >&2; exit 2", tmp_path)
    assert (end.returncode, end.stderr) == (2, "no\n")


def test_gemini_cli_is_told_a_text_with_every_exit_code_2(tmp_path: Path) -> None:
    """rulez' own answer to it always comes with exit code 0, and without a text the call would run."""
    end = ended(BEFORE_TOOL["gemini"], "exit 2", tmp_path)
    assert end.returncode == 2
    assert end.stderr.startswith("Blocked: ")


GOES_ON = {name: tuple(facts["goes on"].split()) for name, facts in FACTS.items() if facts["goes on"]}
"""Platform -> the events at which a failed hook with a text makes it go on, and nothing ends that."""


@pytest.mark.parametrize("platform", GOES_ON)
@pytest.mark.parametrize(
    ("script", "exit_code"), [("exit 0", 0), ("echo no >&2; exit 2", 1), ("exit 77", 1), (None, 1)]
)
def test_an_agent_does_not_go_on_because_rulez_fails(
    platform: str, script: str | None, exit_code: int, tmp_path: Path
) -> None:
    """What the policy says comes with exit code 0."""
    assert {ended(COMMANDS[platform][event], script, tmp_path).returncode for event in GOES_ON[platform]} == {exit_code}


@pytest.mark.parametrize("platform", CLOSING)
def test_what_guards_nothing_is_not_ended_by_a_failure(platform: str) -> None:
    said = {event: command.partition(" || ")[2] for event, command in COMMANDS[platform].items()}
    assert {event for event, otherwise in said.items() if "exit 2" in otherwise} == set(CLOSING[platform])
    assert len({COMMANDS[platform][event] for event in CLOSING[platform]}) == 1
    going_on = {event for event, otherwise in said.items() if otherwise == "exit 1"}
    assert going_on == set(GOES_ON.get(platform, ()))


def test_copilot_names_the_event_its_payload_does_not_name() -> None:
    named = {parse_options(shlex.split(rulez_of(entry))[2:]).event for _, _, entry in entries("copilot")}
    assert named == {None, "SubagentStart"}


def test_the_readme_tells_of_every_file() -> None:
    with open(os.path.join(HOOKS, "README.md"), encoding="utf-8") as file:
        text = file.read()
    files = [f"{name}/{part(name, 'settings').HOOKS.snippet}" for name in PLATFORMS]
    assert [name for name in files if name not in text] == []


LISTS = (
    *("README.md", "TOOL-MAPPING.md", "hooks/README.md", "docs/getting-started.md", "docs/cli.md"),
    *("docs/conformance.md", "docs/contracts/README.md"),
)


@pytest.mark.parametrize("page", LISTS)
def test_a_page_that_lists_agents_lists_all_of_them(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert [name for name in PLATFORMS if adapter(name).AGENT not in text] == []


def test_who_begins_is_told_every_name_and_shown_every_answer() -> None:
    started = (ROOT / "docs" / "getting-started.md").read_text("utf-8")
    named = started.split("`rulez install claude`")[1].partition(")")[0]
    assert re.findall(r"`(\w+)`", named) == [*sorted({*PROVEN} - {"claude"}), *sorted({*PLATFORMS} - {*PROVEN})]
    assert {platform for platform, _, _ in demo.CALLS} == set(PLATFORMS)
