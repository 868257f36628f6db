"""Cases that a person types for `rulez explain`: a file as `tests` have it, or circumstances word by word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulez_py.documents import types
from rulez_py.documents.diagnostics import choice_help, diagnostic
from rulez_py.documents.document import parse
from rulez_py.policy.format.case_repository import REPOSITORY
from rulez_py.policy.format.circumstances import CIRCUMSTANCES, ENV, EXPECTED, FILES, GIT, CaseKind
from rulez_py.system import jsontext

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulez_py.documents.types import Refusal


class NotRight(ValueError):
    """What a person typed is no case; the message says why, a line for each problem."""


def read_case(content: bytes, shown: str) -> Any:
    """Return the case that a file holds, YAML or JSON, named `shown` for people. Raises NotRight."""
    document = parse(content, shown, if_empty="write a command, or {command: ls, env: {CI: '1'}}")
    problems = [str(one) for one in document.problems]
    refusals: list[Refusal] = []
    case = None if problems else types.read(CaseKind(), document.data, (), refusals)
    for one in refusals:
        said = _said(one)
        problems.append(str(diagnostic(shown, document.position(one.path), said[0], said[1])))
    if problems:
        raise NotRight("\n".join(problems))
    return case


def _said(refusal: Refusal) -> tuple[str, str]:
    """Return what is wrong, and what would be right."""
    name = ".".join(key for key in refusal.path if isinstance(key, str))
    subject = f'"{name}"' if name else "a case"
    if refusal.kind == types.UNKNOWN:
        key = str(refusal.path[-1])
        return f"{subject} is no key of `{refusal.path[-2]}`", choice_help(key, REPOSITORY.keys())
    help = choice_help(refusal.value, refusal.choices) if refusal.choices else refusal.help
    return f"{subject} {refusal.predicate or 'has no value'}", help


def told_in_words(variables: Sequence[str], facts: Sequence[str]) -> dict[str, Any]:
    """Return the circumstances of `NAME=VALUE` words: variables of the environment, and facts of the repository.

    A fact that is named again is a list. Raises NotRight.
    """
    told: dict[str, Any] = {}
    if variables:
        told[ENV] = dict(_pair(one, "--env CI=true") for one in variables)
    if facts:
        repository: dict[str, Any] = {}
        for key, value in (_pair(one, "--git branch=main") for one in facts):
            if key not in REPOSITORY.fields:
                raise NotRight(f"`{key}` is no fact of a repository; {choice_help(key, REPOSITORY.keys())}")
            read = _fact(key, value)
            repository[key] = [*_many(repository[key]), *_many(read)] if key in repository else read
        told[GIT] = repository
    refusals: list[Refusal] = []
    done = {key: types.read(CIRCUMSTANCES[key][0], value, (key,), refusals) for key, value in told.items()}
    if refusals:
        raise NotRight("; ".join(part for part in _said(refusals[0]) if part))
    return done


def assumed(told: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the note that says which circumstances are taken to be so; none where none are. Of files, their names."""
    shown = {key: list(value) if key == FILES else value for key, value in told.items() if key not in EXPECTED}
    said = ", ".join(f"{key} {jsontext.dumps(value)}" for key, value in shown.items())
    return (f"judged as if: {said}",) if said else ()


def _pair(word: str, example: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals or not name:
        raise NotRight(f"`{word}` names no value; write {example}")
    return name, value


def _fact(key: str, value: str) -> Any:
    """Return a fact in the form in which it may be: a text, a number, or true or false; the text where none fits."""
    forms: list[Any] = [value, *([int(value)] if value.isdecimal() else ()), *_SWITCHES.get(value, ())]
    for form in forms:
        refusals: list[Refusal] = []
        read = types.read(REPOSITORY.fields[key][0], form, (GIT, key), refusals)
        if not refusals:
            return read
    return value


_SWITCHES = {"true": (True,), "false": (False,)}


def _many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
