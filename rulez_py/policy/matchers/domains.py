"""`domains`: which hosts are contacted."""

from __future__ import annotations

from rulez_py.policy.patterns import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.contacts import Contacts
    from rulez_py.policy.facts.facts import Facts, Part
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

    Domains = list[str] | dict[str, list[str]]
    """The compiled form: globs, or with `only` those of the hosts that do not fit."""

ABOUT = (
    "Globs over the hosts in URLs of the call, and those a command contacts (`curl`, `ssh`, `git push`), without port; "
    "`!` takes out again. `{only: [...]}` fits every other host, and one that is not known."
)
_ONLY = "only"
UNKNOWN = "a host that is not known"
EXAMPLE = r'domains: ["*.example.com"]'


def schema() -> Kind:
    from rulez_py.documents.types import Map, OrMap, check_not_blank, text
    from rulez_py.policy.matchers.schema_parts import one_or_many

    hosts = one_or_many(text(check_not_blank, _check_domain))
    others = Map(
        name="Domains",
        about="Hosts that are contacted besides some.",
        needs=(_ONLY,),
        fields={_ONLY: (hosts, "Globs over the hosts that do not fit. Every other does, and one that is not known.")},
    )
    return OrMap(kind=hosts, whole=others)


def compiled(wanted: Domains) -> Domains:
    return wanted


def filed_by(match: Match) -> Filing | None:
    from rulez_py.policy.matchers import index_keys

    if isinstance(match["domains"], dict):
        return "contacting", []
    return "hosts", index_keys.of_globs(pattern.rstrip(".") for pattern in match["domains"])


def _check_domain(value: str) -> None:
    from rulez_py.analysis import hosts_in
    from rulez_py.documents.types import Refusal

    value = globs.bare(value)
    if "://" in value or "/" in value:
        host = "".join(hosts_in(value if "://" in value else f"x://{value}")[:1]) or "example.com"
        raise Refusal(f'holds "{value}", which is more than a host', f'write "{host}"')
    if value.count(":") == 1:
        raise Refusal(f'holds "{value}", but hosts are compared without port', f'write "{value.partition(":")[0]}"')


def fits(wanted: Domains, part: Part, facts: Facts, *, strict: bool) -> bool:
    if isinstance(wanted, dict):
        found = _others(wanted, part, facts)
        if not strict:
            return bool(found.hosts) or found.somewhere
        listed = any(_is_one_of(wanted[_ONLY], host) for host in part.hosts)
        return bool(found.hosts) and not (found.somewhere or part.is_opaque or listed)
    if not strict:
        return any(_is_one_of(wanted, host) for host in part.hosts)
    return bool(part.hosts) and not part.is_opaque and all(_is_one_of(wanted, host) for host in part.hosts)


def about(wanted: Domains, part: Part, facts: Facts) -> Part:
    if isinstance(wanted, dict):
        found = _others(wanted, part, facts)
        return part.narrowed(hosts=found.hosts, somewhere=found.somewhere)
    return part.narrowed(hosts=tuple(host for host in part.hosts if _is_one_of(wanted, host)))


def _others(wanted: Mapping[str, list[str]], part: Part, facts: Facts) -> Contacts:
    """Return what the part contacts besides what is in the list."""
    from rulez_py.policy.facts.contacts import Contacts, contacts

    found = contacts(part, facts)
    others = [host for host in found.hosts if not _is_one_of(wanted[_ONLY], host)]
    return Contacts(others, somewhere=found.somewhere)


def _is_one_of(wanted: list[str], host: str) -> bool:
    return globs.takes(wanted, lambda pattern: globs.plain(_bare(pattern), host))


def _bare(domain: str) -> str:
    """A domain pattern without what no host is compared with: capitals, a final dot, an IPv6 address's brackets."""
    domain = domain.lower().rstrip(".")
    return domain[1:-1] if domain.startswith("[") and domain.endswith("]") and ":" in domain else domain


def seen(wanted: Domains, part: Part, facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    if not isinstance(wanted, dict):
        return part.hosts
    from rulez_py.policy.facts.contacts import contacts

    found = contacts(part, facts)
    return (*found.hosts, *((UNKNOWN,) if found.somewhere else ()))
