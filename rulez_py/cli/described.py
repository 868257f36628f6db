"""Find the files in which people describe programs, for the commands that print them."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.policy.store.programs import Described


def of_people(files: tuple[str, ...] | None = None, *, untrusted: bool = False) -> Described:
    """Return the files that describe programs here, as a hook call reads them; or the given ones, as the user's own.

    With `untrusted`, and of the given ones, a project's are read as if a person had trusted them.
    """
    from rulez_py.policy.model.layers import USER
    from rulez_py.policy.store import load, programs, search
    from rulez_py.system.places import places
    from rulez_py.trust import is_trusted

    mine, directory = places(os.environ), os.getcwd()
    found = search.search(mine, directory)
    said, where = load.said_of_people(mine, "exceptions")
    if files is not None:
        layers = {os.path.realpath(one.path): one.layer for one in found.programs}
        named = tuple(os.path.abspath(path) for path in files)
        found = found.replace(
            programs=tuple(search.Found(layer=layers.get(os.path.realpath(path), USER), path=path) for path in named)
        )
    return programs.read(
        found.programs,
        root=directory,
        home=mine.home,
        trusted=load.believing(mine, lambda path, digest: is_trusted(mine, path, digest)),
        untrusted=untrusted or files is not None,
        managed_alone="" if said is True or files is not None else where,
    )
