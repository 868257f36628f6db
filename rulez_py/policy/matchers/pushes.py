"""`pushes`: which branches of another repository a call changes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts, Part
    from rulez_py.policy.facts.pushes import Pushed
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

ABOUT = (
    "Branches of another repository that the call changes: by `git push` in any spelling, `gh`, `glab`, a code host's "
    "API. What is unknown counts as any branch."
)
EXAMPLE = 'pushes: {to: [$default, "release/*"], how: [plain, force]}'
NEEDS_TOOL = True
VARIABLES = ("to",)
_DEFAULT = "$default"
OWN_VARIABLES = (_DEFAULT[1:],)


def schema() -> Kind:
    from rulez_py.documents.types import Map, Short, check_not_blank, text
    from rulez_py.policy.facts.pushes import HOW
    from rulez_py.policy.matchers.schema_parts import check_glob, one_of, one_or_many

    branches = one_or_many(text(check_not_blank, check_glob, _check_branch, pattern=r"\S"))
    whole = Map(
        name="Pushes",
        about="Which branches, and how they are changed.",
        needs=("to",),
        fields={
            "to": (
                branches,
                "Globs over the branches' names; `!` takes out again. `$default` is the remote's default branch, "
                "`$NAME` a list of the file's `vars`.",
            ),
            "how": (
                one_or_many(one_of(HOW)),
                "How a branch is changed: `plain`, `lease` (--force-with-lease), `force`, `delete`. Without it: all.",
            ),
        },
    )
    return Short(key="to", whole=whole, lists=True)


def _check_branch(value: str) -> None:
    from rulez_py.documents.types import Refusal

    for beginning in ("refs/heads/", "origin/"):
        if value.removeprefix("!").startswith(beginning):
            said = f'holds "{value}", but branches go by their short names'
            raise Refusal(said, f'write "{value.replace(beginning, "", 1)}"')


def compiled(wanted: dict[str, Any]) -> dict[str, Any]:
    return wanted


def filed_by(match: Match) -> Filing | None:
    return "pushing", []


def fits(wanted: dict[str, Any], part: Part, facts: Facts, *, strict: bool) -> bool:
    """Strictly all that it changes is known, and is so."""
    from rulez_py.policy.facts.pushes import pushed

    found = pushed(part, facts)
    if not strict:
        return any(_is_so(wanted, one) for one in found)
    return bool(found) and all((one.branch or one.is_default) and _is_so(wanted, one, strict=True) for one in found)


def _is_so(wanted: dict[str, Any], one: Pushed, *, strict: bool = False) -> bool:
    from rulez_py.policy.patterns import globs

    if one.how not in wanted.get("how", (one.how,)):
        return False
    if not one.branch and not strict:
        return True
    # What is unknown may be the default branch.
    may_be = (True,) if strict else (True, None)
    return globs.takes(
        wanted["to"],
        lambda pattern: one.is_default in may_be if pattern == _DEFAULT else globs.plain(pattern, one.branch),
    )


def met(wanted: dict[str, Any], part: Part, facts: Facts) -> list[Pushed]:
    """Return what the part pushes that fits."""
    from rulez_py.policy.facts.pushes import pushed

    return [one for one in pushed(part, facts) if _is_so(wanted, one)]


def about(wanted: dict[str, Any], part: Part, facts: Facts) -> Part:
    """Return the whole part: an exception must cover all that it pushes."""
    return part


def wants(wanted: dict[str, Any]) -> Iterable[str]:
    """Return what a rule wants: changes of one kind to branches of a list."""
    yield " to ".join(", ".join(wanted[key]) for key in ("how", "to") if key in wanted)


def seen(wanted: dict[str, Any], part: Part, facts: Facts) -> Iterable[str]:
    """Return what the part pushes, for people."""
    from rulez_py.policy.facts.pushes import pushed, shown

    return shown(pushed(part, facts))
