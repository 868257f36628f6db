"""`vars`: lists that a policy file names once, and matchers use as `$NAME` (`matchers`: VARIABLES)."""

from __future__ import annotations

from rulez_py.documents.diagnostics import closest
from rulez_py.documents.document import Document
from rulez_py.policy.matchers import declared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from rulez_py.documents.document import Path

    Change = Callable[[list[Any], Path, str], list[Any]]

MARK = "$"


def own(data: object) -> dict[str, list[str]]:
    """Return the lists that a file's data, as written, names in `vars`; what is no list of texts is left out."""
    named = data.get("vars") if isinstance(data, dict) else None
    found = {}
    for name, texts in named.items() if isinstance(named, dict) else ():
        listed = [texts] if isinstance(texts, str) else texts
        if isinstance(listed, list) and all(isinstance(one, str) for one in listed):
            found[str(name)] = listed
    return found


class Filled(Document):
    """A document with what `vars` has in the place of each `$NAME` of a matcher, and of `vars.NAME` in expressions.

    Places are those in the text: each entry of a list has the place of its name.
    """

    def __init__(self, document: Document, named: Mapping[str, list[str]]) -> None:
        self.problems = document.problems
        self._root = document._root
        self._from: dict[Path, list[int]] = {}
        self.data = document.data
        if isinstance(self.data, dict) and named:
            self.data = _with_expressions(_changed(self.data, self._of_list(named)), named)

    def _of_list(self, named: Mapping[str, list[str]]) -> Change:
        def filled(written: list[Any], path: Path, _kind: str) -> list[Any]:
            found = [(at, text) for at, one in enumerate(written) for text in _of(one, named)]
            if len(found) != len(written):
                self._from[path] = [at for at, _ in found]
            return [text for _, text in found]

        return filled

    def _walk(self, path: Path) -> list[Any]:
        back: list[str | int] = []
        for at, segment in enumerate(path):
            places = self._from.get(path[:at])
            in_range = places is not None and isinstance(segment, int) and segment < len(places)
            back.append(places[segment] if in_range and places is not None and isinstance(segment, int) else segment)
        return super()._walk(tuple(back))


def _with_expressions(data: dict[str, Any], named: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return the data with the lists in the place of `vars.NAME` in each rule's expressions."""
    from rulez_py.policy.patterns.expressions import with_lists

    def filled(said: object) -> object:
        return with_lists(said, named) if isinstance(said, str) and "vars" in said else said

    rules = data.get("rules")
    if not isinstance(rules, list):
        return data
    done = []
    for rule in rules:
        one = dict(rule) if isinstance(rule, dict) else rule
        if isinstance(one, dict):
            if "enabled_when" in one:
                one["enabled_when"] = filled(one["enabled_when"])
            if isinstance(actions := one.get("actions"), dict) and "validate_expr" in actions:
                one["actions"] = {**actions, "validate_expr": filled(actions["validate_expr"])}
        done.append(one)
    return {**data, "rules": done}


def misspelt(data: dict[str, Any], named: Mapping[str, list[str]]) -> Iterator[tuple[Path, str, str]]:
    """Yield each `$NAME` of a file that is almost the name of a list: where, the name, and the list's.

    Where a matcher knows names itself (`unknown`), any other is a mistake; elsewhere `$HOME` is a word of a line.
    """
    found: list[tuple[Path, str, str]] = []
    known_itself = declared("OWN_VARIABLES")

    def looked_at(written: list[Any], path: Path, kind: str) -> list[Any]:
        for index, one in enumerate(written):
            name = name_in(one)
            if name and name not in named and kind not in known_itself and (close := closest(name, named)):
                found.append(((*path, index), name, close))
        return written

    _changed(data, looked_at)
    yield from found


def unknown(data: dict[str, Any], others: Iterable[str] = ()) -> Iterator[tuple[Path, str, list[str]]]:
    """Yield each `$NAME` of a file, as written, that it has no `vars` for: where, the name, and the names there are.

    That is in matchers which know such names themselves. `others` are names of files that belong to it.
    """
    found: list[tuple[Path, str, list[str]]] = []
    named = data.get("vars")
    known_itself = declared("OWN_VARIABLES")

    def looked_at(written: list[Any], path: Path, kind: str) -> list[Any]:
        written_here = map(str, named) if isinstance(named, dict) else ()
        known = list(dict.fromkeys((*written_here, *others, *known_itself.get(kind, ()))))
        for index, one in enumerate(written):
            if kind in known_itself and (name := name_in(one)) and name not in known:
                found.append(((*path, index), name, known))
        return written

    _changed(data, looked_at)
    for name, texts in named.items() if isinstance(named, dict) else ():
        # A list of another list is not filled in: only what a matcher knows itself may be named there.
        for index, one in enumerate(texts if isinstance(texts, list) else ()):
            if (inner := name_in(one)) and inner not in (
                known := list(dict.fromkeys(name for each in known_itself.values() for name in each))
            ):
                found.append((("vars", str(name), index), inner, known))
    yield from found


def name_in(text: object) -> str:
    """Return the name in `$NAME` or `!$NAME`, "" for other texts."""
    bare = text.removeprefix("!") if isinstance(text, str) else ""
    return bare[1:] if bare[:1] == MARK else ""


def _of(text: Any, named: Mapping[str, list[str]]) -> list[Any]:
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
        if kind in done:
            done[kind] = _of_matcher(done[kind], (*path, kind), kind, keys, change)
    return done


def _of_matcher(given: object, path: Path, kind: str, keys: tuple[str, ...], change: Change) -> object:
    if isinstance(given, list) and any(isinstance(one, dict) for one in given):
        return [_of_matcher(one, (*path, at), kind, keys, change) for at, one in enumerate(given)]
    if not isinstance(given, dict):
        return _listed(given, path, kind, change)
    return {key: _listed(value, (*path, key), kind, change) if key in keys else value for key, value in given.items()}


def _listed(written: object, path: Path, kind: str, change: Change) -> object:
    if isinstance(written, list):
        return change(written, path, kind)
    if not isinstance(written, str) or not name_in(written):
        return written
    found = change([written], path, kind)
    return written if found == [written] else found
