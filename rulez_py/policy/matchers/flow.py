"""`flow`: which secrets a command lets go, and where to."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypedDict

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts, Part
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

    # `from` is no name that a class can give a field.
    Flow = TypedDict("Flow", {"from": list[str], "to": list[str]})
    """The compiled form."""

_SECRETS = "secrets"
"""A word for all of them but the environment as a whole."""

ABOUT = "Secrets that a command prints, leaves in a file, or sends to another machine."
EXAMPLE = "flow: {from: [environment, credentials], to: [network]}"
NEEDS_TOOL = True


def schema() -> Kind:
    from rulez_py.analysis import SINKS, SOURCES
    from rulez_py.documents.types import Map
    from rulez_py.policy.matchers.schema_parts import one_of, one_or_many

    return Map(
        name="Flow",
        about="Secrets that a command lets go.",
        needs=("from",),
        fields={
            "from": (
                one_or_many(one_of((_SECRETS, *SOURCES))),
                "What they are: `environment` all variables, `variable` one whose name says secret, `credentials` what "
                "programs print that print passwords, tokens and keys; `secrets` the last two.",
            ),
            "to": (
                one_or_many(one_of(SINKS)),
                "Where they go: `network`, `output` of the whole line, `files`. Default: anywhere.",
            ),
        },
    )


def compiled(wanted: Mapping[str, list[str]]) -> Flow:
    from rulez_py.analysis import SINKS

    given = [word for one in wanted["from"] for word in (("variable", "credentials") if one == _SECRETS else (one,))]
    return {"from": list(dict.fromkeys(given)), "to": wanted.get("to", list(SINKS))}


def filed_by(match: Match) -> Filing | None:
    return "flows", list(match["flow"]["from"])


def fits(wanted: Flow, part: Part, facts: Facts, *, strict: bool) -> bool:
    """Strictly nothing else flows."""
    flows = part.command.flows if part.command is not None else ()
    enough = all if strict else any
    return bool(flows) and enough(origin in wanted["from"] and sink in wanted["to"] for origin, sink in flows)


def about(wanted: Flow, part: Part, facts: Facts) -> Part:
    """Return the whole part: a flow is not one of its files or words."""
    return part


def wants(wanted: Flow) -> Iterable[str]:
    """Return what a rule wants: something from one list to one of another."""
    return (f"{', '.join(wanted['from'])} to {', '.join(wanted['to'])}",)


def seen(_wanted: object, part: Part, _facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    flows = part.command.flows if part.command is not None else ()
    return [f"{origin} to {sink}" for origin, sink in flows]
