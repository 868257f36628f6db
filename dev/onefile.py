"""Packs the built folder behind the program that unpacks it (dev/onefile.c): dist/rulez-onefile on Linux.

The same folder and the same program make the same file, byte for byte.
"""

from __future__ import annotations

import hashlib
import stat
import struct
import zlib
from pathlib import Path

FOOTER = struct.Struct("=QQQ8s32s")
"""Where the packed files and the table begin, bytes of all files unpacked, a mark, the digest of all before it."""
MARK = b"rulezone"
_DIRECTORY, _PROGRAM, _DATA = (stat.S_IFDIR | 0o700, stat.S_IFREG | 0o700, stat.S_IFREG | 0o600)


def packed(starter: bytes, folder: Path) -> bytes:
    """Return the whole file: what starts it, the files, the table of them, the footer.

    Raises ValueError for what is no file and no directory, and for a name that the table cannot have.
    """
    lines, texts = [], []
    for path in sorted(folder.rglob("*"), key=lambda one: one.relative_to(folder).parts):
        name = path.relative_to(folder).as_posix()
        status = path.lstat()
        if "\n" in name or name.startswith(" ") or not (path.is_dir() or path.is_file()) or path.is_symlink():
            raise ValueError(f"{name!r} cannot be packed")
        if path.is_dir():
            lines.append(f"{_DIRECTORY:o} 0 - {name}\n")
            continue
        text = path.read_bytes()
        mode = _PROGRAM if status.st_mode & 0o100 else _DATA
        lines.append(f"{mode:o} {len(text)} {hashlib.sha256(text).hexdigest()} {name}\n")
        texts.append(text)
    files = zlib.compress(b"".join(texts))
    table = "".join(lines).encode()
    begin = len(starter)
    places = (begin, begin + len(files), sum(map(len, texts)), MARK)
    whole = starter + files + table + FOOTER.pack(*places, bytes(32))[:-32]
    return whole + hashlib.sha256(whole).digest()
