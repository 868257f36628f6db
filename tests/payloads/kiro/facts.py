"""What the tests know of Kiro, from its contract alone, which is from documentation and from what others measured.

No payload here was recorded by us: they are made from those.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, told


def stops(answer: Answer, event_type: str) -> bool:
    """By exit code 2 with a reason on stderr, which the model reads."""
    return answer.exit_code == 2 and told(answer)


_BEGIN = {"session_id": "s", "hook_event_name": "SessionStart", "cwd": "/home/user/project"}

FACTS = Facts(
    plain=True,
    before_tool="PreToolUse",
    shell="execute_bash",
    stops=stops,
    new_input=lambda answer: None,
    guarding="PreToolUse UserPromptSubmit preToolUse",
    begins=_BEGIN,
    start="SessionStart",
    prompt="UserPromptSubmit",
    ends=(),
    tools={
        "Bash": "execute_bash execute_pwsh shell execute_cmd",
        "Write": "fs_write write",
        "Edit": "str_replace fs_append",
        "Read": "fs_read read_file read_files read_code read",
        "Glob": "file_search glob",
        "Grep": "grep_search grep",
        "WebFetch": "web_fetch",
        "Task": "invoke_sub_agent use_subagent",
    },
    unchanged="@postgres/query use_aws Bash",
    not_rewritten="PreToolUse preToolUse",
    runs_in_project=True,
    unheard=("PostToolUse Stop PreTaskExec PostTaskExec PostFileCreate PostFileSave PostFileDelete postToolUse stop"),
    places={"user": "home/.kiro/hooks/rulez.json", "project": "project/.kiro/hooks/rulez.json"},
    moved=None,
    settings={
        "file": "kiro/rulez.json",
        "events": (
            "SessionStart UserPromptSubmit PreToolUse PostToolUse Stop PreTaskExec PostTaskExec PostFileCreate "
            "PostFileSave PostFileDelete"
        ),
        "must have": "PreToolUse UserPromptSubmit",
        "must not have": {"PostFileSave": "it guards nothing"},
        "matched by tool": "",
        "timeout key": "timeout",
        "timeouts per second": 1,
        "entry keys": "name trigger type command timeout enabled",
        "top": ["version", "hooks"],
        "closing": "PreToolUse UserPromptSubmit",
        "goes on": "",
    },
    loses="comments",
)
