"""Find what a command line would execute, read, write, delete and contact.

This is the only entrance: other packages import `rulez_py.analysis` and nothing below it, and nothing in here imports
anything else of rulez. `__all__` is the interface; the rest may change at any time.

- `follow` gives the `Command`s of a line, with their `Word`s, `File`s and `Data`, and the texts that it writes into
  files. `opaque` of a command says what is unknown about it, by reasons of `OPAQUE`. `analyse` gives the
  commands alone, `nested` says besides which command runs which.
- `reading` tells a command's options from its operands; `holds` and `certainly` ask such a `Reading` for one option.
- `discards` says what a git command throws away of a repository (`Discard`), `pushes` which branches of another one a
  command changes (`Push`).
- `describe` adds what people describe of programs.
- `edited` gives a line with words of its commands changed (`Edit`, `words`), and None where more would change.
- `started` finds which files run, and not what they do.
- `recipes` gives the shell code in a file of recipes or settings.
- `plain` is a quick answer for most lines; `hosts_in` finds the hosts in texts.

A name is loaded when it is first asked for: a hook call pays for what it uses.
"""

from __future__ import annotations

from rulez_py.analysis.record import Value as Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.addresses import hosts_in, hosts_of, hosts_of_url, percent_decoded
    from rulez_py.analysis.asking import (
        analyse,
        can_push,
        describe,
        discards,
        follow,
        nested,
        pushes,
        reading,
        recipes,
        started,
        subcommand,
    )
    from rulez_py.analysis.bash.edits import Edit, behind, edited, put, quoted, spelled, without, words
    from rulez_py.analysis.bash.machine import LONGEST
    from rulez_py.analysis.bash.quick import Plain, plain
    from rulez_py.analysis.bash.script_files import Started, Starts
    from rulez_py.analysis.programs.read import certainly, holds
    from rulez_py.analysis.values import (
        ARGUMENTS,
        BELOW,
        CODE,
        CURRENT,
        DELETE,
        LIMIT,
        OPAQUE,
        ORIGINS,
        OUTPUT,
        PROGRAM,
        READ,
        RECURSION,
        REMOTE,
        SEND,
        SET_UP,
        SINKS,
        SOME,
        SOMEWHERE,
        SOURCES,
        SYNTAX,
        VIA,
        WRITE,
        Command,
        Data,
        Discard,
        File,
        Followed,
        Inner,
        Operand,
        Option,
        Push,
        Reading,
        Word,
    )
    from rulez_py.analysis.values import Stored as Stored  # a type, and nothing to load

_HOMES = {
    **dict.fromkeys(("hosts_in", "hosts_of", "hosts_of_url", "percent_decoded"), "addresses"),
    **dict.fromkeys(
        (
            *("analyse", "can_push", "describe", "discards", "follow", "nested", "pushes", "reading", "recipes"),
            *("started", "subcommand"),
        ),
        "asking",
    ),
    # Most lines are plain, and load nothing else.
    **dict.fromkeys(("Plain", "plain"), "bash.quick"),
    **dict.fromkeys(("Edit", "behind", "edited", "put", "quoted", "spelled", "without", "words"), "bash.edits"),
    "LONGEST": "bash.machine",
    **dict.fromkeys(("Started", "Starts"), "bash.script_files"),
    **dict.fromkeys(("certainly", "holds"), "programs.read"),
}
"""The modules of the names that are not in `values`."""

__all__ = [
    "ARGUMENTS",
    "BELOW",
    "CODE",
    "CURRENT",
    "DELETE",
    "LIMIT",
    "LONGEST",
    "OPAQUE",
    "ORIGINS",
    "OUTPUT",
    "PROGRAM",
    "READ",
    "RECURSION",
    "REMOTE",
    "SEND",
    "SET_UP",
    "SINKS",
    "SOME",
    "SOMEWHERE",
    "SOURCES",
    "SYNTAX",
    "VIA",
    "WRITE",
    "Command",
    "Data",
    "Discard",
    "Edit",
    "File",
    "Followed",
    "Inner",
    "Operand",
    "Option",
    "Plain",
    "Push",
    "Reading",
    "Started",
    "Starts",
    "Value",
    "Word",
    "analyse",
    "behind",
    "can_push",
    "certainly",
    "describe",
    "discards",
    "edited",
    "follow",
    "holds",
    "hosts_in",
    "hosts_of",
    "hosts_of_url",
    "nested",
    "percent_decoded",
    "plain",
    "pushes",
    "put",
    "quoted",
    "reading",
    "recipes",
    "spelled",
    "started",
    "subcommand",
    "without",
    "words",
]

if not TYPE_CHECKING:  # else every name would be there

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = __import__(f"{__name__}.{_HOMES.get(name, 'values')}", fromlist=(name,))
        globals()[name] = found = getattr(module, name)
        return found
