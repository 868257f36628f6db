"""Find what a described program may do with the words whose role its entry does not say.

Such a word is what it would be to a program without an entry: the file that it names, or the command that it holds. So
an entry takes away no more doubt than it says.
"""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.read import cut
from rulez_py.analysis.programs.runs import inner
from rulez_py.analysis.values import DOUBT, SEND, SOMEWHERE, SUPPOSED, Impact, Inner, Touch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulez_py.analysis.values import Word

_MOST_LOOKED_FOR = 20_000_000
"""Characters gone through to find words in the texts that a program is known to do something with."""
_LONGEST_NAME = 4096
_HERE = frozenset(("localhost", "127.0.0.1", "::1"))
_WHERE_IT_WORKS = (".", "./", "..", "../")
_BETWEEN = "=,:@"
"""Characters between the files within a word: `of=f`, `a,b`, `id:f`, `@f`."""


def of_undescribed(words: Sequence[Word]) -> Impact:
    """Return what an undescribed program may do with its words.

    The files that they name, in any form that programs have for it, are read and written, and sent where an address
    is among the words. A text that reads as a command may run. The first word is the program's own name.
    """
    from rulez_py.analysis.programs.roles import is_text_option, takes_file

    found: dict[str, Word] = {}
    texts: list[Word] = []
    option = ""
    for word in words[1:]:
        if word.text[:1] == "-":
            option, equals, _ = word.text.partition("=")
            value = cut(word, len(option) + 1) if equals else None
        else:
            equals, value = "", word
        if value is not None and option != "-m" and not is_text_option(option):
            texts.append(value)
        if takes_file(option):
            for file in files(word):
                found.setdefault(file.text, file)
        option = option if word.text[:1] == "-" and not equals else ""
    return Impact(named=_supposed(found.values(), _is_away(words[1:])), doubted=tuple(texts))


def added(impact: Impact, doubted: Sequence[Word], given: Sequence[Word], words: Sequence[Word]) -> Impact:
    """Return an impact with what a program may do with the words that its entry does not describe, `doubted`.

    `given` are the arguments of a script: files, if anything. `words` are all words. What a word is known to be, a file
    or a part of a command, it is not besides.
    """
    left = [word for word in _unknown(doubted, _known(impact)) if not _is_address(word, impact.hosts)]
    if left:
        left = _unknown(left, set(_words_of(inner(parts.name(words[0]), words))))
    named = {file.text: file for word in (*left, *given) for file in files(word)}
    # The program does not contact an address in a text, or in a value that is nothing that matters.
    contacted = (word for word in words[1:] if _is_address(word, impact.hosts))
    supposed = _supposed(named.values(), _is_away([*doubted, *given, *contacted]))
    # INVARIANT: a word with an unknown role is kept, as a file with an unknown effect and as what may run.
    return impact.replace(named=(*impact.named, *supposed), doubted=(*impact.doubted, *left))


def _is_away(words: Iterable[Word]) -> bool:
    """Tell whether an address that may be another machine's is among the words."""
    for word in words:
        if ":/" in word.text or ":\\" in word.text:
            from rulez_py.analysis.addresses import hosts_in  # Few lines have an address.

            # A file's address has no host, but another address may be before it or behind it.
            text = word.text.replace("file://", " ")
            hosts = hosts_in(text)
            if not _HERE.issuperset(hosts) or ("://" in text and not hosts):
                return True
    return False


def _supposed(found: Iterable[Word], away: bool) -> tuple[Touch, ...]:
    """Return what may be done with files: they may be sent as well, where the program may contact another machine.

    A directory that is only named as the one one is in is where a program works, not what it sends.
    """
    sent = (*SUPPOSED, SEND)
    return tuple(
        Touch(path=word, access=sent if away and word.text not in _WHERE_IT_WORKS else SUPPOSED) for word in found
    )


def commands(words: Sequence[Word], doubted: Sequence[Word]) -> tuple[Inner, ...]:
    """Return what may run of a program's words, `doubted` being those with an unknown role.

    That is a text that reads as a command, or as code with one in it, and a command with its words behind `--`.
    """
    texts = [word for word in doubted if not parts.SAFE.issuperset(word.text)]
    dashes = next((at for at, word in enumerate(words) if word.text == "--"), len(words))
    if not texts and dashes == len(words):
        return ()
    from rulez_py.analysis.programs.undescribed import is_code, start

    found = [parts.as_text(word).replace(via=DOUBT) for word in texts if is_code(word.text)]
    at = start(words) if dashes < len(words) else 0
    if at > dashes and any(word is words[at] for word in doubted):
        found.append(Inner(words=tuple(words[at:]), via=DOUBT))
    return tuple(found)


def _known(impact: Impact) -> set[str]:
    """Return the texts of all that the program is known to do something with."""
    found = {touch.path.text for touch in (*impact.touches, *impact.named)}
    found |= {touch.base.text for touch in impact.touches if touch.base is not None}
    found |= {word.text for pair in impact.links for word in pair}
    found |= {word.text for word in impact.variables}
    return found.union(impact.hosts)


def _words_of(commands: Iterable[Inner]) -> Iterable[str]:
    for one in commands:
        for word in (*one.words, *one.arguments, *(value for _, value in one.environment)):
            yield word.text
        for given in (one.code, one.file, one.cwd):
            if given is not None:
                yield given.text


def _unknown(words: Iterable[Word], known: set[str]) -> list[Word]:
    """Return the words that are unknown, text and parts."""
    joined = "\n".join(known)
    words = list(words)
    if len(joined) * len(words) > _MOST_LOOKED_FOR:
        joined = ""  # Then a part of a known text counts as unknown.
    return [word for word in words if word.text not in joined and not any(file.text in known for file in files(word))]


def _is_address(word: Word, hosts: Sequence[str]) -> bool:
    """Tell if a word is an address of one of the hosts that a program is known to contact."""
    return "://" in word.text and any(host in word.text.lower() for host in hosts if host != SOMEWHERE)


def files(word: Word) -> list[Word]:
    """Return a word, and each part of it, that may be the name of a file; of a text the parts in quotes."""
    text = word.text
    if text in parts.STREAMS:
        return []
    if "'" in text or '"' in text:
        return quoted(word)
    if len(text) > _LONGEST_NAME or "\n" in text:
        return []
    if " " in text and not text.startswith(("/", "~/", "./", "../")):
        return []
    places = [place for place, char in enumerate(text) if char in _BETWEEN]
    behind_name = places[0] + 1 if places else len(text)
    start = behind_name if text.startswith("--") else 2 if text[0] == "-" else 0
    found = [cut(word, start)] if start else [word]
    if places:
        found.append(cut(word, places[0] + 1))
        for begin, end in zip((-1, *places), (*places, len(text)), strict=True):
            if begin >= start - 1 and end > begin + 1:
                found.append(_piece(word, begin + 1, end))
    return [file for file in found if file.text not in parts.STREAMS]


def quoted(word: Word) -> list[Word]:
    """Return the names in quotes in a text."""
    found: list[Word] = []
    begin, quote = 0, ""
    for at, char in enumerate(word.text):
        if char == quote or char == "\n":
            if quote and char == quote and begin < at <= begin + _LONGEST_NAME:
                found.append(word.replace(text=word.text[begin:at], glob=""))
            quote = ""
        elif not quote and char in "'\"":
            begin, quote = at + 1, char
    return found


def _piece(word: Word, begin: int, end: int) -> Word:
    if word.glob:
        return parts.until(cut(word, begin), word.text[end]) if end < len(word.text) else cut(word, begin)
    return word.replace(text=word.text[begin:end])
