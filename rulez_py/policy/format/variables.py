"""`vars`: lists that a policy file names once, and matchers use as `$NAME` (`matchers`: VARIABLES)."""

from __future__ import annotations

from rulez_py.policy.matchers import declared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from rulez_py.documents.document import Path

    Change = Callable[[list[Any], Path, str], list[Any]]

MARK = "$"


def expanded(data: dict[str, Any]) -> dict[str, Any]:
    """Return a file's checked data with what `vars` has in the place of each `$NAME`."""
    named: dict[str, list[str]] = data.get("vars") or {}

    def filled(written: list[Any], _path: Path, _kind: str) -> list[Any]:
        return [text for one in written for text in _of(one, named)]

    return _changed(data, filled) if named else data


def unknown(data: dict[str, Any]) -> Iterator[tuple[Path, str, list[str]]]:
    """Yield each `$NAME` of a file, as written, that it has no `vars` for: where, the name, and the names there are."""
    found: list[tuple[Path, str, list[str]]] = []
    named = data.get("vars")
    own = declared("OWN_VARIABLES")

    def looked_at(written: list[Any], path: Path, kind: str) -> list[Any]:
        known = list(dict.fromkeys((*(map(str, named) if isinstance(named, dict) else ()), *own.get(kind, ()))))
        for index, one in enumerate(written):
            if (name := name_in(one)) and name not in known:
                found.append(((*path, index), name, known))
        return written

    _changed(data, looked_at)
    for name, texts in named.items() if isinstance(named, dict) else ():
        # A list of another list is not filled in: only what a matcher knows itself may be named there.
        for index, one in enumerate(texts if isinstance(texts, list) else ()):
            if (inner := name_in(one)) and inner not in (
                known := list(dict.fromkeys(name for each in own.values() for name in each))
            ):
                found.append((("vars", str(name), index), inner, known))
    yield from found


def name_in(text: object) -> str:
    """Return the name in `$NAME` or `!$NAME`, "" for other texts."""
    bare = text.removeprefix("!") if isinstance(text, str) else ""
    return bare[1:] if bare[:1] == MARK else ""


def _of(text: str, named: dict[str, list[str]]) -> list[str]:
    """Return the texts that one is filled in with; of `!$NAME` all are taken out."""
    if (name := name_in(text)) not in named:
        return [text]
    return [f"!{one}" if text[:1] == "!" else one for one in named[name]]


def _changed(data: dict[str, Any], change: Change) -> dict[str, Any]:
    """Return the data with the lists of matchers that take variables as `change` has them."""
    rules, overrides = data.get("rules"), data.get("overrides")
    done = dict(data)
    if isinstance(rules, list):
        done["rules"] = [_of_keys(rule, ("rules", at), change) for at, rule in enumerate(rules)]
    if isinstance(overrides, dict):
        done["overrides"] = {key: _of_keys(one, ("overrides", str(key)), change) for key, one in overrides.items()}
    return done


def _of_keys(written: object, path: Path, change: Change) -> object:
    if not isinstance(written, dict):
        return written
    done = dict(written)
    for key in ("matchers", "except"):
        if isinstance(done.get(key), list):
            done[key] = [_of_matchers(one, (*path, key, at), change) for at, one in enumerate(done[key])]
        elif key in done:
            done[key] = _of_matchers(done[key], (*path, key), change)
    actions = done.get("actions")
    if not isinstance(actions, dict):
        return done
    said = actions.get("remember")
    if isinstance(said, dict) and "until" in said:
        place = (*path, "actions", "remember")
        until = _of_keys({"except": said["until"]}, place, change)
        assert isinstance(until, dict)
        done["actions"] = {**actions, "remember": {**said, "until": until["except"]}}
    return done


def _of_matchers(written: object, path: Path, change: Change) -> object:
    if not isinstance(written, dict):
        return written
    done = dict(written)
    for kind, keys in declared("VARIABLES").items():
        if kind not in done:
            continue
        given = done[kind]
        if not isinstance(given, dict):
            done[kind] = _listed(given, (*path, kind), kind, change)
            continue
        done[kind] = {
            key: _listed(value, (*path, kind, key), kind, change) if key in keys else value
            for key, value in given.items()
        }
    return done


def _listed(written: object, path: Path, kind: str, change: Change) -> object:
    if isinstance(written, list):
        return change(written, path, kind)
    return change([written], path, kind) if isinstance(written, str) else written
