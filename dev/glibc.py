"""Tells which version of glibc the files of a program need (ELF, Linux).

`python dev/glibc.py DIRECTORY [AT_MOST]` prints it, and fails where it is newer than AT_MOST.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

NEEDED_VERSIONS = 0x6FFFFFFE
"""The type of the section that says which versions of its libraries a file needs (SHT_GNU_verneed, `man 5 elf`)."""

Version = tuple[int, ...]


def newest(directory: Path) -> tuple[Version, str]:
    """Return the newest version of glibc that any file below a directory needs, and the first that does.

    It is () where none needs one.
    """
    found = [
        (version, path.relative_to(directory).as_posix())
        for path in sorted(directory.rglob("*"))
        if path.is_file()
        for version in versions(path.read_bytes())
    ]
    newest = max((version for version, _ in found), default=())
    return newest, next((path for version, path in found if version == newest), "")


def versions(file: bytes) -> set[Version]:
    """Return the versions of glibc that a file needs; none for what is no ELF file of 64 bits, low byte first."""
    names = (name.removeprefix(b"GLIBC_") for name in needed(file) if name.startswith(b"GLIBC_2"))
    return {tuple(map(int, name.split(b"."))) for name in names}


def needed(file: bytes) -> set[bytes]:
    """Return the names of all versions that a file needs of its libraries, such as `GLIBC_2.31`."""
    if not file.startswith(b"\x7fELF\x02\x01"):
        return set()
    (table,) = struct.unpack_from("<Q", file, 0x28)
    size, count = struct.unpack_from("<HH", file, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", file, table + size * number) for number in range(count)]
    found = set()
    for _name, kind, _flags, _address, at, _size, link, libraries, *_ in sections:
        if kind != NEEDED_VERSIONS:
            continue
        names = sections[link][4]
        for _library in range(libraries):
            _version, count, _file, first, following = struct.unpack_from("<HHIII", file, at)
            one = at + first
            for _number in range(count):
                _hash, _flags, _other, name, next_one = struct.unpack_from("<IHHII", file, one)
                found.add(file[names + name : file.index(b"\0", names + name)])
                one += next_one
            at += following
    return found


def main() -> None:
    """Prints the newest version, and which file needs it."""
    version, file = newest(Path(sys.argv[1]))
    said = f"{sys.argv[1]} needs glibc {'.'.join(map(str, version))} ({file})"
    if sys.argv[2:] and version > tuple(map(int, sys.argv[2].split("."))):
        raise SystemExit(f"{said}; it is to run with {sys.argv[2]}")
    print(said)


if __name__ == "__main__":
    main()
