"""Read a policy file's bytes, or say why they cannot be had."""

from __future__ import annotations

import os

from rulez_py.policy.store.search import LARGEST_FILE
from rulez_py.system.files import Marked, read_marked

NO_FILE = "there is no such file"


def read_or_why(path: str) -> Marked | str:
    """Return a file's bytes and marks, or why they cannot be had."""
    try:
        found = read_marked(path, LARGEST_FILE + 1)
    except FileNotFoundError:
        return "it is a link to nothing" if os.path.islink(path) else NO_FILE
    except OSError as error:
        if os.path.isdir(path):
            return "it is a directory"
        return error.strerror.lower() if error.strerror else "it is not a regular file"
    except ValueError:
        return "this is no file name"
    too_large = len(found.content) > LARGEST_FILE
    return f"it is larger than {LARGEST_FILE // 1024 // 1024} MiB" if too_large else found
