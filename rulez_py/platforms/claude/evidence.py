"""What tells payloads of Claude Code from those of others (contract.md, "Stdin" and "Env").

It sends no key of its own in all of them. `prompt_id` is there once a person has written something. Qwen Code has it
too, beside a `timestamp`, which Claude Code never sends, and Devin CLI, without a `cwd`. Agents without an adapter send
payloads like these: they run the hooks that are set up for Claude Code, and are judged as it is (`foreign.py`).
"""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

_OTHERS = ("timestamp", "hookEventName", "cursor_version", "has_ui", "client_type", "extra")

EVIDENCE = Evidence(
    forms=(
        Form(has=("hook_event_name", "session_id", "prompt_id", "cwd"), without=_OTHERS),
        Form(has=("hook_event_name", "session_id"), without=_OTHERS, own=False),
    ),
    # Set for hooks beside CLAUDE_PROJECT_DIR, which five other agents set too.
    variables=(("CLAUDE_CODE_SESSION_ID", "session_id"),),
)
