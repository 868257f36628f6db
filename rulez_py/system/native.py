"""Import a package's compiled module without running the package's own Python, or what it would import besides.

`import re2` runs code that drags in a second regex engine, `import orjson` half the standard library; the compiled
modules inside need none of it.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType
    from typing import Any


def extension(package: str, module: str, instead: Mapping[str, Mapping[str, object]] | None = None) -> ModuleType:
    """Return the compiled `package.module`; raises ImportError where the package is not installed.

    `instead` says what it takes from modules that it imports. Of those that are not loaded it is given just this,
    and they stay unloaded.
    """
    name = f"{package}.{module}"
    if name in sys.modules:
        return sys.modules[name]
    bare(package)
    if instead:
        _import_with(name, instead)
    __import__(name)
    return sys.modules[name]


def bare(package: str) -> ModuleType:
    """Return the package; where it has not been imported, none of its own Python has run.

    Raises ImportError without one.
    """
    if package not in sys.modules:
        for finder in sys.meta_path:
            spec = finder.find_spec(package, None)
            if spec is not None and spec.submodule_search_locations:
                module = type(sys)(package)
                module.__path__ = list(spec.submodule_search_locations)
                module.__spec__ = spec
                sys.modules[package] = module
                break
        else:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)
    return sys.modules[package]


class Unseen:
    """Compiled code that looks for a module does not find it meanwhile, unless it is loaded, nor spends time on it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        modules: dict[str, object] = sys.modules  # type: ignore[assignment]
        modules.setdefault(self._name, None)

    def __exit__(self, *_error: object) -> None:
        if sys.modules[self._name] is None:
            del sys.modules[self._name]


def _import_with(name: str, instead: Mapping[str, Mapping[str, object]]) -> None:
    """Import a module with stand-ins for others, if that can be done."""
    stand_ins = {other: StandIn(other, parts) for other, parts in instead.items() if other not in sys.modules}
    _stand_ins.extend(stand_ins.items())
    modules: dict[str, object] = sys.modules  # type: ignore[assignment]
    modules.update(stand_ins)
    try:
        __import__(name)
    except Exception:
        return
    finally:
        _withdraw()


class StandIn:
    """Some parts of a module that is not loaded; any other part is the module's own.

    INVARIANT: it and its parts live as long as the process: compiled code may remember them without owning them.
    """

    def __init__(self, name: str, parts: Mapping[str, object]) -> None:
        # Compiled code also looks into a module's dictionary, past `__getattr__`.
        self.__dict__ = _Parts(name, parts)

    def __getattr__(self, part: str) -> object:
        if part.startswith("__"):
            raise AttributeError(part)
        return self.__dict__[part]


class _Parts(dict[str, object]):
    def __init__(self, name: str, parts: Mapping[str, object]) -> None:
        super().__init__(parts)
        self._name = name

    def __missing__(self, part: str) -> object:
        _withdraw()
        return getattr(__import__(self._name), part)


_stand_ins: list[tuple[str, StandIn]] = []


def _withdraw() -> None:
    """Leave no stand-in where an import would find it."""
    modules: dict[str, object] = sys.modules  # type: ignore[assignment]
    for name, stand_in in _stand_ins:
        if modules.get(name) is stand_in:
            del modules[name]


def sha256(data: bytes) -> Any:
    """Return a running SHA-256. Python's own, where it has one: `hashlib` would load OpenSSL."""
    try:
        return __import__("_sha2" if sys.version_info >= (3, 12) else "_sha256").sha256(data)
    except ImportError:
        import hashlib

        return hashlib.sha256(data)
