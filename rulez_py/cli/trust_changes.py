"""Say what a policy that has changed may newly do, against what it was when a person trusted it."""

from __future__ import annotations

import difflib
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from rulez_py.cli.trust_powers import powers_of, stops
from rulez_py.system import jsontext
from rulez_py.trust.digests import PREFIX
from rulez_py.trust.kept import Kept
from rulez_py.verdict import visible as _visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rulez_py.cli.trust_powers import Candidate
    from rulez_py.policy.store.floor import Changed

_LARGEST_TEXT = 512 * 1024
_ASIDE = ("tests", "description", "governance")
"""Keys of a rule that change nothing of what it does."""


class Change(NamedTuple):
    """The difference between what was trusted and what would be.

    `newly` are its new powers and `loosened` what stops less, in lines; `rules` are names by what became of them,
    `files` names by the same; `diff` is that of the texts, in lines.
    """

    since: str
    newly: tuple[str, ...]
    loosened: tuple[str, ...]
    rules: Mapping[str, tuple[str, ...]]
    files: Mapping[str, tuple[str, ...]]
    diff: tuple[str, ...]


def as_kept(candidate: Candidate) -> Kept:
    """Return a policy as it is to be kept."""
    others = (*candidate.parts, *candidate.scripts)
    files = {_name(path, candidate): _text_of(path) for path in others}
    data = jsontext.loads(jsontext.dumps(candidate.data))  # as it is read again
    return Kept(data=data, files={_name(candidate.path, candidate): _text(candidate.content), **files})


def _name(path: str, candidate: Candidate) -> str:
    return os.path.relpath(path, candidate.root)


def _text_of(path: str) -> str | None:
    from rulez_py.system.files import read_pieces

    try:
        return _text(b"".join(read_pieces(path, _LARGEST_TEXT + 1)))
    except OSError:
        return None


def _text(content: bytes) -> str | None:
    if len(content) > _LARGEST_TEXT or b"\0" in content:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def change(before: Kept, now: Kept, since: str) -> Change:
    """Return what has changed; `since` is when it was trusted."""
    old, new = _rules(before.data), _rules(now.data)
    differing = [name for name in old.keys() & new.keys() if _said(old[name]) != _said(new[name])]
    rules = _sorted(old, new, differing)
    texts = [name for name in before.files.keys() & now.files.keys() if before.files[name] != now.files[name]]
    return Change(
        since=since,
        newly=tuple(_newly(before.data, now.data)),
        loosened=tuple(_loosened(before.data, now.data)),
        rules=rules,
        files=_sorted(before.files, now.files, texts),
        diff=tuple(_diff(before.files, now.files)),
    )


def _sorted(old: Mapping[str, Any], new: Mapping[str, Any], differing: Iterable[str]) -> dict[str, tuple[str, ...]]:
    return {
        "added": tuple(name for name in new if name not in old),
        "removed": tuple(name for name in old if name not in new),
        "changed": tuple(sorted(differing)),
    }


def _rules(data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {rule["name"]: rule for rule in data.get("rules") or ()}


def _said(rule: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in rule.items() if key not in _ASIDE}


# What it may newly do.


def _newly(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield each power that it had not, or had with other words; also of a rule whose matchers have changed."""
    had = set(_groups(powers_of(before)))
    old, new = _rules(before), _rules(now)
    wider = {
        f'(rule "{_visible(name)}")'
        for name in old.keys() & new.keys()
        if any(old[name].get(key) != new[name].get(key) for key in ("matchers", "except", "enabled_when"))
    }
    for group in _groups(powers_of(now)):
        if group not in had:
            yield from group
        elif any(group[0].endswith(by) for by in wider):
            yield f"{group[0]}: for other calls than before"


def _groups(lines: Iterable[str]) -> list[tuple[str, ...]]:
    """Return each power with the lines that belong to it."""
    groups: list[list[str]] = []
    for line in lines:
        if line.startswith(" ") and groups:
            groups[-1].append(line)
        else:
            groups.append([line])
    return [tuple(group) for group in groups]


def _loosened(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield what it stopped and stops no more, or otherwise."""
    old, new = _rules(before), _rules(now)
    for name, rule in old.items():
        if stops(rule) and name not in new:
            yield f'it has no rule "{_visible(name)}" any more, which stopped calls'
        elif stops(rule) and _said(rule) != _said(new[name]):
            what = "stops calls no more" if not stops(new[name]) else "has changed, and stops calls"
            yield f'rule "{_visible(name)}" {what}'
    for key, words in (("disable", "it takes out rule"), ("extends", "it no longer extends")):
        had, has = _list(before.get(key)), _list(now.get(key))
        gone = [one for one in has if one not in had] if key == "disable" else [one for one in had if one not in has]
        yield from (f'{words} "{_visible(one)}"' for one in gone)
    changes, were = now.get("overrides") or {}, before.get("overrides") or {}
    for name, said in changes.items():
        if were.get(name) != said:
            yield f'it changes rule "{_visible(name)}": {_visible(_shown(said))}'
    yield from (f'it changes rule "{_visible(name)}" no more' for name in were if name not in changes)
    old_settings, new_settings = before.get("settings") or {}, now.get("settings") or {}
    for key in dict.fromkeys((*old_settings, *new_settings)):
        if old_settings.get(key) != new_settings.get(key):
            said = "nothing" if key not in new_settings else _shown(new_settings[key])
            yield f"setting {_visible(str(key))} is now {_visible(said)}"


def _list(value: object) -> list[str]:
    return [value] if isinstance(value, str) else list(value) if isinstance(value, (list, tuple)) else []


def _shown(value: object) -> str:
    return jsontext.dumps(value)


# The texts.


def _diff(before: Mapping[str, str | None], now: Mapping[str, str | None]) -> Iterator[str]:
    for name in dict.fromkeys((*now, *before)):
        old, new = before.get(name, ""), now.get(name, "")
        if old is None or new is None:
            yield f"{name} is no text, or too long to be shown; it may have changed"
        elif old != new:
            marks = (f"{name} (trusted)", f"{name} (now)")
            yield from difflib.unified_diff(_lines(old), _lines(new), *marks, lineterm="")


def _lines(text: str) -> list[str]:
    """Return a text's lines: only a line feed ends one. A last one without it says so."""
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, f"{last} (without a line feed)"] if last else lines


# For the person, and for programs.


def lines_of(found: Change) -> Iterator[str]:
    """Yield it in lines. INVARIANT: the whole diff. What is left out here would be trusted unseen."""
    yield f"  You trusted it on {found.since} as it was then. What has changed:"
    for title, lines in (("It may newly", found.newly), ("It stops less, or otherwise", found.loosened)):
        if lines:
            yield f"    {title}:"
            yield from (f"      {line}" for line in lines)
    if not found.newly:
        yield "    It may newly do nothing that needs trust"
    for what, names in (("Rules", found.rules), ("Files", found.files)):
        for became, which in names.items():
            if which:
                yield f"    {what} {became}: {_visible(', '.join(which))}"
    yield from (f"    | {_visible(line.expandtabs(4))}" for line in found.diff)


def as_object(candidate: Candidate, weakened: list[Changed], by: str, found: Change | None) -> dict[str, Any]:
    """Return what a policy may do once it is trusted as JSON values, and what has changed since it was."""
    others = (*candidate.parts, *candidate.scripts)
    return {
        "path": candidate.path,
        "digest": PREFIX + candidate.digest,
        "trusted_by": by,
        "rules": len(candidate.data.get("rules") or ()),
        "powers": powers_of(candidate.data),
        "weakens": [one.rule for one in weakened],
        "covers": [_name(path, candidate) for path in others],
        "patterns": list(candidate.patterns),
        "beyond": list(candidate.beyond),
        "change": None if found is None else _as_json(found),
    }


def _as_json(found: Change) -> dict[str, Any]:
    return {
        "since": found.since,
        "newly": list(found.newly),
        "loosened": list(found.loosened),
        "rules": {key: list(names) for key, names in found.rules.items()},
        "files": {key: list(names) for key, names in found.files.items()},
        "diff": "\n".join(found.diff),
    }
