"""Show what rulez answers to each agent: one harmless and one dangerous call each, with the built-in policy.

Usage: demo.py PATH_TO_RULEZ. The payloads are recordings from the real agents (tests/payloads); only the
command is replaced.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HARMLESS = "git status"
DANGEROUS = "git push --force origin main"
CALLS = (
    ("claude", "Claude Code", "claude/PreToolUse__Bash__background.json"),
    ("gemini", "Gemini CLI", "gemini/BeforeTool__run_shell_command.json"),
    ("copilot", "Copilot CLI", "copilot/camel/preToolUse__bash.json"),
    ("opencode", "OpenCode", "opencode/tool.execute.before__bash.json"),
    ("codex", "Codex CLI", "codex/PreToolUse__Bash.json"),
)


def main(rulez: str) -> int:
    """Run these calls; 0 if every dangerous one was denied and every harmless one was not."""
    healthy = True
    with tempfile.TemporaryDirectory() as home:
        for platform, title, recording in CALLS:
            with open(os.path.join(ROOT, "tests", "payloads", recording), encoding="utf-8") as file:
                payload = json.load(file)
            print(f"\n{title}")
            arguments = arguments_of(payload)
            for command in (HARMLESS, DANGEROUS):
                arguments["command"] = command
                answer = ask(rulez, platform, payload, home)
                denied = answer.returncode == 2 or '"deny"' in answer.stdout
                healthy = healthy and denied == (command == DANGEROUS)
                print(f"  $ {command}")
                said = answer.stdout.strip() or "(nothing: the agent goes on as usual)"
                print(f"    exit {answer.returncode}  stdout {said}")
    print("\n" + ("Every dangerous call was denied." if healthy else "SOMETHING IS WRONG: see above."))
    return 0 if healthy else 1


def arguments_of(payload: dict[str, object]) -> dict[str, str]:
    """The tool's arguments inside a platform's payload."""
    output = payload.get("output")
    found = output["args"] if isinstance(output, dict) else payload.get("tool_input", payload.get("toolArgs"))
    assert isinstance(found, dict)
    return found


def ask(rulez: str, platform: str, payload: dict[str, object], home: str) -> subprocess.CompletedProcess[str]:
    """One hook call in an empty home, so that only the built-in policy applies."""
    environment = {"HOME": home, "PATH": os.environ.get("PATH", "")}
    return subprocess.run(
        [os.path.abspath(rulez), "hook", "--platform", platform],
        input=json.dumps(payload),
        capture_output=True,
        text=True,
        env=environment,
        cwd=home,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
