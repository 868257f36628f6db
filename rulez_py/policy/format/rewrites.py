"""The form of `rewrite`: new values of arguments, and what becomes of parts of others."""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.documents import types
from rulez_py.documents.types import ListOf, Map, Refusal, check_filled, check_not_blank, text
from rulez_py.policy.matchers.schema_parts import check_pattern
from rulez_py.policy.model.rewrites import ADD, COMMAND, PROGRAM, REMOVE, REPLACE, is_partial
from rulez_py.policy.patterns import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulez_py.documents.types import Path

_PAIR = "a regex and a text, like [regex, text]"


def _check_program(value: str) -> None:
    first = value.split()[:1]
    if any(one.startswith("-") or "=" in one for one in first):
        raise Refusal(f'cannot begin with "{types.briefly(first[0])}", which is no program')


def _check_flag(value: str) -> None:
    if value.strip() and not value.split()[0].startswith("-"):
        raise Refusal(f'cannot be "{types.briefly(value)}", which is no option', "begin it with `-`")


def _check_bare(value: str) -> None:
    if len(value.split()) > 1 or "=" in value:
        raise Refusal(f'cannot be "{types.briefly(value)}"', "name the option alone: its value goes with it")


class _Replacements(Value):
    """A regex and a text, or a list of such pairs; read as pairs."""

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        if not isinstance(value, list) or not value:
            raise types.unwanted(value, f"{_PAIR}, or a list of these")
        if all(isinstance(one, str) for one in value):
            return [_pair(value, path, refusals)]
        return [_pair(one, (*path, index), refusals) for index, one in enumerate(value)]

    def json(self) -> dict[str, Any]:
        pair = {"items": {"type": "string"}, "maxItems": 2, "minItems": 2, "type": "array"}
        return {"anyOf": [pair, {"items": pair, "minItems": 1, "type": "array"}]}


def _pair(value: Any, path: Path, refusals: list[Refusal]) -> Any:
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(one, str) for one in value):
        refusals.append(Refusal(f"must hold {_PAIR}").at(path, value))
        return None
    types.read(text(check_pattern), value[0], (*path, 0), refusals)
    try:
        there = regex.compile_pattern(value[0], groups=True).NumberOfCapturingGroups()
    except regex.BadPattern:
        return value
    groups = [int(part[0]) for part in value[1].replace("\\\\", "").split("\\")[1:] if part[:1].isdigit()]
    if groups and max(groups) > there:
        has = f"has {there} group{'s' if there != 1 else ''}"
        refusals.append(Refusal(f"names group {max(groups)} of a regex that {has}").at((*path, 1), value[1]))
    return value


REWRITTEN = Map(
    name="Rewritten",
    about="What becomes of each command that the rule is about; all else of the line stays.",
    empty="changes nothing",
    fields={
        PROGRAM: (text(check_not_blank, _check_program, pattern=r"\S"), "Words in place of the program's name."),
        REMOVE: (
            ListOf(item=text(check_not_blank, _check_flag, _check_bare, pattern=r"^-"), alone=True),
            "Options to take away, in whatever spelling, with their values.",
        ),
        ADD: (
            ListOf(item=text(check_not_blank, _check_flag, pattern=r"^-"), alone=True),
            "Options to put behind the subcommand where they are not there.",
        ),
        REPLACE: (_Replacements(), "A regex (RE2) on each word, and the text for what it fits; or such pairs."),
    },
)
_REPLACED = Map(
    name="Replaced",
    about="What becomes of a text.",
    fields={REPLACE: (_Replacements(), "A regex (RE2), and the text for what it fits; or such pairs.")},
)


class Rewrites(Value):
    """Canonical argument names, each with its new value or what becomes of a part of it."""

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        if not isinstance(value, dict):
            raise types.unwanted(value, types.MAP)
        check_filled(value)
        return {
            name: types.read(REWRITTEN if name == COMMAND else _REPLACED, one, (*path, name), refusals)
            if is_partial(one, of=name)
            else one
            for name, one in value.items()
        }

    def json(self) -> dict[str, Any]:
        partly = [REWRITTEN.json(), {"not": {"type": "object"}}]
        return {
            "additionalProperties": True,
            "minProperties": 1,
            "patternProperties": {f"^{COMMAND}$": {"anyOf": partly}},
            "type": "object",
        }
