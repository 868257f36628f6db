"""Which of the files below its start `find` acts on, by the tests that stand before the action.

    list    = either { "," either }
    either  = both { ( "-o" | "-or" ) both }
    both    = one { [ "-a" | "-and" ] one }
    one     = ( "!" | "-not" ) one | "(" list ")" | test [ value ]

What is read is never narrower than what find does: a negated test, one nobody described or one whose value is not known
says nothing.
"""

from __future__ import annotations

from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulez_py.analysis.values import Option

    Tests = tuple["Test", ...]
    Ways = tuple[Tests, ...]
    """Ways in which a file may have come so far, each with the tests that it has passed."""

NAME, BELOW, EMPTY = "name", "below", "empty"
_EVERYTHING: tuple[tuple[()], ...] = ((),)
_MOST_WAYS = 32
_DEEPEST = 40


class Test:
    """One that a file has passed: it is EMPTY, it is BELOW a directory, or its NAME fits a shell pattern (`fold`: in
    any case)."""

    __slots__ = ("fold", "kind", "pattern")

    def __init__(self, kind: str, pattern: str = "", *, fold: bool = False) -> None:
        self.kind = kind
        self.pattern = pattern
        self.fold = fold


class Expression:
    """The words of a `find` from its first test on; `options` are those of its words that are tests and actions."""

    def __init__(self, words: Sequence[Word], options: Mapping[int, Option]) -> None:
        self._words = words
        self._options = options
        self._next = 0
        self._wanted = ""
        self._found: list[Tests] = []

    def before(self, action: str) -> Ways:
        """The ways in which a file comes to an action, such as `-delete`; none where nothing does."""
        self._next, self._wanted, self._found = 0, action, []
        while self._next < len(self._words):
            self._list(_EVERYTHING, 0)
            self._next += 1  # A bracket that closes nothing.
        return tuple(self._found) if len(self._found) <= _MOST_WAYS else _EVERYTHING

    def _is_next(self, *texts: str) -> bool:
        return self._next < len(self._words) and self._words[self._next].text in texts

    def _take(self, *texts: str) -> bool:
        there = self._is_next(*texts)
        self._next += there
        return there

    def _list(self, ways: Ways, depth: int) -> Ways:
        passed = self._either(ways, depth)
        while self._take(","):
            passed = self._either(ways, depth)
        return passed

    def _either(self, ways: Ways, depth: int) -> Ways:
        passed = self._both(ways, depth)
        while self._take("-o", "-or"):
            passed += self._both(ways, depth)
        return passed if len(passed) <= _MOST_WAYS else _EVERYTHING

    def _both(self, ways: Ways, depth: int) -> Ways:
        while self._next < len(self._words) and not self._is_next("-o", "-or", ",", ")"):
            if not self._take("-a", "-and"):
                ways = self._one(ways, depth)
        return ways

    def _one(self, ways: Ways, depth: int) -> Ways:
        if self._take("!", "-not"):
            if self._next < len(self._words) and not self._is_next("-o", "-or", ",", ")"):
                self._one(ways, depth)
            return ways
        if self._take("("):
            # What is nested too deeply is read on the same level: its tests may then be said of too many files.
            passed = self._list(ways, depth + 1) if depth < _DEEPEST else _EVERYTHING
            self._take(")")
            return passed
        return self._test(ways)

    def _test(self, ways: Ways) -> Ways:
        word = self._words[self._next]
        self._next += 1
        option = self._options.get(id(word))
        if option is None:
            return ways
        self._skip(option)
        name = option.names[0]
        if name == self._wanted:
            self._found += ways
        test = _test_of(name, option.value)
        return ways if test is None else tuple((*tests, test) for tests in ways)

    def _skip(self, option: Option) -> None:
        """Behind an option's value; behind the end of the command of an `-exec`."""
        if option.value is not None and self._next < len(self._words) and self._words[self._next] is option.value:
            self._next += 1
        if option.names[0] in _COMMANDS:
            while self._next < len(self._words):
                last, text = self._words[self._next - 1].text, self._words[self._next].text
                self._next += 1
                if text in (";", r"\;") or (text == "+" and last == "{}"):
                    return


_COMMANDS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))


def _test_of(name: str, value: Word | None) -> Test | None:
    if name == "-empty":
        return Test(EMPTY)
    if value is None or not value.known:
        return None
    if name in ("-name", "-iname"):
        return Test(NAME, value.text, fold=name == "-iname")
    if name in ("-path", "-wholename", "-ipath", "-iwholename"):
        last = _last_name(value.text)
        if last:
            return Test(NAME, last, fold=name.startswith("-i"))
        directory = _directory(value.text)
        return Test(BELOW, directory) if directory and not name.startswith("-i") else None
    return None


def _directory(pattern: str) -> str:
    """The directory below which all files lie that fit a pattern of a path, as find writes it, or ""."""
    signs = [place for sign in "*?[\\" if (place := pattern.find(sign)) >= 0]
    return pattern[: min(signs, default=len(pattern))].rpartition("/")[0]


def _last_name(pattern: str) -> str:
    """What a pattern of a path says of a file's name, "" where that is nothing: its `*` also fits slashes."""
    directory, slash, name = pattern.rpartition("/")
    if "\\" in pattern or "[" in pattern or directory.endswith("\\"):
        return ""
    _before, star, end = name.rpartition("*")
    if star:
        return "*" + end if end else ""
    return name if slash or "?" not in name else ""
