"""Chooses the Python that is built into the frozen program, and makes an environment with it (`make binary`).

A Python that was optimised when it was compiled (PGO, LTO) runs a hook call faster, and version managers compile theirs
without. The program is built with the first Python that was optimised and has headers and a static library: that of the
tests, another of the same version on PATH, the distribution's. Where there is none, it is built with that of the tests.
All have the version of the tests but for the patch level, so the packages that are installed for these serve it too.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

QUESTION = """
import json, os, sys, sysconfig
value = sysconfig.get_config_var
library = os.path.join(value("LIBPL") or "", value("LIBRARY") or "")
print(json.dumps({
    "program": os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable),
    "version": ".".join(map(str, sys.version_info[:3])),
    "abi": f"{sys.implementation.cache_tag} {value('EXT_SUFFIX')}",
    "arguments": value("CONFIG_ARGS") or "",
    "prefix": value("prefix") or "",
    "headers": os.path.isfile(os.path.join(sysconfig.get_path("include"), "Python.h")),
    "library": library.endswith(".a") and os.path.isfile(library),
}))
"""
"""What is asked of each Python, in itself."""

ABOUT = "about.txt"
"""The file in the environment that says which Python it has."""


class Python(NamedTuple):
    """An interpreter, as it says itself."""

    program: str
    version: str
    abi: str
    arguments: str
    prefix: str
    headers: bool
    library: bool

    @property
    def optimised(self) -> str:
        """How it was optimised; "" if it was not."""
        return optimised(self.arguments, self.prefix)

    @property
    def lacks(self) -> list[str]:
        """What our launcher needs to have it inside, and is not there."""
        return [
            name for name, there in {"headers": self.headers, "a static library": self.library}.items() if not there
        ]

    @property
    def is_best(self) -> bool:
        """Tell if no other Python of the version would make a faster program."""
        return bool(self.optimised) and not self.lacks

    def __str__(self) -> str:
        lacks = f"; it lacks {', '.join(self.lacks)}" if self.lacks else ""
        return f"CPython {self.version}, {self.optimised or 'not optimised'}{lacks}"


def optimised(arguments: str, prefix: str) -> str:
    """Return how a Python was optimised, by the arguments of its `configure`; "" if it was not."""
    if "--enable-optimizations" in arguments:
        return "optimised (PGO, LTO)" if "--with-lto" in arguments else "optimised (PGO)"
    # Debian's rules build it so without saying it to `configure`.
    if prefix == "/usr" and "--with-dtrace" in arguments:
        return "optimised (PGO, LTO; by the distribution)"
    return ""


def main() -> None:
    """Makes the environment and prints which Python it has."""
    parser = argparse.ArgumentParser(description="Make the environment that the frozen program is built in.")
    parser.add_argument("into", type=Path)
    parser.add_argument("wanted", nargs="?", default="", help="this Python and no other")
    options = parser.parse_args()
    own = asked(sys.executable)
    if own is None:
        raise SystemExit(f"{sys.executable} does not run")
    python = made(candidates(own, options.wanted), options.into)
    (options.into / ABOUT).write_text(f"{python}\n", encoding="utf-8")
    print(f"the program is built with {python} ({python.program})")


def candidates(own: Python, wanted: str = "") -> list[Python]:
    """Return the Pythons to build with, best first; the last one is that of the tests.

    Raises SystemExit where `wanted` does not run or has another ABI.
    """
    if wanted:
        python = asked(wanted)
        if python is None or python.abi != own.abi:
            said = f"is CPython {python.version}" if python else "does not run"
            raise SystemExit(f"{wanted} {said}; the tests run in {own.version} ({own.abi}): set PYTHON as well")
        return [python]
    looked = sys.platform == "linux" and not own.is_best
    others = [asked(place) for place in (places(own.version) if looked else ())]
    return [python for python in others if python and python.abi == own.abi and python.is_best] + [own]


def places(version: str) -> list[str]:
    """Return where a Python of the same version may be: on PATH and where distributions have theirs."""
    name = f"python{version.rpartition('.')[0]}"
    folders = [*os.environ.get("PATH", "").split(os.pathsep), "/usr/local/bin", "/usr/bin"]
    found = [shutil.which(name, path=folder) for folder in folders if folder]
    return list(dict.fromkeys(place for place in found if place))


def asked(program: str) -> Python | None:
    """Return what a Python says of itself; None for what does not run."""
    try:
        ended = subprocess.run(
            [program, "-I", "-c", QUESTION], capture_output=True, text=True, check=True, timeout=60, cwd=os.sep
        )
        said: dict[str, Any] = json.loads(ended.stdout)
        return Python(**said)
    except (OSError, ValueError, TypeError, subprocess.SubprocessError):
        return None


def made(pythons: list[Python], into: Path) -> Python:
    """Make the environment with the first Python that can make one, and return that.

    It takes all packages from the tests' environment, so nothing is installed twice.
    Raises SystemExit where none can.
    """
    for python in pythons:
        making = [python.program, "-I", "-m", "venv", "--clear", "--without-pip", str(into)]
        ended = subprocess.run(making, capture_output=True, text=True, check=False)
        packages = [path for path in sys.path if path.endswith("site-packages")]
        folder = into / Path(packages[0]).relative_to(sys.prefix)
        if ended.returncode == 0 and folder.is_dir():
            lines = ["import site", *(f"site.addsitedir({path!r})" for path in packages)]
            (folder / "tests.pth").write_text("; ".join(lines) + "\n", encoding="utf-8")
            return python
        print(f"{python.program} makes no environment: {(ended.stdout + ended.stderr).strip()}", file=sys.stderr)
    raise SystemExit("no Python to build the program with")


if __name__ == "__main__":
    main()
