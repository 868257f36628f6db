"""`rulez agents write`: from a definition to the files, and what people are told."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulez_py.cli import cli

DEFINITION = """\
description: Looks after the database.
tools: [Read, Shell, WebFetch]
disallowedTools: [Shell]
tags: [db]
prompt: Look at the tables with {{tool:Read}}.
"""
FILES = {
    "claude": ".claude/agents/dba.md",
    "copilot": ".github/agents/dba.agent.md",
    "gemini": ".gemini/agents/dba.md",
    "kilo": ".kilo/agent/dba.md",
    "opencode": ".opencode/agent/dba.md",
    "qwen": ".qwen/agents/dba.md",
    "droid": ".factory/droids/dba.md",
    "kimi": ".kimi-code/agents/dba.md",
}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "mine", raising=False)  # The enrichers of another test in this process.
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "dba.yaml").write_text(DEFINITION)
    yield tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["agents", "write", *arguments])


def written(project: Path) -> set[str]:
    files = {str(path.relative_to(project)) for path in project.rglob("*") if path.is_file()}
    return files - {"agents/dba.yaml"}


def test_opencode_is_the_default(project: Path) -> None:
    result = run("agents/dba.yaml")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "wrote .opencode/agent/dba.md\n", "")
    assert written(project) == {FILES["opencode"]}
    assert "from agents/dba.yaml;" in (project / FILES["opencode"]).read_text()


@pytest.mark.parametrize(
    "chosen", [["all"], ["claude", "gemini", "copilot", "opencode", "qwen", "kilo", "droid", "kimi", "claude"]]
)
def test_several_agents_at_once(project: Path, chosen: list[str]) -> None:
    result = run("agents/dba.yaml", *(word for name in chosen for word in ("--platform", name)))
    assert result.exit_code == 0
    assert written(project) == set(FILES.values())
    assert result.stdout.count("wrote ") == len(FILES)


def test_what_is_left_for_a_person_is_told_when_it_is() -> None:
    first, second = (run("agents/dba.yaml", "--platform", "gemini").stderr for _ in range(2))
    assert "note: Gemini CLI loads it when somebody has acknowledged it in its terminal" in first
    assert second == ""


def test_a_second_time_nothing_changes(project: Path) -> None:
    run("agents/dba.yaml")
    before = os.stat(project / FILES["opencode"]).st_mtime_ns
    assert run("agents/dba.yaml").stdout == "unchanged .opencode/agent/dba.md\n"
    assert os.stat(project / FILES["opencode"]).st_mtime_ns == before


def test_out_is_the_project_s_directory(project: Path) -> None:
    assert run("agents/dba.yaml", "--out", "elsewhere/app").stdout == "wrote elsewhere/app/.opencode/agent/dba.md\n"
    text = (project / "elsewhere/app" / FILES["opencode"]).read_text()
    assert "from ../../agents/dba.yaml;" in text


def test_out_can_be_the_terminal(project: Path) -> None:
    result = run("agents/dba.yaml", "--platform", "claude", "--format", "json", "--out", "-")
    assert json.loads(result.stdout) == {
        "dba": {
            "description": "Looks after the database.",
            "tools": ["Read", "WebFetch"],
            "disallowedTools": ["Bash", "PowerShell", "Monitor"],
            "tags": ["db"],
            "prompt": "Look at the tables with Read.\n",
        }
    }
    assert written(project) == set()


@pytest.mark.parametrize("format", ["json", "yaml"])
def test_other_formats_stand_beside(project: Path, format: str) -> None:
    run("agents/dba.yaml", "--format", format)
    assert written(project) == {f".opencode/agent/dba.{format}"}


def test_several_definitions_are_written_in_their_order(project: Path) -> None:
    (project / "two.md").write_text("---\nname: other\ndescription: d\n---\nHello.\n")
    assert run("two.md", "agents/dba.yaml").stdout == "wrote .opencode/agent/other.md\nwrote .opencode/agent/dba.md\n"


# --check


def test_check_says_nothing_of_what_is_right() -> None:
    run("agents/dba.yaml", "--platform", "all")
    result = run("agents/dba.yaml", "--platform", "all", "--check")
    assert (result.exit_code, result.output) == (0, "")


def test_check_fails_for_a_missing_file_and_writes_none(project: Path) -> None:
    result = run("agents/dba.yaml", "--check")
    assert (result.exit_code, result.stdout) == (1, ".opencode/agent/dba.md: missing\n")
    assert written(project) == set()


def test_check_shows_how_a_file_differs(project: Path) -> None:
    run("agents/dba.yaml")
    (project / "agents/dba.yaml").write_text(DEFINITION.replace("Look at", "Read"))
    result = run("agents/dba.yaml", "--check")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == ".opencode/agent/dba.md: differs"
    assert "-Look at the tables with read." in lines
    assert "+Read the tables with read." in lines
    assert "Look at" in (project / FILES["opencode"]).read_text()


def test_check_fails_for_a_file_edited_by_hand(project: Path) -> None:
    run("agents/dba.yaml")
    with (project / FILES["opencode"]).open("a") as file:
        file.write("And more.\n")
    result = run("agents/dba.yaml", "--check")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (
        1,
        ".opencode/agent/dba.md: edited by hand, or not written by rulez",
    )
    assert "-And more." in result.stdout


# Files that are there already.


def test_a_file_edited_by_hand_is_not_written_over_and_no_other_written(project: Path) -> None:
    path = project / FILES["claude"]
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    result = run("agents/dba.yaml", "--platform", "all")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: .claude/agents/dba.md: edited by hand, or not written by rulez; nothing is")
    assert "--force" in result.stderr
    assert written(project) == {FILES["claude"]}
    assert path.read_text() == "mine"


def test_force_keeps_what_was_there(project: Path) -> None:
    path = project / FILES["claude"]
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    result = run("agents/dba.yaml", "--platform", "claude", "--force")
    assert result.stdout == "wrote .claude/agents/dba.md (what was there is .claude/agents/dba.md.bak)\n"
    assert (project / ".claude/agents/dba.md.bak").read_text() == "mine"


def test_what_rulez_wrote_follows_its_definition(project: Path) -> None:
    run("agents/dba.yaml")
    (project / "agents/dba.yaml").write_text(DEFINITION.replace("Look at", "Read"))
    assert run("agents/dba.yaml").stdout == "wrote .opencode/agent/dba.md\n"
    assert "Read the tables" in (project / FILES["opencode"]).read_text()


# What is wrong.


def test_every_problem_is_told_and_nothing_written(project: Path) -> None:
    (project / "a.yaml").write_text("description: d\ntools: [Shel]\n")
    (project / "b.yaml").write_text("tools: [Read]\n")
    result = run("agents/dba.yaml", "a.yaml", "missing.yaml", "b.yaml")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        'a.yaml:2:9: error: "tools.1" holds "Shel", which is no tool; did you mean "Shell"? a tool of your own is '
        'written "Custom:Shel"',
        "missing.yaml: No such file or directory",
        "b.yaml:1:1: error: the agent has no description; add one",
    ]
    assert written(project) == {"a.yaml", "b.yaml"}


def test_old_names_warn_and_work(project: Path) -> None:
    (project / "agents/dba.yaml").write_text("description: d\ntools: [Bash]\n")
    result = run("agents/dba.yaml")
    assert result.stderr == 'agents/dba.yaml:2:9: warning: "Bash" is an old name: write Shell\n'
    assert "bash: true" in (project / FILES["opencode"]).read_text()


def test_which_keys_a_platform_does_not_take_is_told_only_on_request() -> None:
    assert run("agents/dba.yaml", "--check").stderr == ""
    assert run("agents/dba.yaml", "--check", "--warn").stderr.splitlines() == [
        "note: dba, OpenCode: does not know tags, so it is left out",
    ]


@pytest.mark.parametrize(
    ("platform", "tool", "note"),
    [
        ("opencode", "WebSearch", "OpenCode: has no WebSearch, so it is left out"),
        ("opencode", "TodoRead", "OpenCode: todoread gives it nothing: there is no such tool"),
        ("opencode", "Glob", "OpenCode: Glob becomes grep: the tool `glob` has that name: `Custom:glob` gives it"),
        ("copilot", "List", "Copilot: List becomes glob and grep"),
        ("copilot", "Glob", ""),
        ("claude", "Shell", ""),
    ],
)
def test_a_tool_that_becomes_another_one_or_nothing_is_told_always(
    project: Path, platform: str, tool: str, note: str
) -> None:
    (project / "agents/dba.yaml").write_text(f"description: d\ntools: [Read, {tool}]\nprompt: x\n")
    assert run("agents/dba.yaml", "--platform", platform).stderr == (f"note: dba, {note}\n" if note else "")


def test_what_somebody_might_rely_on_is_told_always(project: Path) -> None:
    (project / "agents/dba.yaml").write_text("description: d\ntools: [Edit, Read]\ndisallowedTools: [Write]\n")
    assert run("agents/dba.yaml").stderr == (
        "warning: dba, OpenCode: edit goes too, which is one tool with write there\n"
    )


def test_an_agent_that_cannot_be_written_for_one_is_written_for_none(project: Path) -> None:
    (project / "plan.yaml").write_text("description: d\nprompt: x\n")
    result = run("plan.yaml", "agents/dba.yaml", "--platform", "all")
    assert (result.exit_code, result.stderr) == (
        1,
        "Error: agent plan cannot be written for Claude Code: it has an agent of its own called plan; "
        "choose another name\n",
    )
    assert written(project) == {"plan.yaml"}


def test_two_agents_of_one_name_are_told(project: Path) -> None:
    (project / "dba.md").write_text("---\ndescription: d\n---\n")
    result = run("agents/dba.yaml", "dba.md")
    assert (result.exit_code, result.stderr) == (
        1,
        "Error: .opencode/agent/dba.md would hold two agents called dba\n",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "json"], "--format and `--out -` are for an AGENT"),
        (["--out", "-"], "--format and `--out -` are for an AGENT"),
        (["agents/dba.yaml", "--platform", "codex"], "codex has no agent files; there are claude, copilot, droid, gem"),
        (["agents/dba.yaml", "--var", "x"], "--var x: write NAME=VALUE"),
        (["agents/dba.yaml", "--format", "toml"], "'toml' is not one of"),
        (["agents/dba.yaml", "--check", "--out", "-"], "--check compares with files; leave out `--out -`"),
        (["agents/dba.yaml", "x.yaml", "--format", "json", "--out", "-"], "choose one AGENT and one --platform"),
        (["agents/dba.yaml", "--platform", "all", "--format", "json", "--out", "-"], "choose one AGENT and one"),
    ],
)
def test_a_wrong_command_line_is_a_usage_error(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("platform", "other"),
    [
        ("opencode", ".opencode/agents/dba.md"),
        ("opencode", "~/.config/opencode/agent/dba.md"),
        ("copilot", "~/.copilot/agents/dba.agent.md"),
        ("claude", ".claude/agents/other.md"),
        ("gemini", ".gemini/agents/other.md"),
    ],
)
def test_another_file_that_wins_is_told(
    project: Path, monkeypatch: pytest.MonkeyPatch, platform: str, other: str
) -> None:
    monkeypatch.setenv("HOME", str(project / "home"))
    path = Path(os.path.expanduser(other))
    path.parent.mkdir(parents=True)
    path.write_text('---\nname: "dba"\n---\nHello.\n')
    told = run("agents/dba.yaml", "--platform", platform, "--check").stderr
    assert told == f"warning: {path} is an agent called dba as well, and may take its place: remove it\n"


def test_files_of_other_names_are_not_told(project: Path) -> None:
    run("agents/dba.yaml", "--platform", "all")
    (project / ".claude/agents/other.md").write_text("---\nname: dba2\n---\n\nname: dba\n")
    assert run("agents/dba.yaml", "--platform", "all", "--check").stderr == ""


def test_copilot_reading_the_same_file_is_told(project: Path) -> None:
    (project / "agents/dba.yaml").write_text("description: d\ndisallowedTools: [Shell]\n")
    told = run("agents/dba.yaml", "--platform", "claude", "--check").stderr
    assert "warning: dba: Copilot reads Claude Code's file as well, and gives it every tool; write it with" in told
    assert "reads" not in run("agents/dba.yaml", "--platform", "claude", "--platform", "copilot", "--check").stderr


@pytest.mark.parametrize("change", ["renamed", "removed"])
def test_an_agent_s_old_file_is_told_and_fails_the_check(project: Path, change: str) -> None:
    definition = project / "agents/dba.yaml"
    run("agents/dba.yaml", "--platform", "all")
    if change == "renamed":
        definition.write_text(DEFINITION + "name: new\n")
    else:
        definition.rename(project / "agents/new.yaml")
    source = "agents/dba.yaml" if change == "renamed" else "agents/new.yaml"
    told = ": .claude/agents/dba.md is still loaded, but agents/dba.yaml no longer makes it: remove it\n"
    result = run(source, "--platform", "claude")
    assert (result.exit_code, result.stderr) == (0, "warning" + told)
    check = run(source, "--platform", "claude", "--check")
    assert (check.exit_code, check.output) == (1, "error" + told)
    (project / FILES["claude"]).unlink()
    assert run(source, "--platform", "claude", "--check").exit_code == 0


def test_files_of_other_definitions_are_not_told(project: Path) -> None:
    (project / "agents/a--b.yaml").write_text("description: d\n")
    run("agents/a--b.yaml", "agents/dba.yaml")
    assert run("agents/dba.yaml", "--check").output == ""


def test_two_directories_that_are_one_are_told(project: Path) -> None:
    (project / ".claude").mkdir()
    (project / ".opencode").mkdir()
    (project / ".claude/agents").mkdir()
    (project / ".opencode/agent").symlink_to(project / ".claude/agents")
    result = run("agents/dba.yaml", "--platform", "claude", "--platform", "opencode")
    assert (result.exit_code, result.stderr) == (1, "Error: .claude/agents/dba.md would hold two agents called dba\n")


def test_a_project_behind_a_link_is_the_same_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("agents/dba.yaml")
    (project / "link").symlink_to(project)
    monkeypatch.chdir("/")
    link = project / "link"
    assert run(str(link / "agents/dba.yaml"), "--out", str(link), "--check").exit_code == 0
    assert run(str(project / "agents/dba.yaml"), "--out", str(link), "--check").exit_code == 0


def test_where_one_cannot_be_written_none_is(project: Path) -> None:
    (project / ".gemini").write_text("no directory\n")
    result = run("agents/dba.yaml", "--platform", "all")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith("Error: .gemini/agents/dba.md: ")
    assert written(project) == {".gemini"}


# Enrichers.


def test_enrichers_are_found_in_the_current_directory_and_applied_from_left_to_right(project: Path) -> None:
    (project / "mine.py").write_text(
        "def add(platform, agent, tools):\n"
        "    return tools.enable('mcp_' + agent.front_matter['tags'][0])\n"
        "def strip(platform, agent, tools):\n"
        "    return tools.without('mcp_*')\n"
    )
    run("agents/dba.yaml", "--platform", "claude", "--enricher", "mine:add")
    assert "tools: [Read, WebFetch, mcp_db]" in (project / FILES["claude"]).read_text()
    run("agents/dba.yaml", "--platform", "claude", "--enricher", "mine:add", "--enricher", "mine:strip")
    assert "tools: [Read, WebFetch]\n" in (project / FILES["claude"]).read_text()


@pytest.mark.parametrize(
    ("enricher", "message"),
    [
        ("mine", 'Error: "mine" names no enricher: write module:function'),
        ("nowhere:add", "Error: enricher \"nowhere:add\": ModuleNotFoundError: No module named 'nowhere'"),
        ("fails:add", "Error: enricher fails:add failed on agent dba for opencode: ZeroDivisionError: "),
    ],
)
def test_an_enricher_that_fails_is_told_and_nothing_written(project: Path, enricher: str, message: str) -> None:
    (project / "fails.py").write_text("def add(platform, agent, tools):\n    return 1 / 0\n")
    result = run("agents/dba.yaml", "--enricher", enricher)
    assert result.exit_code == 1
    assert result.stderr.startswith(message)
    assert "Traceback" not in result.output
    assert not (project / FILES["opencode"]).exists()


@pytest.fixture
def package(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package as pip installs it, with two enrichers."""
    site = project / "site"
    about = site / "dba_tools-1.2.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: dba-tools\nVersion: 1.2\n")
    (about / "entry_points.txt").write_text(
        "[rulez.enrichers]\nz-last = dba_tools:last\na-first = dba_tools:first\n[other]\nx = nowhere:x\n"
    )
    (site / "dba_tools.py").write_text(
        "def first(platform, agent, tools):\n    return tools.enable('from_plugin')\n"
        "def last(platform, agent, tools):\n    return tools.enable('after_' + list(tools)[-1])\n"
    )
    monkeypatch.syspath_prepend(site)
    return about


def test_enrichers_of_installed_packages_are_applied_by_name_and_told(project: Path, package: Path) -> None:
    result = run("agents/dba.yaml", "--platform", "claude")
    assert result.stderr.splitlines() == [
        "enricher a-first of dba-tools 1.2 is applied (--no-plugins: is not)",
        "enricher z-last of dba-tools 1.2 is applied (--no-plugins: is not)",
    ]
    assert "tools: [Read, WebFetch, from_plugin, after_from_plugin]" in (project / FILES["claude"]).read_text()


def test_they_can_be_left_out(project: Path, package: Path) -> None:
    result = run("agents/dba.yaml", "--platform", "claude", "--no-plugins")
    assert result.stderr == ""
    assert "tools: [Read, WebFetch]" in (project / FILES["claude"]).read_text()


def test_one_that_cannot_be_loaded_is_told(project: Path, package: Path) -> None:
    (package / "entry_points.txt").write_text("[rulez.enrichers]\nbroken = no_such_module:x\n")
    result = run("agents/dba.yaml")
    assert (result.exit_code, result.stderr) == (
        1,
        "Error: enricher broken of package dba-tools 1.2 cannot be loaded: ModuleNotFoundError: "
        "No module named 'no_such_module'\n",
    )
    assert written(project) - {"site/dba_tools.py"} == {
        f"site/dba_tools-1.2.dist-info/{name}" for name in ("METADATA", "entry_points.txt")
    }
