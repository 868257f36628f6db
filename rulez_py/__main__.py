"""The process entry: `rulez hook` goes straight to the hook, everything else to the command line."""

from __future__ import annotations

import gc
import os
import sys

from rulez_py.platforms import PLATFORMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_ALLOCATIONS = 100_000
"""Objects made before Python looks for garbage; it starts with 700."""


def main() -> NoReturn:
    """Run the command line of this process."""
    # A call is over before there is garbage worth looking for. The first list that is made would have it looked for.
    gc.set_threshold(_ALLOCATIONS)
    hook_arguments = as_hook_call(sys.argv[1:], from_terminal=_stdin_is_a_terminal())
    if hook_arguments is not None:
        # Nothing is buffered, and taking the interpreter down in good order would cost a tenth of the call.
        os._exit(run_hook(hook_arguments))
    from rulez_py.cli import cli
    from rulez_py.cli.running import run

    run(cli)


def as_hook_call(arguments: list[str], *, from_terminal: bool) -> list[str] | None:
    """Return the arguments of `rulez hook` where that is what is meant, else None.

    RuleZ is set up as `rulez gemini hook` and, in Claude Code, as `rulez` alone; such an entry goes on working.
    """
    if arguments[:1] == ["hook"]:
        return arguments[1:]
    if arguments[1:2] == ["hook"] and arguments[0] in PLATFORMS:
        return ["--platform", arguments[0], *arguments[2:]]
    if not arguments and not from_terminal:
        return ["--platform", "claude"]
    return None


def run_hook(arguments: list[str]) -> int:
    """INVARIANT: an installation that cannot even be imported denies. Exit 2 with text blocks on every agent."""
    try:
        from rulez_py.hook.main import main as hook
    except BaseException as error:
        advice = "install rulez again"
        os.write(2, f"Blocked: rulez cannot start: {error}. Instead: {advice}.\n".encode("utf-8", "replace"))
        return 2
    return hook(arguments)


def _stdin_is_a_terminal() -> bool:
    try:
        return os.isatty(0)
    except OSError:
        return False


if __name__ == "__main__":
    main()
