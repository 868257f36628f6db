"""States in which an agent does not call our hooks, on the real agents: the call is not stopped, doctor is not green.

`make e2e` runs this; see tests/e2e/README.md. The states are those of rulez_py/doctor/states.py that say so; when one
of them fails because the call was stopped, the agent has mended it.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rulez_py.doctor.findings import NOTE
from tests.e2e import install
from tests.e2e.agents import AGENTS, agent
from tests.e2e.conftest import begun
from tests.e2e.place import FORMS, SYSTEM_PATH, Place
from tests.e2e.script import Call
from tests.e2e.session import Run, Session, run
from tests.e2e.table import Plan, Step

pytestmark = pytest.mark.e2e

POLICY = """\
version: "1.0"
rules:
  - name: no-shell
    matchers: {operations: [PreToolUse], tools: [Bash], command_match: made-by-shell}
    actions: {block: true}
"""
FORM = "frozen"


@dataclass(frozen=True)
class Play:
    """How one agent gets into a state: files of the project, variables, and what happens once rulez is set up."""

    files: tuple[tuple[str, str], ...] = ()
    variables: tuple[tuple[str, str], ...] = ()
    settle: Callable[[Place], None] | None = None
    scope: str = "user"
    unreviewed: bool = True


def uninstalled(place: Place) -> None:
    place.uninstall_hook(FORMS[FORM])


BEFORE = ("BeforeTool", "PreToolUse", "preToolUse", "beforeShellExecution")


def with_keys(**keys: object) -> Callable[[Place], None]:
    """The hook before a tool with these in its entry."""

    def change(place: Place) -> None:
        settings = json.loads(place.hook_file.read_text())
        events = [name for name in BEFORE if name in settings["hooks"]]
        for group in (group for event in events for group in settings["hooks"][event]):
            inner = group.get("hooks", [group])
            for entry in [group] if "matcher" in keys else inner:
                entry.update(keys)
        place.hook_file.write_text(json.dumps(settings, indent=2))

    return change


def not_strict(place: Place) -> None:
    """The hook before a tool as one that fails open, and that fails."""
    text = place.hook_file.read_text().replace("strict = true", "strict = false")
    place.hook_file.write_text(text.replace(" hook --platform", "-is-gone hook --platform", 1))


TAKES_ITS_PLACE = '[[hooks]]\nname = "rulez"\ntype = "post_agent"\ncommand = "true"\n'


def trusted(place: Place) -> None:
    """What Vibe writes when a person trusts the project."""
    place.write(f"{place.home}/.vibe/trusted_folders.toml", f'trusted = ["{place.project}"]\nuntrusted = []\n')


def not_for_this_file(place: Place) -> None:
    settings = json.loads(place.hook_file.read_text())
    place.hook_file.write_text(json.dumps({**settings, "disableAllHooks": True}))


def matching_nothing(place: Place) -> None:
    """The hook before a tool for tools that there are not."""
    text = place.hook_file.read_text()
    place.hook_file.write_text(text.replace('event = "PreToolUse"', 'event = "PreToolUse"\nmatcher = "^nothing$"'))


def for_no_tool(place: Place) -> None:
    """The same where hooks stand in YAML."""
    text = place.hook_file.read_text()
    place.hook_file.write_text(text.replace("      timeout: 120", '      matcher: "nothing"\n      timeout: 120'))


def of_another_kind(place: Place) -> None:
    """A hook of the person's with a key that Kimi Code does not know."""
    with open(place.hook_file, "a", encoding="utf-8") as config:
        config.write('\n[[hooks]]\nevent = "Stop"\ncommand = "true"\nname = "x"\n')


def another_file_first(place: Place) -> None:
    """What Factory Droid writes when a person adds a hook under /hooks."""
    hook = {"type": "command", "command": "true"}
    place.hook_file.with_name("hooks.json").write_text(json.dumps({"PreToolUse": [{"hooks": [hook]}]}))


def reviewed(place: Place, *, hash_of: Callable[[Mapping[str, Any]], str], more: str = "") -> None:
    """What Codex CLI writes when a person has said yes to its review, with this hash."""
    with open(place.home / ".codex" / "config.toml", "a", encoding="utf-8") as config:
        for hook in listed(place):
            config.write(f'[hooks.state.{json.dumps(hook["key"])}]\ntrusted_hash = "{hash_of(hook)}"\n{more}')


def listed(place: Place) -> list[dict[str, Any]]:
    """The hooks as Codex CLI lists them."""
    messages: tuple[dict[str, Any], ...] = (
        {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "e2e", "version": "1"}}},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [str(place.project)]}},
    )
    process = subprocess.Popen(
        [*agent("codex").program(install.prefix("codex")), "app-server"],
        env={"HOME": str(place.home), "PATH": f"{place.bin}:{SYSTEM_PATH}", "SCRIPTED_KEY": "dummy"},
        cwd=place.project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None and process.stdout is not None
    with process:
        process.stdin.write("".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages))
        process.stdin.flush()
        answers = (json.loads(line) for line in process.stdout)
        found: list[dict[str, Any]] = next(one for one in answers if one.get("id") == 2)["result"]["data"][0]["hooks"]
        process.kill()
    return found


def reviewed_as_it_is(place: Place) -> None:
    reviewed(place, hash_of=lambda hook: str(hook["currentHash"]))


def changed_since(place: Place) -> None:
    """As `rulez install` of a rulez in another place does after the review."""
    reviewed_as_it_is(place)
    text = place.hook_file.read_text()
    place.hook_file.write_text(text.replace('"timeout": 120', '"timeout": 121'))


def switched_off_there(place: Place) -> None:
    reviewed(place, hash_of=lambda hook: str(hook["currentHash"]), more="enabled = false\n")


def on_its_list(place: Place) -> None:
    """What Grok Build writes when a person presses Space at the hook under /hooks."""
    (place.home / ".grok" / "disabled-hooks").write_text("global/rulez:pre_tool_use[0].hooks[0]\n")


PLAYS: Mapping[str, Mapping[str, Play]] = {
    "no-hook": {name: Play(settle=uninstalled) for name in AGENTS},
    "altered": {
        "claude": Play(settle=with_keys(**{"async": True})),
        "gemini": Play(settle=with_keys(timeout=5)),
        "copilot": Play(settle=with_keys(matcher="")),
        "codex": Play(settle=with_keys(matcher="^nothing$")),
        "cursor": Play(settle=with_keys(matcher="^nothing$")),
        "grok": Play(settle=with_keys(matcher="^nothing$")),
        "qwen": Play(settle=with_keys(**{"async": True})),
        "openhands": Play(settle=with_keys(**{"async": True})),
        "droid": Play(settle=with_keys(matcher="^nothing$")),
        "kimi": Play(settle=matching_nothing),
        "hermes": Play(settle=for_no_tool),
        "vibe": Play(settle=not_strict),
    },
    "switched-off": {
        "claude": Play(files=((".claude/settings.json", '{"disableAllHooks": true}'),)),
        "gemini": Play(files=((".gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),)),
        "copilot": Play(files=((".github/copilot/settings.json", '{"disableAllHooks": true}'),)),
        "codex": Play(files=((".codex/config.toml", "[features]\nhooks = false\n"),)),
        "pi": Play(
            files=((".pi/settings.json", '{"extensions": ["~/.pi/agent/extensions/rulez.js", "!**/rulez.js"]}'),)
        ),
        "qwen": Play(files=((".env", "QWEN_CODE_SAFE_MODE=1\n"),)),
        "openhands": Play(files=((".openhands/hooks.json", "{}"),)),
        "droid": Play(files=((".factory/settings.json", '{"hooks": {"hooksDisabled": true}}'),)),
        "cline": Play(files=((".env", "CLINE_DIR=/nowhere\nCLINE_DATA_DIR=$HOME/.cline/data\n"),)),
        "vibe": Play(files=((".vibe/hooks.toml", TAKES_ITS_PLACE),), settle=trusted),
    },
    "starts-without-hooks": {
        "claude": Play(variables=(("CLAUDE_CODE_SIMPLE", "1"),)),
        "opencode": Play(variables=(("OPENCODE_PURE", "1"),)),
        "kilo": Play(variables=(("KILO_PURE", "1"),)),
        "qwen": Play(variables=(("QWEN_CODE_SIMPLE", "1"),)),
        "hermes": Play(variables=(("HERMES_SAFE_MODE", "1"),)),
    },
    "starts-without-the-projects": {
        "opencode": Play(scope="project", variables=(("OPENCODE_DISABLE_PROJECT_CONFIG", "1"),)),
        "kilo": Play(scope="project", variables=(("KILO_DISABLE_PROJECT_CONFIG", "1"),)),
    },
    "refuses-the-list": {"kimi": Play(settle=of_another_kind)},
    "overruled": {"droid": Play(settle=another_file_first)},
    "skips-the-file": {"copilot": Play(settle=not_for_this_file)},
    "not-accepted": {"hermes": Play(unreviewed=False)},
    "not-reviewed": {"codex": Play(unreviewed=False)},
    "changed-since-review": {"codex": Play(unreviewed=False, settle=changed_since)},
    "disabled-there": {
        "codex": Play(unreviewed=False, settle=switched_off_there),
        "grok": Play(settle=on_its_list),
    },
}
"""State -> agent -> how it gets there."""
HELD = {"codex": Play(unreviewed=False, settle=reviewed_as_it_is)}
"""The same without the state: the call is stopped, and doctor is green."""


@dataclass(frozen=True)
class InState(Session):
    """A call that the policy denies, made in this state."""

    state: str = ""

    @property
    def play(self) -> Play:
        return PLAYS[self.state][self.platform] if self.state else HELD[self.platform]

    @property
    def played(self) -> Plan:
        call = Call("Shell", {"command": "touch made-by-shell.txt"})
        files = {".rulez/rules.yaml": POLICY, **dict(self.play.files)}
        return Plan(self.plan, scope=self.play.scope, files=files, turns=((Step(call),),))

    @property
    def environment(self) -> Mapping[str, str]:
        return dict(self.play.variables)

    @property
    def unreviewed(self) -> bool:
        return self.play.unreviewed

    def settle(self, place: Place) -> None:
        if self.play.settle is not None:
            self.play.settle(place)


def sessions(states: Mapping[str, Mapping[str, Play]]) -> list[InState]:
    return [
        InState(platform, f"state-{state or 'held'}", FORM, "rulez", state)
        for state, plays in states.items()
        for platform in plays
    ]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Iterator[Callable[[InState], Run]]:
    """What a session left behind."""
    yield from begun(request.session.items, InState, run)


def ids(session: InState) -> str:
    return f"{session.platform} {session.state or 'held'}"


def doctor(run: Run, session: InState) -> tuple[int, dict[str, str]]:
    """Exit code, and the states that doctor finds, with their level; the agent is on its PATH."""
    program = run.place.bin / session.platform
    program.write_text(_STARTS.format(words=shlex.join(session.agent.program(install.prefix(session.platform)))))
    program.chmod(0o755)
    words = ["env", *(f"{name}={value}" for name, value in session.environment.items()), str(FORMS[FORM])]
    ended = run.place.rulez(Path(words[0]), *words[1:], "doctor", "--json", session.platform)
    (agent,) = json.loads(ended.stdout)["agents"]
    return ended.returncode, {one["state"]: one["level"] for one in agent["findings"]}


_STARTS = '#!/bin/sh\nexec {words} "$@"\n'


@pytest.mark.parametrize("session", sessions(PLAYS), ids=ids)
def test_a_call_that_nobody_stops_is_no_protection(session: InState, play: Callable[[InState], Run]) -> None:
    run = play(session)
    assert (run.place.project / "made-by-shell.txt").exists()
    code, found = doctor(run, session)
    assert (code, found.get(session.state, NOTE) != NOTE) == (1, True), found


@pytest.mark.parametrize("session", sessions({"": HELD}), ids=ids)
def test_a_call_that_is_stopped_is(session: InState, play: Callable[[InState], Run]) -> None:
    run = play(session)
    assert run.calls != ()
    assert not (run.place.project / "made-by-shell.txt").exists()
    code, found = doctor(run, session)
    assert (code, [name for name, level in found.items() if level != NOTE]) == (0, []), found
