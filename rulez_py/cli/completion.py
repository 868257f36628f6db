"""`rulez completion`: a script by which a shell completes the command line of rulez.

The script comes from click; what it asks is not `rulez` alone, which is a hook call where no terminal is on stdin: no
variable of the environment may turn a hook call into anything else.
"""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete, add_completion_class

_VARIABLE = "_RULEZ_COMPLETE"
_WHERE = {
    "bash": "rulez completion bash >> ~/.bashrc",
    "zsh": "rulez completion zsh > ~/.zfunc/_rulez   (a directory of $fpath)",
    "fish": "rulez completion fish > ~/.config/fish/completions/rulez.fish",
}


def _asking(kind: type[ShellComplete], called: str) -> str:
    """click's own script. It starts rulez as `called`, which is no hook call: click completes before it reads it."""
    return kind.source_template.replace(f"{kind.name}_complete {called}", f"{kind.name}_complete {called} completion")


class _Bash(BashComplete):
    source_template = _asking(BashComplete, "$1")

    @staticmethod
    def _check_version() -> None:
        """Start no bash: printing its script does not need one."""


class _Zsh(ZshComplete):
    source_template = _asking(ZshComplete, "%(prog_name)s")


class _Fish(FishComplete):
    source_template = FishComplete.source_template.replace(
        "COMP_CWORD=(commandline -t) %(prog_name)s", "COMP_CWORD=(commandline -t) %(prog_name)s completion"
    )


_KINDS: tuple[type[ShellComplete], ...] = (_Bash, _Zsh, _Fish)
for _kind in _KINDS:
    add_completion_class(_kind)


@click.command(
    "completion",
    epilog="\b\nTo keep it:\n"
    + "\n".join(f"  {line}" for line in _WHERE.values())
    + "\n\nExit codes: 0 done; 2 wrong command line.",
)
@click.argument("shell", type=click.Choice([kind.name for kind in _KINDS]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script by which bash, zsh or fish completes rulez' commands.

    In bash, for this session: eval "$(rulez completion bash)"
    """
    group = context.find_root().command
    kind = next(kind for kind in _KINDS if kind.name == shell)
    click.echo(kind(group, {}, "rulez", _VARIABLE).source())
