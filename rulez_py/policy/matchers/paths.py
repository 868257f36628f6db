"""`paths`: which files are touched, and how."""

from __future__ import annotations

from rulez_py.policy import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypedDict

    from rulez_py.policy.facts import Facts
    from rulez_py.policy.filing import Filing
    from rulez_py.policy.reach import Touched
    from rulez_py.policy.rule import Match
    from rulez_py.written.kinds import Kind

    class Paths(TypedDict):
        """The compiled form."""

        globs: list[str]
        access: list[str]


ABOUT = "Files that the agent's tools (shell commands, patches and MCP tools too) read, write, delete or send away."
EXAMPLE = r'paths: {globs: [".env", "!.env.example"], access: [read]}'


def schema() -> Kind:
    from rulez_py.event.arguments import ACCESSES
    from rulez_py.policy.forms import GLOBS, one_of, one_or_many
    from rulez_py.written.kinds import Map, Short

    whole = Map(
        name="Paths",
        about="Files the call touches.",
        needs=("globs",),
        fields={
            "globs": (GLOBS, "gitignore-style patterns relative to the project root; `!` takes files out again."),
            "access": (one_or_many(one_of(ACCESSES)), "How the file is touched. Default: in any way."),
        },
    )
    return Short(key="globs", whole=whole, lists=True)


def compiled(wanted: Mapping[str, list[str]]) -> Paths:
    from rulez_py.event.arguments import ACCESSES

    return {"globs": wanted["globs"], "access": wanted.get("access", list(ACCESSES))}


def filed_by(match: Match) -> Filing | None:
    from rulez_py.policy import filing

    return "files", filing.of_globs(glob for glob in match["paths"]["globs"] if not glob.startswith("!"))


def fits(wanted: Paths, file: Touched, facts: Facts, *, strict: bool) -> bool:
    enough = all if strict else any
    if not enough(way in wanted["access"] for way in file.access):
        return False
    patterns = wanted["globs"]
    path, root, home = file.path, facts.root_above(file.path), facts.home_above(file.path)
    if facts.around.ignore_case:
        patterns = [pattern.lower() for pattern in patterns]
        path, root, home = path.lower(), root.lower(), home.lower()
    if file.deep and strict:
        # What a pattern takes out again may lie below.
        patterns = [] if any(pattern.startswith("!") for pattern in patterns) else patterns
    if globs.any_path(patterns, path, root, home, file.spelled):
        return True
    return file.deep and not strict and globs.lies_below(patterns, path, root, home)


def about(wanted: Paths, file: Touched) -> Touched:
    """The file as a rule that fits is about it: touched in those ways only."""
    return file.replace(access=tuple(way for way in file.access if way in wanted["access"]))
