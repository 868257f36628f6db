"""Digest what trust in a policy file is tied to: its bytes, and the scripts that it names."""

from __future__ import annotations

import os

from rulez_py.system.files import read_pieces
from rulez_py.system.native import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

GLOB = "\0glob\0"
"""The prefix of a word that is a shell pattern: every file of such a name counts, also one that is made later."""
PREFIX = "sha256:"
"""The beginning of a digest as people write it."""
SIGNATURE = ".sig"
"""The ending of a policy's signature, which lies beside it (`signatures.py`)."""
_MOST_OF_A_PATTERN = 10_000
_LARGEST_SCRIPT = 256 * 1024 * 1024


def content_digest(content: bytes) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    return str(sha256(content).hexdigest())


def digest(path: str, content: bytes, scripts: Iterable[str]) -> str:
    """Return what trust in a policy file is tied to: its bytes, and the name and bytes of each of its script files.

    `path` is the policy's path; scripts count by their path relative to its directory. A missing script counts as
    missing, so that one that appears later asks again.
    """
    return digest_from(path, content_digest(content), scripts)


def digest_from(path: str, content: str, scripts: Iterable[str]) -> str:
    """Return the same, from the `content_digest` of the policy's bytes."""
    total = sha256(b"rulez trust 1")
    total.update(bytes.fromhex(content))
    home = os.path.dirname(os.path.abspath(path))
    for name, script in sorted((_relative(script, home), script) for script in set(scripts)):
        total.update(sha256(name.encode("utf-8", "surrogatepass")).digest())
        total.update(_digest_of_file(script))
    return str(total.hexdigest())


# The scripts a policy names.


def scripts_of(data: object, root: str) -> list[str]:
    """Return the script files reached by a policy file's plain YAML data; `root` is what its scripts are relative to.

    Every word of `run`, `inject_command` and `inline_script` that names an existing regular file under `root` counts,
    and whatever else their lines run (`pins.reach`). What a script itself loads or calls is not followed.
    """
    return script_files(script_words(data, root), root)


def script_words(data: object, root: str) -> list[str]:
    """Return every word that may name a script file, and every pattern for some (behind GLOB), in a fixed order.

    A pure function of the policy's content and of its place.
    """
    words: set[str] = set()
    for text in _script_texts(data):
        words.update(_words(text))
    if not words:
        return []
    from rulez_py.trust.pins import reach

    found = reach(data, os.path.abspath(root))
    return sorted(words.union(found.words, (GLOB + glob for glob in found.globs)))


def script_files(words: Iterable[str], root: str) -> list[str]:
    """Return the existing regular files under `root` among these words, as absolute paths in order."""
    top = os.path.abspath(root)
    paths: set[str] = set()
    for word in words:
        if word.startswith(GLOB):
            paths.update(_of_such_names(word.removeprefix(GLOB), top))
        else:
            paths.add(_inside(word, top))
    return sorted(path for path in paths if path and os.path.isfile(path))


def _of_such_names(pattern: str, top: str) -> list[str]:
    """The paths below `top` that a shell pattern fits: some of very many, and all that a shell would find of few."""
    from fnmatch import fnmatchcase

    found = [top]
    for part in pattern.replace("\\", "").split("/"):
        if not any(character in part for character in "*?["):
            found = [os.path.join(directory, part) for directory in found]
            continue
        found = [
            os.path.join(directory, name)
            for directory in found
            for name in _names(directory)
            if fnmatchcase(name, part)
        ][:_MOST_OF_A_PATTERN]
    return found


def _names(directory: str) -> list[str]:
    try:
        return sorted(os.listdir(directory))
    except OSError:
        return []


def _inside(word: str, top: str) -> str:
    """Return the path a word means from `top`, "" where that is outside; the same however `top` itself is spelled."""
    readings = [(top, os.path.normpath(os.path.join(top, word)))]
    if os.path.isabs(word) and "\0" not in word:
        real = os.path.realpath(os.path.dirname(word))
        readings.append((os.path.realpath(top), os.path.join(real, os.path.basename(word))))
    for base, path in readings:
        inside = base.rstrip(os.sep) + os.sep
        if path.startswith(inside):
            return os.path.join(top, path[len(inside) :])
    return ""


def _script_texts(data: object) -> Iterator[str]:
    rules = data.get("rules") if isinstance(data, dict) else None
    for rule in rules if isinstance(rules, list) else []:
        actions = rule.get("actions") if isinstance(rule, dict) else None
        if not isinstance(actions, dict):
            continue
        for key in ("run", "inject_command", "inline_script"):
            yield from _texts(actions.get(key))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key in ("script", "command", "args"):
            yield from _texts(value.get(key))
    elif isinstance(value, (list, tuple)):
        for item in value:
            if isinstance(item, str):
                yield item


def _words(text: str) -> Iterator[str]:
    """Yield the text's words as a shell would see them, and again split at every character that no file name needs."""
    import shlex

    yield text
    for part in (text, *text.splitlines()):
        try:
            yield from shlex.split(part, comments=True)
        except ValueError:
            continue  # an unbalanced quote: not a shell's line
    yield from "".join(" " if character in _SEPARATORS else character for character in text).split()


_SEPARATORS = frozenset("\"'`$(){}[]<>|&;=:,#!\\")


# Digests.


def _digest_of_file(path: str) -> bytes:
    total = sha256(b"file")
    try:
        for piece in read_pieces(path, _LARGEST_SCRIPT):
            total.update(piece)
    except OSError:
        total = sha256(b"missing")
    return bytes(total.digest())


def _relative(path: str, directory: str) -> str:
    try:
        return os.path.relpath(path, directory)
    except ValueError:
        return os.path.abspath(path)  # on another drive
