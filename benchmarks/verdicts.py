"""What a contender said, in one word. Anything else is an error: no crash is measured.

`pass`, `ask`, `deny`, and `told` for a call that goes through while the agent is told something.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from benchmarks.process import Ended
from rulez_py.verdict import Answer
from tests.platforms import denies, is_neutral

PASS, ASK, DENY, TOLD = "pass", "ask", "deny", "told"


class WrongAnswer(Exception):
    """A contender did not say what it has to say; the message shows what it said."""


Reader = Callable[[Ended], str]


def interpreter(ended: Ended) -> str:
    """Return a Python that does nothing."""
    if (ended.exit_code, ended.stdout, ended.stderr) != (0, "", ""):
        raise WrongAnswer(str(ended))
    return PASS


def rulez(platform: str) -> Reader:
    """`rulez hook` on a platform, in the one form that its agent understands."""

    def read(ended: Ended) -> str:
        return _word(ended.stdout, ended.stderr, ended.exit_code, platform, str(ended))

    return read


def rulez_stream(platform: str) -> Reader:
    """`rulez hook --stream`: every line the same."""

    def read(ended: Ended) -> str:
        words = set()
        for line in ended.stdout.splitlines():
            try:
                said = json.loads(line)
                parts = (str(said["stdout"]), str(said["stderr"]), int(said["exit_code"]))
            except (ValueError, KeyError, TypeError):
                raise WrongAnswer(str(ended)) from None
            words.add(_word(*parts, platform, line))
        if len(words) != 1:
            raise WrongAnswer(str(ended))
        return words.pop()

    return read


def _word(stdout: str, stderr: str, exit_code: int, platform: str, shown: str) -> str:
    answer = Answer(stdout=stdout.rstrip("\n"), stderr=stderr.rstrip("\n"), exit_code=exit_code)
    if is_neutral(answer, platform):
        return PASS
    if denies(answer, platform):
        return DENY
    if exit_code == 0 and '"permissionDecision":"ask"' in stdout.replace(" ", ""):
        return ASK
    if exit_code == 0 and '"additionalContext"' in stdout and "permissionDecision" not in stdout:
        return TOLD
    raise WrongAnswer(shown)


def claude_json(ended: Ended) -> str:
    """Another product's hook for Claude Code: exit code 0 and JSON, or nothing."""
    if ended.exit_code != 0:
        raise WrongAnswer(str(ended))
    if not ended.stdout.strip():
        return PASS
    try:
        decision = json.loads(ended.stdout)["hookSpecificOutput"]["permissionDecision"]
    except (ValueError, KeyError, TypeError):
        raise WrongAnswer(str(ended)) from None
    words = {"allow": PASS, "ask": ASK, "deny": DENY}
    if decision not in words:
        raise WrongAnswer(str(ended))
    return words[decision]
