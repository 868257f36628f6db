"""Read of a project what markers need: the names of its files, and the beginning of few of them."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING

from rulez_py.suggest.suggest import to_be_read
from rulez_py.system.files import NO_SYMLINK, read_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_ENTRIES, MOST_IN_ONE, MOST_LEVELS = 5000, 1000, 4
"""Entries that are looked at in all and in one directory, directories above one another."""
MOST_READ, MOST_BYTES = 60, 1 << 16
"""Files that are read, and of each how much."""
PASSED = frozenset(
    (
        *(
            "node_modules",
            "bower_components",
            "vendor",
            "_vendor",
            "third_party",
            "site-packages",
            "venv",
            "virtualenv",
        ),
        *("target", "build", "dist", "out", "coverage", "__pycache__", "pods", "deps", "_build"),
        *("testdata", "test-data", "fixtures", "__fixtures__", "examples", "example", "samples"),
    )
)
"""Directories of other people's files, made ones and examples: what is there is not what the project is."""
HIDDEN = frozenset(
    (
        ".github",
        ".gitea",
        ".forgejo",
        ".circleci",
        ".buildkite",
        ".devcontainer",
        ".k8s",
        ".config",
        ".ebextensions",
        ".changeset",
    )
)
"""Of the hidden directories those that are looked into."""


def look(root: str, home: str) -> dict[str, str]:
    """Return the files of a project, nearest to its root first: path below it -> text, "" where that was not read.

    Nothing where the root is the home or above it, which is no project. No link is followed. Raises nothing.
    """
    if _holds(root, home):
        return {}
    files = dict.fromkeys(_paths(root), "")
    for path in islice(to_be_read(files), MOST_READ):
        files[path] = _beginning(os.path.join(root, path))
    return files


def _holds(root: str, home: str) -> bool:
    """Tell whether the home is this directory or below it."""
    above, below = os.path.realpath(root), os.path.realpath(home)
    return below == above or below.startswith(above.rstrip(os.sep) + os.sep)


def _paths(root: str) -> Iterator[str]:
    """Level by level, each directory in the order of names."""
    left = MOST_ENTRIES
    level = [""]
    for _ in range(MOST_LEVELS + 1):
        below: list[str] = []
        for directory in level:
            if left <= 0:
                return
            entries = _entries(os.path.join(root, directory), min(left, MOST_IN_ONE))
            left -= len(entries)
            for name, is_directory in entries:
                path = f"{directory}/{name}" if directory else name
                if not is_directory:
                    yield path
                elif _is_looked_into(name):
                    below.append(path)
        level = below


def _entries(directory: str, most: int) -> list[tuple[str, bool]]:
    """Name, and whether it is a directory; of files only regular ones."""
    found: list[tuple[str, bool]] = []
    try:
        with os.scandir(directory) as entries:
            for entry in islice(entries, most):
                is_directory = entry.is_dir(follow_symlinks=False)
                if is_directory or entry.is_file(follow_symlinks=False):
                    found.append((entry.name, is_directory))
    except OSError:
        pass  # An unreadable file has no marker.
    return sorted(found)


def _is_looked_into(name: str) -> bool:
    folded = name.lower()
    return folded in HIDDEN if folded.startswith(".") else folded not in PASSED


def _beginning(path: str) -> str:
    try:
        return b"".join(read_pieces(path, MOST_BYTES, os.O_RDONLY | NO_SYMLINK)).decode(errors="replace")
    except OSError:
        return ""
