"""VS Code's hook runtime, taken out of its Copilot extension as published: what it makes of rulez' answers.

The window, the sign-in and the model are not there (agents/vscode_runtime.cjs says what is VS Code's own and what is
ours). `make e2e` runs this; see tests/e2e/README.md and rulez_py/platforms/copilot/contract.md, section 6.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import install
from tests.e2e.conftest import played
from tests.e2e.place import FORMS, SYSTEM_PATH, Place, hook_calls

pytestmark = pytest.mark.e2e

POLICY = """\
version: "1.0"
extends: [builtin:essentials]
rules:
  - name: no-write
    matchers: {operations: [PreToolUse], paths: {globs: ["made-by-*"], access: [write]}, tools: [Write, Edit]}
    actions: {block: true}
  - name: no-read
    matchers: {operations: [PreToolUse], paths: {globs: [secret.txt], access: [read]}}
    actions: {block: true}
  - name: no-fetch
    matchers: {operations: [PreToolUse], tools: [WebFetch], domains: [example.org]}
    actions: {block: true}
  - name: no-subagent
    matchers: {operations: [PreToolUse], tools: [Task], input_match: FORBIDDEN}
    actions: {block: true}
  - name: no-mcp
    matchers: {operations: [PreToolUse], mcp: {server: demo, tool: make_file}}
    actions: {block: true}
  - name: asks
    matchers: {operations: [PreToolUse], command_match: asked-about}
    actions: {ask: A person decides about this.}
  - name: rewrites
    matchers: {operations: [PreToolUse], command_match: before-it}
    actions: {rewrite: {command: touch rewritten.txt}}
  - name: adds
    matchers: {operations: [PreToolUse], command_match: with-context}
    actions: {inject_inline: CONTEXT-BEFORE-THE-CALL}
  - name: no-passwords
    matchers: {operations: [UserPromptSubmit], prompt_match: password}
    actions: {block: Prompts hold no passwords.}
  - name: goes-on
    matchers: {operations: [Stop]}
    actions: {block: Run the tests.}
  - name: begins
    matchers: {operations: [SessionStart]}
    actions: {inject_inline: CONTEXT-OF-THE-SESSION}
"""
SHELL = {"explanation": "a step", "goal": "a goal", "isBackground": False, "timeout": 0}
PATCH = "*** Begin Patch\n*** Add File: {project}/made-by-patch.txt\n+x\n*** End Patch"
_ALLOWING = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}
ALLOWS = json.dumps({"hooks": {"PreToolUse": [{"type": "command", "command": f"echo '{json.dumps(_ALLOWING)}'"}]}})
"""A hook file of somebody else, which lets every call run without a question."""


@dataclass(frozen=True)
class Setup:
    """How rulez is set up: its `scope`, what stands in for it (tests/e2e/place.py), another hook file before it."""

    scope: str = "user"
    hook: str = "rulez"
    first: str = ""


@dataclass(frozen=True)
class Answer:
    """What VS Code made of it: its merged result, or why it ends the request; what it shows; the calls of rulez."""

    said: Any
    aborted: str
    shown: list[str]
    calls: int


class Editor:
    """VS Code's hook runtime, with rulez set up for it."""

    def __init__(self, setup: Setup, root: Path) -> None:
        self.place = place = Place(root, "copilot", setup.scope)
        place.make()
        place.write("{home}/.config/rulez/rules.yaml", POLICY)
        place.put_tools()
        place.put_rulez(FORMS["frozen"])
        files = []
        if setup.first:
            place.write(".github/hooks/first.json", setup.first)
            files.append(str(place.file(".github/hooks/first.json")))
        if setup.hook != "nothing":
            place.install_hook(FORMS["frozen"], hasty=setup.hook == "hangs")
            files.append(str(place.hook_file))
        if setup.hook not in ("rulez", "nothing"):
            place.replace_rulez(setup.hook)
        runtime = Path(__file__).parent / "agents" / "vscode_runtime.cjs"
        self._process = subprocess.Popen(
            [install.node(), runtime, install.editor(), place.project, *files],
            cwd=place.project,
            env={"HOME": str(place.home), "PATH": f"{place.bin}:{SYSTEM_PATH}", "LANG": "C.UTF-8"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def ask(self, event: str, given: Mapping[str, Any], tool: str = "") -> Answer:
        """Has the hooks of one event called, or of PreToolUse for one call of a tool."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        before = len(hook_calls(self.place.calls))
        request = json.dumps({"event": event, "tool": tool, "given": dict(given)})
        self._process.stdin.write(self.place.filled(request) + "\n")
        self._process.stdin.flush()
        told = json.loads(self._process.stdout.readline())
        calls = len(hook_calls(self.place.calls)) - before
        return Answer(told.get("said"), told.get("aborted", ""), told["shown"], calls)

    def use(self, tool: str, given: Mapping[str, Any]) -> Answer:
        return self.ask("PreToolUse", given, tool)

    def run(self, command: str) -> Answer:
        return self.use("run_in_terminal", {"command": command, **SHELL})

    def close(self) -> None:
        self._process.communicate()


Open = Callable[[Setup], Editor]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """The editor, opened once for each setup."""
    if not played("copilot"):
        pytest.skip("the real agents are driven by `make e2e`")
    editors: dict[Setup, Editor] = {}

    def open_(setup: Setup) -> Editor:
        if setup not in editors:
            editors[setup] = Editor(setup, tmp_path_factory.mktemp("vscode") / "place")
        return editors[setup]

    yield open_
    for editor in editors.values():
        editor.close()


TOOLS = [
    ("run_in_terminal", {"command": "git push --force", **SHELL}, "no-force-push"),
    ("send_to_terminal", {"id": "1", "command": "git push --force"}, "no-force-push"),
    (
        "create_and_run_task",
        {"workspaceFolder": "{project}", "task": {"label": "x", "type": "shell", "command": "git push --force"}},
        "no-force-push",
    ),
    (
        "create_and_run_task",
        {
            "workspaceFolder": "{project}",
            "task": {"label": "x", "type": "shell", "command": "git", "args": ["push", "--force"]},
        },
        "no-force-push",
    ),
    ("create_file", {"filePath": "{project}/made-by-create.txt", "content": "x"}, "no-write"),
    (
        "multi_replace_string_in_file",
        {
            "explanation": "e",
            "replacements": [
                {"filePath": "{project}/a.txt", "oldString": "a", "newString": "b"},
                {"filePath": "{project}/made-by-edit.txt", "oldString": "a", "newString": "b"},
            ],
        },
        "no-write",
    ),
    ("apply_patch", {"input": PATCH, "explanation": "e"}, "no-write"),
    ("read_file", {"filePath": "{project}/secret.txt", "startLine": 1, "endLine": 2}, "no-read"),
    ("view_image", {"filePath": "{project}/secret.txt"}, "no-read"),
    ("fetch_webpage", {"urls": ["https://example.org/"], "query": "q"}, "no-fetch"),
    ("runSubagent", {"prompt": "FORBIDDEN", "description": "d"}, "no-subagent"),
    ("mcp_demo_make_file", {"path": "x"}, "no-mcp"),
    ("create_file", {"filePath": "{project}/.github/hooks/x.json", "content": "{}"}, "rulez-protects-itself"),
]


@pytest.mark.parametrize(("tool", "given", "reason"), TOOLS)
def test_a_call_is_denied(tool: str, given: Mapping[str, Any], reason: str, opened: Open) -> None:
    found = opened(Setup()).use(tool, given)
    assert found.said["permissionDecision"] == "deny"
    assert reason in found.said["permissionDecisionReason"]
    assert any(reason in line for line in found.shown)


@pytest.mark.parametrize("setup", [Setup(scope="project"), Setup(first=ALLOWS)], ids=["project", "another-allows"])
def test_it_is_denied_in_other_setups(setup: Setup, opened: Open) -> None:
    found = opened(setup).run("git push --force")
    assert found.said["permissionDecision"] == "deny"
    assert "no-force-push" in found.said["permissionDecisionReason"]


@pytest.mark.parametrize("hook", ["missing", "crashes", "hangs"])
def test_it_is_denied_where_rulez_fails(hook: str, opened: Open) -> None:
    found = opened(Setup(hook=hook)).run("ls")
    assert found.said["permissionDecision"] == "deny"
    assert "missing or has failed" in found.said["permissionDecisionReason"]


def test_a_prompt_is_stopped_where_rulez_is_missing(opened: Open) -> None:
    assert "missing or has failed" in opened(Setup(hook="missing")).ask("UserPromptSubmit", {"prompt": "x"}).aborted


@pytest.mark.parametrize("hook", ["passes", "nothing"])
def test_nothing_is_denied_without_rulez(hook: str, opened: Open) -> None:
    """Controls: what denies above is rulez."""
    found = opened(Setup(hook=hook)).run("git push --force")
    assert (found.said, found.shown) == (None, [])


def test_a_harmless_call_is_left_alone(opened: Open) -> None:
    found = opened(Setup()).run("ls")
    assert found == Answer(None, "", [], 1)


def test_it_asks(opened: Open) -> None:
    said = opened(Setup()).run("touch asked-about.txt").said
    assert said["permissionDecision"] == "ask"
    assert "A person decides about this." in said["permissionDecisionReason"]


def test_it_rewrites(opened: Open) -> None:
    said = opened(Setup()).run("touch before-it.txt").said
    assert said == {"updatedInput": {"command": "touch rewritten.txt", **SHELL}}


def test_it_adds_context(opened: Open) -> None:
    assert opened(Setup()).run("touch with-context.txt").said == {"additionalContext": ["CONTEXT-BEFORE-THE-CALL"]}


def test_a_prompt_is_stopped(opened: Open) -> None:
    found = opened(Setup()).ask("UserPromptSubmit", {"prompt": "my password"})
    assert "Prompts hold no passwords." in found.aborted
    assert opened(Setup()).ask("UserPromptSubmit", {"prompt": "hello"}).aborted == ""


def test_a_session_begins(opened: Open) -> None:
    (output,) = opened(Setup()).ask("SessionStart", {"source": "new"}).said
    context = {"hookEventName": "SessionStart", "additionalContext": "CONTEXT-OF-THE-SESSION"}
    assert output["hookSpecificOutput"] == context


def test_the_agent_goes_on(opened: Open) -> None:
    (output,) = opened(Setup()).ask("Stop", {"stop_hook_active": False}).said
    assert output["hookSpecificOutput"]["decision"] == "block"
    assert "Run the tests." in output["hookSpecificOutput"]["reason"]
