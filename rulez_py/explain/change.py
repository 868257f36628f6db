"""Suggest a change: lines for a policy file that let this call pass the rules that stop it, and little else.

INVARIANT: an exception is suggested only where it holds for this very call, by the code that judges.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rulez_py.explain.values import Change
from rulez_py.policy.judging.decide import seen_by
from rulez_py.policy.judging.matching import matches, narrowed
from rulez_py.policy.matchers import matcher
from rulez_py.policy.model.layers import MANAGED, USER
from rulez_py.policy.packs import PREFIX, SELF_PROTECTION
from rulez_py.system import jsontext
from rulez_py.verdict import DENY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rulez_py.analysis import Command
    from rulez_py.explain.values import AboutRule
    from rulez_py.policy.facts.facts import Facts, Part

USER_FILE = "~/.config/rulez/rules.yaml"
_PLAIN = re.compile(r"-{0,2}[A-Za-z0-9_./~@+=][A-Za-z0-9_./~@+=-]*")
_WORDS_OF_YAML = frozenset(("true", "false", "null", "~", "yes", "no", "on", "off"))
_MOST_ENTRIES = 8
_SPECIAL = "\\*?[]{}!"


def changes(
    stopping: Sequence[AboutRule], only: Mapping[tuple[str, str], Mapping[str, Any]], files: Mapping[str, str]
) -> tuple[Change, ...]:
    """Return the ways to let the call pass the rules that stop it, the narrowest of each first.

    `only` has the `exception` of each, by name and source; `files` are the policy files that people have written, by
    their layer.
    """
    found: list[Change] = []
    of_sets: dict[str, list[AboutRule]] = {}
    for one in stopping:
        file = _file_of(one)
        this = only[one.rule["name"], one.rule["source"]]
        if not file.startswith(PREFIX):
            found += _of_a_file(one, this)
            continue
        protects = file == PREFIX + SELF_PROTECTION
        own = files.get(USER if protects else one.rule["layer"], files.get(USER, USER_FILE))
        if not protects and this:
            found.append(_of_one(one, this, own, _head(own, files)))
        of_sets.setdefault(own, []).append(one)
    for own, rules in of_sets.items():
        found += _of_sets(rules, own, _head(own, files))
    return tuple(found)


def _file_of(one: AboutRule) -> str:
    return one.rule["source"].rpartition(":")[0]


def _of_a_file(one: AboutRule, only: Mapping[str, Any]) -> Iterator[Change]:
    """Yield how to change a rule in its own file."""
    rule = one.rule
    whose = " (for the administrator of this machine)" if rule["layer"] == MANAGED else ""
    lines = _lines(only, one_more=bool(rule["except"]))
    if lines:
        yield Change(rule["source"], f"this call, by an exception in rule `{rule['name']}`{whose}", lines)
    yield Change(rule["source"], f"rule `{rule['name']}` only warns{whose}", ("mode: warn",))


def _of_one(one: AboutRule, only: Mapping[str, Any], own: str, head: tuple[str, ...]) -> Change:
    """Return how a rule of a set gets one more exception."""
    name = one.rule["name"]
    return Change(own, f"this call, by an exception from `{name}`", (*head, "overrides:", f"  {name}:", *_under(only)))


def _under(only: Mapping[str, Any]) -> Iterator[str]:
    yield "    except:"
    yield from (f"      {key}: {_flow(value)}" for key, value in only.items())


def _head(own: str, files: Mapping[str, str]) -> tuple[str, ...]:
    """Return the first lines of a file that does not exist yet; () where it does."""
    return () if own in files.values() else ('version: "1.0"',)


def _of_sets(rules: Sequence[AboutRule], own: str, head: tuple[str, ...]) -> Iterator[Change]:
    """Yield how to change rules of sets for all calls."""
    denying = [one.rule["name"] for one in rules if one.decision == DENY]
    if denying:
        said = f"{_named(denying)} {'asks' if len(denying) == 1 else 'ask'} you each time"
        yield Change(own, said, (*head, "overrides:", *(f"  {name}: {{action: ask}}" for name in denying)))
    names = [one.rule["name"] for one in rules if _file_of(one) != PREFIX + SELF_PROTECTION]
    if names:
        said = f"{_named(names)} {'is' if len(names) == 1 else 'are'} off everywhere"
        yield Change(own, said, (*head, f"disable: [{', '.join(names)}]"))
    if len(names) < len(rules):
        purpose = "agents may change what protects you, all of it (better: do this one yourself)"
        yield Change(own, purpose, (*head, "settings:", "  self_protection: false"))


def _named(names: Sequence[str]) -> str:
    shown = " and ".join(f"`{name}`" for name in names)
    return f"rule {shown}" if len(names) == 1 else f"rules {shown}"


def _lines(exception: Mapping[str, Any], *, one_more: bool) -> tuple[str, ...]:
    """Return the exception as it is written; where a rule has some already, as one more of the list."""
    if not exception:
        return ()
    if one_more:
        return ("except:", "  - ...  (what is there already)", f"  - {_flow(exception)}")
    return ("except:", *(f"  {key}: {_flow(value)}" for key, value in exception.items()))


# An exception for this call.


def exception(one: AboutRule, facts: Facts, *, exactly: bool = False) -> dict[str, Any]:
    """Return the map to write under `except`, {} where no exception would hold.

    Of commands it is about those with the same options and operands; `exactly` about those with the same words alone.
    """
    seen = seen_by(one.rule, facts)
    about = narrowed(seen, one.rule["match"])
    for written in _candidates(one, about, exactly=exactly):
        compiled = {kind: matcher(kind).compiled(_whole(kind, wanted)) for kind, wanted in written.items()}
        if matches(compiled, about, strict=True):
            return written
    return {}


def _whole(kind: str, wanted: Any) -> Any:
    """Return what was written in its long form, as it is compiled."""
    return matcher(kind).schema().read(wanted, (), [])


def _candidates(one: AboutRule, about: Facts, *, exactly: bool) -> Iterator[dict[str, Any]]:
    match = one.rule["match"]
    words = _words_of_commands(about) if exactly else []
    if words and {"command", "command_match"} & match.keys():
        yield {"command": words}
    if "command" in match and not exactly and (command := _of_commands(one, about)):
        yield {"command": command}
    if {"paths", "extensions", "directories"} & match.keys() and (globs := _of_files(about)):
        yield {"paths": globs}
    if "domains" in match and about.hosts:
        yield {"domains": list(about.hosts[:_MOST_ENTRIES])}
    if about.mcp and {"mcp", "tools"} & match.keys():
        server, tool = about.mcp[0]
        yield {"mcp": {"server": [server], "tool": [tool]}}
    if words:
        yield {"command": words}


def _words_of_commands(about: Facts) -> list[dict[str, Any]]:
    """Return every command that made the rule match, word by word."""
    commands = [part.command for part in about.parts if part.command is not None and part.command.words]
    words = dict.fromkeys(tuple(word.text for word in command.words) for command in commands)
    return [{"exactly": list(one)} for one in words] if len(words) <= _MOST_ENTRIES else []


def _of_commands(one: AboutRule, about: Facts) -> dict[str, Any]:
    """The command that made the rule match: its program, subcommand, options by which it matched, and its operands."""
    parts = [part for part in about.parts if part.command is not None and part.command.program]
    if not parts:
        return {}
    part = parts[0]
    command = part.command
    if command is None:
        return {}
    written: dict[str, Any] = {"program": [_escaped(command.program)]}
    operands = [operand.word for operand in part.reading.operands]
    named = {check.name for check in one.checks}
    if "command.subcommand" in named and operands:
        path = _subcommand(one, part, command)
        written["subcommand"] = [[_escaped(text) for text in path]]
        operands = operands[len(path) :]
    if operands:
        written["operands"] = [_escaped(word.text) for word in operands[:_MOST_ENTRIES]]
    words = {text for _start, _end, text in one.words}
    flags = [option.word.text for option in part.reading.options if option.word.text in words]
    if flags:
        written["all_flags"] = list(dict.fromkeys(flags))
    return written


def _subcommand(one: AboutRule, part: Part, command: Command) -> list[str]:
    """Return the words of the subcommand, as they are written."""
    wanted = one.rule["match"]["command"]
    asked = matcher("command")
    for way in asked.ways(wanted):
        found = asked.words({"subcommand": way["subcommand"]}, part) if "subcommand" in way else None
        if found:
            return [word.text for word in found if word is not command.words[0]]
    return []


def _of_files(about: Facts) -> dict[str, Any]:
    """Return the files that made the rule match, as places."""
    root, home = about.around.root, about.around.home
    files = [file for file in about.files if file.known and not file.deep]
    if not files or len(files) > _MOST_ENTRIES:
        return {}
    globs = dict.fromkeys(_place(file.path, root, home) for file in files)
    access = dict.fromkeys(way for file in files for way in file.access)
    return {"globs": list(globs), "access": list(access)}


def _place(path: str, root: str, home: str) -> str:
    """Return a glob for one file alone."""
    for start, instead in ((root.rstrip("/") + "/", "./"), (home.rstrip("/") + "/", "~/")):
        if path.startswith(start):
            return instead + _escaped(path[len(start) :])
    return _escaped(path)


def _escaped(text: str) -> str:
    escaped = "".join(f"\\{character}" if character in _SPECIAL else character for character in text)
    return f"\\{escaped}" if escaped.startswith("!") else escaped


# In YAML.


def _flow(value: Any) -> str:
    """Return a value in YAML, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return _flow(value[0]) if len(value) == 1 else "[" + ", ".join(map(_flow, value)) + "]"
    text = str(value)
    plain = _PLAIN.fullmatch(text) and text.lower() not in _WORDS_OF_YAML and not text[0].isdigit()
    return text if plain else jsontext.dumps(text)
