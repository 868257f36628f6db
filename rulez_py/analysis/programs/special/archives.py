"""Archives and compression: what is read, and what is written under which name."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.read import cut
from rulez_py.analysis.programs.runs import texts
from rulez_py.analysis.programs.touches import HERE, is_away
from rulez_py.analysis.values import DECODE, DOWNLOAD, SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.programs.runs import Own
    from rulez_py.analysis.programs.touches import Touching


def tar_effects(command: Touching) -> None:
    archives = [word for _, word in _given(command, "--file")]
    bases = _given(command, "--directory")
    remote = None if command.has("--force-local") else next((one for one in archives if is_away(one.text)), None)
    command.base = None
    command.by_options()
    if remote is not None:
        command.host(remote)
    here = [archive for archive in archives if archive is not remote]
    if command.has("--create", "--append", "--update", "--catenate"):
        letters = "r" + ("d" if command.has("--remove-files") else "") + ("s" if remote is not None else "")
        _based(command, bases, letters, deep=not command.has("--no-recursion"))
        for archive in here:
            command.touch(archive, "w" if command.has("--create") else "rw")
        command.silent = bool(archives) and all(archive.text not in parts.STREAMS for archive in archives)
        return
    _unpacked(command, here, bases)
    if remote is not None:
        command.origin = DOWNLOAD


def _given(command: Touching, name: str) -> list[tuple[int, Word]]:
    """Return the values of an option, each with its place."""
    return [
        (command.place.get(id(option.word), 0), option.value)
        for option, _ in command.options
        if option.value is not None and name in option.names
    ]


def _unpacked(command: Touching, archives: Sequence[Word], bases: list[tuple[int, Word]]) -> None:
    """Touch what tar reads of archives, and where it puts it."""
    for archive in archives:
        command.touch(archive, "w" if command.has("--delete") else "r")
    if command.has("--extract") and not command.has("--to-stdout"):
        if command.operands:
            _based(command, bases, "w", deep=True)
        base: Word | None = None
        for _, one in bases:
            base = parts.below(base, one)
        command.touch(base or HERE, "w" if command.operands else "w/")
        if command.has("--recursive-unlink"):
            command.touch(base or HERE, "d", deep=True)
        if not command.operands and all(one.text in parts.STREAMS for one in archives):
            command.unpacks = base or HERE
        for word in command.values("--one-top-level"):
            command.touch(word, "w/", base=base)
        for word in command.values("--transform"):
            for path in _replacements(word):
                command.touch(path, "w", base=base)
        command.silent = True
    elif command.has("--extract"):
        command.origin = DECODE
    else:
        command.silent = True


def _based(command: Touching, bases: list[tuple[int, Word]], letters: str, *, deep: bool) -> None:
    """Return operands below the directories that were given before each of them."""
    waiting = sorted(bases, key=lambda pair: pair[0], reverse=True)
    base: Word | None = None
    for word in command.operands:
        while waiting and waiting[-1][0] < command.place.get(id(word), len(command.words)):
            base = parts.below(base, waiting.pop()[1])
        command.touch(word, letters, deep=deep, base=base)


def zip_effects(command: Touching) -> None:
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


def unzip_effects(command: Touching) -> None:
    command.by_options()
    if not command.operands:
        return
    command.touch(command.operands[0], "r")
    if command.has("-p", "-c"):
        command.origin = DECODE
    else:
        command.silent = True
        if not command.has("-l", "-t", "-v", "-z", "-Z"):
            _unpacked_into(command, command.value("-d") or HERE, command.operands[1:])


def _unpacked_into(command: Touching, target: Word, members: Sequence[Word]) -> None:
    """Touch what is written of an archive: these members, or whatever is in it."""
    members = [word for word in members if not word.text.startswith("-")]
    command.touch(target, "w" if members else "w/")
    for word in members:
        command.touch(word, "w", deep=True, base=target)
    command.silent = True


_SUFFIXES = {"gzip": (".gz", ".tgz", ".z", ".Z"), "bzip2": (".bz2",), "xz": (".xz", ".lzma"), "zstd": (".zst",)}


def compress_effects(command: Touching) -> None:
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


def module_effects(command: Touching) -> None:
    """Touch the files of python -m zipfile, tarfile: files that are packed, or a directory that is unpacked into."""
    command.by_options()
    packs = command.has("-c", "--create")
    if packs or command.has("-e", "--extract"):
        for word in command.operands:
            command.touch(word, "r" if packs else "w/", deep=packs)


def seven_zip_effects(command: Touching) -> None:
    if len(command.operands) < 2:
        return
    action, archive, *files = command.operands
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
            out = next((one for one in command.words if one.text.startswith("-o") and len(one.text) > 2), None)
            _unpacked_into(command, HERE if out is None else cut(out, 2), files)
    elif letter in ("l", "v", "lt", "t"):
        command.touch(archive, "r")
        command.silent = True
    elif letter == "d":
        command.touch(archive, "rw")


def _replacements(word: Word) -> list[Word]:
    """Return what sed's `s` puts in the place of names: `s,old,new,`."""
    parted = word.text[2:].split(word.text[1:2]) if word.text[:1] == "s" and len(word.text) > 2 else []
    return [word.replace(text=parted[1], glob="")] if len(parted) > 1 and parted[1] else []


def cpio_effects(command: Touching) -> None:
    """Touch the files of cpio: -i unpacks here what fits its operands, -p copies into one, -o packs."""
    command.by_options()
    if command.has("-i", "--extract") and not command.has("-t", "--list", "--to-stdout"):
        for word in command.operands:
            command.touch(word, "w", deep=True)
        if not command.operands:
            command.touch(HERE, "w/")
            command.unpacks = HERE
        command.silent = True
    else:
        for word in command.listed:
            command.touch(word, "r")
        if command.has("-p", "--pass-through"):
            # What is named on standard input comes behind the words.
            for word in command.operands[: len(command.operands) - len(command.listed)][-1:]:
                command.touch(word, "w/")
                for name in command.listed:
                    command.into(word, name)


def pax_effects(command: Touching) -> None:
    """Touch the files of pax: -r unpacks here, -w packs, both copy into the last operand."""
    command.by_options()
    reads, writes = command.has("-r"), command.has("-w")
    for word in command.operands[: -1 if reads else None] if writes else ():
        command.touch(word, "r", deep=True)
    if reads and writes:
        for word in command.operands[-1:]:
            command.touch(word, "w/")
    elif reads:
        for word in command.operands:
            command.touch(word, "w", deep=True)
        if not command.operands:
            command.touch(HERE, "w/")


def ar_effects(command: Touching) -> None:
    """Touch the files of ar x ARCHIVE [MEMBER...]: into --output, or here."""
    command.by_options()
    if len(command.operands) < 2:
        return
    how, archive, *members = command.operands
    letters = how.text.lstrip("-")
    unpacks = "x" in letters
    command.touch(archive, "r" if unpacks or letters[:1] in ("t", "p") else "rw")
    if unpacks:
        _unpacked_into(command, command.value("--output") or HERE, members)
    else:
        for word in members:
            command.touch(word, "r")


def rar_effects(command: Touching) -> None:
    """Touch the files of unrar x ARCHIVE [MEMBER...] [DIRECTORY/]."""
    command.by_options()
    if len(command.operands) < 2 or command.operands[0].text.lower() not in ("x", "e"):
        seven_zip_effects(command)
        return
    _, archive, *rest = command.operands
    command.touch(archive, "r")
    target = rest[-1] if rest and rest[-1].text.endswith("/") else HERE
    command.touch(target, "w/")
    for word in rest:
        command.touch(word, "w", deep=True)


def tar_runs(own: Own) -> list[Inner]:
    """Return what `tar` runs: --to-command, -I, -F, and --checkpoint-action=exec=."""
    found = texts(own)
    for word in own.every("--checkpoint-action"):
        if word.text.startswith("exec="):
            found.append(Inner(code=parts.cut(word, 5), via=SHELL))
    return found
