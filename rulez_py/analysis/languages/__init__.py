"""Effects of code given to an interpreter, as far as they are known before it runs."""

from __future__ import annotations

from rulez_py.analysis.values import LIMIT, Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.values import Word

_MAY_READ = ("env", "ENV", "SECRET", "secret", "onfig", "credentials", "settings", "atabase")
LONGEST = 400_000
"""Longer text is read up to here, and the result is opaque."""

# The name of a language, or of a program that runs it -> the module that reads it.
LANGUAGES = {
    **dict.fromkeys(("python", "python2", "python3", "pypy", "pypy3", "ipython"), "python"),
    **dict.fromkeys(("javascript", "js", "node", "nodejs", "bun", "deno", "typescript", "ts", "tsx"), "javascript"),
    **dict.fromkeys(("perl",), "perl"),
    **dict.fromkeys(("ruby", "jruby", "irb"), "ruby"),
    **dict.fromkeys(("php",), "php"),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), "awk"),
    **dict.fromkeys(("lua", "luajit"), "lua"),
    **dict.fromkeys(("r", "rscript"), "r"),
    **dict.fromkeys(("tcl", "tclsh", "wish", "expect"), "tcl"),
    **dict.fromkeys(("applescript", "osascript"), "applescript"),
    **dict.fromkeys(("puppet", "chef"), "states"),
    **{name: name for name in ("transfer", "redis", "cmake")},
}

_UNKNOWN = "unknown_language"
"""The module that reads a text in any other language."""


def find(language: str, text: str, arguments: Sequence[Word] = ()) -> Found:
    """Return the effects of `text` in this language, run with these arguments.

    In an unknown language, everything with the form of a command counts (`unknown_language`). Never raises. An unknown
    part of a text is written `$_`, a variable of the environment `$NAME`; such a word is not `known`. Words have no
    place in the command line. Code from elsewhere (`eval` of a file's content or of a download) is an Inner of its own,
    with `file` or an unknown `code` in the same language.
    """
    name = _UNKNOWN if _is_no_code(text) else LANGUAGES.get(language.lower(), _UNKNOWN)
    module = __import__(f"rulez_py.analysis.languages.{name}", fromlist=["find"])
    found: Found = module.find(text[:LONGEST], tuple(arguments))
    if any(mark in text for mark in _MAY_READ):
        from rulez_py.analysis.languages.environment import reads

        found = found.replace(reads=reads(name, text[:LONGEST]))
    # INVARIANT: a text that is not read to its end leaves the result opaque.
    return found.replace(opaque=found.opaque or LIMIT) if len(text) > LONGEST else found


_OF_CODE = frozenset("()[]{}=;:,'\"`+\n")


def _is_no_code(text: str) -> bool:
    """Tell if a text is a command line given by mistake (`node -e "git status"`)."""
    if " " not in text or not _OF_CODE.isdisjoint(text):
        return False
    from rulez_py.analysis.languages.unknown_language import begins

    return begins(text.strip())
