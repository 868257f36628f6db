"""Import a package's compiled module without running the package's own Python.

`import re2` and `import cel` run code that drags in a second regex engine, a command line and a terminal library;
the compiled modules inside need none of it.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def extension(package: str, module: str) -> ModuleType:
    """The compiled `package.module`; raises ImportError where the package is not installed."""
    name = f"{package}.{module}"
    if name in sys.modules:
        return sys.modules[name]
    if package not in sys.modules:
        for finder in sys.meta_path:
            spec = finder.find_spec(package, None)
            if spec is not None and spec.submodule_search_locations:
                bare = type(sys)(package)
                bare.__path__ = list(spec.submodule_search_locations)
                bare.__spec__ = spec
                sys.modules[package] = bare
                break
    __import__(name)
    return sys.modules[name]
