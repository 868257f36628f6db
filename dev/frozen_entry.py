"""Where the frozen program starts, and how it finds its modules.

PyInstaller's own start is made for programs of every kind and takes as long as a quarter of the interpreter's. This one
reads modules out of the same archive, and does nothing else. Modules that are always needed together lie in one piece
(dev/groups.py): when the first of them is looked for, all of them are run, and Python finds them imported. Functions
that few calls need are read when they are called (dev/cold.py).
"""

import builtins
import gc
import marshal
import sys

gc.disable()  # Nothing of what is read is garbage.


class _Environment:
    """What `os.environ` is made of, besides its own methods.

    To be a `MutableMapping` it would have 25 abstract classes made, which takes a twentieth of a hook call, and no hook
    call asks whether it is one.
    """

    def __contains__(self, name):
        return self.get(name) is not None

    def get(self, name, default=None):
        try:
            return self[name]
        except KeyError:
            return default

    def keys(self):
        return dict.fromkeys(self).keys()

    def items(self):
        return {name: self[name] for name in self}.items()

    def values(self):
        return {name: self[name] for name in self}.values()

    def __eq__(self, other):
        return dict(self) == (other if type(other) is dict else dict(other))

    __hash__ = None

    def pop(self, name, *default):
        value = self.get(name, *default) if default else self[name]
        if name in self:
            del self[name]
        return value

    def update(self, *others, **more):
        for name, value in dict(*others, **more).items():
            self[name] = value


def _check_methods(cls, *names):
    """Offer what the module that is stood in for offers, as far as `os` goes."""
    own = [next((base.__dict__[name] for base in cls.__mro__ if name in base.__dict__), None) for name in names]
    return NotImplemented if None in own else True


if sys.argv[1:2] == ["hook"] and "_collections_abc" not in sys.modules:
    stand_in = sys.modules["_collections_abc"] = type(sys)("_collections_abc")
    stand_in.MutableMapping, stand_in.Mapping, stand_in._check_methods = _Environment, dict, _check_methods
    import os

    del sys.modules["_collections_abc"]  # Who imports it later gets the real one.
else:
    import os

_PACKAGE, _NAMESPACE = 1, 3  # what an entry of the archive may be, besides a module
_ModuleSpec = type(sys.__spec__)
_Module = type(sys)
_Function = type(lambda: None)
_piece = getattr(sys, "_piece", lambda at: None)
"""A place of the archive -> the piece there, where the launcher has it as data: names of modules, and their codes."""


class Archive:
    """Imports from the archive of modules that PyInstaller has put into the program."""

    def __init__(self, place: str) -> None:
        path, _, start = place.rpartition("?")
        self._start = int(start)
        self._directory = sys._MEIPASS + os.sep
        self._file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        # Eight bytes say what it is and for which Python; then comes where its table of contents is.
        contents = int.from_bytes(self._read(8, 4), "big")
        self._entries = dict(marshal.loads(self._read(contents, os.fstat(self._file).st_size)))
        self._codes = {}
        self._thawed = {}

    def _read(self, at: int, size: int) -> bytes:
        if hasattr(os, "pread"):  # A forked child reads the same file: no common position.
            return os.pread(self._file, size, self._start + at)
        os.lseek(self._file, self._start + at, os.SEEK_SET)
        return os.read(self._file, size)

    def find_spec(self, name, path=None, target=None):
        kind, at, size = self._entries.get(name, (None, 0, 0))
        if kind is None:
            return None
        if kind != _NAMESPACE and name not in self._codes and name not in sys.modules:
            self._open(name, at, size)
        return self._spec(name, kind)

    def _spec(self, name, kind):
        place = self._directory + name.replace(".", os.sep)
        spec = _ModuleSpec(name, None if kind == _NAMESPACE else self, is_package=kind in (_PACKAGE, _NAMESPACE))
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(place)
            place += os.sep + "__init__"
        if spec.loader is not None:
            spec.origin = place + ".py"
            spec.has_location = True
        return spec

    def _open(self, name, at, size):
        """Read the piece that a module lies in, and run all that is in it, where that is more."""
        names, codes = _piece(at) or self._stored(name, at, size)
        self._codes.update(zip(names, codes, strict=True))
        for other in names if len(names) > 1 else ():
            if other not in sys.modules:
                self._run(other)

    def _stored(self, name, at, size):
        stored = memoryview(self._read(at, size))
        if zlib.adler32(stored[4:]) != int.from_bytes(stored[:4], "little"):
            raise ImportError(f"{name} is damaged")
        return marshal.loads(stored[4:])

    def thaw(self, at, size):
        """The function that the calling one replaces; where its own name says where it is, it becomes that one."""
        if at not in self._thawed:
            caller = sys._getframe(1)
            scope = caller.f_globals
            code = self._stored(scope["__name__"], at, size)
            self._thawed[at] = _Function(code, scope)
            found = scope
            for part in code.co_qualname.split("."):
                found = (found if found is scope else getattr(found, "__dict__", scope)).get(part)
            if type(found) is _Function and found.__code__ is caller.f_code:
                found.__code__ = code
        return self._thawed[at]

    def _run(self, name):
        """Import a module as Python does, without its detours."""
        spec = self._spec(name, self._entries[name][0])
        module = _Module(name)
        module.__file__, module.__spec__, module.__loader__ = spec.origin, spec, self
        above, _, own = name.rpartition(".")
        if above and above not in sys.modules:
            __import__(above)
        module.__package__ = above
        if spec.submodule_search_locations is not None:
            module.__package__, module.__path__ = name, spec.submodule_search_locations
        sys.modules[name] = module
        try:
            exec(self._codes.pop(name), module.__dict__)
        except BaseException:
            del sys.modules[name]
            raise
        if above:
            setattr(sys.modules[above], own, module)

    def create_module(self, spec):
        return sys.modules.get(spec.name)

    def exec_module(self, module):
        if module.__name__ in self._codes:
            exec(self._codes.pop(module.__name__), module.__dict__)

    def get_code(self, name):
        """The code of a module, for who asks where a traceback goes through."""
        return None


try:
    for descriptor in (0, 1, 2):  # What is closed would be the archive's, and read as an event.
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)  # Writing an answer to it fails, as it has to.
    import zlib

    # Where the launcher has brought the first of them.
    sys.modules["encodings"].__path__ = [os.path.join(sys._MEIPASS, "encodings")]
    sys.frozen = True
    archive = Archive(sys._pyinstaller_pyz)
    builtins.__thaw__ = archive.thaw
    # After what is built in, before what lies in files.
    sys.meta_path.insert(-1, archive)
    sys.path.append(os.path.join(sys._MEIPASS, "library.zip"))
    from rulez_py.__main__ import main

    gc.enable()
except BaseException as error:
    os.write(2, f"Blocked: rulez cannot start: {error}. Instead: install rulez again.\n".encode("utf-8", "replace"))
    os._exit(2)
main()
