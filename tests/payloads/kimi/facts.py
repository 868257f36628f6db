"""What the tests know of Kimi Code, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, inside, said, told


def stops(answer: Answer, event_type: str) -> bool:
    """By exit code 2 with a text on stderr; where the agent ends, by a JSON at exit code 0."""
    if event_type == "Stop":
        words = inside(answer)
        denied = words.get("permissionDecision") == "deny" and bool(words["permissionDecisionReason"])
        return answer.exit_code == 0 and denied
    return answer.exit_code == 2 and told(answer)


FACTS = Facts(
    before_tool="PreToolUse",
    shell="Bash",
    stops=stops,
    new_input=lambda answer: said(answer).get("updatedInput"),
    guarding="PreToolUse UserPromptSubmit",
    not_rewritten="PreToolUse",
    begins={"hook_event_name": "SessionStart", "client_type": "kimi_code_cli", "source": "startup"},
    start="SessionStart",
    prompt="UserPromptSubmit",
    ends=("Stop", "SubagentStop"),
    tools={
        "Bash": "Bash",
        "Write": "Write",
        "Edit": "Edit",
        "Read": "Read",
        "Glob": "Glob",
        "Grep": "Grep",
        "Task": "Agent AgentSwarm",
        "WebFetch": "FetchURL",
    },
    unchanged="WebSearch Skill TodoList AskUserQuestion TaskOutput mcp__x__y Shell bash custom",
    runs_in_project=True,
    unheard="SessionStart PostToolUse PostToolUseFailure",
    places={"user": "home/.kimi-code/config.toml"},
    moved=("KIMI_CODE_HOME", "config.toml"),
)
