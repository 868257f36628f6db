"""Find scenario files: those of a project, and those in a directory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rulez_py.policy.format.scenarios import ENDING
from rulez_py.policy.model.layers import PROJECT
from rulez_py.policy.store.search import root_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.policy.store.search import Search

DIRECTORIES = ("tests", os.path.join(".rulez", "tests"))
"""In each directory of a project that has a policy, and in its root, where scenario files are looked for."""


def is_scenario_file(path: str) -> bool:
    """Tell by its name if a file holds scenarios."""
    return os.path.basename(path).endswith(ENDING)


def scenarios_below(directory: str) -> Iterator[str]:
    """Yield the scenario files in a directory and below, in order; hidden directories are left out but rulez' own."""
    for place, names, files in os.walk(directory):
        names[:] = sorted(name for name in names if name in (".rulez", ".claude") or not name.startswith("."))
        yield from (os.path.join(place, name) for name in sorted(files) if is_scenario_file(name))


def scenarios_of(project: Search) -> list[str]:
    """Return the scenario files of a project: those beside its policies and in its root, each once."""
    roots = [root_of(one.path) for one in project.files if one.layer == PROJECT and not one.above]
    tops = dict.fromkeys(os.path.normpath(one) for one in (*roots, project.root))
    found = (path for top in tops for name in DIRECTORIES for path in scenarios_below(os.path.join(top, name)))
    return list(dict.fromkeys(found))
