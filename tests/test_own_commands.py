"""rulez' own commands are no doors: what an agent would get by them is judged as with any other program."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

from rulez_py.analysis import follow
from rulez_py.cli import cli
from rulez_py.platforms import parts
from rulez_py.verdict import ASK, DENY, NO_OPINION
from tests.judging import judged
from tests.programs import PROGRAMS, SOURCE_COMMAND, run_hook

DESCRIPTIONS = Path(__file__).parent.parent / "rulez_py" / "analysis" / "programs" / "data" / "rulez.toml"
DEFINITION = """\
description: Reviews.
prompt: x
policy:
  - name: no-push
    matchers: {command: {program: git, subcommand: push}}
    actions: {block: true}
"""
WRITTEN = """\
version: "1.0"
extends: [builtin:essentials]
rules:
# Written by `rulez agents write` from agents/reviewer.yaml; sha256 0123456789abcdef/0: edit that file, not this part.
  - {name: reviewer-no-push, matchers: {agent_types: [reviewer], command_match: push}, actions: {block: true}}
# End of what `rulez agents write` wrote from agents/reviewer.yaml.
"""
SKILL = "---\ndescription: d\nexpands: [commands]\n---\n\nNow: !`date`\n"
HOOKS = "description: d\nplatforms: {claude: {hooks: {Stop: []}, permissionMode: bypassPermissions}}\n"


PROGRAM = SOURCE_COMMAND
"""What judges: this checkout, and the built program."""


@pytest.fixture(params=PROGRAMS[:2])
def project(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with an agent that has rules, which stand in its policy; a home without anything."""
    monkeypatch.setattr("tests.test_own_commands.PROGRAM", request.param)
    root = tmp_path / "project"
    for name, text in {
        "agents/reviewer.yaml": DEFINITION,
        "agents/plain.yaml": "description: d\nprompt: x\n",
        "src/agents/retry.py": "policy = 1\n",
        "rulez.agents.yaml": "agents: [agents/*.yaml]\n",
        ".rulez/rules.yaml": WRITTEN,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("CONFIG", "STATE", "CACHE"):
        monkeypatch.delenv(f"XDG_{name}_HOME", raising=False)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def decided(project: Path, tool: str, **given: str) -> str:
    """What the hook says to a call of Claude Code's."""
    payload: dict[str, Any] = {"session_id": "s", "hook_event_name": "PreToolUse", "cwd": str(project)}
    ended = run_hook(PROGRAM, "claude", {**payload, "tool_name": tool, "tool_input": given}, project)
    said = json.loads(ended.stdout)["hookSpecificOutput"] if ended.stdout else {}
    return str(said.get("permissionDecision", NO_OPINION))


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("rulez pause 1h", DENY),
        ("rulez allow --last", DENY),
        ("rulez trust --yes", DENY),
        ("rulez validate ~/.ssh/id_rsa", DENY),
        ("rulez agents clean --all --force", DENY),
        ("rulez agents write", DENY),
        ("python3 -m rulez_py agents clean --all", DENY),
        (".venv/bin/rulez agents write --force", DENY),
        ("uvx rulez agents clean", DENY),
        ("rulez agents clean --dry-run", NO_OPINION),
        ("rulez agents write --check", NO_OPINION),
        ("rulez agents list", NO_OPINION),
        ("rulez agents write agents/plain.yaml", ASK),
        ("rulez agents import .claude/agents/x.md", ASK),
        ("rulez agents list --enricher evil:f", ASK),
        ("rm agents/reviewer.yaml", DENY),
        ("sed -i s/push/x/ agents/reviewer.yaml", DENY),
        ("rm -rf agents", DENY),
        ("rm -rf src build", NO_OPINION),
        ("rm -rf src/agents", NO_OPINION),
        ("git checkout .", NO_OPINION),
        ("rm agents/plain.yaml", NO_OPINION),
        ("rulez agents list; rm .rulez/rules.yaml", DENY),
        ("rulez agents write; rm .rulez/rules.yaml", DENY),
    ],
)
def test_no_agent_loosens_what_an_agent_is_held_to(project: Path, line: str, decision: str) -> None:
    assert decided(project, "Bash", command=line) == decision


def test_without_rules_of_agents_the_person_is_asked(project: Path) -> None:
    (project / ".rulez/rules.yaml").unlink()
    for line in ("rulez agents clean --all --force", "rulez agents write"):
        assert decided(project, "Bash", command=line) == ASK


@pytest.mark.parametrize(
    ("path", "content", "decision"),
    [
        ("agents/reviewer.yaml", "description: d\nprompt: x\n", DENY),
        ("agents/plain.yaml", "description: other\n", NO_OPINION),
        ("agents/evil.yaml", HOOKS, ASK),
        ("agents/evil.yaml", DEFINITION, ASK),
        ("skills/s/SKILL.md", SKILL, ASK),
        ("skills/s/SKILL.md", "---\ndescription: d\n---\n\nWrite notes.\n", NO_OPINION),
        ("commands/c.md", "Now: !`date`\n", ASK),
        ("docs/c.md", "Now: !`date`\n", NO_OPINION),
        ("x.py", "import pty\npty.spawn(['rulez', 'pause', '1h'])\n", DENY),
        ("notes.md", "rulez pause 1h\n", NO_OPINION),
    ],
)
def test_what_agents_are_made_of_is_guarded_like_what_they_load(
    project: Path, path: str, content: str, decision: str
) -> None:
    assert decided(project, "Write", file_path=str(project / path), content=content) == decision


@pytest.mark.parametrize(
    "line",
    [
        *(f"rulez {name} ~/.ssh/id_rsa" for name in ("validate", "lint", "test", "log", "replay", "migrate")),
        *(f"rulez {name} ~/.ssh/id_rsa" for name in ("report", "trust", "programs test", "agents import")),
        "rulez explain --rules ~/.ssh/id_rsa ls",
        "rulez debug --rules ~/.ssh/id_rsa",
        "rulez replay --policy ~/.ssh/id_rsa",
        "rulez mcp-proxy --rules ~/.ssh/id_rsa -- ls",
        "rulez acp-proxy --rules ~/.ssh/id_rsa -- ls",
        "rulez validate < ~/.ssh/id_rsa",
        "python3 -m rulez_py lint ~/.ssh/id_rsa",
    ],
)
def test_a_private_key_is_not_read_by_rulez(line: str) -> None:
    assert judged(line).decision == DENY


@pytest.mark.parametrize(
    "line",
    [
        "rulez pause 1h",
        "rulez allow --last",
        "rulez trust --yes",
        "rulez init --user",
        "rulez uninstall",
        "rulez lint --fix",
        # From another directory, by another program.
        "/usr/local/bin/rulez pause 1h",
        "~/.local/bin/rulez pause 1h",
        "rulez.exe pause 1h",
        "$(which rulez) pause 1h",
        "R=rulez; $R pause 1h",
        "uv run rulez pause 1h",
        "uvx --from rulez rulez pause 1h",
        "uvx rulez@latest pause 1h",
        "pipx run rulez pause 1h",
        "poetry run rulez pause 1h",
        "npx rulez pause 1h",
        "env -u X rulez pause 1h",
        "sudo -u root rulez pause 1h",
        "setsid rulez pause 1h",
        "script -qc 'rulez pause 1h' /dev/null",
        "tmux new -d 'rulez pause 1h'",
        "systemd-run --user rulez pause 1h",
        "echo 'rulez pause 1h' | at now",
        "expect -c 'spawn rulez pause 1h'",
        # By Python.
        "python -m rulez_py pause 1h",
        "python -m rulez_py.cli pause 1h",
        "uv run python -m rulez_py pause 1h",
        "python rulez_py pause 1h",
        "python /opt/x/site-packages/rulez_py/__main__.py pause 1h",
        "python .venv/bin/rulez pause 1h",
        """python -c "from rulez_py.cli import main; main(['allow','--last'])\"""",
        """python -c "import rulez_py.cli as c; c.main(['pause','1h'])\"""",
        """python -c "from rulez_py.cli import cli; cli(['trust', '--yes'])\"""",
        """python -c "from rulez_py.cli import cli; cli(args=['init'])\"""",
        """python -c "from rulez_py.cli.allow import allow; allow(['--last'])\"""",
        """python -c "import runpy; runpy.run_module('rulez_py')\"""",
        """python -c "from rulez_py.__main__ import main; main()" install --command true""",
    ],
)
def test_what_is_for_people_is_so_by_every_spelling(line: str) -> None:
    assert judged(line).decision == DENY


@pytest.mark.parametrize(
    "line",
    [
        "python -m rulez_py install claude",
        "python rulez_py install claude",
        """python -c "from rulez_py.cli import cli; cli(['agents', 'write'])\"""",
    ],
)
def test_what_is_asked_about_is_so_by_every_spelling(line: str) -> None:
    assert judged(line).decision == ASK


@pytest.mark.parametrize("name", ["validate", "lint", "test"])
def test_before_env_files_are_read_by_rulez_people_are_asked(name: str) -> None:
    assert judged(f"rulez {name} .env").decision == ASK


@pytest.mark.parametrize(
    "line",
    [
        "rulez test",
        "rulez programs new frobnicate",
        "rulez explain 'rulez pause 1h'",
        "rulez report --html report.html --since 7d",
        "rulez test --junit build/rulez.xml",
        "rulez lint .rulez/rules.yaml --format sarif",
        "rulez migrate old.yaml",
        "rulez doctor claude",
        "python -m rulez_py.cli validate",
        "python rulez_py validate",
        """python -c "import runpy; runpy.run_module('http')\"""",
        """python -c "from rulez_py.cli import cli; cli(['validate'])\"""",
        """python -c "import rulez_py; print(rulez_py.__version__)\"""",
    ],
)
def test_what_helps_an_agent_is_not_stopped(line: str) -> None:
    assert judged(line).decision == NO_OPINION


def names(command: click.Command, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """All commands below one, as their words."""
    if not isinstance(command, click.Group):
        return [path]
    return [one for name, below in command.commands.items() for one in names(below, (*path, name))]


def test_every_command_is_described() -> None:
    described = tomllib.loads(DESCRIPTIONS.read_text("utf-8"))
    known = {name for key, entry in described.items() if key != "tests" for name in (key, *entry.get("also", ()))}
    with click.Context(cli) as context:
        group = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    missing = [
        " ".join(("rulez", *words))
        for name, command in group.items()
        if command is not None
        for words in names(command, (name,))
        if " ".join(("rulez", *words)) not in known
    ]
    assert missing == []


def test_the_places_of_agents_are_those_of_the_platforms() -> None:
    """The analysis knows no platforms, so what `rulez agents write` may write into is there again."""
    done = follow("rulez agents write x.yaml", cwd="/p", home="/h", environ={}, dialect="sh")
    written = {file.path for one in done.commands for file in one.files if "write" in file.access and not file.among}
    assert written == {known.FILE.directory for known in parts("agents").values()}
