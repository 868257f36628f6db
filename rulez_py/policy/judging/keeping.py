"""`checkpoint: true`: keep what a call would lose, so that it can go through; ask where that is not possible."""

from __future__ import annotations

from rulez_py.analysis import DELETE, SOME
from rulez_py.policy.facts.losses import COMMITS, FILES, STASHES, WRITTEN, of_parts
from rulez_py.policy.judging.matching import losing_parts
from rulez_py.system.effects import Kept, ToKeep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulez_py.policy.facts.disk import Touched
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.facts.losses import Lost
    from rulez_py.policy.model.rule import Rule

BEFORE = ("PreToolUse", "PermissionRequest")
"""The events at which a call is still to come."""


def kept(rule: Rule, facts: Facts) -> Kept:
    """Keep what the call would lose of what a rule is about; `error` says why it is not kept.

    INVARIANT: all of it is known and kept, or there is an error.
    """
    if not rule["trusted"]:
        return Kept(error="nothing is kept before a person has trusted the rule's file (rulez trust)")
    if not set(BEFORE) & set(facts.event.types):
        return Kept(error="the call is over")
    wanted = rule["match"].get("loses") or ()
    found = of_parts(losing_parts(rule["match"], facts), facts, wanted)
    if any(not one.known for one in found):
        return Kept(error="not all that it would lose is known")
    if not found:
        return Kept(error="what it would lose is not known")
    going = _gone_with_their_repository(found, facts)
    if going:
        return Kept(error=f"{going} would be gone with its history")
    done = facts.effects.keep(_to_keep(rule, found, facts))
    if done.error:
        return Kept(error=f"nothing could be kept: {done.error}")
    return done


def in_words(done: Kept) -> str:
    """Return the line about a checkpoint for the model and the log."""
    if not done.id:
        return "rulez would keep what is lost, and say how `rulez undo` gives it back"
    return f"rulez kept {done.what} ({done.id}): `rulez undo --id {done.id}` gives them back"


def _to_keep(rule: Rule, found: Sequence[Lost], facts: Facts) -> ToKeep:
    bounds = rule["actions"].get("checkpoints") or {}
    event = facts.event
    said = facts.lines or tuple(str(value) for value in event.tool_input.values() if isinstance(value, str))
    files = [one for one in found if one.kind not in (COMMITS, STASHES)]
    return ToKeep(
        files=_once(one.name for one in files if not _is_outside(one)),
        outside=_once(one.name for one in files if _is_outside(one)),
        stashes=_once(one.top for one in found if one.kind == STASHES),
        commits=tuple(dict.fromkeys((one.top, one.name) for one in found if one.kind == COMMITS)),
        max_mb=bounds.get("max_mb", MAX_MB),
        keep_days=bounds.get("keep_days", KEEP_DAYS),
        agent=event.platform,
        session=event.session_id or "",
        project=facts.around.root,
        command=said[0] if said else "",
    )


def _is_outside(one: Lost) -> bool:
    """Tell whether a file is in no repository."""
    return one.kind == FILES or (one.kind in WRITTEN and not one.top)


MAX_MB, KEEP_DAYS = 200, 14


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _gone_with_their_repository(found: Sequence[Lost], facts: Facts) -> str:
    """Return the repository that is deleted with what it would keep; "" for none."""
    deleted = [file for part in facts.parts for file in part.files if DELETE in file.access]
    if not deleted:
        return ""
    git = facts.effects.git
    for place in dict.fromkeys(one.top or one.name.rstrip("/").rpartition("/")[0] for one in found):
        repository = git.find(place or "/")
        if repository is not None and any(_may_take(file, repository.common) for file in deleted):
            return repository.top
    return ""


def _may_take(file: Touched, common: str) -> bool:
    """Tell whether deleting this may delete something of the directory in which a repository has its history."""
    path = file.path.rstrip("/")
    if path == common or path.startswith(f"{common}/") or common.startswith(f"{path}/"):
        return file.deep or path.startswith(common)
    directory, _, pattern = path.rpartition("/")
    if file.many is False and not file.among:
        return False
    if not common.startswith(f"{directory}/"):
        return False
    # Of several names below a directory with the repository in it: a shell's pattern leaves what begins with a dot.
    next_one = common[len(directory) + 1 :].partition("/")[0]
    return file.many is None or not next_one.startswith(".") or pattern.startswith(".") or SOME in pattern
