"""`domains`: which hosts are contacted."""

from __future__ import annotations

from rulez_py.policy.patterns import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts, Part
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

ABOUT = (
    "Globs over the hosts in URLs of the call, and those a command contacts (`curl`, `ssh`, `git push`), without port; "
    "`!` takes out again."
)
EXAMPLE = r'domains: ["*.example.com"]'
VARIABLES = ("domains",)


def schema() -> Kind:
    from rulez_py.documents.types import check_not_blank, text
    from rulez_py.policy.matchers.schema_parts import one_or_many

    return one_or_many(text(check_not_blank, _check_domain))


def compiled(wanted: list[str]) -> list[str]:
    return wanted


def filed_by(match: Match) -> Filing | None:
    from rulez_py.policy.matchers import index_keys

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


def fits(wanted: list[str], part: Part, facts: Facts, *, strict: bool) -> bool:
    if not strict:
        return any(_is_one_of(wanted, host) for host in part.hosts)
    return bool(part.hosts) and not part.is_opaque and all(_is_one_of(wanted, host) for host in part.hosts)


def about(wanted: list[str], part: Part, facts: Facts) -> Part:
    return part.narrowed(hosts=tuple(host for host in part.hosts if _is_one_of(wanted, host)))


def _is_one_of(wanted: list[str], host: str) -> bool:
    return globs.takes(wanted, lambda pattern: globs.plain(_bare(pattern), host))


def _bare(domain: str) -> str:
    """A domain pattern without what no host is compared with: capitals, a final dot, an IPv6 address's brackets."""
    domain = domain.lower().rstrip(".")
    return domain[1:-1] if domain.startswith("[") and domain.endswith("]") and ":" in domain else domain


def seen(_wanted: object, part: Part, _facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    return part.hosts
