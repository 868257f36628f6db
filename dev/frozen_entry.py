"""Where the frozen program starts, and how it finds its modules.

PyInstaller's own start is made for programs of every kind and takes as long as a quarter of the interpreter's. This one
reads modules out of the same archive, and does nothing else.
"""

import marshal
import os
import sys

_PACKAGE, _NAMESPACE = 1, 3  # what an entry of the archive may be, besides a module
_ModuleSpec = type(sys.__spec__)


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

    def _read(self, at: int, size: int) -> bytes:
        if hasattr(os, "pread"):  # A forked child reads the same file: no common position.
            return os.pread(self._file, size, self._start + at)
        os.lseek(self._file, self._start + at, os.SEEK_SET)
        return os.read(self._file, size)

    def find_spec(self, name, path=None, target=None):
        kind, _at, _size = self._entries.get(name, (None, 0, 0))
        if kind is None:
            return None
        place = self._directory + name.replace(".", os.sep)
        spec = _ModuleSpec(name, None if kind == _NAMESPACE else self, is_package=kind in (_PACKAGE, _NAMESPACE))
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(place)
            place += os.sep + "__init__"
        if spec.loader is not None:
            spec.origin = place + ".py"
            spec.has_location = True
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(self.get_code(module.__name__), module.__dict__)

    def get_code(self, name):
        _kind, at, size = self._entries[name]
        stored = memoryview(self._read(at, size))
        if zlib.crc32(stored[4:]) != int.from_bytes(stored[:4], "little"):
            raise ImportError(f"{name} is damaged")
        return marshal.loads(stored[4:])


try:
    for descriptor in (0, 1, 2):  # What is closed would be the archive's, and read as an event.
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)  # Writing an answer to it fails, as it has to.
    import zlib

    sys.frozen = True
    # After what is built in, before what lies in files.
    sys.meta_path.insert(-1, Archive(sys._pyinstaller_pyz))
    sys.path.append(os.path.join(sys._MEIPASS, "library.zip"))
    from rulez_py.__main__ import main
except BaseException as error:
    os.write(2, f"Blocked: rulez cannot start: {error}. Instead: install rulez again.\n".encode("utf-8", "replace"))
    os._exit(2)
main()
