"""The agent libraries that the guards are for, where they are installed (`make integrations` installs them)."""

from __future__ import annotations

from typing import Any

CALLS: tuple[tuple[str, bool, str], ...] = (
    ("touch done", True, ""),
    ("deploy", False, 'Blocked by rule "no-deploy"'),
    ("mail x", False, "none can be asked"),
    ("git push --force", False, 'Blocked by rule "no-force-push"'),
)
"""A command, whether it runs, and what the model reads where it does not."""


class Shell:
    """A tool of an agent that only writes down what it would run."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def run_shell(self, command: str) -> str:
        """Run a command.

        Args:
            command: The command line.
        """
        self.ran.append(command)
        return "done"


def agreed(_tool: str, _arguments: dict[str, object], _decision: Any) -> bool:
    """A person who agrees."""
    return True
