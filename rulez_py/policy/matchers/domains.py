"""`domains`: which hosts are contacted."""

from __future__ import annotations

from rulez_py.policy import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.policy.facts import Facts, Part


def fits(wanted: list[str], part: Part, facts: Facts, *, strict: bool) -> bool:
    if not strict:
        return any(_is_one_of(wanted, host) for host in part.hosts)
    return bool(part.hosts) and not part.is_opaque and all(_is_one_of(wanted, host) for host in part.hosts)


def about(wanted: list[str], part: Part, facts: Facts) -> Part:
    return part.narrowed(hosts=tuple(host for host in part.hosts if _is_one_of(wanted, host)))


def _is_one_of(wanted: list[str], host: str) -> bool:
    return any(globs.plain(_bare(pattern), host) for pattern in wanted)


def _bare(domain: str) -> str:
    """A domain pattern without what no host is compared with: capitals, a final dot, an IPv6 address's brackets."""
    domain = domain.lower().rstrip(".")
    return domain[1:-1] if domain.startswith("[") and domain.endswith("]") and ":" in domain else domain
