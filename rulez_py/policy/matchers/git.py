"""`git`: what the repository is like that a call is about."""

from __future__ import annotations

from rulez_py.policy.facts.git_facts import (
    BRANCH,
    DEFAULT_BRANCH,
    DIRTY,
    IGNORED,
    MERGING,
    STASHES,
    UNPUSHED,
    UNTRACKED,
    WORKTREE,
    situations,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts, Part
    from rulez_py.policy.facts.git_facts import Situation
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

    Git = Mapping[str, Any]
    """The compiled form: what is wanted of some facts, those first that are known by looking at one file."""

ABOUT = "The branch and the work tree of the repository that the call is about. What is unknown fits."
EXAMPLE = "git: {branch: $default, dirty: true}"

DEFAULT, DETACHED = "$default", "$detached"
VARIABLES = (BRANCH,)
OWN_VARIABLES = (DEFAULT[1:], DETACHED[1:])
_FILES = (DIRTY, UNTRACKED, IGNORED)
_ORDER = (WORKTREE, BRANCH, MERGING, DEFAULT_BRANCH, STASHES, *_FILES, UNPUSHED)
_MOST_SHOWN = 3


def schema() -> Kind:
    from rulez_py.documents.types import Map, OrSwitch, check_not_blank, text
    from rulez_py.policy.matchers.schema_parts import GLOBS, SWITCH, check_glob, one_of, one_or_many
    from rulez_py.system.git.values import UNDER_WAY

    branches = one_or_many(text(check_not_blank, check_glob, pattern=r"\S"))
    files = OrSwitch(kind=GLOBS)
    return Map(
        name="Git",
        about="A repository. All keys must fit; a call outside of every repository never does.",
        empty="asks for nothing",
        fields={
            BRANCH: (
                branches,
                "Globs over the branch that is checked out; `$default` is the default branch, `$detached` none, "
                "`$NAME` a list of the file's `vars`; `!` takes out again.",
            ),
            DEFAULT_BRANCH: (GLOBS, "Globs over the name of the default branch; `!` takes out again."),
            DIRTY: (
                files,
                "If files are changed, staged or deleted since the last commit; or globs, as `paths` has them, over "
                "such files from the top of the work tree.",
            ),
            UNTRACKED: (files, "The same of files that git does not have."),
            IGNORED: (files, "The same of files that the repository says to ignore."),
            UNPUSHED: (SWITCH, "If commits are not on the branch's upstream, or without one on no remote."),
            STASHES: (SWITCH, "If there are stashes."),
            WORKTREE: (SWITCH, "If it is a further work tree (`git worktree add`)."),
            MERGING: (OrSwitch(kind=one_or_many(one_of(UNDER_WAY))), "If git is in the middle of one of these."),
        },
    )


def compiled(wanted: Mapping[str, Any]) -> Git:
    return {key: wanted[key] for key in _ORDER if key in wanted}


def filed_by(match: Match) -> Filing | None:
    return None


def fits(wanted: Git, part: Part, facts: Facts, *, strict: bool) -> bool:
    """Strictly all repositories fit, by what is known of them."""
    found = situations(part, facts)
    enough = all if strict else any
    return bool(found) and enough(_fits(wanted, one, facts, strict=strict) for one in found)


def _fits(wanted: Git, situation: Situation, facts: Facts, *, strict: bool) -> bool:
    if situation.is_nowhere:
        return False
    enough = all if strict else any
    for key, asked in wanted.items():
        if key in _FILES:
            situation.look_for(wanted)
        possible = situation.possible(key)
        if possible is None:
            if strict:
                return False
            continue
        holds = _HOLDS.get(key, _is_so)
        if not enough(one for value in possible for one in holds(asked, value, situation, facts)):
            return False
    return True


# A test of a fact gives all answers that are possible.


def _is_so(asked: bool, value: object, _situation: Situation, _facts: Facts) -> Iterable[bool]:
    return (bool(value) is asked,)


def _is_named(asked: Sequence[str], name: str, situation: Situation, facts: Facts) -> Iterator[bool]:
    from rulez_py.policy.patterns import globs

    defaults = situation.possible(DEFAULT_BRANCH) if any(globs.bare(one) == DEFAULT for one in asked) else ()
    if facts.around.ignore_case:
        # Where the file system takes another spelling for the same branch, git does.
        asked, name = [one.lower() for one in asked], name.lower()
        defaults = defaults and tuple(str(one).lower() for one in defaults)
    for is_default in (True, False) if defaults is None else (bool(name) and name in defaults,):
        yield globs.takes(asked, _fitting(name, is_default))


def _fitting(name: str, is_default: bool) -> Callable[[str], bool]:
    from rulez_py.policy.patterns import globs

    def fits(pattern: str) -> bool:
        if pattern in (DEFAULT, DETACHED):
            return is_default if pattern == DEFAULT else not name
        return bool(name) and globs.plain(pattern, name)

    return fits


def _has_such(asked: bool | list[str], files: Sequence[str], situation: Situation, facts: Facts) -> Iterator[bool]:
    if isinstance(asked, bool) or situation.tree is None:
        yield bool(files) is asked
        return
    from rulez_py.policy.matchers import paths

    top, home = situation.tree.repository.top, facts.around.home
    each = [f"{top.rstrip('/')}/{name.rstrip('/')}" for name in files]
    if any(paths.any_path(asked, path, top, home) for path in each):
        yield True
        return
    yield False
    # Of a directory it is not known what is in it.
    directories = [path for name, path in zip(files, each, strict=True) if name.endswith("/")]
    is_anywhere = any("/" not in one.rstrip("/") or one.startswith("**/") for one in asked if one[:1] != "!")
    if directories and (is_anywhere or any(paths.lies_below(asked, path, top, home) for path in directories)):
        yield True


def _is_under_way(
    asked: bool | Sequence[str], words: Sequence[str], _situation: Situation, _facts: Facts
) -> Iterable[bool]:
    return (bool(words) is asked if isinstance(asked, bool) else any(one in words for one in asked),)


_HOLDS: dict[str, Callable[[Any, Any, Situation, Facts], Iterable[bool]]] = {
    BRANCH: _is_named,
    DEFAULT_BRANCH: _is_named,
    **dict.fromkeys(_FILES, _has_such),
    MERGING: _is_under_way,
}


def about(wanted: Git, part: Part, facts: Facts) -> Part:
    """Return the whole part: no word of it says what its repository is like."""
    return part


# For people.


def wants(wanted: Git) -> Iterable[str]:
    """Return what a rule wants, each in a few words."""
    return [f"{key} {_shown(asked)}" for key, asked in wanted.items()]


def seen(wanted: Git, part: Part, facts: Facts) -> Iterable[str]:
    """Return the same facts of each repository that the part is about."""
    return [text for one in situations(part, facts) for text in _seen(wanted, one)]


def _seen(wanted: Git, situation: Situation) -> Iterator[str]:
    if situation.is_nowhere:
        yield "no repository"
        return
    situation.look_for(wanted)
    keys = dict.fromkeys(wanted)
    if any(DEFAULT in one for one in wanted.get(BRANCH, ())):
        keys[DEFAULT_BRANCH] = None
    for key in keys:
        possible = situation.possible(key)
        yield f"{key} {'?' if possible is None else ' or '.join(map(_shown, possible))}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        more = [f"and {len(value) - _MOST_SHOWN} more"] if len(value) > _MOST_SHOWN else []
        return " ".join([*map(str, value[:_MOST_SHOWN]), *more]) or "none"
    return str(value) if value != "" else "none"
