"""Write every file that is made from files beside it, and is therefore not committed.

The build of a wheel and an editable installation call it (dev/build_hook.py), and `make generated`. To add one: a line
in `FILES`, one in .gitignore and one in pyproject.toml (`artifacts`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [ROOT] * (ROOT not in sys.path)

from rulez_py.analysis import programs  # noqa: E402
from rulez_py.event.servers import build as servers  # noqa: E402
from rulez_py.log import shapes  # noqa: E402
from rulez_py.policy import packs  # noqa: E402
from rulez_py.policy.packs import build  # noqa: E402


def files() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield each file's path from the root, and what makes it. Making one raises OSError, ValueError."""
    yield "rulez_py/log/secret_keywords.py", shapes.keywords_module
    yield "rulez_py/log/secret_shapes.py", shapes.shapes_module
    yield os.path.relpath(programs.COMPILED, ROOT), programs.compiled
    for path, language in programs.modules_of_calls():
        yield os.path.relpath(path, ROOT), partial(programs.module_of_calls, language)
    yield os.path.relpath(servers.MADE, ROOT), servers.module
    for name in packs.names():
        yield os.path.relpath(packs.checked_path_of(name), ROOT), partial(build.checked_form, name)
    # After all modules: these say which they are made by.
    for name in packs.names():
        yield os.path.relpath(packs.compiled_path_of(name), ROOT), partial(build.compiled_form, name)


def main() -> None:
    """Write those that are not as they should be, so that what is newer than its source says so."""
    for path, make in files():
        content = make()
        target = os.path.join(ROOT, path)
        if not os.path.exists(target) or _read(target) != content:
            with open(target + ".new", "wb") as file:
                file.write(content)
            os.replace(target + ".new", target)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


if __name__ == "__main__":
    main()
