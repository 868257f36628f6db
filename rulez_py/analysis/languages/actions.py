"""What calling a known function does, written as a line of text.

A line holds actions, apart by `;`: a verb and its arguments. An argument is an index, a keyword's name, either
(`0|path`), all arguments from an index on (`1+`), or `self`, what the method belongs to. The verbs:

    sh A            a shell runs the text A
    process A       A is a list of words, or a text that is split or given to a shell (keyword `shell`)
    run A+          one text that a shell runs, or several words
    spawn A B       the program A with the list of words B
    words A+        exactly these words
    eval A          the text A is code of the same language
    source A        the file A is code of the same language
    read A, write A, delete A, delete* A (and all below), remove A KEYWORD (all below where the keyword is on)
    open A MODE     as the mode says; reading where there is none
    chdir A         the code goes to the directory A
    host A          the host of a URL; `addr A`, `addr A B` of a pair (host, port), a text host:port, or a name
    shellopen A B   a file to open, or a command where the text begins or ends with `|` (Perl, Ruby)

and the verbs that say what the call's value is:

    make            an object, whose methods are found under this name
    made NAME VERB  an object of that name (or a list of them) of what a verb gives
    same A, list A+, join A+ (a path), cat A+, name A (the thing of that name), home, env A,
    glob A, under A (files in it),
    strip A, lower A, reverse A, parent A, expand A (`~`), chars A+ (numbers of letters)
    download        text from elsewhere; `decode HOW A`, decoded text; `content A`, a file's
"""

from __future__ import annotations

from rulez_py.analysis.languages.terms import (
    UNKNOWN,
    Call,
    Choice,
    Made,
    Ref,
    Table,
    choices,
    decoded,
    either,
    environment,
    few,
    first_of,
    gathered,
    items,
    joined,
    mapped,
    merged,
    number,
    pattern,
    text_of,
    truthy,
)
from rulez_py.analysis.values import (
    CODE,
    DELETE,
    DOWNLOAD,
    INTERPRETER,
    LIMIT,
    READ,
    SEND,
    SHELL,
    WRITE,
    Data,
    Found,
    Inner,
    Touch,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rulez_py.analysis.languages.engine import Engine

    Verb = Callable[["Engine", str, Call, object, list[str]], object]

MOST_FOUND = 500
MOST_OPEN = 2
"""Words of a program that may be several, for which each combination is followed."""
SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "ash", "fish"))


class Findings:
    """What has been found so far."""

    def __init__(self) -> None:
        self.inner: list[Inner] = []
        self.touches: list[Touch] = []
        self.hosts: list[str] = []
        self.opaque = ""
        self.base: Word | None = None
        """The directory that the code has gone to."""
        self._seen: set[object] = set()

    def found(self) -> Found:
        return Found(inner=tuple(self.inner), touches=tuple(self.touches), hosts=tuple(self.hosts), opaque=self.opaque)

    def absorb(self, other: Findings) -> None:
        """Add what another walk has found."""
        self.inner += other.inner
        self.touches += other.touches
        for host in other.hosts:
            self.host(host)
        self.opaque = self.opaque or other.opaque
        self.base = other.base or self.base

    def go(self, value: object) -> None:
        """The code goes to another directory."""
        there = value if self.base is None else under(self.base, value)
        self.base = first_of(there)

    def _full(self) -> bool:
        if len(self.inner) + len(self.touches) + len(self.hosts) < MOST_FOUND:
            return False
        self.opaque = self.opaque or LIMIT
        return True

    def shell(self, value: object, call: Call | None = None) -> None:
        """A shell runs this text."""
        for one in choices(value):
            if isinstance(one, (Table, tuple)):
                continue
            word = text_of(one)
            if word.known and not word.text.strip():
                continue
            self._add(Inner(code=word, via=SHELL, cwd=_cwd(call)))

    def words(self, value: object, call: Call | None = None) -> None:
        """A program runs, with these words."""
        given = [one for one in items(value) if not isinstance(one, Table)]
        several = [one for one in given if len(choices(one)) > 1]
        if 0 < len(several) <= MOST_OPEN:
            # One after the other: what the first may be, with all that the others may be.
            at = given.index(several[0])
            for one in few(several[0]):
                self.words((*given[:at], one, *given[at + 1 :]), call)
            return
        words = tuple(first_of(one) for one in given)
        if words:
            self._add(Inner(words=words, via=INTERPRETER, cwd=_cwd(call)))
            fed = call.keywords.get("input") if call is not None else None
            if isinstance(fed, Word) and words[0].text.rpartition("/")[2] in SHELLS and len(words) == 1:
                self.shell(fed)

    def code(self, word: Word, language: str) -> None:
        """Code of this language that cannot be read: a file's content, or it came from elsewhere."""
        for file in word.data.files:
            self._add(Inner(file=Word(text=file), language=language, via=INTERPRETER))
        if not word.data.files or word.data.origins:
            self.opaque = self.opaque or CODE
            if word.data.origins:
                self._add(Inner(code=word, language=language, via=INTERPRETER))

    def file(self, word: Word, language: str) -> None:
        self._add(Inner(file=word, language=language, via=INTERPRETER))

    def touch(self, value: object, *access: str, deep: bool = False) -> None:
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

    def _add(self, inner: Inner) -> None:
        if inner.cwd is None and self.base is not None:
            inner = inner.replace(cwd=self.base)
        if inner not in self.inner[-20:] and not self._full():
            self.inner.append(inner)


def _cwd(call: Call | None) -> Word | None:
    value = call.keywords.get("cwd", call.keywords.get("chdir")) if call is not None else None
    return value if isinstance(value, Word) else None


def picked(call: Call, receiver: object, where: str) -> object:
    """The argument that a line means; None where it is not there."""
    if where.endswith("+"):
        return tuple(one for argument in call.arguments[int(where[:-1]) :] for one in items(argument))
    for name in where.split("|"):
        if name == "self":
            return receiver.call.arguments[0] if isinstance(receiver, Made) and receiver.call.arguments else receiver
        if name.isdecimal():
            if int(name) < len(call.arguments):
                return call.arguments[int(name)]
        elif name in call.keywords:
            return call.keywords[name]
    return None


def _shell(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value = picked(call, on, where[0])
    if value is not None:
        engine.findings.shell(value, call)
    return UNKNOWN


def _words(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    engine.findings.words(picked(call, on, where[0]), call)
    return UNKNOWN


def _process(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value = picked(call, on, where[0])
    if value is None:
        return UNKNOWN
    shell = truthy(call.keywords.get("shell"))
    for one in choices(value):
        if isinstance(one, tuple):
            if shell:
                engine.findings.shell(one[0] if one else None, call)
            else:
                engine.findings.words(one, call)
        elif isinstance(one, Word) and one.known and not shell and not any(c.isspace() for c in one.text):
            engine.findings.words((one,), call)
        else:
            engine.findings.shell(one, call)
    return UNKNOWN


def _run(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value = picked(call, on, where[0])
    rest = tuple(one for one in items(value) if not isinstance(one, Table))
    if len(rest) == 1:
        engine.findings.shell(rest[0], call)
    else:
        engine.findings.words(rest, call)
    return UNKNOWN


def _spawn(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    program, rest = picked(call, on, where[0]), picked(call, on, where[1])
    if program is None:
        return UNKNOWN
    rest = () if isinstance(rest, (Table, type(None))) else rest
    if truthy(call.keywords.get("shell")):
        line = program
        for one in items(rest):
            line = joined(line, one, " ")
        engine.findings.shell(line, call)
    else:
        engine.findings.words((program, rest), call)
    return UNKNOWN


def _eval(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value = picked(call, on, where[0])
    for one in choices(value):
        if isinstance(one, (Word, Ref)):
            engine.nested(text_of(one))
    return UNKNOWN


def _source(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    for one in choices(picked(call, on, where[0])):
        if isinstance(one, (Word, Ref)):
            engine.findings.file(text_of(one), engine.language)
    return UNKNOWN


def _toucher(*access: str, deep: bool = False) -> Verb:
    def verb(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
        value = picked(call, on, where[0])
        if value is not None:
            engine.findings.touch(value, *access, deep=deep)
        return UNKNOWN

    return verb


def _remove(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value = picked(call, on, where[0])
    if value is not None:
        engine.findings.touch(value, DELETE, deep=truthy(call.keywords.get(where[1])))
    return UNKNOWN


def content(value: object) -> Word:
    """What is in a file: not known, but whence."""
    word = text_of(value)
    return UNKNOWN.replace(data=Data(origins=word.data.origins, files=(word.text,)))


def _content(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value = picked(call, on, where[0])
    if value is None:
        return UNKNOWN
    if "://" in text_of(value).text:
        engine.contact(text_of(value), call)
        return UNKNOWN.replace(data=Data(origins=(DOWNLOAD,)))
    engine.findings.touch(value, READ)
    return either([content(one) for one in choices(value)])


def _open(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value, mode = picked(call, on, where[0]), picked(call, on, where[1])
    if value is None or isinstance(value, tuple):
        return UNKNOWN
    return opened(engine, value, mode)


def opened(engine: Engine, value: object, mode: object) -> object:
    """A file is opened in this mode, "r" where it is None."""
    for one in choices(mode):
        if one is not None and not (isinstance(one, Word) and one.known):
            engine.findings.touch(value, READ, WRITE)
            continue
        text = one.text if isinstance(one, Word) else "r"
        access = [READ] if "r" in text or "<" in text else []
        if any(mark in text for mark in "wax+c>"):
            access.append(WRITE)
        engine.findings.touch(value, *(access or [READ]))
    return either([content(one) for one in choices(value)])


def _chdir(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value = picked(call, on, where[0])
    if value is not None:
        engine.findings.go(value)
    return UNKNOWN


def _host(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value = picked(call, on, where[0])
    for one in items(value):
        for each in choices(one):
            engine.contact(text_of(each), call)
    return UNKNOWN.replace(data=Data(origins=(DOWNLOAD,)))


def _addr(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    for at in where:
        value = picked(call, on, at)
        if isinstance(value, tuple) and value:
            value = value[0]
        for one in choices(value):
            if isinstance(one, Word):
                engine.address(one, call)
    return UNKNOWN.replace(data=Data(origins=(DOWNLOAD,)))


def _shellopen(engine: Engine, name: str, call: Call, on: object, where: list[str]) -> object:
    """`open "| cmd"`, `open "cmd |"`, `open ">file"`; two texts: mode and file, or file and mode."""
    value, second = picked(call, on, where[0]), picked(call, on, where[1]) if len(where) > 1 else None
    result: object = UNKNOWN
    for one in choices(value):
        word = text_of(one)
        text = word.text.strip()
        if text.startswith("|") or (text.endswith("|") and word.text != "|"):
            engine.findings.shell(word.replace(text=text.strip("|").strip()))
        elif "://" in text:
            engine.contact(word, call)
            result = UNKNOWN.replace(data=Data(origins=(DOWNLOAD,)))
        elif text.startswith((">", "+", "<")):
            mode = text[: len(text) - len(text.lstrip("+<>"))]
            result = opened(engine, word.replace(text=text[len(mode) :].strip()), Word(text=mode))
        elif one is not None:
            result = opened(engine, one, second if isinstance(second, Word) else None)
    return result


def _made(engine: Engine, name: str, call: Call, on: object, where: list[str]) -> object:
    """An object, or a list of objects, of another name, with one argument: what a verb gives."""
    value = VERBS[where[1]](engine, name, call, on, where[2:])
    if isinstance(value, tuple):
        return tuple(Made(where[0], Call([one], {})) for one in value)
    return either([Made(where[0], Call([one], {})) for one in choices(value)])


def _make(_engine: Engine, name: str, call: Call, _on: object, _where: list[str]) -> object:
    return Made(name, call)


def _same(_engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value = picked(call, on, where[0])
    return UNKNOWN if value is None else value


def _list(_engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    return picked(call, on, where[0]) or ()


def _join(engine: Engine, name: str, call: Call, on: object, where: list[str]) -> object:
    parts = [one for at in where for one in items(picked(call, on, at)) if one is not None]
    path = parts[0] if parts else UNKNOWN
    for part in parts[1:]:
        path = under(path, part)
    return path


def under(path: object, part: object) -> object:
    """A path below another; one from the root stands alone."""
    if isinstance(path, Choice) or isinstance(part, Choice):
        return either([under(a, b) for a in few(path) for b in few(part)])
    left, right = text_of(path), text_of(part)
    if right.text.startswith("/") or not left.text:
        return right
    return joined(left, right, "" if left.text.endswith("/") else "/")


def _cat(_engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    text: object = Word(text="")
    for one in items(picked(call, on, where[0])):
        text = joined(text, one)
    return text


def _name(engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value = picked(call, on, where[0])
    if isinstance(value, Word) and value.known:
        return engine.named(engine.dialect.canonical(value.text))
    return Ref("?")


def _home(_engine: Engine, _name: str, _call: Call, _on: object, _where: list[str]) -> object:
    return environment("HOME")


def _expand(_engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    """`~` at the start is the home directory."""
    return either(
        [
            one.replace(text="$HOME" + one.text[1:], known=False)
            if isinstance(one, Word) and (one.text == "~" or one.text.startswith("~/"))
            else one
            for one in choices(picked(call, on, where[0]))
        ]
    )


def _env(_engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value = picked(call, on, where[0])
    return environment(value.text) if isinstance(value, Word) and value.known else UNKNOWN


def _glob(_engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value = _join(_engine, _name, call, on, where)
    return tuple(pattern(one) for listed in choices(value) for one in items(listed))


def _under(_engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value = picked(call, on, where[0])
    return (under(Word(text=".") if value is None else value, Word(text="$_", known=False)),)


def _download(_engine: Engine, _name: str, _call: Call, _on: object, _where: list[str]) -> object:
    return UNKNOWN.replace(data=Data(origins=(DOWNLOAD,)))


def _decode(_engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    value = picked(call, on, where[1])
    return either([decoded(one, where[0]) for one in choices(value)])


def _change(how: Callable[[str], str]) -> Verb:
    def verb(_engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
        return mapped(picked(call, on, where[0]), how)

    return verb


def _chars(_engine: Engine, _name: str, call: Call, on: object, where: list[str]) -> object:
    """Text from the numbers of its letters."""
    codes = [number(one) for one in items(picked(call, on, where[0]))]
    return Word(text="".join(chr(code) for code in codes if code)) if codes and all(codes) else UNKNOWN


VERBS: dict[str, Verb] = {
    "sh": _shell,
    "words": _words,
    "process": _process,
    "run": _run,
    "spawn": _spawn,
    "eval": _eval,
    "source": _source,
    "read": _toucher(READ),
    "write": _toucher(WRITE),
    "delete": _toucher(DELETE),
    "delete*": _toucher(DELETE, deep=True),
    "send": _toucher(SEND),
    "remove": _remove,
    "content": _content,
    "open": _open,
    "chdir": _chdir,
    "host": _host,
    "addr": _addr,
    "shellopen": _shellopen,
    "make": _make,
    "made": _made,
    "same": _same,
    "list": _list,
    "join": _join,
    "cat": _cat,
    "name": _name,
    "home": _home,
    "expand": _expand,
    "env": _env,
    "glob": _glob,
    "under": _under,
    "download": _download,
    "decode": _decode,
    "strip": _change(str.strip),
    "lower": _change(str.lower),
    "reverse": _change(lambda text: text[::-1]),
    "parent": _change(lambda text: text.rpartition("/")[0]),
    "chars": _chars,
}


def perform(engine: Engine, name: str, lines: str, call: Call, on: object) -> object:
    """Do what the lines of a known function say; what the call is worth."""
    result: object = UNKNOWN
    for action in lines.split(";"):
        verb, *where = action.split()
        value = VERBS[verb](engine, name, call, on, where)
        if value is not UNKNOWN:
            result = value
    if result is UNKNOWN:
        return derived(call, on)
    return result


def derived(call: Call, on: object) -> Word:
    """The value of a call nobody knows: not known, but made of what it was given."""
    data = gathered((on, *call.arguments, *call.keywords.values()))
    return UNKNOWN if data is None else UNKNOWN.replace(data=merged(data, Data()))
