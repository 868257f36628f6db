"""Read what a call runs from files, and tell a file of the repository from one that was written since."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis import Command
    from rulez_py.system.effects import Effects

MOST_BYTES = 256_000
"""Bytes of one file that are read. What runs a longer one is opaque, unless it is JavaScript: bundles are long."""
MOST_COMPARED = 4_000_000
"""Bytes of one file that are compared with the last commit."""
MOST_IN_ALL = 1_000_000
MOST_FILES = 32
_PROGRAMS = (
    *(b"\x7fELF", b"MZ", b"PK\3\4", b"\0asm", b"\xca\xfe\xba\xbe"),
    *(b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe"),
)
"""What compiled programs and archives begin with. INVARIANT: no other file is one: shells drop the NULs in a script."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_FIRST = 80
_OF_THE_SYSTEM = ("/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/", "/opt/", "/nix/", "/snap/", "/Library/", "/System/")
"""Directories of installed programs: rulez does not read these files, and sees each call that writes one."""
_INSTALLED = (
    *("/node_modules/", "/site-packages/", "/dist-packages/", "/.venv/bin/", "/venv/bin/", "/.tox/"),
    "/.git/hooks/",
)
"""Directories in which package managers put what they install, and git's hooks, which no commit holds."""


class Scripts:
    """The files that one call runs, each read once."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects
        self._texts: dict[str, str | None] = {}
        self._lines: dict[str, list[str]] = {}
        self._data: dict[str, bytes] = {}
        self._cut: set[str] = set()
        self._beyond: set[str] = set()
        self._shipped: dict[str, bool] = {}
        self._left = MOST_IN_ALL

    def text(self, path: str) -> str | None:
        """Return the text of a file, None where it is missing, binary or beyond the bounds."""
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def line(self, path: str, number: int) -> str:
        """Return a line of a file, from 1, with those that a backslash joins to it; "" where there is none."""
        if path not in self._lines:
            self._lines[path] = (self.text(path) or "").split("\n")
        lines = self._lines[path]
        last = number
        while 0 < last < len(lines) and lines[last - 1].endswith("\\"):
            last += 1
        return "\n".join(lines[number - 1 : last]) if number else ""

    def _read(self, path: str) -> str | None:
        if path.startswith(_OF_THE_SYSTEM):
            return None
        if len(self._data) >= MOST_FILES or self._left <= 0:
            if self._effects.read_bytes(path, 1) is not None:
                self._beyond.add(path)
            return None
        limit = min(MOST_BYTES, self._left)
        data = self._effects.read_bytes(path, limit)
        if data is None or (data.startswith(_PROGRAMS) and b"\0" in data[:_FIRST]):
            return None
        if len(data) == limit:
            self._cut.add(path)
        self._left -= len(data)
        self._data[path] = data
        if data.startswith(_UTF16):
            return data.decode("utf-16", "replace")
        return data.decode("utf-8", "replace").replace("\0", "")

    def is_beyond(self, path: str) -> bool:
        """Tell if a file that is there has no text, since the call runs more files than are read."""
        return self.text(path) is None and path in self._beyond

    def is_cut(self, path: str) -> bool:
        """Tell if only the first part of a file is read, which was written since the last commit."""
        return path in self._cut and not self.is_shipped(path)

    def is_shipped(self, path: str) -> bool:
        """Tell if a file is as the last commit or an installer wrote it."""
        if path not in self._shipped:
            self._shipped[path] = self._is_shipped(path)
        return self._shipped[path]

    def _is_shipped(self, path: str) -> bool:
        real = self._effects.real_path(path)
        if any(one in real for one in _INSTALLED):
            return True
        data = self._data.get(path)
        if path in self._cut:
            data = self._effects.read_bytes(path, MOST_COMPARED)
        return data is not None and len(data) < MOST_COMPARED and self._effects.is_committed(real, data)


def certain(command: Command) -> Command:
    """Return what is certain of a command in a file as the repository has it.

    Unknown words and flows to the output do not count: test and build scripts have both. A text from the network that
    goes straight into a shell counts.
    """
    piped = any("download" in data.origins for data in command.inputs[:1])
    return command.replace(opaque=command.opaque if piped else (), flows=(), fed=command.fed if piped else (), named=())
