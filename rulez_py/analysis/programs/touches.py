"""What a program does to files and other machines: by what its entry says of its words, a few by code (`special`)."""

from __future__ import annotations

from os.path import basename, join

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.read import cut, family, first_from, levels
from rulez_py.analysis.values import (
    CREDENTIAL,
    DECODE,
    DELETE,
    DOWNLOAD,
    ENVIRONMENT,
    READ,
    SEND,
    SOME,
    SOMEWHERE,
    SUPPOSED,
    VARIABLE,
    WRITE,
    Data,
    Impact,
    Names,
    Touch,
    Word,
    is_secretive,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rulez_py.analysis.programs.read import Entry, Level
    from rulez_py.analysis.values import Option, Reading

_ACCESS = (("r", READ), ("w", WRITE), ("d", DELETE), ("s", SEND))
_LETTERS = {"read": "r", "write": "w", "delete": "d", "send": "s", "all": "+", "recursive": "~", "within": "/"}
"""How the verbs for files are written in code: `touch(word, "rw")`."""
HERE = Word(text=".")
STDIN = Word(text="-")
_ORIGINS = {"decoded": DECODE, "environment": ENVIRONMENT, "credentials": CREDENTIAL}
"""What an entry says that a program prints -> where that came from."""
_MOST_LISTED = 64


class Touching:
    """One command with what its words mean, and the effects found so far."""

    def __init__(self, program: str, words: Sequence[Word], reading: Reading) -> None:
        self.program = program
        self.words = words
        self.key, self.levels, depth = levels(program, reading.operands)
        self.level = self.levels[0]
        self.place = {id(word): place for place, word in enumerate(words)}
        self.operands = [operand.word for operand in reading.operands[depth:]]
        self._names_in: Callable[[Word], list[Word]] | None = None
        self.listed: list[Word] = []
        """Of the operands, those that are named in a stream or a file (`names`)."""
        self.doubtful = {id(operand.word) for operand in reading.operands if operand.doubtful}
        subcommands = [self.place.get(id(operand.word), 0) for operand in reading.operands[:depth]]
        self.options = [(option, self._entry(option, subcommands)) for option in reading.options]
        self.names = {name for option in reading.options for name in option.names}
        self.touches: list[Touch] = []
        self.links: list[tuple[Word, Word]] = []
        self.named: list[Touch] = []
        self.unknown: list[Word] = []
        """Words with an unknown role, beside those that the entry does not describe."""
        self.texts: set[int] = set()
        """Words, by `id`, that are only shown, stored or compared, beside those that the entry says so of."""
        self.hosts: dict[str, None] = {}
        self.somewhere = False
        """It contacts a host that is not known."""
        self.variables: list[Word] = []
        self.unpacks: Word | None = None
        self.prints = self.level.fields.get("prints", "")
        self.origin = self._origin(reading)
        self.sends = self.doing("sends")
        self.silent = self.prints == "nothing" or self.doing("silent")
        self.deep = self.doing("recursive")
        self.base = self._base()
        self.keeps = "metadata" in self.level.flags or self.doing("appends", certain=True)

    def _entry(self, option: Option, subcommands: list[int]) -> Entry | None:
        """Return what describes an option: the level it was written at."""
        place = self.place.get(id(option.word), len(self.words))
        inside = first_from(subcommands, place)
        outside_in = self.levels[::-1]
        level: Level = outside_in[min(inside, len(outside_in) - 1)]
        if inside >= len(outside_in) and "anywhere" not in level.flags:
            return None
        return level.names.get(option.names[0])

    def _origin(self, reading: Reading) -> str:
        if self.doing("credentials"):
            return CREDENTIAL
        if shown := self.levels[-1].fields.get("credentials", ""):
            from rulez_py.analysis.programs.credentials import fits

            if any(fits(line, reading) for line in shown.split("\t")):
                return CREDENTIAL
        if self.prints == "environment" and self.operands:
            return VARIABLE if any(is_secretive(word.text) for word in self.operands) else ""
        return DECODE if self.doing("decodes") else _ORIGINS.get(self.prints, "")

    def _base(self) -> Word | None:
        base: Word | None = None
        for option, entry in self.options:
            if entry is not None and "cwd" in entry.does and option.value is not None:
                base = parts.below(base, option.value)
        return base

    def doing(self, verb: str, *, certain: bool = False) -> bool:
        """Tell if an option does this, or may."""
        return any(
            entry is not None and verb in entry.does and (option.certain or not certain)
            for option, entry in self.options
        )

    def has(self, *names: str) -> bool:
        return not self.names.isdisjoint(names)

    def value(self, *names: str) -> Word | None:
        """Return the value of the last option with one of these names."""
        for option, _ in reversed(self.options):
            if option.value is not None and not set(names).isdisjoint(option.names):
                return option.value
        return None

    def values(self, name: str) -> list[Word]:
        """Return the values of an option, as often as it is there."""
        return [option.value for option, _ in self.options if option.value is not None and name in option.names]

    def touch(
        self, word: Word, letters: str, *, deep: bool = False, base: Word | None = None, some: bool = False
    ) -> None:
        """Touch a file by role letters; a URL counts for its host, `-` for nothing."""
        if word.text in parts.STREAMS:
            return
        if "://" in word.text:
            self.url(word, letters)
            return
        access = tuple(name for letter, name in _ACCESS if letter in letters)
        deep = deep or "+" in letters or ("~" in letters and self.deep)
        if access:
            within = "/" in letters
            base = base or self.base
            keeps = self.keeps
            self.touches.append(
                Touch(path=word, access=access, deep=deep, base=base, within=within, some=some, keeps=keeps)
            )

    def url(self, word: Word, letters: str = "r") -> None:
        """Touch a URL: a file or a host."""
        scheme, found, _ = word.text.partition("://")
        if found and scheme.lower() == "file":
            local = word.text.find("/", len(scheme) + 3)
            if local >= 0:
                self.touch(cut(word, local), letters)
            return
        self.host(word)

    def host(self, word: Word) -> None:
        """Contact the host of an address: a URL, `user@host:path` or a name."""
        from rulez_py.analysis.addresses import hosts_of, names_its_host  # Most commands name no host.

        found = hosts_of(word.text)
        self.hosts.update(dict.fromkeys(found))
        if not word.known and not (found and names_its_host(word.text)):
            self.somewhere = True

    def role(self, word: Word, verb: str) -> None:
        """Touch one word by its verb."""
        if verb in ("url", "url?"):
            if verb == "url" or "://" in word.text or remote_path(word.text) is not None:
                self.url(word)
        elif verb == "host":
            if not word.text.startswith(("/", "-")):
                self.host(_known_end(word))
                self.somewhere |= not _known_end(word).text
        elif verb == "data":
            self.data(word, 1 if word.text[:1] == "@" else 0)
        elif verb == "urls":
            self.touch(word, "r")
            listed = self.lines(word)
            self.somewhere |= not listed
            for one in listed:
                self.url(one)
        elif verb == "perhaps":
            from rulez_py.analysis.programs.doubt import files

            self.suppose(*files(word))
        elif verb == "form":
            name, equals, _ = word.text.partition("=")
            if equals and word.text[len(name) + 1 : len(name) + 2] in ("@", "<"):
                for file in _listed(cut(word, len(name) + 2)):
                    self.data(file, 0, marked=True)
        elif verb == "variables":
            self.variables.append(word)
            if not basename(word.text).startswith(".env"):
                # Such a file is made for it.
                self.touch(word, "r")
        elif letters := "".join([_LETTERS.get(one, "") for one in verb.split(" ")]):
            self.touch(word, letters)

    def data(self, word: Word, start: int, *, marked: bool = False) -> None:
        """Touch `@file` or `@-`, which is sent."""
        if not start and not marked:
            return
        file = cut(word, start)
        if file.text == "-":
            self.sends = True
        else:
            self.touch(file, "rs")

    def take_names(self, names_in: Callable[[Word], list[Word]] | None) -> None:
        """Take what is named in a stream or a file for operands."""
        self._names_in = names_in
        lists: list[Word] = []
        for option, entry in self.options:
            if entry is not None and "names" in entry.does and option.value is not None:
                lists.append(option.value)
            elif entry is not None and "names stdin" in entry.does:
                lists.append(STDIN.replace(at=option.word.at))
        if "lists" in self.level.flags:
            lists += [cut(word, 1) for word in self.operands if word.text[:1] == "@" and len(word.text) > 1]
            self.operands = [word for word in self.operands if word.text[:1] != "@"]
        for one in lists:
            if one.text != STDIN.text:
                self.touch(one, "r")
            self.listed += self.lines(one)
        self.operands += self.listed
        self.texts |= {id(word) for word in self.listed}

    def lines(self, word: Word) -> list[Word]:
        """Return the lines of a file, or of standard input (`-`), as far as they are known."""
        return self._names_in(word) if self._names_in is not None else []

    def by_options(self) -> None:
        for option, entry in self.options:
            # Of two words that an option takes, the first is a name.
            word = option.value if option.second is None else option.second
            if entry is not None and word is not None:
                for verb in entry.does:
                    self.role(word, verb)

    def by_operands(self, roles: Sequence[str] | None = None) -> None:
        target = next(
            (one.value for one, entry in self.options if entry is not None and "into" in entry.does and one.value), None
        )
        given = self.level.operands if roles is None else roles
        pairs = _assign(self.operands, given, all_alike=target is not None)
        into = self._may_be_directory(given, len(pairs)) if target is None else target
        # What is in the first is then in the second, where that was not there.
        renames = target is None and len(pairs) == 2 and into is not None and (self.deep or "all" in pairs[0][1])
        for word, role in pairs:
            self.role(word, self._changed(f"{role} within" if renames and word is into else role))
            if into is not None and word is not into and "read" in role:
                self.into(into, word, deep=self.deep or "all" in role)
        if target is not None:
            self.touch(target, "w")
        self._renamed(pairs)

    def _renamed(self, pairs: Sequence[tuple[Word, str]]) -> None:
        """Leave where it is what only gets another name in its directory."""
        if len(pairs) == 2 and "write" in pairs[1][1] and _beside(pairs[0][0], pairs[1][0]):
            self.touches = [one.replace(some=True) if one.path is pairs[0][0] else one for one in self.touches]

    def link(self, source: Word, name: Word, *, symbolic: bool = False) -> None:
        """Note a second name for a file; a symbolic link has its path from the place of the link."""
        if symbolic and not source.text.startswith(("/", "~")) and "/" in name.text:
            place = name.replace(text=name.text.rpartition("/")[0] or "/", glob="")
            source = parts.below(place, source) or source
        self.links.append((source, name))

    def _may_be_directory(self, roles: Sequence[str], count: int) -> Word | None:
        """Return the last operand, where the others may be put into it."""
        if count < 2 or roles[-1:] != ("write",):
            return None
        last = self.operands[-1]
        is_one = count > 2 or last.text.endswith("/") or last.text in (".", "..")
        return last if is_one or (roles[0].endswith("*") and not _has_ending(last.text)) else None

    def _changed(self, role: str) -> str:
        """Return an operand's verb, as options change it."""
        if self.doing("only reads", certain=True):
            return "read" if "read" in role else "value"
        return f"{role} write" if "read" in role and self.doing("in-place") else role

    def into(self, directory: Word, source: Word, *, deep: bool = False) -> None:
        """Touch a file that gets its name from another: `cp a/b c/` writes `c/b`."""
        name = basename(source.text.rstrip("/"))
        if directory.text in parts.STREAMS:
            return
        patterns = [basename(source.glob)] if source.glob else [one.pattern or SOME for one in source.data.names]
        # INVARIANT: a copy with an unknown name may write over any file of the directory.
        if not name or name in (".", "..") or (not source.known and not patterns):
            self.touch(directory, "w/")
            return
        known = directory.known and source.known and not patterns
        path = directory.replace(text=join(directory.text, name), known=known, glob="")
        if patterns:
            names = tuple(Names(directory=directory.text, pattern=one, flat=True) for one in patterns)
            path = path.replace(data=Data(names=names))
        self.touches.append(Touch(path=path, access=(WRITE,), base=self.base, within=deep))

    def suppose(self, *files: Word) -> None:
        """Note files that are named: what is done with them is unknown."""
        self.named += [Touch(path=file, access=SUPPOSED) for file in files]

    def doubted(self) -> list[Word]:
        """Return the words whose role the entry does not say."""
        found = [
            word
            for option, entry in self.options
            if entry is None or parts.OPTION_VERBS.issuperset(entry.does)
            for word in (option.value, option.second)
            if word is not None
        ]
        found += [word for word, role in self._roles() if role in ("", "value")]
        return [word for word in found if id(word) not in self.texts and word.text not in parts.STREAMS]

    def given_to_code(self) -> list[Word]:
        """Return what an interpreter gives its script: files or texts, it is unknown."""
        return self.operands[1:] if "language" in self.level.fields and self.level.own >= 0 else []

    def _roles(self) -> Iterator[tuple[Word, str]]:
        """Yield the operands that are not words of a command, each with its role; "" where it has none."""
        operands, roles = self.operands, self.level.operands
        if self.level.own >= 0:
            operands = operands[: self.level.own]  # A command of its own follows.
        described = {id(word): role for word, role in _assign(operands, roles)}
        return ((word, described.get(id(word), "")) for word in operands)

    def impact(self) -> Impact:
        if self.prints == "downloads" and self.hosts:
            self.origin = DOWNLOAD
        if ("sends" in self.level.flags and self.hosts) or "uploads" in self.level.flags:
            self.sends = True
        return Impact(
            touches=tuple(self.touches),
            named=tuple(self.named),
            hosts=(*self.hosts, SOMEWHERE) if self.somewhere else tuple(self.hosts),
            origin=self.origin,
            sends=self.sends,
            silent=self.silent,
            links=tuple(self.links),
            patches=(self.base or HERE) if "patches" in self.level.flags else None,
            unpacks=self.unpacks,
            variables=tuple(self.variables),
            lends="lends" in self.level.flags,
            doubted=tuple(self.unknown),
        )


def _beside(one: Word, other: Word) -> bool:
    """Tell if two words name files in the same directory, as they are spelled."""
    place, slash, _ = one.text.rstrip("/").rpartition("/")
    return bool(slash) and one.known and other.known and other.text.rstrip("/").rpartition("/")[0] == place


def _has_ending(path: str) -> bool:
    """Tell if a path looks like a file's rather than a directory's."""
    return "." in basename(path).lstrip(".")


def _known_end(word: Word) -> Word:
    """Return what is known of a host's name at its end: of `$A.example.com` whose it is."""
    last = max(word.text.rfind(char) for char in "$`)}") if not word.known else -1
    return word if last < 0 else word.replace(text=word.text[last:].partition(".")[2], known=True)


def _listed(word: Word) -> list[Word]:
    """Return the files of a form's field: `a;type=x,"b,c"`."""
    found: list[Word] = []
    at = 0
    while at < len(word.text) and len(found) < _MOST_LISTED:
        part = cut(word, at)
        if part.text[:1] == '"' and part.text.find('"', 1) > 0:
            found.append(parts.until(cut(part, 1), '"'))
        else:
            found.append(parts.until(parts.until(part, ";"), ","))
        comma = word.text.find(",", at + len(found[-1].text))
        at = comma + 1 if comma >= 0 else len(word.text)
    return found


def _assign(words: Sequence[Word], roles: Sequence[str], *, all_alike: bool = False) -> list[tuple[Word, str]]:
    """Return operands with their roles; one role may end in `*` and takes what the others leave."""
    star = next((place for place, role in enumerate(roles) if role.endswith("*")), -1)
    if star < 0:
        return list(zip(words, roles, strict=False))
    many = roles[star][:-1].rstrip()
    if all_alike or (len(words) == 1 and star == 0):
        return [(word, many) for word in words]
    before, after = roles[:star], roles[star + 1 :]
    middle = max(len(words) - len(before) - len(after), 0)
    return list(zip(words, (*before, *[many] * middle, *after), strict=False))


def remote_path(text: str) -> tuple[str, str] | None:
    """Return host and path of `user@host:path` or `host::module`; None for a local path."""
    start = text.rpartition("@")[0] if "[" in text.partition("/")[0] else ""
    colon = text.find("]:", len(start)) + 1 if "[" in text.partition("/")[0] else text.find(":")
    slash = text.find("/")
    if colon <= 0 or (0 <= slash < colon):
        return None
    if colon == 1 and text[0].isalpha() and text[2:3] in ("\\", "/"):
        return None
    return text[:colon], text[colon + 1 :]


def copied(command: Touching, sources: str, *, deep: bool, target: str = "w") -> None:
    """Touch what is copied between machines: `sources` are the letters of the local files."""
    words = command.operands
    if len(words) < 2:
        for word in words:
            if remote_path(word.text) is not None or "://" in word.text:
                command.host(word)
        return
    there = is_away(words[-1].text)
    for word in words[:-1]:
        if is_away(word.text):
            command.host(word)
            command.origin = DOWNLOAD
        else:
            command.touch(word, sources + ("s" if there else ""), deep=deep)
    if there:
        command.host(words[-1])
    else:
        command.touch(words[-1], f"{target}/" if deep else target)
        if len(words) > 2 or not _has_ending(words[-1].text.rstrip("/")):
            for word in words[:-1]:
                if command.key != "rsync" or not word.text.endswith("/"):
                    away = remote_path(word.text)
                    command.into(words[-1], word if away is None else parts.with_text(word, away[1]), deep=deep)


def is_away(text: str) -> bool:
    if "://" in text:
        return not text.lower().startswith("file://")
    return remote_path(text) is not None


def plainly(command: Touching) -> None:
    """Touch what the entry of a program says."""
    command.by_options()
    if not command.doing("touches nothing", certain=True):
        command.by_operands()


def effects(
    program: str,
    words: Sequence[Word],
    reading: Reading,
    *,
    doubts: bool = True,
    names_in: Callable[[Word], list[Word]] | None = None,
) -> Impact:
    """Return what a command does by its words: `words` is the whole argument vector, `reading` that of `words[1:]`.

    Of an undescribed program it is only known which files it is given (`Impact.named`). Without `doubts`, words of
    which no entry says the role do nothing: the caller knows what the program does. Directories for
    relative paths are composed where there are several (`-C a -C b`), and so is the file that a copy gets in a
    directory (`cp a/b c/` writes `c/b`). `names_in` gives the files that are named in one, or in a stream.
    """
    if not family(program):
        if not doubts:
            return Impact()
        from rulez_py.analysis.programs.doubt import of_undescribed

        return of_undescribed(words)
    command = Touching(program, words, reading)
    command.take_names(names_in)
    code = command.level.fields.get("code")
    if code:
        from rulez_py.analysis.programs import special

        (special.find(code, "effects") or plainly)(command)
    else:
        plainly(command)
    doubted, given = (command.doubted(), command.given_to_code()) if doubts else ([], [])
    if not doubted and not given:
        return command.impact()
    from rulez_py.analysis.programs import doubt

    return doubt.added(command.impact(), doubted, given, words)
