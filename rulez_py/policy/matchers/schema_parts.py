"""Values that several parts of a policy file are made of: patterns, globs, choices, switches."""

from __future__ import annotations

import os

from rulez_py.documents import types
from rulez_py.documents.types import ListOf, Plain, Refusal, check_not_blank, text
from rulez_py.policy.patterns import globs, regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.documents.types import Kind


def one_of(choices: Sequence[str]) -> Plain:
    def check(value: str) -> None:
        if value not in choices:
            raise Refusal(f'cannot be "{value}"', choices=choices)

    return text(check, enum=list(choices))


def one_or_many(item: Kind) -> ListOf:
    return ListOf(item=item, least=1, alone=True)


def check_pattern(value: str) -> None:
    if not value:
        raise Refusal("is an empty pattern, which matches everything")
    try:
        regex.compile_pattern(value)
    except regex.BadPattern as error:
        raise Refusal(f"is not a regex RE2 understands: {error}", _pattern_help(value)) from None
    for foreign in ("&&[", "--[", "~~[", "\\b{"):
        if foreign in value:
            # Rust's regex gives these a meaning; RE2 would take them literally and match something else.
            said = f"has `{foreign}`, which RE2 reads as plain characters"
            raise Refusal(said, "write the class out, or use `except`")


def _pattern_help(pattern: str) -> str:
    """Return what to write instead of syntax that other regex engines have."""
    if any(opening in pattern for opening in ("(?=", "(?!", "(?<=", "(?<!")):
        return 'RE2 has no look-around; say what must not match under "except"'
    if any(f"\\{digit}" in pattern for digit in "123456789") or "(?P=" in pattern or "\\k<" in pattern:
        return "RE2 has no back-references"
    if "\\Z" in pattern:
        return "write \\z for the end of the text"
    if "(?x)" in pattern:
        return "RE2 has no (?x); write the pattern without spaces and comments"
    return ""


def check_directory(value: str) -> None:
    if not (os.path.isabs(value) or value.startswith("~/")):
        raise Refusal(f'holds "{value}", which is no whole path', "write the project's directory from / or ~/ on")


def check_glob(value: str) -> None:
    wrong = globs.problem(value)
    if wrong:
        raise Refusal(f'holds "{value}", which is not a glob: {wrong}')


def check_no_not(value: str) -> None:
    """Refuses a glob that reads as if it took something out where there is nothing that it could be taken from."""
    if globs.takes_out(value):
        said = f'holds "{value}", but `!` takes something out only in a list of globs'
        raise Refusal(said, f'say what must not fit under "except"; a plain `!` is "\\\\{value}"')


def check_field_path(value: str) -> None:
    if not value:
        raise Refusal("is an empty field path")
    if "" in value.split("."):
        raise Refusal(f'has an empty part in "{value}"', "write names joined by single dots, like user.name")


def check_single(value: str) -> None:
    if names_in(value) != [value]:
        each = ", ".join(name for name in names_in(value) if name != "-")
        raise Refusal(f'holds "{value}", but every name is an entry of its own', f"write [{each}]")


def names_in(text: str) -> list[str]:
    """Return the names in a text where there should be one, and people also write several."""
    return text.translate(_BETWEEN_NAMES).split()


_BETWEEN_NAMES = str.maketrans("|,;", "   ")


ON_OFF_WORDS = frozenset(("yes", "no", "on", "off", "true", "false", "y", "n"))


def check_decision(value: bool | str) -> None:
    """Raise Refusal for a reason that looks like a switch."""
    if isinstance(value, bool):
        return
    if not value.strip():
        raise Refusal("is blank", "write true or the reason")
    if value.strip().lower() in ON_OFF_WORDS:
        meant = "true" if value.strip().lower() in ("yes", "on", "true", "y") else "false"
        raise Refusal(f'is the text "{value}", not a switch', f"write {meant} without quotes")


SWITCH = Plain(types=(bool,), wanted=types.SWITCH, form={"type": "boolean"})
_PROOFS = ("sudo", "polkit")


def _check_proof(value: bool | str) -> None:
    if isinstance(value, str) and value not in _PROOFS:
        raise Refusal(f'cannot be "{value}"', choices=_PROOFS)


PROOF = Plain(
    types=(bool, str),
    wanted="true, false, sudo or polkit",
    checks=(_check_proof,),
    form={"enum": [True, False, *_PROOFS]},
)
"""Return the kind of permissions of people: yes, no, or yes by a password that sudo or polkit asks for."""
PATTERNS = one_or_many(text(check_pattern, minLength=1))
GLOBS = one_or_many(text(check_not_blank, check_glob, pattern=r"\S"))
FIELD_PATH = text(check_field_path)
