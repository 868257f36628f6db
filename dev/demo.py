"""Show what rulez answers to each agent: one harmless and one dangerous call each, with the built-in policy.

Then what it says to command lines that do the dangerous thing in other words, and to some that only name it.

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
THE_SAME = (
    "cd app && git -C . push -uf origin main",
    "gi''t push --forc",
    "X=push; sudo git $X -f",
    "bash <<END\ngit push -f\nEND",
    "echo Z2l0IHB1c2ggLWY= | base64 -d | sh",
    "python3 -c \"import os; os.system('git push -f')\"",
)
ONLY_WORDS = (
    'git commit -m "never git push --force"',
    "grep -rn 'git push --force' docs",
    "cat > notes.md <<END\ngit push -f\nEND",
    "git push --force-with-lease",
)


def main(rulez: str) -> int:
    """Run these calls; 0 if every dangerous one was denied and every harmless one was not."""
    healthy = True
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as project:
        for platform, title, recording in CALLS:
            with open(os.path.join(ROOT, "tests", "payloads", recording), encoding="utf-8") as file:
                payload = json.load(file)
            print(f"\n{title}")
            arguments = arguments_of(payload)
            for command in (HARMLESS, DANGEROUS):
                arguments["command"] = command
                answer = ask(rulez, platform, payload, home, project)
                denied = answer.returncode == 2 or '"deny"' in answer.stdout
                healthy = healthy and denied == (command == DANGEROUS)
                print(f"  $ {command}")
                said = answer.stdout.strip() or "(nothing: the agent goes on as usual)"
                print(f"    exit {answer.returncode}  stdout {said}")
        print(f"\nThe same in other words, and only its words ({title})")
        for command in (*THE_SAME, *ONLY_WORDS):
            arguments["command"] = command
            denied = ask(rulez, platform, payload, home, project).returncode == 2
            healthy = healthy and denied == (command in THE_SAME)
            shown = command.replace("\n", "\\n")
            print(f"  {'denied' if denied else '-':8}{shown}")
    good = "Every dangerous call was denied, and no other."
    print("\n" + (good if healthy else "SOMETHING IS WRONG: see above."))
    return 0 if healthy else 1


def arguments_of(payload: dict[str, object]) -> dict[str, str]:
    """Return the tool's arguments inside a platform's payload."""
    output = payload.get("output")
    found = output["args"] if isinstance(output, dict) else payload.get("tool_input", payload.get("toolArgs"))
    assert isinstance(found, dict)
    return found


def ask(
    rulez: str, platform: str, payload: dict[str, object], home: str, project: str
) -> subprocess.CompletedProcess[str]:
    """Return one hook call with an empty home and project, so that only the built-in policy applies."""
    environment = {"HOME": home, "PATH": os.environ.get("PATH", "")}
    return subprocess.run(
        [os.path.abspath(rulez), "hook", "--platform", platform],
        input=json.dumps(payload),
        capture_output=True,
        text=True,
        env=environment,
        cwd=project,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
