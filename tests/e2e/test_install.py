"""`rulez install` in homes as people have them: the real agent is denied, and afterwards the home is what it was.

`make e2e` runs this; see tests/e2e/README.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from rulez_py.install.entries import ON_PATH, is_plugin, is_yaml, snippet_name
from rulez_py.install.entries import settings as in_snippet
from rulez_py.platforms import part
from tests.e2e.agents import AGENTS
from tests.e2e.conftest import begun
from tests.e2e.place import FORMS, INSTALLED, Place
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
BEFORE = "as-it-was"
"""The file of a session that has the settings from before."""
# How somebody may have written the settings that are there.
SHAPES: dict[str, Callable[[str], str]] = {
    "nothing": lambda text: text,
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "mark": lambda text: "\ufeff" + text,
    "comments": lambda text: "// mine\n" + text.replace("\n", " /* here */\n", 1),
    "commas": lambda text: text.replace("\n}", ",\n}"),
    "link": lambda text: text,
}
LOSES = {"mark": "a byte order mark", "comments": "comments", "commas": "trailing commas"}


def yaml_comments(text: str) -> str:
    """The same with comments as YAML has them."""
    return "# mine\n" + text.replace("\n", " # here\n", 1)


def _json(there: str, command: str, platform: str) -> str:
    """Settings with a hook of somebody else's."""
    settings = json.loads(there or "{}")
    ours = in_snippet(platform, ON_PATH)["hooks"]
    name = next(name for name in ("BeforeTool", "PreToolUse", "preToolUse") if name in ours)
    other = {"type": "command", "command": command}
    settings["hooks"] = {name: [{"hooks": [other]} if "hooks" in ours[name][0] else other]}
    return json.dumps(settings, indent=2) + "\n"


def _yaml(there: str, command: str) -> str:
    return f"{there}hooks:\n  pre_tool_call:\n    - command: {command}\n"


@dataclass(frozen=True)
class AtHome(Session):
    """A denied call in a home whose settings file has other hooks, and a shape of its own."""

    shape: str = "nothing"

    @property
    def played(self) -> Plan:
        call = Call("Shell", {"command": "touch made-by-shell.txt"})
        return Plan(self.plan, files={".rulez/rules.yaml": POLICY}, turns=((Step(call),),))

    def furnish(self, place: Place) -> None:
        file = place.hook_file
        if self.shape == "nothing" or is_plugin(self.platform):
            before = file.read_bytes() if file.exists() else b""
        else:
            there = file.read_text() if file.exists() else ""
            command = f"touch {place.project}/other-hook.txt"
            text = _yaml(there, command) if is_yaml(str(file)) else _json(there, command, self.platform)
            shape = yaml_comments if is_yaml(str(file)) and self.shape == "comments" else SHAPES[self.shape]
            before = shape(text).encode()
            file.parent.mkdir(parents=True, exist_ok=True)
            if self.shape == "link":
                real = place.root / "dotfiles.json"
                real.write_bytes(before)
                file.unlink(missing_ok=True)
                file.symlink_to(real)
            else:
                file.write_bytes(before)
        (place.root / BEFORE).write_bytes(before)


def sessions(*shapes: str) -> list[AtHome]:
    return [
        AtHome(platform, f"install-{shape}", "frozen", "rulez", shape)
        for platform in AGENTS
        for shape in shapes
        if shape == "nothing" or not (is_plugin(platform) or (is_yaml(snippet_name(platform)) and shape == "commas"))
    ]


Play = Callable[[AtHome], Run]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Iterator[Play]:
    """What a session left behind."""
    yield from begun(request.session.items, AtHome, run)


def ids(session: AtHome) -> str:
    return f"{session.platform} {session.shape}"


@pytest.mark.parametrize("session", sessions(*SHAPES), ids=ids)
def test_a_deny_holds_and_then_the_home_is_what_it_was(session: AtHome, play: Play) -> None:
    run = play(session)
    place = run.place
    loses = part(session.platform, "settings").HOOKS.loses
    if LOSES.get(session.shape) in loses:
        assert run.calls == ()  # when this fails, the agent has learnt to read it
        assert f"reads no settings with {LOSES[session.shape]}" in (place.root / INSTALLED).read_text()
        doctor = place.rulez(FORMS[session.form], "doctor", session.platform)
        assert (doctor.returncode, LOSES[session.shape] in " ".join(doctor.stdout.split())) == (1, True), doctor.stdout
        return
    assert run.calls != ()
    assert not (place.project / "made-by-shell.txt").exists()
    assert (place.project / "other-hook.txt").exists() == (
        session.shape != "nothing" and not is_plugin(session.platform)
    )
    doctor = place.rulez(FORMS[session.form], "doctor", session.platform)
    # Nobody has reviewed Codex CLI's hook there: it was called by an option for one session.
    waits = part(session.platform, "settings").HOOKS.reviews is not None
    assert (doctor.returncode, "deny as it should" in doctor.stdout) == (int(waits), True), doctor.stdout
    place.uninstall_hook(FORMS[session.form])
    assert place.rulez(FORMS[session.form], "doctor", session.platform).returncode == 1
    before = (place.root / BEFORE).read_bytes()
    assert (place.hook_file.read_bytes() if place.hook_file.exists() else b"") == before
    assert place.hook_file.is_symlink() == (session.shape == "link" and not is_plugin(session.platform))
