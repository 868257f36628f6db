"""Effects that a walk through code has collected so far."""

from __future__ import annotations

from rulez_py.analysis.addresses import hosts_of, hosts_of_url, names_its_host
from rulez_py.analysis.languages.abstract_values import (
    UNKNOWN,
    Call,
    Choice,
    Table,
    choices,
    either,
    few,
    first_of,
    gathered,
    is_found,
    items,
    joined,
    known,
    merged,
    text_of,
)
from rulez_py.analysis.values import (
    CODE,
    INTERPRETER,
    LIMIT,
    SEND,
    SHELL,
    SOMEWHERE,
    VARIABLE,
    Data,
    Found,
    Inner,
    Touch,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.languages.abstract_values import Abstract

MOST_FOUND = 500
_HOST_KEYWORDS = frozenset(("host", "hostname"))
"""Keywords that name a host where the address is no text."""
BODIES = ("data", "json", "body", "content", "params", "form", "files")
"""Keywords for what a request sends."""
ABSOLUTE = ("$HOME", "$PWD")
"""Variables of the environment that hold a path from the root."""
MOST_OPEN = 2
"""Words of one command with several possible values, of which all combinations are followed."""
SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "ash", "fish"))


class Effects:
    """Effects collected so far."""

    def __init__(self) -> None:
        self.inner: list[Inner] = []
        self.touches: list[Touch] = []
        self.hosts: list[str] = []
        self.links: list[tuple[Word, Word]] = []
        self.opaque = ""
        self.base: Word | None = None
        """The directory that the code has changed to."""
        self._seen: set[object] = set()

    def found(self) -> Found:
        return Found(
            inner=tuple(self.inner),
            touches=tuple(self.touches),
            hosts=tuple(self.hosts),
            links=tuple(self.links),
            opaque=self.opaque,
        )

    def absorb(self, other: Effects) -> None:
        """Add the effects of another walk."""
        self.inner += other.inner
        self.touches += other.touches
        self.links += other.links
        for host in other.hosts:
            self.host(host)
        self.opaque = self.opaque or other.opaque
        self.base = other.base or self.base

    def go(self, value: Abstract) -> None:
        """Change to another directory."""
        there = value if self.base is None else under(self.base, value)
        self.base = first_of(there)

    def _full(self) -> bool:
        """Tell if the bound on effects is reached.

        INVARIANT: effects beyond the bound leave the code opaque.
        """
        if len(self.inner) + len(self.touches) + len(self.hosts) < MOST_FOUND:
            return False
        self.opaque = self.opaque or LIMIT
        return True

    def shell(self, value: Abstract, call: Call | None = None, via: str = SHELL) -> None:
        """Add a text that a shell runs.

        INVARIANT: a call that runs something leaves a command or is opaque. A value of the wrong kind is not dropped:
        of a list, any element may be the text, and any other value is an unknown text.
        """
        for one in choices(value):
            for each in few(either(items(one))) if isinstance(one, tuple) else (one,):
                word = text_of(each)
                if word.known and not word.text.strip():
                    continue
                self._add(Inner(code=word, via=via, cwd=_cwd(call)))

    def words(self, value: Abstract, call: Call | None = None) -> None:
        """Add a program that runs with these words; without words an unknown program (the INVARIANT of `shell`)."""
        given = [one for one in items(value) if not isinstance(one, Table)] or [UNKNOWN]
        several = [one for one in given if len(choices(one)) > 1]
        if 0 < len(several) <= MOST_OPEN:
            # Each value of the first such word, with all values of the others.
            at = given.index(several[0])
            for one in few(several[0]) if len(several) > 1 else choices(several[0]):
                self.words((*given[:at], one, *given[at + 1 :]), call)
            return
        # INVARIANT: a word with several values is unknown where these are not all followed.
        words = tuple(first_of(one) for one in given)
        self._add(Inner(words=words, via=INTERPRETER, cwd=_cwd(call)))
        fed = call.keywords.get("input") if call is not None else None
        if isinstance(fed, Word) and words[0].text.rpartition("/")[2] in SHELLS and len(words) == 1:
            self.shell(fed)

    def code(self, word: Word, language: str) -> None:
        """Add unknown code of this language: the content of a file, or code from another source.

        INVARIANT: code that is no file's content leaves the walk opaque.
        """
        for file in word.data.files:
            self._add(Inner(file=Word(text=file), language=language, via=INTERPRETER))
        if not word.data.files or word.data.origins:
            self.opaque = self.opaque or CODE
            if word.data.origins:
                self._add(Inner(code=word, language=language, via=INTERPRETER))

    def file(self, word: Word, language: str) -> None:
        self._add(Inner(file=word, language=language, via=INTERPRETER))

    def touch(self, value: Abstract, *access: str, deep: bool = False) -> None:
        for listed in choices(value):
            for each in items(listed):
                for one in choices(each):
                    if isinstance(one, Table) or (isinstance(one, Word) and one.known and not one.text):
                        continue
                    word = text_of(one)
                    key = (word.text, word.known, access, deep, self.base)
                    if key not in self._seen and not self._full():
                        self._seen.add(key)
                        self.touches.append(Touch(path=word, access=access, deep=deep, base=self.base))

    def host(self, name: str) -> None:
        name = name.lower()
        if name and name not in self.hosts and not self._full():
            self.hosts.append(name)

    def contact(self, url: Word, call: Call) -> None:
        """Add the hosts of a URL that is opened. Files among the arguments are sent there."""
        for host in hosts_of_url(url.text):
            self.host(host)
        if not url.known and not names_its_host(url.text) and _HOST_KEYWORDS.isdisjoint(call.keywords):
            self.host(SOMEWHERE)
        self._sent(call)
        self._secret_sent(url, [call.keywords.get(key) for key in BODIES])

    def _secret_sent(self, url: Word, bodies: Sequence[Abstract]) -> None:
        """Add a request with a secret variable in its address or body as a command: `curl URL -d $TOKEN`."""
        sent = [word for body in bodies for one in items(body) if (word := _secret_in(one)) is not None]
        if sent or _secret_in(url) is not None:
            self.words((known("curl"), url, *(part for one in sent for part in (known("-d"), one))))

    def address(self, name: Word, call: Call) -> None:
        """Add a host that is contacted, by its name or as host:port."""
        for host in hosts_of_url(name.text) or (hosts_of(name.text) if name.known and "/" not in name.text else ()):
            self.host(host)
        if not name.known and not (hosts_of_url(name.text) and names_its_host(name.text)):
            self.host(SOMEWHERE)
        self._sent(call)

    def _sent(self, call: Call) -> None:
        data = gathered((*call.arguments, *call.keywords.values()))
        for file in data.files if data is not None else ():
            self.touch(known(file), SEND)

    def _add(self, inner: Inner) -> None:
        if inner.cwd is None and self.base is not None:
            inner = inner.replace(cwd=self.base)
        if inner not in self.inner[-20:] and not self._full():
            self.inner.append(inner)


def _secret_in(value: Abstract) -> Word | None:
    """Return a text with a variable of the environment that is named like a secret; None for any other value."""
    parts = tuple(value.items.values()) if isinstance(value, Table) else choices(value)
    return next((one for one in parts if isinstance(one, Word) and VARIABLE in one.data.origins), None)


def _cwd(call: Call | None) -> Word | None:
    value = call.keywords.get("cwd", call.keywords.get("chdir")) if call is not None else None
    return value if isinstance(value, Word) else None


def under(path: Abstract, part: Abstract) -> Abstract:
    """Return a path below another; an absolute one is returned as it is."""
    if isinstance(path, Choice) or isinstance(part, Choice):
        return either([under(a, b) for a in few(path) for b in few(part)])
    left, right = text_of(path), text_of(part)
    if is_found(right):
        return right
    if right.text.startswith("/") or not left.text or (not right.known and right.text.startswith(ABSOLUTE)):
        return right
    return joined(left, right, "" if left.text.endswith("/") else "/")


def content(value: Abstract) -> Word:
    """Return the content of a file: unknown text, with the file in its data."""
    word = text_of(value)
    return UNKNOWN.replace(data=Data(origins=word.data.origins, files=(word.text,)))


def derived(call: Call, on: Abstract) -> Word:
    """Return the value of an unknown call: unknown text, with the origins of its arguments."""
    data = gathered((on, *call.arguments, *call.keywords.values()))
    return UNKNOWN if data is None else UNKNOWN.replace(data=merged(data, Data()))
