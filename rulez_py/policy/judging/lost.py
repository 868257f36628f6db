"""What a rule that asks for `loses` says of a call: which files and commits would be gone."""

from __future__ import annotations

from rulez_py.policy.facts.losses import (
    COMMITS,
    CUT,
    FILES,
    IGNORED,
    OVERWRITTEN,
    STASHES,
    UNCOMMITTED,
    UNREAD,
    UNTRACKED,
    of_parts,
)
from rulez_py.policy.judging.matching import losing_parts
from rulez_py.verdict import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.facts.losses import Lost
    from rulez_py.policy.model.rule import Match

_MOST_NAMED = 3
_WORDS = {
    UNCOMMITTED: ("file with uncommitted changes", "files with uncommitted changes"),
    UNTRACKED: ("untracked file", "untracked files"),
    IGNORED: ("ignored file", "ignored files"),
    FILES: ("file outside of git", "files outside of git"),
    STASHES: ("stash", "stashes"),
    OVERWRITTEN: ("file whose content is nowhere else", "files whose content is nowhere else"),
    UNREAD: ("file that has changed since the agent read it", "files that have changed since the agent read them"),
    CUT: ("file cut to less than half", "files cut to less than half"),
    COMMITS: ("commit that is nowhere else", "commits that are nowhere else"),
}


def lost(match: Match, facts: Facts) -> str:
    """Return what would be lost by the parts of a call that a rule is about, as one clause; "" for other rules."""
    wanted = match.get("loses")
    if not wanted:
        return ""
    found = of_parts(losing_parts(match, facts), facts, wanted)
    known = list(dict.fromkeys(one for one in found if one.known))
    said = [_of_kind(kind, [one for one in known if one.kind == kind], facts) for kind in _WORDS]
    clauses = [clause for clause in said if clause]
    if any(not one.known for one in found):
        clauses.append("what else is unknown" if clauses else "what is not known")
    return f"it would lose {'; '.join(clauses)}" if clauses else ""


def _of_kind(kind: str, found: Sequence[Lost], facts: Facts) -> str:
    if not found:
        return ""
    count = sum(one.count for one in found)
    names = sorted({one.name for one in found if one.name})
    shown = [*_shown(kind, names[:_MOST_NAMED], facts)]
    if len(names) > _MOST_NAMED:
        shown.append(f"{len(names) - _MOST_NAMED} more")
    clause = f"{count} {_WORDS[kind][count != 1]}"
    return f"{clause}: {', '.join(shown)}" if shown else clause


def _shown(kind: str, names: Sequence[str], facts: Facts) -> Iterator[str]:
    """Yield names as people know them, of changed files with the lines that were added and taken away."""
    changed: dict[str, tuple[int, int]] = {}
    if kind == UNCOMMITTED:
        git = facts.effects.git
        repository = git.find(names[0].rpartition("/")[0] or "/")
        changed = git.lines_changed(repository, names) if repository is not None else {}
    root = f"{facts.around.root.rstrip('/')}/"
    for name in names:
        more, less = changed.get(name, (0, 0))
        lines = f" (+{more} -{less})" if name in changed else ""
        yield f"{visible(name.removeprefix(root))}{lines}"
