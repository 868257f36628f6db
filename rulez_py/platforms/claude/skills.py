"""The skills of Claude Code: their place, their fields, and how it reads their text.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

import re

from rulez_py.platforms.agent_files import anything
from rulez_py.platforms.skill_files import WINS, Rival, SkillFiles

FILES = SkillFiles(
    directory=".claude/skills",
    user_directory=".claude/skills",
    permits="allowed-tools",
    acts_on=dict.fromkeys(
        (
            *("allowed-tools", "disallowed-tools", "hooks", "disable-model-invocation", "user-invocable", "context"),
            *("agent", "arguments", "paths", "when_to_use", "argument-hint", "model", "effort", "shell"),
        ),
        anything,
    ),
    widening={
        "allowed-tools": "lets tools run without a question",
        "hooks": "runs commands, in an untrusted folder too",
    },
    largest=999_000,
    commands=re.compile(r"(?<!\S)!`[^`]+`|```!"),
    arguments=re.compile(r"(?<!\\)(?P<slashes>\\*)\$(?:ARGUMENTS|\d+(?!\w))", re.A),
    values=re.compile(r"\$\{CLAUDE_(?:SKILL_DIR|SESSION_ID|PROJECT_DIR|EFFORT)\}"),
    attaches=re.compile(r"(?<!\S)@[\w.~/][\w./~-]*"),
    rivals=(Rival("~/.claude/skills/{name}", WINS),),
)
