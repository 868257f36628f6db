"""What a program does to files and other machines, by the roles `programs` gives its words and a few that need code."""

from __future__ import annotations

from os.path import basename, join

from rulez_py.analysis.bash.patterns import escaped
from rulez_py.analysis.programs.options import cut, family, first_from, levels
from rulez_py.analysis.values import DECODE, DELETE, DOWNLOAD, READ, SEND, WRITE, Effects, Touch, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulez_py.analysis.programs.options import Entry, Grammar
    from rulez_py.analysis.programs.selection import Test
    from rulez_py.analysis.values import Option, Reading

_ACCESS = (("r", READ), ("w", WRITE), ("d", DELETE), ("s", SEND))
_HERE = Word(text=".")
_STREAMS = ("-", "")
_LONGEST_PATH = 4096
_MOST_LISTED = 64


class _Command:
    """One command with what its words mean, and the effects found so far."""

    def __init__(self, program: str, words: Sequence[Word], reading: Reading) -> None:
        self.program = program
        self.words = words
        self.key, self.levels, depth = levels(program, reading.operands)
        self.level = self.levels[0]
        self.place = {id(word): place for place, word in enumerate(words)}
        self.operands = [operand.word for operand in reading.operands[depth:]]
        self.doubtful = {id(operand.word) for operand in reading.operands if operand.doubtful}
        subcommands = [self.place.get(id(operand.word), 0) for operand in reading.operands[:depth]]
        self.options = [(option, self._entry(option, subcommands)) for option in reading.options]
        self.names = {name for option in reading.options for name in option.names}
        self.touches: list[Touch] = []
        self.hosts: dict[str, None] = {}
        self.origin = DECODE if "decodes" in self.level.flags else ""
        self.sends = False
        self.silent = "silent" in self.level.flags
        self.deep = any(entry is not None and entry.role == "+" for _, entry in self.options)
        self.base = self._base()

    def _entry(self, option: Option, subcommands: list[int]) -> Entry | None:
        """What describes an option: the level it was written at."""
        place = self.place.get(id(option.word), len(self.words))
        inside = first_from(subcommands, place)
        outside_in = self.levels[::-1]
        level: Grammar = outside_in[min(inside, len(outside_in) - 1)]
        if inside >= len(outside_in) and "anywhere" not in level.flags:
            return None
        return level.named(option.names[0])

    def _base(self) -> Word | None:
        base: Word | None = None
        for option, entry in self.options:
            if entry is not None and entry.role == "c" and option.value is not None:
                base = _below(base, option.value)
        return base

    def has(self, *names: str) -> bool:
        return not self.names.isdisjoint(names)

    def value(self, *names: str) -> Word | None:
        """The value of the last option with one of these names."""
        for option, _ in reversed(self.options):
            if option.value is not None and not set(names).isdisjoint(option.names):
                return option.value
        return None

    def touch(self, word: Word, letters: str, *, deep: bool = False, base: Word | None = None) -> None:
        """A file by role letters; a URL counts for its host, `-` for nothing."""
        if word.text in _STREAMS:
            return
        if "://" in word.text:
            self.url(word, letters)
            return
        access = tuple(name for letter, name in _ACCESS if letter in letters)
        deep = deep or "+" in letters or ("~" in letters and self.deep)
        if access:
            self.touches.append(Touch(path=word, access=access, deep=deep, base=base or self.base))

    def url(self, word: Word, letters: str = "r") -> None:
        """A URL: a file or a host."""
        scheme, found, _ = word.text.partition("://")
        if found and scheme.lower() == "file":
            local = word.text.find("/", len(scheme) + 3)
            if local >= 0:
                self.touch(cut(word, local), letters)
            return
        self.host(word.text)

    def host(self, text: str) -> None:
        from rulez_py.analysis.addresses import hosts_of  # Most commands name no host.

        self.hosts.update(dict.fromkeys(hosts_of(text)))

    def role(self, word: Word, role: str) -> None:
        """What one word does by its letters in `programs`."""
        if role in ("", "-", "+", "c", "W"):
            return
        if role == "u" or (role == "U" and ("://" in word.text or _remote(word.text) is not None)):
            self.url(word)
        elif role == "U":
            return
        elif role == "h":
            if not word.text.startswith(("/", "-")):
                self.host(word.text)
        elif role == "@":
            self.data(word, 1 if word.text[:1] == "@" else 0)
        elif role == "#":
            name, sign, _ = word.text.partition("=")
            if sign and word.text[len(name) + 1 : len(name) + 2] in ("@", "<"):
                for file in _listed(cut(word, len(name) + 2)):
                    self.data(file, 0, marked=True)
        else:
            self.touch(word, role)

    def data(self, word: Word, start: int, *, marked: bool = False) -> None:
        """`@file` or `@-`, sent."""
        if not start and not marked:
            return
        file = cut(word, start)
        if file.text == "-":
            self.sends = True
        else:
            self.touch(file, "rs")

    def by_options(self) -> None:
        for option, entry in self.options:
            if entry is not None and option.value is not None:
                self.role(option.value, entry.role)

    def by_operands(self, roles: Sequence[str] | None = None) -> None:
        target = next(
            (one.value for one, entry in self.options if entry is not None and entry.role == "W" and one.value), None
        )
        given = self.level.operands if roles is None else roles
        pairs = _assign(self.operands, given, all_alike=target is not None)
        into = target
        if into is None and target is None and len(pairs) > 1 and given[-1:] and given[-1].startswith("w"):
            last = self.operands[-1]
            if len(pairs) > 2 or last.text.endswith("/") or last.text in (".", ".."):
                into = last
        for word, role in pairs:
            self.role(word, role)
            if into is not None and word is not into and role.endswith("*") is False and "r" in role:
                self.into(into, word)
        if target is not None:
            self.touch(target, "w")

    def into(self, directory: Word, source: Word) -> None:
        """A file that gets its name from another: `cp a/b c/` writes `c/b`."""
        name = basename(source.text.rstrip("/"))
        if name and name not in (".", "..") and directory.text not in _STREAMS:
            known = directory.known and source.known and not source.glob
            path = directory.replace(text=join(directory.text, name), known=known, glob="")
            self.touches.append(Touch(path=path, access=(WRITE,), base=self.base))

    def effects(self) -> Effects:
        if "downloads" in self.level.flags and self.hosts:
            self.origin = DOWNLOAD
        return Effects(
            touches=tuple(self.touches),
            hosts=tuple(self.hosts),
            origin=self.origin,
            sends=self.sends,
            silent=self.silent,
        )


def _below(base: Word | None, word: Word) -> Word:
    """A directory given relative to the one before; one that no system would take is not known."""
    if base is None:
        return word
    if len(base.text) > _LONGEST_PATH:
        return base.replace(known=False)
    return word.replace(text=join(base.text, word.text), known=base.known and word.known, glob="")


def _until(word: Word, sign: str) -> Word:
    """A word up to a character."""
    end = word.text.find(sign)
    if end < 0:
        return word
    glob_end = word.glob.find(sign)
    return word.replace(text=word.text[:end], glob=word.glob[:glob_end] if glob_end >= 0 else word.glob)


def _listed(word: Word) -> list[Word]:
    """The files of a form's field: `a;type=x,"b,c"`."""
    found: list[Word] = []
    at = 0
    while at < len(word.text) and len(found) < _MOST_LISTED:
        part = cut(word, at)
        if part.text[:1] == '"' and part.text.find('"', 1) > 0:
            found.append(_until(cut(part, 1), '"'))
        else:
            found.append(_until(_until(part, ";"), ","))
        comma = word.text.find(",", at + len(found[-1].text))
        at = comma + 1 if comma >= 0 else len(word.text)
    return found


def _assign(words: Sequence[Word], roles: Sequence[str], *, all_alike: bool = False) -> list[tuple[Word, str]]:
    """Operands with their roles; one role may end in `*` and takes what the others leave."""
    star = next((place for place, role in enumerate(roles) if role.endswith("*")), -1)
    if star < 0:
        return list(zip(words, roles, strict=False))
    many = roles[star][:-1]
    if all_alike or (len(words) == 1 and star == 0):
        return [(word, many) for word in words]
    before, after = roles[:star], roles[star + 1 :]
    middle = max(len(words) - len(before) - len(after), 0)
    return list(zip(words, (*before, *[many] * middle, *after), strict=False))


def _remote(text: str) -> tuple[str, str] | None:
    """Host and path of `user@host:path` or `host::module`; None for a local path."""
    start = text.rpartition("@")[0] if "[" in text.partition("/")[0] else ""
    colon = text.find("]:", len(start)) + 1 if "[" in text.partition("/")[0] else text.find(":")
    slash = text.find("/")
    if colon <= 0 or (0 <= slash < colon):
        return None
    if colon == 1 and text[0].isalpha() and text[2:3] in ("\\", "/"):
        return None
    return text[:colon], text[colon + 1 :]


def _copied(command: _Command, sources: str, *, deep: bool, target: str = "w") -> None:
    """Copies between machines: `sources` are the letters of the local files that are copied."""
    words = command.operands
    if len(words) < 2:
        for word in words:
            if _remote(word.text) is not None or "://" in word.text:
                command.host(word.text)
        return
    there = _away(words[-1].text)
    for word in words[:-1]:
        if _away(word.text):
            command.host(word.text)
            command.origin = DOWNLOAD
        else:
            command.touch(word, sources + ("s" if there else ""), deep=deep)
    if there:
        command.host(words[-1].text)
    else:
        command.touch(words[-1], target)
        if len(words) > 2 or words[-1].text.endswith("/") or words[-1].text in (".", ".."):
            for word in words[:-1]:
                if command.key != "rsync" or not word.text.endswith("/"):
                    command.into(words[-1], word)


def _away(text: str) -> bool:
    if "://" in text:
        return not text.lower().startswith("file://")
    return _remote(text) is not None


def _grep(command: _Command) -> None:
    command.by_options()
    words = command.operands
    if not command.has("-e", "--regexp", "-f", "--file", "--files"):
        words = words[1:]
    recursive = command.has("-r", "-R", "--recursive", "--dereference-recursive")
    if command.key == "rg":
        hidden = command.has("--hidden", "-.", "-u", "--unrestricted")
        if not command.has("--files", "--type-list"):
            for word in words:
                command.touch(word, "r", deep=hidden or word.text not in (".", "./"))
            if hidden and not words:
                command.touch(_HERE, "r", deep=True)
    else:
        for word in words:
            command.touch(word, "r", deep=recursive)
        if recursive and not words:
            command.touch(_HERE, "r", deep=True)
    command.silent = command.has(
        "-q", "--quiet", "-c", "--count", "-l", "--files-with-matches", "-L", "--files-without-match", "--files"
    )


def _sed(command: _Command) -> None:
    command.by_options()
    words = command.operands
    if not command.has("-e", "--expression", "-f", "--file"):
        words = words[1:]
    for word in words:
        command.touch(word, "rw" if command.has("-i", "--in-place") else "r")
    from rulez_py.analysis.programs.wrappers import sed

    for letter, word in sed.files(command.words):
        command.touch(word, letter)


def _awk(command: _Command) -> None:
    """gawk's extension `inplace` writes what it reads."""
    inplace = False
    for option, entry in command.options:
        if entry is not None and option.value is not None:
            if option.value.text in ("inplace", "inplace.awk"):
                inplace = True
            else:
                command.role(option.value, entry.role)
    words = command.operands if command.has("-f", "--file", "-E", "--exec") else command.operands[1:]
    for word in words:
        name, sign, _ = word.text.partition("=")
        if not (sign and name.isidentifier()):
            command.touch(word, "rw" if inplace else "r")


def _perl(command: _Command) -> None:
    """Scripts that go over files, in place with `-i`."""
    if command.has("-i", "-n", "-p"):
        for word in command.operands if command.has("-e", "-E") else command.operands[1:]:
            command.touch(word, "rw" if command.has("-i") else "r")


def _jq(command: _Command) -> None:
    command.by_options()
    words = command.operands
    if command.key == "yq" and words and words[0].text in ("eval", "e", "eval-all", "ea"):
        words = words[1:]
    words = words if command.has("-f", "--from-file") and command.key == "jq" else words[1:]
    if not command.has("--args", "--jsonargs"):
        for word in words:
            command.touch(word, "rw" if command.has("-i", "--inplace", "--in-place") else "r")


def _find(command: _Command) -> None:
    command.by_options()
    leading = ("-H", "-L", "-P", "-D", "-O")
    places = [command.place.get(id(option.word), 0) for option, _ in command.options if option.names[0] not in leading]
    first = min(places, default=len(command.words))
    starts: list[Word] = []
    for word in command.operands:
        if command.place.get(id(word), 0) > first or word.text in _NOT_A_START:
            first = min(first, command.place.get(id(word), first))
            break
        starts.append(word)
    if not command.has("-delete"):
        return
    from rulez_py.analysis.programs.selection import Expression

    tests = {id(option.word): option for option, _ in command.options}
    ways = Expression(command.words[first:], tests).before("-delete")
    for word in (starts or [_HERE]) if ways else ():
        wide = not (word.known and all(ways))
        # Where every file has to have a name, or nothing in it, the others stay.
        command.touch(word, "d", deep=wide)
        for way in () if wide else ways:
            _named(command, word, way)


_NOT_A_START = frozenset(("(", ")", "!", ","))


def _named(command: _Command, start: Word, tests: Sequence[Test]) -> None:
    """What `find` deletes below a start of the files that pass some tests."""
    from rulez_py.analysis.programs.selection import BELOW, EMPTY, NAME

    kinds = {test.kind: test for test in reversed(tests)}
    if EMPTY in kinds:
        return
    named = kinds.get(NAME)
    if named is None:
        below = kinds[BELOW].pattern
        inside = join(below, "").startswith(join(start.text, ""))
        command.touch(start.replace(text=below, glob="") if inside else start, "d", deep=True)
        return
    # find's patterns also fit names that start with a dot.
    pattern = named.pattern
    path = join(start.text, pattern)
    glob = _in_any_case(pattern) if named.fold else pattern
    command.touch(start.replace(text=path, glob=join(escaped(start.text), glob) if _is_pattern(glob) else ""), "d")
    if pattern.startswith(("*", "?", "[")):
        hidden = join(escaped(start.text), ".*" + glob.lstrip("*?"))
        command.touch(start.replace(text=path, glob=hidden), "d")


def _in_any_case(pattern: str) -> str:
    """A shell pattern whose letters stand for both cases; one with a class in it stands for any name."""
    if "[" in pattern or "\\" in pattern:
        return "*"
    return "".join(f"[{sign.lower()}{sign.upper()}]" if sign.isalpha() else sign for sign in pattern)


def _is_pattern(text: str) -> bool:
    return any(sign in text for sign in "*?[")


def _mode(command: _Command) -> None:
    """chmod, chown: a mode or an owner first, unless it is given by an option."""
    by_option = command.has("--reference") or (
        command.key == "chmod" and command.has("-r", "-w", "-x", "-X", "-s", "-t", "-u", "-g", "-o", "-a")
    )
    command.by_operands(("w~*",) if by_option else None)


def _dd(command: _Command) -> None:
    for word in command.operands:
        name, sign, _ = word.text.partition("=")
        if sign and name in ("if", "of"):
            command.touch(cut(word, 3), "r" if name == "if" else "w")


def _tar(command: _Command) -> None:
    archives = [option.value for option, _ in command.options if option.value is not None and "--file" in option.names]
    remote = None if command.has("--force-local") else next((one for one in archives if _away(one.text)), None)
    bases = [
        (command.place.get(id(option.word), 0), option.value)
        for option, _ in command.options
        if option.value is not None and "--directory" in option.names
    ]
    command.base = None
    command.by_options()
    if remote is not None:
        command.host(remote.text)
    create = command.has("--create", "--append", "--update", "--catenate")
    if create:
        letters = "r" + ("d" if command.has("--remove-files") else "") + ("s" if remote is not None else "")
        _based(command, bases, letters, deep=not command.has("--no-recursion"))
        for archive in archives:
            if archive is not remote:
                command.touch(archive, "w" if command.has("--create") else "rw")
        command.silent = bool(archives) and all(archive.text not in _STREAMS for archive in archives)
        return
    for archive in archives:
        if archive is not remote:
            command.touch(archive, "w" if command.has("--delete") else "r")
    if command.has("--extract") and not command.has("--to-stdout"):
        if command.operands:
            _based(command, bases, "w", deep=True)
        base: Word | None = None
        for _, one in bases:
            base = _below(base, one)
        command.touch(base or _HERE, "w")
        command.silent = True
    elif command.has("--extract"):
        command.origin = DECODE
    else:
        command.silent = True
    if remote is not None:
        command.origin = DOWNLOAD


def _based(command: _Command, bases: list[tuple[int, Word]], letters: str, *, deep: bool) -> None:
    """Operands below the directories that were given before each of them."""
    waiting = sorted(bases, key=lambda pair: pair[0], reverse=True)
    base: Word | None = None
    for word in command.operands:
        while waiting and waiting[-1][0] < command.place.get(id(word), len(command.words)):
            base = _below(base, waiting.pop()[1])
        command.touch(word, letters, deep=deep, base=base)


def _zip(command: _Command) -> None:
    command.by_options()
    if not command.operands:
        return
    archive, *files = command.operands
    command.touch(archive, "rw")
    command.silent = archive.text != "-"
    if not command.has("-d", "--delete"):
        deep = command.has("-r", "-R", "--recurse-paths")
        for word in files:
            if id(word) not in command.doubtful:
                command.touch(word, "rd" if command.has("-m", "--move") else "r", deep=deep)


def _unzip(command: _Command) -> None:
    command.by_options()
    if not command.operands:
        return
    command.touch(command.operands[0], "r")
    if command.has("-p", "-c"):
        command.origin = DECODE
    else:
        command.silent = True
        if not command.has("-l", "-t", "-v", "-z", "-Z"):
            command.touch(command.value("-d") or _HERE, "w")


_SUFFIXES = {"gzip": (".gz", ".tgz", ".z", ".Z"), "bzip2": (".bz2",), "xz": (".xz", ".lzma"), "zstd": (".zst",)}


def _compress(command: _Command) -> None:
    command.by_options()
    reverse = command.has("-d", "--decompress", "--uncompress") or command.program.startswith(("un", "gun", "bun"))
    if reverse:
        command.origin = DECODE
    looks = command.has("-l", "--list", "-t", "--test")
    command.silent = looks
    kept = command.has("-k", "--keep") or (command.key == "zstd" and not command.has("--rm"))
    for word in command.operands:
        if looks or command.has("-c", "--stdout"):
            command.touch(word, "r")
            continue
        command.touch(word, "r" if kept else "rd", deep=command.has("--recursive"))
        suffixes = _SUFFIXES.get(command.key, ())
        if reverse:
            suffix = next((one for one in suffixes if word.text.endswith(one)), "")
            if suffix:
                command.touch(word.replace(text=word.text.removesuffix(suffix), glob=""), "w")
        elif suffixes:
            command.touch(word.replace(text=word.text + suffixes[0], glob=""), "w")


def _seven_zip(command: _Command) -> None:
    if len(command.operands) < 2:
        return
    action, archive, *files = command.operands
    out = next((one for one in command.words if one.text.startswith("-o") and len(one.text) > 2), None)
    letter = action.text.lower()
    if letter in ("a", "u", "m", "move"):
        command.touch(archive, "rw")
        deletes = any(one.text == "-sdel" for one in command.words) or letter in ("m", "move")
        for word in files:
            command.touch(word, "rd" if deletes else "r", deep=True)
        command.silent = True
    elif letter in ("x", "e", "p"):
        command.touch(archive, "r")
        if letter == "p" or any(one.text == "-so" for one in command.words):
            command.origin = DECODE
        else:
            command.touch(cut(out, 2) if out is not None else _HERE, "w")
            command.silent = True
    elif letter in ("l", "v", "lt", "t"):
        command.touch(archive, "r")
        command.silent = True
    elif letter == "d":
        command.touch(archive, "rw")


def _decoder(command: _Command) -> None:
    """Programs that decode where an option says so."""
    command.by_options()
    command.by_operands()
    if command.has("-d", "--decode", "-D", "--decrypt", "-r", "--revert"):
        command.origin = DECODE


def _xxd(command: _Command) -> None:
    command.by_operands()
    if command.has("-r", "-revert"):
        command.origin = DECODE


def _openssl(command: _Command) -> None:
    command.by_options()
    command.by_operands()
    if command.has("-d", "-decrypt"):
        command.origin = DECODE


def _connects(command: _Command) -> None:
    """Programs that carry standard input to a host and back."""
    command.by_options()
    command.by_operands()
    if command.hosts:
        command.sends = True
        command.origin = DOWNLOAD


def _gpg(command: _Command) -> None:
    command.by_options()
    if command.has("-d", "--decrypt"):
        command.origin = DECODE
    if not command.has("--recv-keys", "--send-keys", "--export", "--export-secret-keys", "-k", "-K", "--list-keys"):
        for word in command.operands:
            command.touch(word, "r")


def _patch(command: _Command) -> None:
    command.by_options()
    command.by_operands()


def _curl(command: _Command) -> None:
    directory = command.value("--output-dir")
    for option, entry in command.options:
        if entry is None or option.value is None:
            continue
        value = option.value
        name = entry.names[-1]
        if name == "--output":
            command.touch(value, "w", base=directory)
        elif name == "--data-urlencode":
            sign = value.text.find("@")
            equals = value.text.find("=")
            if sign >= 0 and (equals < 0 or sign < equals):
                command.data(value, sign + 1)
        elif name in ("--header", "--proxy-header") and value.text[:1] == "@":
            command.data(value, 1)
        elif name == "--write-out" and value.text[:1] == "@":
            command.touch(cut(value, 1), "r")
        elif name == "--cookie" and "=" not in value.text:
            command.touch(value, "r")
        elif name in ("--proxy", "--preproxy", "--socks5", "--socks5-hostname", "--socks4", "--socks4a", "--doh-url"):
            command.host(value.text)
        elif name == "--upload-file" and value.text in ("-", "."):
            command.sends = True
        else:
            command.role(value, entry.role)
    urls = [
        *command.operands,
        *(
            one.value
            for one, entry in command.options
            if entry is not None and entry.names[-1] == "--url" and one.value
        ),
    ]
    for word in command.operands:
        command.url(word)
    if command.has("--remote-name", "--remote-name-all"):
        for word in urls:
            _named_by(command, word, directory)


def _named_by(command: _Command, url: Word, directory: Word | None) -> None:
    """A download that is written under the last name of its URL."""
    start = url.text.find("://")
    path = _until(_until(url, "#"), "?")
    slash = path.text.rfind("/")
    if slash > start + 2 and slash + 1 < len(path.text):
        name = cut(path, slash + 1)
        command.touches.append(Touch(path=name, access=(WRITE,), base=directory))


def _wget(command: _Command) -> None:
    command.by_options()
    for word in command.operands:
        command.url(word)
    if not command.has("-O", "--output-document", "--spider"):
        directory = command.value("-P", "--directory-prefix")
        for word in command.operands:
            _named_by(command, word, directory)
    if command.hosts:
        command.origin = DOWNLOAD


def _aria(command: _Command) -> None:
    directory = command.value("-d", "--dir")
    command.by_options()
    for word in command.operands:
        command.url(word)
    out = command.value("-o", "--out")
    if out is not None:
        command.touch(out, "w", base=directory)
    else:
        for word in command.operands:
            _named_by(command, word, directory)


def _httpie(command: _Command) -> None:
    command.by_options()
    words = command.operands
    if len(words) > 1 and words[0].text.isalpha() and words[0].text.isupper():
        words = words[1:]
    if not words:
        return
    command.host("localhost" if words[0].text[:1] in (":", "/") else words[0].text)
    for word in words[1:]:
        for sign in (":=@", "=@", "@"):
            place = word.text.find(sign)
            if place > 0 and "=" not in word.text[:place]:
                command.touch(_until(cut(word, place + len(sign)), ";"), "rs")
                break
    command.sends = not command.has("-I", "--ignore-stdin")
    command.origin = DOWNLOAD


def _netcat(command: _Command) -> None:
    command.by_options()
    if not command.has("-l", "--listen", "-U", "--unixsock") and command.operands:
        command.host(command.operands[0].text)
    if command.has("-z"):
        return
    command.sends = True
    command.origin = DOWNLOAD


_SOCKETS = ("tcp", "udp", "ssl", "openssl", "sctp", "dtls", "proxy", "socks", "ip", "dccp", "vsock")
_FILES = ("open", "file", "gopen", "create", "creat")


def _socat(command: _Command) -> None:
    command.by_options()
    remote = False
    files: list[tuple[int, Word]] = []
    stream = False
    for place, word in enumerate(command.operands[:2]):
        kind, colon, rest = word.text.partition(":")
        kind = kind.lower()
        if kind.startswith(_SOCKETS) and colon:
            remote = True
            if "listen" not in kind and not kind.endswith(("-l", "recv", "recvfrom")):
                command.host(rest.partition(",")[0])
        elif kind in _FILES and colon:
            files.append((place, _until(cut(word, len(kind) + 1), ",")))
        elif "/" in kind or (not colon and word.text.startswith(".")):
            files.append((place, _until(word, ",")))
        elif kind.partition(",")[0] in ("-", "stdio", "stdin", "fd", "stdin-") or kind.isdigit():
            stream = True
    for place, word in files:
        one_way = command.has("-u") or command.has("-U")
        reads = not one_way or place == (0 if command.has("-u") else 1)
        writes = not one_way or not reads
        command.touch(word, ("r" if reads else "") + ("w" if writes else "") + ("s" if reads and remote else ""))
    if remote:
        command.origin = DOWNLOAD
        command.sends = stream


def _ssh(command: _Command) -> None:
    command.by_options()
    if command.operands:
        command.host(command.operands[0].text)
    jump = command.value("-J")
    if jump is not None:
        for one in jump.text.split(","):
            command.host(one)
    command.sends = True
    command.origin = DOWNLOAD


def _keygen(command: _Command) -> None:
    file = command.value("-f")
    if file is not None:
        reads = command.has("-y", "-l", "-B", "-e", "-F", "-L")
        command.touch(file, "r" if reads else "w")


def _scp(command: _Command) -> None:
    command.by_options()
    _copied(command, "r", deep=command.has("-r"))


def _sftp(command: _Command) -> None:
    command.by_options()
    for word in command.operands[:1]:
        command.host(word.text)


def _rsync(command: _Command) -> None:
    if command.has("--dry-run", "--list-only"):
        for word in command.operands:
            if _away(word.text):
                command.host(word.text)
        return
    command.by_options()
    deep = command.has("-r", "--recursive", "-a", "--archive", "-d", "--dirs", "--files-from")
    removed = "d" if command.has("--remove-source-files") else ""
    _copied(command, "r" + removed, deep=deep)
    deletes = any(name.startswith("--del") for name in command.names)
    if deletes and len(command.operands) > 1 and not _away(command.operands[-1].text):
        command.touch(command.operands[-1], "d", deep=True)


def _cloud_copy(command: _Command) -> None:
    """Copies to and from a storage service; local files are paths, the service's are URLs or `name:path`."""
    command.by_options()
    words = command.operands
    if len(words) < 2:
        return
    deep = "sync" in command.key or command.has("--recursive", "-r", "-R") or command.key.startswith("rclone")
    moves = command.key.endswith((" mv", " move"))
    *sources, last = words
    for word in sources:
        if _away(word.text):
            command.origin = DOWNLOAD
        elif _away(last.text):
            if word.text == "-":
                command.sends = True
            command.touch(word, "rds" if moves else "rs", deep=deep)
        else:
            command.touch(word, "rd" if moves else "r", deep=deep)
    if not _away(last.text):
        command.touch(last, "w")
        if command.has("--delete", "-d", "--delete-unmatched-destination-objects") or command.key == "rclone sync":
            command.touch(last, "d", deep=True)
    command.hosts = {}


def _container_copy(command: _Command) -> None:
    command.by_options()
    if len(command.operands) != 2:
        return
    source, target = command.operands
    if _is_local(source):
        command.touch(source, "rs" if command.key.startswith("kubectl") else "r", deep=True)
    if _is_local(target):
        command.touch(target, "w")


def _is_local(word: Word) -> bool:
    """Whether this is no `container:path`."""
    return ":" not in word.text or word.text.startswith(("/", ".", "~"))


def _mail(command: _Command) -> None:
    for option, _ in command.options:
        if option.value is not None and not {"-a", "-A", "-i", "--attach"}.isdisjoint(option.names):
            command.touch(option.value, "rs")
    for word in command.operands:
        if "@" in word.text:
            command.host(word.text)
    command.sends = True


def _git_remote(command: _Command) -> None:
    """Where a repository is named by URL: that host."""
    command.by_options()
    for word in command.operands:
        named = word is command.operands[0] or command.key != "git push"
        if named and _away(word.text) and not word.text.startswith((":", "+")):
            command.url(word)
    if command.key == "git clone":
        if len(command.operands) > 1:
            command.touch(command.operands[1], "w")
        if command.operands and not command.hosts:
            command.touch(command.operands[0], "r", deep=True)
    repository = command.value("--repo")
    if command.key == "git push" and repository is not None and _away(repository.text):
        command.host(repository.text)
    if command.hosts and command.key in ("git clone", "git fetch", "git pull", "git ls-remote"):
        command.origin = DOWNLOAD


def _git_checkout(command: _Command) -> None:
    end = next((place for place, word in enumerate(command.words) if word.text == "--"), -1)
    if end >= 0:
        for word in command.operands:
            if command.place.get(id(word), 0) > end:
                command.touch(word, "w", deep=True)


def _git_restore(command: _Command) -> None:
    command.by_options()
    if not command.has("--staged") or command.has("--worktree"):
        for word in command.operands:
            command.touch(word, "w", deep=True)


def _git_rm(command: _Command) -> None:
    if not command.has("--cached", "--dry-run"):
        for word in command.operands:
            command.touch(word, "d", deep=command.has("-r"))


def _git_clean(command: _Command) -> None:
    if command.has("-f", "--force") and not command.has("--dry-run"):
        for word in command.operands:
            command.touch(word, "d", deep=True)


def _git_diff(command: _Command) -> None:
    command.by_options()
    if command.has("--no-index"):
        for word in command.operands:
            command.touch(word, "r", deep=True)


def _git_config(command: _Command) -> None:
    """A setting that is given a value is written."""
    file = command.value("-f", "--file")
    if file is not None:
        asks = command.has("--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list")
        words = command.operands
        changes = command.has("--unset", "--unset-all", "--remove-section", "--rename-section", "--add", "-e", "--edit")
        asks = asks or (len(words) < 2 and not changes) or (bool(words) and words[0].text in ("get", "list"))
        command.touch(file, "r" if asks else "rw")


_REWRITES: dict[str, tuple[str, ...]] = {
    "prettier": ("-w", "--write"),
    "eslint": ("--fix",),
    "stylelint": ("--fix",),
    "gofmt": ("-w",),
    "autopep8": ("-i", "--in-place"),
    "yapf": ("-i", "--in-place"),
    "clang-format": ("-i",),
    "shfmt": ("-w",),
    "ruff check": ("--fix", "--fix-only", "--add-noqa"),
    "black": (),
    "isort": (),
    "rustfmt": (),
    "ruff format": (),
}
"""Programs that rewrite files, and the options with which they do; with none of their own, unless they only check."""


def _formatter(command: _Command) -> None:
    command.by_options()
    options = _REWRITES[command.key]
    only_checks = command.has("--check", "--check-only", "--diff", "--dry-run")
    for word in command.operands:
        command.touch(word, "rw" if command.has(*options) or not (options or only_checks) else "r")


_EX_WRITES = ("w", "w!", "wq", "wq!", "x", "x!", "sav", "sav!", "saveas", "saveas!", "up", "update", "write", "write!")
_EX_READS = ("r", "read", "so", "source", "e", "edit", "sp", "vs", "tabe", "tabedit")


def _vim(command: _Command) -> None:
    """The files that are edited, and those that commands name (`-c 'w copy'`, `+'r other'`)."""
    command.by_options()
    commands = [option.value for option, _ in command.options if option.value and {"-c", "--cmd"} & set(option.names)]
    for word in command.operands:
        if word.text[:1] == "+":
            commands.append(cut(word, 1))
        else:
            command.touch(word, "rw")
    for word in commands:
        start = len(word.text) - len(word.text.lstrip(": "))
        name, blank, file = word.text[start:].partition(" ")
        if blank and file and not file.startswith(("!", ">>")) and name.lstrip("%") in _EX_WRITES + _EX_READS:
            letters = "w" if name.lstrip("%") in _EX_WRITES else "r"
            command.touch(cut(word, start + len(name) + 1), letters)


def _ln(command: _Command) -> None:
    command.by_options()
    command.by_operands()
    if len(command.operands) == 1 and not command.has("-t", "--target-directory"):
        command.into(_HERE, command.operands[0])


def _docker_build(command: _Command) -> None:
    command.by_options()
    for option, _ in command.options:
        if option.value is not None and "--output" in option.names:
            place = option.value.text.find("dest=")
            if place >= 0:
                command.touch(_until(cut(option.value, place + 5), ","), "w")
            elif "=" not in option.value.text:
                command.touch(option.value, "w")


def _docker_run(command: _Command) -> None:
    """A directory that is mounted is read, and written where the mount does not say otherwise."""
    command.by_options()
    from rulez_py.analysis.programs.wrappers.remote import mounts

    for _place, source, only_read in mounts(command.words):
        command.touch(source, "r" if only_read else "rw")


def _install(command: _Command) -> None:
    command.by_options()
    command.by_operands(("w*",) if command.has("-d", "--directory") else None)


def _plain(command: _Command) -> None:
    command.by_options()
    command.by_operands()


_SPECIAL: dict[str, Callable[[_Command], None]] = {
    "grep": _grep,
    "rg": _grep,
    "sed": _sed,
    "awk": _awk,
    "perl": _perl,
    "ruby": _perl,
    "jq": _jq,
    "yq": _jq,
    "vim": _vim,
    "ln": _ln,
    "git config": _git_config,
    "docker build": _docker_build,
    "docker buildx build": _docker_build,
    "docker run": _docker_run,
    "docker create": _docker_run,
    "find": _find,
    **dict.fromkeys(_REWRITES, _formatter),
    "chmod": _mode,
    "chown": _mode,
    "dd": _dd,
    "tar": _tar,
    "zip": _zip,
    "unzip": _unzip,
    "gzip": _compress,
    "bzip2": _compress,
    "xz": _compress,
    "zstd": _compress,
    "compress": _compress,
    "7z": _seven_zip,
    "base64": _decoder,
    "base32": _decoder,
    "basenc": _decoder,
    "xxd": _xxd,
    "openssl enc": _openssl,
    "openssl base64": _openssl,
    "openssl cms": _openssl,
    "openssl s_client": _connects,
    "telnet": _connects,
    "grpcurl": _connects,
    "websocat": _connects,
    "gpg": _gpg,
    "patch": _patch,
    "curl": _curl,
    "wget": _wget,
    "aria2c": _aria,
    "http": _httpie,
    "nc": _netcat,
    "socat": _socat,
    "ssh": _ssh,
    "ssh-copy-id": _ssh,
    "ssh-keygen": _keygen,
    "scp": _scp,
    "sftp": _sftp,
    "rsync": _rsync,
    "aws s3 cp": _cloud_copy,
    "aws s3 sync": _cloud_copy,
    "aws s3 mv": _cloud_copy,
    "gsutil cp": _cloud_copy,
    "gsutil mv": _cloud_copy,
    "gsutil rsync": _cloud_copy,
    "gcloud storage cp": _cloud_copy,
    "gcloud storage mv": _cloud_copy,
    "gcloud storage rsync": _cloud_copy,
    "rclone copy": _cloud_copy,
    "rclone copyto": _cloud_copy,
    "rclone sync": _cloud_copy,
    "rclone move": _cloud_copy,
    "azcopy copy": _cloud_copy,
    "azcopy sync": _cloud_copy,
    "s3cmd put": _cloud_copy,
    "s3cmd sync": _cloud_copy,
    "s3cmd get": _cloud_copy,
    "gcloud compute scp": _scp,
    "docker cp": _container_copy,
    "kubectl cp": _container_copy,
    "mail": _mail,
    "mutt": _mail,
    "sendmail": _mail,
    "msmtp": _mail,
    "git clone": _git_remote,
    "git fetch": _git_remote,
    "git pull": _git_remote,
    "git push": _git_remote,
    "git ls-remote": _git_remote,
    "git remote add": _git_remote,
    "git remote set-url": _git_remote,
    "git submodule add": _git_remote,
    "git checkout": _git_checkout,
    "git restore": _git_restore,
    "git rm": _git_rm,
    "git clean": _git_clean,
    "git diff": _git_diff,
    "install": _install,
}


def effects(program: str, words: Sequence[Word], reading: Reading) -> Effects:
    """What a command does by its words: `words` is the whole argument vector, `reading` that of `words[1:]`.

    A program that nobody described does nothing that is known. Directories for relative paths are composed where
    there are several (`-C a -C b`), and so is the file that a copy gets in a directory (`cp a/b c/` writes `c/b`).
    """
    if not family(program):
        return Effects()
    command = _Command(program, words, reading)
    _SPECIAL.get(command.key, _plain)(command)
    return command.effects()
