"""The rule sets that ship inside rulez: every rule's own tests, and the table in data/packs.yaml, on all agents."""

from __future__ import annotations

import os
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from ruamel.yaml import YAML

from rulez_py.event import Event
from rulez_py.platforms import adapter
from rulez_py.policy import packs
from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.policy.format import cases
from rulez_py.policy.format.case_repository import Untold
from rulez_py.policy.format.case_world import WithoutMemory
from rulez_py.policy.judging.decide import decide
from rulez_py.policy.store.load import in_order, read_pack
from rulez_py.system.effects import Kept, Script, ScriptResult, ToKeep
from rulez_py.verdict import ASK, DENY, NO_OPINION, Verdict
from tests.platforms import PLATFORMS, in_turn

if TYPE_CHECKING:
    from rulez_py.policy.model.rule import Rule

ROOT, HOME = "/home/user/project", "/home/user"
TABLE: dict[str, Any] = YAML(typ="safe").load(Path(__file__).parent / "data" / "packs.yaml")
NAMES = (*packs.extendable(), packs.SELF_PROTECTION)
ALWAYS = (packs.DEFAULT, packs.SELF_PROTECTION)
"""What holds where nobody has a policy."""
RECOMMENDED = (*packs.reach(("recommended",)), packs.SELF_PROTECTION)
DECISIONS = {"deny": DENY, "ask": ASK, "none": NO_OPINION}

SHELLS = [
    *((platform, facts.before_tool, facts.shell) for platform, facts in PLATFORMS.items()),
    ("claude", "PreToolUse", "Monitor"),
    ("copilot", "PreToolUse", "Bash"),
    ("copilot", "PreToolUse", "run_in_terminal"),
]
POWERSHELL = ("claude", "PreToolUse", "PowerShell")
READERS = [
    ("claude", "PreToolUse", "Read", "file_path"),
    ("gemini", "BeforeTool", "read_file", "file_path"),
    ("gemini", "BeforeTool", "read_file", "absolute_path"),
    ("copilot", "preToolUse", "view", "path"),
    ("copilot", "PreToolUse", "read_file", "filePath"),
    ("opencode", "tool.execute.before", "read", "filePath"),
    ("codex", "PreToolUse", "view_image", "path"),
    ("claude", "PreToolUse", "Grep", "path"),
]
WRITERS = [
    ("claude", "PreToolUse", "Write", "file_path"),
    ("claude", "PreToolUse", "Edit", "file_path"),
    ("claude", "PreToolUse", "NotebookEdit", "notebook_path"),
    ("gemini", "BeforeTool", "write_file", "file_path"),
    ("gemini", "BeforeTool", "replace", "file_path"),
    ("copilot", "preToolUse", "create", "path"),
    ("copilot", "preToolUse", "edit", "path"),
    ("copilot", "PreToolUse", "replace_string_in_file", "filePath"),
    ("copilot", "preToolUse", "apply_patch", ""),
    ("opencode", "tool.execute.before", "write", "filePath"),
    ("opencode", "tool.execute.before", "edit", "filePath"),
    ("opencode", "tool.execute.before", "apply_patch", "patchText"),
    ("codex", "PreToolUse", "apply_patch", "command"),
    ("claude", "PreToolUse", "mcp__files__write_file", "path"),
]


NAMES_IN = {
    "/": ["bin", "etc", "home", "tmp", "usr", "var"],
    "/home": ["user"],
    HOME: [".aws", ".bashrc", ".claude", ".codex", ".config", ".ssh", "Documents", "project"],
    ROOT: [".claude", ".env", ".git", ".github", ".rulez", "README.md", "build", "node_modules", "package.json", "src"],
    f"{ROOT}/.rulez": ["rules.yaml"],
    f"{ROOT}/src": ["a.py", "main.py"],
    f"{ROOT}/part/.codex": ["hooks.json"],
}
HELD = {f"{ROOT}/part/.codex/hooks.json": '{"hooks": {"PreToolUse": [{"command": "rulez hook --platform codex"}]}}'}


class Machine(WithoutMemory):
    """The packs run nothing and inject nothing; the disk holds a few files and no links."""

    git = Untold()

    def run(self, script: Script) -> ScriptResult:
        raise AssertionError(script)

    def read_text(self, path: str, limit: int) -> str | None:
        return HELD.get(path)

    def has_seen(self, session: str, path: str) -> bool | None:
        return None

    def keep(self, wanted: ToKeep) -> Kept:
        raise AssertionError(wanted)

    def is_committed(self, path: str, data: bytes) -> bool:
        return False

    def read_bytes(self, path: str, limit: int) -> bytes | None:
        return HELD[path].encode() if path in HELD else None

    def real_path(self, path: str) -> str:
        return os.path.normpath(path)

    def names(self, directory: str) -> list[str]:
        return NAMES_IN.get(os.path.normpath(directory), [])


@cache
def rules_of(*names: str) -> tuple[Rule, ...]:
    found = [read_pack(name, ROOT) for name in names]
    assert [str(problem) for pack in found for problem in pack.problems] == []
    return tuple(rule for pack in found for rule in pack.rules)


def called(platform: str, native: str, tool: str, tool_input: object, root: str = ROOT) -> Event:
    payload = {"session_id": "s", "hook_event_name": native, "tool_name": tool, "tool_input": tool_input, "cwd": root}
    return adapter(platform).parse(payload, None).replace(project_dir=root)


def touched(platform: str, native: str, tool: str, key: str, path: str, root: str = ROOT) -> Event:
    patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch"
    if tool == "apply_patch":
        return called(platform, native, tool, {key: patch} if key else patch, root)
    return called(platform, native, tool, {key: path, "pattern": "x"}, root)


def said(rules: tuple[Rule, ...], event: Event, root: str = ROOT) -> Verdict:
    return decide(rules, Facts(event, Surroundings(root=root, home=HOME), Machine()))


def inline_tests() -> list[Any]:
    """Returns each example, those of what always holds with an agent's shell beside it, the next ones with the next."""
    found: list[Any] = []
    shells = cycle(SHELLS)
    for name in NAMES:
        for rule in packs.rules_of([name]):
            for decision, examples in rule.get("tests", {}).items():
                wanted = {"deny": DENY, "ask": ASK, "allow": NO_OPINION}[decision]
                found += [
                    pytest.param(
                        *(name, rule["name"], example, wanted),
                        next(shells) if isinstance(example, str) and name in ALWAYS else None,
                        id=f"{rule['name']}: {decision}: {example}",
                    )
                    for example in examples
                ]
    return found


@pytest.mark.parametrize(("pack", "name", "example", "decision", "shell"), inline_tests())
def test_what_a_rule_says_of_itself_is_true_on_every_agent(
    pack: str, name: str, example: str | dict[str, Any], decision: str, shell: tuple[str, str, str] | None
) -> None:
    [rule] = [rule for rule in rules_of(pack) if rule["name"] == name]
    assert cases.judged(rule, example).decision == decision
    if shell:
        assert said((rule,), called(*shell, {"command": example})).decision == decision


@pytest.mark.parametrize("pack", NAMES)
def test_every_rule_says_why_and_what_to_do_instead(pack: str) -> None:
    for rule in rules_of(pack):
        stops = bool({"block", "ask", "redact"} & rule["actions"].keys())
        assert rule["description"] and bool(rule["suggestion"]) is stops, rule["name"]
        assert not rule["description"].endswith(".")


@pytest.mark.parametrize("pack", NAMES)
def test_every_rule_looks_only_before_a_tool_runs(pack: str) -> None:
    """Where it only remembers, also after; what redacts looks at what has come of a call alone."""
    stopping = [rule for rule in rules_of(pack) if set(rule["actions"]) - {"remember", "redact"}]
    assert {tuple(rule["match"]["operations"]) for rule in stopping} <= {("PreToolUse",)}
    redacting = [rule for rule in rules_of(pack) if "redact" in rule["actions"]]
    assert {tuple(rule["match"]["operations"]) for rule in redacting} <= {("PostToolUse", "PostToolUseFailure")}


@pytest.mark.parametrize("pack", NAMES)
def test_a_pack_only_tightens(pack: str) -> None:
    """What a rule remembers has others hold, and meets no requirement."""
    for rule in rules_of(pack):
        assert set(rule["actions"]) <= {"block", "ask", "remember", "redact"}, rule["name"]
        assert "requires" not in rule
        assert rule["mode"] == "enforce"


# A line is read as the same on all agents, so each is tried on one of them.
@pytest.mark.parametrize(
    ("command", "shell"),
    in_turn([*TABLE["harmless_commands"], *TABLE["harmless_without_recommended"]], SHELLS),
)
def test_everyday_commands_get_no_opinion(command: str, shell: tuple[str, str, str]) -> None:
    verdict = said(rules_of(*ALWAYS), called(*shell, {"command": command}))
    assert (verdict.decision, verdict.notes, verdict.context) == (NO_OPINION, (), ()), verdict.reason


@pytest.mark.parametrize("command", [*TABLE["harmless_commands"], *TABLE["harmless_with_recommended"]])
def test_everyday_commands_get_no_opinion_with_what_most_teams_want(command: str) -> None:
    verdict = said(rules_of(*RECOMMENDED), called(*SHELLS[0], {"command": command}))
    assert (verdict.decision, verdict.notes, verdict.context) == (NO_OPINION, (), ()), verdict.reason


@pytest.mark.parametrize(
    ("name", "command"),
    [
        pytest.param(name, command, id=f"{name}: {command}")
        for name, commands in TABLE["caught_with_recommended"].items()
        for command in commands
    ],
)
def test_risky_commands_are_caught_by_what_most_teams_want(name: str, command: str) -> None:
    verdict = said(rules_of(*RECOMMENDED), called(*SHELLS[0], {"command": command}))
    assert (verdict.decision in (ASK, DENY), name in [hit.rule for hit in verdict.hits]) == (True, True)


@pytest.mark.parametrize("command", TABLE["harmless_powershell"])
def test_everyday_cmdlets_get_no_opinion(command: str) -> None:
    verdict = said(rules_of(*RECOMMENDED), called(*POWERSHELL, {"command": command}))
    assert (verdict.decision, verdict.notes, verdict.context) == (NO_OPINION, (), ()), verdict.reason


@pytest.mark.parametrize(
    ("name", "command"),
    [
        pytest.param(name, command, id=f"{name}: {command}")
        for name, commands in TABLE["denied_powershell"].items()
        for command in commands
    ],
)
def test_dangerous_cmdlets_are_denied_by_their_rule(name: str, command: str) -> None:
    verdict = said(rules_of(*ALWAYS), called(*POWERSHELL, {"command": command}))
    assert (verdict.decision, name in [hit.rule for hit in verdict.hits]) == (DENY, True)


@pytest.mark.parametrize(
    ("name", "command", "shell"),
    [
        pytest.param(name, command, shell, id=f"{name}: {command}")
        for (name, command), shell in in_turn(
            ((name, command) for name, commands in TABLE["denied_commands"].items() for command in commands), SHELLS
        )
    ],
)
def test_dangerous_commands_are_denied_by_their_rule(name: str, command: str, shell: tuple[str, str, str]) -> None:
    verdict = said(rules_of(*ALWAYS), called(*shell, {"command": command}))
    assert verdict.decision == DENY
    assert name in [hit.rule for hit in verdict.hits]


@pytest.mark.parametrize(
    ("name", "command"),
    [
        pytest.param(name, command, id=f"{name}: {command}")
        for name, commands in TABLE["reasons"].items()
        for command in commands
    ],
)
def test_the_reason_that_fits_best_is_told(name: str, command: str) -> None:
    rules = in_order(rules_of(*dict.fromkeys((*ALWAYS, *RECOMMENDED, "system"))))
    verdict = said(rules, called("claude", "PreToolUse", "Bash", {"command": command}))
    assert verdict.rule == name, verdict.reason


@pytest.mark.parametrize("row", TABLE["files"], ids=lambda row: row["path"])
def test_files_are_guarded_whatever_tool_touches_them(row: dict[str, str]) -> None:
    for access, tools in (("read", READERS), ("write", WRITERS)):
        for tool in tools:
            verdict = said(rules_of(*ALWAYS), touched(*tool, row["path"]))
            wanted = row[access]
            assert verdict.decision == DECISIONS[wanted], (access, tool, verdict.reason)


@pytest.mark.parametrize("row", TABLE["roots"], ids=lambda row: f"{row['root']}: {row['path']}")
def test_files_are_guarded_also_where_the_agent_works_among_them(row: dict[str, str]) -> None:
    for path in (row["path"], os.path.join(row["root"], row["path"])):
        for access, tools in (("read", READERS), ("write", WRITERS)):
            for tool in tools:
                verdict = said(rules_of(*ALWAYS), touched(*tool, path, row["root"]), row["root"])
                assert verdict.decision == DECISIONS[row[access]], (access, tool, verdict.reason)


def test_an_agent_that_names_no_project_has_none_to_delete() -> None:
    event = called("claude", "PreToolUse", "Bash", {"command": "rm -rf  build "}).replace(project_dir=None, cwd=None)
    assert said(rules_of(*ALWAYS), event).decision == NO_OPINION


@pytest.mark.parametrize("platform", PLATFORMS)
def test_deleting_by_patch_or_by_a_tool_nobody_knows_is_guarded(platform: str) -> None:
    native = PLATFORMS[platform].before_tool
    for path in (
        ".rulez",
        ".rulez/rules.yaml",
        "~/.ssh",
        "~/.ssh/id_rsa",
        "~/.config/rulez",
        "~/.claude/settings.json",
    ):
        for tool in ("mcp__files__delete", "mcp_files_delete", "files-delete", "files_delete"):
            for tool_input in (
                {"path": path},
                {"source": path, "destination": "x"},
                {"source": "x", "destination": path},
            ):
                verdict = said(rules_of(*ALWAYS), called(platform, native, tool, tool_input))
                assert verdict.decision == DENY, (tool, tool_input)


SETTINGS = [".claude", "~/.claude", "~/.codex", "~/.gemini", "~/.copilot", ".opencode", "~/.config/opencode"]


@pytest.mark.parametrize("path", [*SETTINGS, "/home/user/.claude", "part/.codex"])
@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_agents_settings_are_not_deleted_as_a_whole(platform: str, path: str) -> None:
    native = PLATFORMS[platform].before_tool
    for tool in ("mcp__files__delete", "mcp_files_move", "files-delete", "files_delete"):
        for tool_input in ({"path": path}, {"source": path + "/", "destination": "x"}):
            verdict = said(rules_of(*ALWAYS), called(platform, native, tool, tool_input))
            assert verdict.decision == DENY, (tool, tool_input)


@pytest.mark.parametrize("path", ["examples/.codex", "a/b/.claude", "src/.gemini/*"])
def test_settings_further_down_that_do_not_call_rulez_stay_free(path: str) -> None:
    deleted = called("claude", "PreToolUse", "Bash", {"command": f"rm -rf {path}"})
    assert said(rules_of(*ALWAYS), deleted).decision == NO_OPINION


@pytest.mark.parametrize("directory", SETTINGS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_what_else_is_among_an_agents_settings_stays_free(platform: str, directory: str) -> None:
    native = PLATFORMS[platform].before_tool
    for tool_input in ({"path": f"{directory}/projects/x/y.jsonl"}, {"path": f"{directory}/skills"}):
        deleted = called(platform, native, "mcp__files__delete", tool_input)
        assert said(rules_of(*ALWAYS), deleted).decision == NO_OPINION
    listed = called(platform, native, "mcp__files__list_directory", {"path": directory})
    assert said(rules_of(*ALWAYS), listed).decision == NO_OPINION


def test_a_link_that_leads_to_a_guarded_file_is_guarded() -> None:
    class Linked(Machine):
        def real_path(self, path: str) -> str:
            return path.replace(f"{ROOT}/innocent", f"{HOME}/.ssh")

    event = called("claude", "PreToolUse", "Read", {"file_path": "innocent/id_work"})
    verdict = decide(rules_of(*ALWAYS), Facts(event, Surroundings(root=ROOT, home=HOME), Linked()))
    assert verdict.decision == DENY
    assert said(rules_of(*ALWAYS), event).decision == NO_OPINION


def test_the_table_is_worth_its_name() -> None:
    assert len(TABLE["harmless_commands"]) >= 60
    assert set(TABLE["denied_commands"]) <= {rule["name"] for rule in rules_of(*ALWAYS)}
    for access in ("read", "write"):
        assert {row[access] for row in TABLE["files"]} == set(DECISIONS)


@pytest.mark.parametrize("path", [".CLAUDE/Settings.json", "~/.SSH/ID_work", ".Rulez/Rules.yaml", "OpenCode.JSON"])
def test_capitals_are_no_way_around_where_the_disk_ignores_them(path: str) -> None:
    event = called("claude", "PreToolUse", "Write", {"file_path": path, "content": "x"})
    around = Surroundings(root=ROOT, home=HOME, ignore_case=True)
    assert decide(rules_of(*ALWAYS), Facts(event, around, Machine())).decision == DENY
