"""The rule sets that ship inside rulez, taken with `extends: [builtin:NAME]`.

Each is written in NAME.yaml. NAME.json is the same, checked, and NAME.compiled its rules, compiled; both are made when
rulez is built (`build.py`), so that no hook has to read YAML, nor to compile, for what never changes. A rule set may
extend others.
"""

from __future__ import annotations

import os
import sys
import zlib

from rulez_py.system import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    _Outline = tuple[dict[str, int], tuple[str, ...], tuple[str, ...]]

PREFIX = "builtin:"
DEFAULT = "essentials"
"""The floor: applies in every project on every call (`floor.py`)."""
SELF_PROTECTION = "self-protection"
"""Always applies, so nothing extends it."""
RENAMED = {
    "no-recursive-delete-outside-the-project": "no-delete-outside-the-project",
    "no-delete-of-the-project-by-code": "no-delete-of-the-project",
    "no-find-delete-of-the-project": "no-delete-of-the-project",
    "no-find-delete-outside-the-project": "ask-before-find-deletes-outside-the-project",
}
"""Rules of earlier versions -> their successors. A file that names one stays valid, with a warning."""

DIRECTORY = os.path.dirname(os.path.abspath(__file__))
_WRITTEN, _CHECKED, _COMPILED = ".yaml", ".json", ".compiled"
_PACKAGE = os.path.dirname(os.path.dirname(DIRECTORY))


def is_file(entry: str) -> bool:
    """Tell whether an entry of `extends` names a file: it begins with `./`, `../`, `/` or `~/`."""
    return entry.startswith(("./", "../", "~/")) or os.path.isabs(entry)


def extendable() -> tuple[str, ...]:
    """Return the names after `builtin:` that a policy file can extend, sorted.

    None where rulez is not fully installed.
    """
    return tuple(name for name in names() if name != SELF_PROTECTION)


def names() -> tuple[str, ...]:
    """Return every rule set's name, sorted; none where rulez is not fully installed."""
    try:
        files = os.listdir(DIRECTORY)
    except OSError:
        return ()
    return tuple(sorted(name.removesuffix(_WRITTEN) for name in files if name.endswith(_WRITTEN)))


def path_of(name: str) -> str:
    """Return where a rule set is written; what it says there is `text_of`."""
    return os.path.join(DIRECTORY, name + _WRITTEN)


def text_of(name: str) -> str:
    """Return a rule set as it is written, with what it says of every platform, and of secrets' shapes, written out.

    Raises OSError, ValueError.
    """
    with open(path_of(name), encoding="utf-8") as file:
        text = file.read()
    if "{shapes: " in text:
        from rulez_py.policy.packs import shapes

        text = shapes.expanded(text)
    if "{platforms: " not in text:
        return text
    from rulez_py.policy.packs.platforms import expanded

    return expanded(text)


def checked_path_of(name: str) -> str:
    """Return the path of its checked form, which may not exist yet."""
    return os.path.join(DIRECTORY, name + _CHECKED)


def made(name: str) -> tuple[bytes, dict[str, Any]] | None:
    """The checked form of a rule set, as bytes and as values: `data`, `rule_lines` (`check.Checked`).

    None where it was not made, or from another text: `build.checked` makes it then. Raises OSError, ValueError where
    the rule set is not there either.
    """
    from rulez_py.trust import content_digest

    made_from = content_digest(text_of(name).encode())
    try:
        with open(checked_path_of(name), "rb") as file:
            content = file.read()
        form: dict[str, Any] = jsontext.loads(content)
        return (content, form) if form["made_from"] == made_from else None
    except (FileNotFoundError, ValueError, TypeError, LookupError):
        return None


def compiled_path_of(name: str) -> str:
    """Return the path of its compiled form, which may not exist yet."""
    return os.path.join(DIRECTORY, name + _COMPILED)


def compiled(name: str) -> dict[str, Any] | None:
    """Return the compiled form of a rule set (`build.compiled_form`), read once in each process.

    None where it was not made, or from another text or by another rulez. Raises OSError where the rule set is not
    there either.
    """
    path, written = compiled_path_of(name), os.stat(path_of(name))
    try:
        there = os.stat(path)
    except OSError:
        return None
    stamp = (path, there.st_ino, there.st_mtime_ns, written.st_size, written.st_mtime_ns)
    if stamp not in _read:
        try:
            with open(path, "rb") as file:
                form = jsontext.loads_own(file.read())
            frozen = getattr(sys, "frozen", False)  # Both were packed at once, and no module has a size there.
            _read[stamp] = form if frozen or form["made_from"] == compiled_from(name) else None
        except (OSError, ValueError, TypeError, LookupError):
            _read[stamp] = None
    return _read[stamp]


_read: dict[tuple[str, int, int, int, int], dict[str, Any] | None] = {}
"""Compiled forms that this process has read, by the files that they are in and are made from."""


def known_filings() -> dict[str, Any]:
    """Return under what `index.pack` files what the compiled forms that were read ask of events."""
    return {match: filings for form in _read.values() if form for match, filings in form["filings"].items()}


def compiled_from(name: str) -> str:
    """Return what a compiled form is made from: the rule set's text, and the modules of rulez by their sizes.

    Raises OSError.
    """
    with open(path_of(name), "rb") as file:
        text = zlib.crc32(file.read())
    return f"{text:08x} {_modules():08x}"


def _modules() -> int:
    """Return a checksum of the names and sizes of the modules and of what is written beside them."""
    if not _sizes:
        found = [
            f"{os.path.relpath(path := os.path.join(directory, name), _PACKAGE)} {os.stat(path).st_size}"
            for directory, _, names in os.walk(_PACKAGE)
            for name in names
            if name.endswith((".py", _WRITTEN, ".toml"))
        ]
        _sizes.append(zlib.crc32("\n".join(sorted(found)).encode()))
    return _sizes[0]


_sizes: list[int] = []


def reach(extends: Iterable[str], disable: Iterable[str] = ()) -> dict[str, dict[str, int]]:
    """Return what `extends` brings: rule set -> the line of each of its rules that holds, by name.

    Those the rule sets extend themselves are among them, each once and behind the one that extends it. What a file
    disables is left out of everything it reaches; a rule that is also reached another way holds. A rule set that
    cannot be read has no rules; its reader says why. Files that `extends` names are left out.
    """
    found: dict[str, dict[str, int]] = {}
    read: dict[str, _Outline] = {}

    def visit(names: Iterable[str], above: tuple[str, ...], off: frozenset[str]) -> None:
        for name in (name.removeprefix(PREFIX) for name in names):
            if name in above or is_file(name):
                continue
            if name not in read:
                read[name] = _outline(name)
            lines, further, without = read[name]
            found.setdefault(name, {}).update((rule, line) for rule, line in lines.items() if rule not in off)
            visit(further, (*above, name), off.union(without))

    visit(extends, (), frozenset(disable))
    return found


def floor_names() -> tuple[str, ...]:
    """Return the names of the floor's rules: those of the essentials, and of the sets that they extend."""
    return tuple(name for rules in reach((DEFAULT,)).values() for name in rules)


def extended_by(name: str) -> tuple[str, ...]:
    """Return the rule sets that a rule set extends itself."""
    return tuple(other.removeprefix(PREFIX) for other in _outline(name)[1])


def rules_of(names: Iterable[str]) -> list[dict[str, Any]]:
    """Return the rules that are written in these rule sets, as values; none of a set that cannot be read."""
    found: list[dict[str, Any]] = []
    for name in names:
        try:
            there = made(name)
            data = _written(name)[0] if there is None else there[1]["data"]
            found += data.get("rules") or ()
        except (OSError, ValueError, TypeError, LookupError, AttributeError):
            continue
    return found


def _outline(name: str) -> _Outline:
    """Return the line of each rule by its name, what is extended, what is disabled; nothing where it cannot be read."""
    try:
        if (form := compiled(name)) is not None:
            return form["lines"], tuple(form["extends"]), tuple(form["disable"])
        found = made(name)
        data, rule_lines = _written(name) if found is None else (found[1]["data"], found[1]["rule_lines"])
        lines = {str(rule["name"]): int(line) for rule, line in zip(data.get("rules") or (), rule_lines, strict=True)}
        return lines, listed(data, "extends"), listed(data, "disable")
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return {}, (), ()


def _written(name: str) -> tuple[dict[str, Any], list[int]]:
    """A rule set that was not checked, and the line of each of its rules: slow, and not needed where it was made."""
    from rulez_py.documents.document import parse

    document = parse(text_of(name).encode(), name)
    data: Any = document.data
    return data, [document.position(("rules", index))[0] for index in range(len(data.get("rules") or ()))]


def listed(data: dict[str, Any], key: str) -> tuple[str, ...]:
    """Return what is named there, one or several."""
    value = data.get(key) or ()
    return (value,) if isinstance(value, str) else tuple(value)


def about(name: str) -> str:
    """Return what a rule set is for: the first sentence of the comment that it begins with, on one line.

    "" without one.
    """
    words: list[str] = []
    try:
        with open(path_of(name), encoding="utf-8") as file:
            for line in file:
                if not line.startswith("#"):
                    break
                words += line.lstrip("#").split()
                if words and words[-1].endswith("."):
                    break
    except OSError:
        return ""
    return " ".join(words).partition(". ")[0].removesuffix(".")
