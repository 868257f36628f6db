"""Read which of the files below its start `find` acts on, by the tests before the action.

    list    = either { "," either }
    either  = both { ( "-o" | "-or" ) both }
    both    = one { [ "-a" | "-and" ] one }
    one     = ( "!" | "-not" ) one | "(" list ")" | test [ value ]

What is read is never narrower than what find does: a negated test, an undescribed one or one whose value is unknown
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

NAME, BELOW, EMPTY, OTHER = "name", "below", "empty", "other"
_EVERYTHING: tuple[tuple[()], ...] = ((),)
_MOST_WAYS = 32
_MOST_TESTS = 64
_DEEPEST = 40


class Test:
    """One that a file has passed: it is EMPTY, it is BELOW a directory, its NAME fits a shell pattern (`fold`: in any
    case), or OTHER: some unknown files have not passed it. `path` is the pattern where it is about a path.
    """

    __slots__ = ("fold", "kind", "path", "pattern")

    def __init__(self, kind: str, pattern: str = "", *, path: str = "", fold: bool = False) -> None:
        self.kind = kind
        self.pattern = pattern
        self.path = path
        self.fold = fold


class Expression:
    """The words of a `find` from its first test on; `options` are those of its words that are tests and actions."""

    def __init__(self, words: Sequence[Word], options: Mapping[int, Option]) -> None:
        self._words = words
        self._options = options
        self._next = 0
        self._wanted: tuple[str, ...] = ()
        self._places: dict[int, Ways] = {}
        self._found: list[Tests] = []

    def before(self, *actions: str) -> Ways:
        """Return the ways in which a file reaches one of some actions, such as `-delete`; () where no file does."""
        self._wanted, self._places = actions, {}
        self._read()
        return tuple(self._found) if len(self._found) <= _MOST_WAYS else _EVERYTHING

    def before_words(self, actions: Sequence[Word]) -> Mapping[int, Ways]:
        """Return the same of each of the actions that these very words are, by its `id`."""
        self._wanted, self._places = (), {id(action): () for action in actions}
        self._read()
        return {place: ways if len(ways) <= _MOST_WAYS else _EVERYTHING for place, ways in self._places.items()}

    def passed(self) -> Ways:
        """Return the ways in which a file passes the whole."""
        self._wanted, self._places = (), {}
        return self._read()

    def _read(self) -> Ways:
        self._next, self._found = 0, []
        ways: Ways = _EVERYTHING
        while self._next < len(self._words):
            ways = self._list(_EVERYTHING, 0)
            self._next += 1  # A bracket that closes nothing.
        return ways

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
            passed += self._both(_fewer(ways), depth)
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
            return _fewer(ways)
        if self._take("("):
            # What is nested too deeply is read on the same level: its tests may then count for too many files.
            passed = self._list(ways, depth + 1) if depth < _DEEPEST else _EVERYTHING
            self._take(")")
            return passed
        return self._test(ways)

    def _test(self, ways: Ways) -> Ways:
        word = self._words[self._next]
        self._next += 1
        option = self._options.get(id(word))
        if (before := self._places.get(id(word))) is not None and len(before) <= _MOST_WAYS:
            self._places[id(word)] = (*before, *ways)
        if option is None:
            return _fewer(ways) if word.text.startswith("-") else ways
        self._skip(option)
        name = option.names[0]
        if name in self._wanted:
            self._found += ways
        test = _test_of(name, option.value)
        return ways if test is None else _also(ways, test)

    def _skip(self, option: Option) -> None:
        """Skip an option's value, or the command of an `-exec` to its end."""
        if option.value is not None and self._next < len(self._words) and self._words[self._next] is option.value:
            self._next += 1
        if option.names[0] in _COMMANDS:
            while self._next < len(self._words):
                last, text = self._words[self._next - 1].text, self._words[self._next].text
                self._next += 1
                if text in (";", r"\;") or (text == "+" and last == "{}"):
                    return


_COMMANDS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))
_PASSED_BY_ALL = frozenset(
    (
        *("-print", "-print0", "-printf", "-fprint", "-fprint0", "-fprintf", "-ls", "-fls", "-delete", "-true"),
        *(
            "-depth",
            "-d",
            "-H",
            "-L",
            "-P",
            "-X",
            "-s",
            "-D",
            "-O",
            "-follow",
            "-noleaf",
            "-xdev",
            "-mount",
            "-daystart",
        ),
        *("-ignore_readdir_race", "-warn", "-nowarn", "-regextype", "-maxdepth", "-mindepth", "-type", "-xtype"),
    )
)
"""What leaves nothing out, or only files of other kinds."""


def _fewer(ways: Ways) -> Ways:
    """Return the ways with one more test that some files, it is unknown which, do not pass."""
    return _also(ways, _SOME)


def _also(ways: Ways, test: Test) -> Ways:
    """Return the same ways, on which a file passes one test more; with too many of them they leave nothing out."""
    if any(len(tests) >= _MOST_TESTS for tests in ways):
        return _EVERYTHING
    return tuple(tests if test is _SOME and test in tests else (*tests, test) for tests in ways)


_SOME = Test(OTHER)


def _test_of(name: str, value: Word | None) -> Test | None:
    if name == "-empty":
        return Test(EMPTY)
    if name in _PASSED_BY_ALL:
        return None
    if value is None or not value.known:
        return _SOME
    if name in ("-name", "-iname"):
        return Test(NAME, value.text, fold=name == "-iname")
    if name in ("-path", "-wholename", "-ipath", "-iwholename"):
        last = _last_name(value.text)
        if last:
            return Test(NAME, last, path=value.text, fold=name.startswith("-i"))
        directory = _directory(value.text)
        known = directory and not name.startswith("-i")
        return Test(BELOW if known else OTHER, directory if known else "", path=value.text)
    return Test(OTHER, path=_unanchored(value.text)) if name in ("-regex", "-iregex") else _SOME


def _unanchored(regex: str) -> str:
    """Return a shell pattern for a plain regex of a path; "" where it says more than a pattern can."""
    text = regex.replace(".*", "*").replace("\\.", ".")
    return text if all(char.isalnum() or char in "*._-/ " for char in text) else ""


def _directory(pattern: str) -> str:
    """Return the directory below which all files lie that fit a pattern of a path, as find writes it, or ""."""
    places = [place for char in "*?[\\" if (place := pattern.find(char)) >= 0]
    return pattern[: min(places, default=len(pattern))].rpartition("/")[0]


def _last_name(pattern: str) -> str:
    """Return what a pattern of a path says of a file's name, "" where that is nothing: its `*` also fits slashes."""
    directory, slash, name = pattern.rpartition("/")
    if "\\" in pattern or "[" in pattern or directory.endswith("\\"):
        return ""
    _before, star, end = name.rpartition("*")
    if star:
        return "*" + end if end else ""
    return name if slash or "?" not in name else ""
