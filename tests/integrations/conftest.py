"""A project with a policy of its own, and no home but an empty one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulez_py import Policy

RULES = """\
version: "1.0"
extends: [builtin:essentials]
rules:
  - name: no-deploy
    description: Deploying is for people
    matchers: {command_match: '^deploy\\b'}
    actions: {block: true}
  - name: ask-before-mail
    description: This sends mail
    matchers: {command_match: '^mail\\b'}
    actions: {ask: true}
  - name: dry
    description: Only a dry run
    matchers: {tools: [Bash], command_match: '^release$'}
    actions: {rewrite: {command: release --dry-run}}
  - name: house-style
    description: Said of writes
    matchers: {tools: [Write]}
    actions: {inject_inline: Lines end at 80.}
  - name: ids
    matchers: {operations: [PostToolUse]}
    actions: {redact: {match: 'k-[0-9]+'}}
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (tmp_path / "home" / ".config" / "rulez").mkdir(parents=True)
    (tmp_path / "home" / ".config" / "rulez" / "rules.yaml").write_text(RULES)
    return project


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}


@pytest.fixture
def policy(place: Path, environ: dict[str, str]) -> Policy:
    return Policy.load(place, environ=environ, tools={"run_shell": "Bash"})
