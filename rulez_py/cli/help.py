"""`rulez`, `rulez -h`: the commands in the order in which a newcomer needs them."""

from __future__ import annotations

import click

SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Protect the agents on this machine",
        ("install", "uninstall", "doctor", "status", "init", "trust", "hooks", "mcp-proxy", "acp-proxy"),
    ),
    (
        "When something was stopped, or was not",
        ("explain", "log", "allow", "undo", "pause", "resume", "session", "report", "replay"),
    ),
    (
        "Write rules and check them",
        ("validate", "lint", "test", "debug", "migrate", "packs", "tools", "schema"),
    ),
    (
        "Behind the scenes",
        ("hook", "agents", "programs", "completion"),
    ),
)
"""The commands by purpose: `rulez` has these and no others."""

OTHER = "Other commands"


class Grouped(click.Group):
    """A group whose help lists its commands by purpose, each with its whole first sentence."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Treat `help [COMMAND]` and `version` as the options of that meaning."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        elif args == ["version"]:
            args = ["--version"]
        return super().parse_args(context, args)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        there = {name: command for name in self.list_commands(context) if (command := self.get_command(context, name))}
        listed = {name for _title, names in SECTIONS for name in names}
        rest = tuple(name for name in there if name not in listed)
        width = max(map(len, there), default=0)
        for title, names in (*SECTIONS, (OTHER, rest)):
            rows = [(name.ljust(width), _about(there[name])) for name in names if name in there]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _about(command: click.Command) -> str:
    """Return the first sentence of a command's help, whole."""
    return command.get_short_help_str(limit=500)
