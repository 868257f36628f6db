"""`directories`: where the files are, as RuleZ says it."""

from __future__ import annotations

from rulez_py.policy.facts.facts import inside
from rulez_py.policy.patterns import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.disk import Touched
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

ABOUT = "RuleZ's globs over such a file's path, in which `*` crosses slashes; `!` takes out again. `paths` is newer."
EXAMPLE = "directories: [src/]"
VARIABLES = ("directories",)


def schema() -> Kind:
    from rulez_py.policy.matchers.schema_parts import GLOBS

    return GLOBS


def compiled(wanted: list[str]) -> list[str]:
    return wanted


def filed_by(match: Match) -> Filing | None:
    from rulez_py.policy.matchers import index_keys

    return "files", index_keys.of_globs(match["directories"])


def fits(wanted: list[str], file: Touched, facts: Facts, *, strict: bool) -> bool:
    # As spelled is how RuleZ reads it; `docs/../src` must not pass for `docs` where that would weaken a policy.
    certain = [file.path]
    root = inside(facts.root_above(file.path))
    if file.path.startswith(root):
        certain.append(file.path[len(root) :])
    candidates = certain if strict else [*certain, file.spelled]
    return globs.takes(
        wanted,
        lambda pattern: any(is_inside(pattern, path) for path in candidates),
        out=lambda pattern: any(is_inside(pattern, path) for path in certain),
    )


def is_inside(pattern: str, path: str) -> bool:
    """Tell whether a path fits a RuleZ `directories` glob: anchored at both ends, `src/` and `src` mean all below."""
    if pattern.endswith("/"):
        pattern += "**"
    elif "*" not in pattern:
        pattern += "/**"
    return globs.fits(globs.crossing(pattern), path)
