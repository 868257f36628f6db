"""What programs take and do, and what they run: the table of programs and its one reader.

This is the second entrance to the analysis, for code that describes programs or builds the table. Code that asks about
command lines imports `rulez_py.analysis`. Nothing of the analysis is exported here.

- `described` gives the entries that rulez has, `family` the name under which a program is described.
- `tried` tries the tests in files that describe programs; `Broken` says what is wrong with them, line by line.
- `of_people` adds what people describe (`Given`) to what rulez knows; `rulez_py.analysis.describe` has it read, and
  `failing` tries their tests then.
- `compiled` makes the table that calls read, which lies in the file `COMPILED`; `modules_of_calls` are those with the
  tables of calls in other languages, `module_of_calls` makes one.

A name is loaded when it is first asked for: a hook call needs none of them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.calls import module_of_calls, modules_of_calls
    from rulez_py.analysis.programs.compile import Broken
    from rulez_py.analysis.programs.notation import Described
    from rulez_py.analysis.programs.people import Given
    from rulez_py.analysis.programs.read import family
    from rulez_py.analysis.programs.store import COMPILED, compiled
    from rulez_py.analysis.programs.trial import OfPeople, described, failing, of_people, tried

_HOMES = {
    "Broken": "compile",
    "Described": "notation",
    "Given": "people",
    "family": "read",
    **dict.fromkeys(("COMPILED", "compiled"), "store"),
    **dict.fromkeys(("module_of_calls", "modules_of_calls"), "calls"),
    **dict.fromkeys(("OfPeople", "described", "failing", "of_people", "tried"), "trial"),
}
"""The modules of the names."""

__all__ = [
    "COMPILED",
    "Broken",
    "Described",
    "Given",
    "OfPeople",
    "compiled",
    "described",
    "failing",
    "family",
    "module_of_calls",
    "modules_of_calls",
    "of_people",
    "tried",
]

if not TYPE_CHECKING:  # else every name would be there

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = __import__(f"{__name__}.{_HOMES[name]}", fromlist=(name,))
        globals()[name] = found = getattr(module, name)
        return found
