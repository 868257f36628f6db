"""The process entry: `rulez hook` goes straight to the hook, everything else to the command line."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Run the command line of this process."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["hook"]:
        from rulez_py.hook import main as hook

        sys.exit(hook(arguments[1:]))
    from rulez_py.cli import cli

    cli()
    sys.exit(0)


if __name__ == "__main__":
    main()
