"""Keep what a policy said when a person trusted it, to show what a change of it may newly do.

Each is a file of its own in `trusted/` in the state directory, by its digest. It shows, and decides nothing.
"""

from __future__ import annotations

import os

from rulez_py.analysis import Value
from rulez_py.system import jsontext
from rulez_py.system.files import NO_SYMLINK, private_directory, read_pieces, replace, why_not_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from rulez_py.system.places import Places

DIRECTORY = "trusted"
_VERSION = 1
_LARGEST = 2 * 1024 * 1024


class Kept(Value):
    """A policy as it was trusted: its data, and its files' names in the project -> their texts.

    The text is None of a file that is no text, or too large.
    """

    data: Mapping[str, Any]
    files: Mapping[str, str | None]


def keep(places: Places, digest: str, kept: Kept, digests: Iterable[str]) -> bool:
    """Keep what has this digest, where it is not too large, and let go of all but these `digests`; tell if it is kept.

    Raises nothing.
    """
    try:
        directory = os.path.join(places.state, DIRECTORY)
        private_directory(directory)
        wanted = {f"{one}.json" for one in (digest, *digests)}
        for name in os.listdir(directory):
            if name not in wanted:
                os.unlink(os.path.join(directory, name))
        said = {"version": _VERSION, "data": dict(kept.data), "files": dict(kept.files)}
        content = jsontext.dumps(said).encode()
        if len(content) > _LARGEST:
            return False
        replace(os.path.join(directory, f"{digest}.json"), content)
    except (OSError, ValueError, TypeError):
        return False
    return True


def read(places: Places, digest: str) -> Kept | None:
    """Return what was kept of the policy with this digest, None where nothing can be read; raises nothing."""
    directory = os.path.join(places.state, DIRECTORY)
    path = os.path.join(directory, f"{digest}.json")
    try:
        if why_not_private(os.lstat(directory)) or why_not_private(os.lstat(path)):
            return None
        said: Any = jsontext.loads(b"".join(read_pieces(path, _LARGEST, os.O_RDONLY | NO_SYMLINK)))
        if said["version"] != _VERSION or not (isinstance(said["data"], dict) and isinstance(said["files"], dict)):
            return None
        files = {str(name): text if isinstance(text, str) else None for name, text in said["files"].items()}
        return Kept(data=said["data"], files=files)
    except (OSError, ValueError, TypeError, KeyError):
        return None
