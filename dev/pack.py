"""Packs dist/rulez into the archives that are published, and writes their checksums (`make dist`).

Beside the program lie the licenses of all that is inside, and what that is (`sbom.cdx.json`, by dev/inside.py). The
same program makes the same archives, byte for byte, on any machine and at any time.
"""

import argparse
import gzip
import hashlib
import io
import platform
import re
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from dev import inside  # noqa: E402
from rulez_py import __version__  # noqa: E402

SYSTEMS = {"Darwin": "macos"}
MACHINES = {"amd64": "x86_64", "aarch64": "arm64"}
DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a zip file can say
PROGRAM, DATA = 0o755, 0o644
Members = dict[str, tuple[int, bytes]]
"""Where a file lies in the archive -> its mode and what is in it."""


def main() -> None:
    """Writes NAME.tar.gz, NAME.zip and SHA256SUMS; prints their paths."""
    parser = argparse.ArgumentParser(description="Pack the frozen program.")
    parser.add_argument("--program", type=Path, default=ROOT / "dist" / "rulez", help="what `make binary` has built")
    parser.add_argument("--into", type=Path, default=ROOT / "dist")
    options = parser.parse_args()
    top = f"rulez-{__version__}"
    name = f"{top}-{system()}-{machine()}"
    members: Members = {
        f"{top}/{path.relative_to(options.program).as_posix()}": (mode_of(path), path.read_bytes())
        for path in files_in(options.program)
    }
    members |= {f"{top}/{place}": (DATA, text) for place, text in papers(options.program).items()}
    options.into.mkdir(parents=True, exist_ok=True)
    archives = [options.into / f"{name}.tar.gz", options.into / f"{name}.zip"]
    write_tar(archives[0], members)
    write_zip(archives[1], members)
    sums = options.into / "SHA256SUMS"
    sums.write_text("".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in archives))
    print(*archives, sums, sep="\n")


def papers(program: Path) -> dict[str, bytes]:
    """Return what people read beside the program: README, our license and those of all that is inside, what that is."""
    found = inside.components(program)
    for name in inside.without_text(found):
        print(f"no text of the license of {name} was found here: do not publish this archive", file=sys.stderr)
    return {
        "LICENSE": (ROOT / "LICENSE").read_bytes(),
        "README.md": alone((ROOT / "README.md").read_text(encoding="utf-8")).encode(),
        "sbom.cdx.json": inside.bill(found, __version__),
        **inside.texts_of(found),
    }


_IMAGE = re.compile(r"!\[[^\]]*\]\([^()\s]+\)\n*")
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!#|https?:|LICENSE\))[^()\s]+\)")


def alone(page: str) -> str:
    """A page as it is read where the pages and pictures it leads to are not: their names stand in place of links."""
    return _LINK.sub(r"\1", _IMAGE.sub("", page))


def system() -> str:
    """linux, macos, windows."""
    return SYSTEMS.get(platform.system(), platform.system().lower())


def machine() -> str:
    """x86_64, arm64: one name for each kind of processor on every system."""
    return MACHINES.get(platform.machine().lower(), platform.machine().lower())


def files_in(directory: Path) -> list[Path]:
    """Return every file below a directory, in an order that does not depend on the disk."""
    return sorted(path for path in directory.rglob("*") if path.is_file())


def mode_of(path: Path) -> int:
    """Return what may be run stays so; nothing else of a file's mode is kept."""
    return PROGRAM if path.stat().st_mode & 0o100 else DATA


def write_tar(archive: Path, members: Members) -> None:
    """A gzipped tar file."""
    with (
        archive.open("wb") as raw,
        gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for name, (mode, data) in members.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), mode
            tar.addfile(member, io.BytesIO(data))


def write_zip(archive: Path, members: Members) -> None:
    """A zip file; the upper half of its attributes is what `unzip` makes the files' modes of."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, (mode, data) in members.items():
            member = zipfile.ZipInfo(name, DATE)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3  # Unix, also where this runs on Windows
            member.external_attr = (0o100000 | mode) << 16
            packed.writestr(member, data)


if __name__ == "__main__":
    main()
