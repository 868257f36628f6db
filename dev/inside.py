"""What is inside the archive that `make dist` packs: each component with its license, and the texts of these.

The bill of materials is CycloneDX 1.6 in JSON. It does not say when or where it was written: the same program has the
same one.
"""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sysconfig
import uuid
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent

LICENSES = {
    "cel-expr-python": "Apache-2.0",
    "click": "BSD-3-Clause",
    "google-re2": "BSD-3-Clause",
    "markdown-it-py": "MIT",
    "mdurl": "MIT",
    "orjson": "MPL-2.0 AND (Apache-2.0 OR MIT)",
    "pygments": "BSD-2-Clause",
    "pyinstaller": "GPL-2.0-or-later WITH Bootloader-exception",
    "pyyaml": "MIT",
    "rich": "MIT",
}
"""Each Python package with any part in the program, by SPDX."""

COMPILED_IN = {
    "cel-expr-python": {
        "abseil-cpp": "Apache-2.0",
        "antlr4-runtime": "BSD-3-Clause",
        "cel-cpp": "Apache-2.0",
        "dragonbox": "BSL-1.0",
        "protobuf": "BSD-3-Clause",
        "pybind11": "BSD-3-Clause",
        "re2": "BSD-3-Clause",
        "yaml-cpp": "MIT",
    },
    "google-re2": {"abseil-cpp": "Apache-2.0", "pybind11": "BSD-3-Clause", "re2": "BSD-3-Clause"},
    "pyyaml": {"libyaml": "MIT"},
}
"""What a package's compiled module has within it, by the names in its symbols; these packages do not say it.

A package that comes with a bill of materials of its own says it there (`own_bill`).
"""

LIBRARIES = {
    "libexpat": ("expat", "MIT"),
    "libgcc_s": ("gcc", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "libstdc++": ("gcc", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "libsqlite3": ("sqlite", "blessing"),
    "libz": ("zlib", "Zlib"),
}
"""A library of the system, by the beginning of its name: whose it is, and its license."""

_LIBRARY = re.compile(r"(lib[\w+-]+)\.(?:so|dylib)(?:[.\d]*)")
_IS_LICENSE = re.compile(r"(licen[cs]e|copying|notice|authors)", re.IGNORECASE)
_COMMON = re.compile(r"/usr/share/common-licenses/([\w.-]*\w)")


class Component(NamedTuple):
    """A part of the program; `texts` are its licenses by the names of their files."""

    name: str
    version: str
    license: str
    url: str
    texts: dict[str, bytes]
    inner: dict[str, str]


def components(program: Path) -> list[Component]:
    """Return everything in a frozen program that is not rulez.

    Raises SystemExit for an unknown library.
    """
    found = [*linked(program), *libraries(program)]
    return [python(), *map(package, LICENSES), *(library(*one) for one in found)]


def python() -> Component:
    """Return the interpreter, with the part of its library that is packed."""
    text = Path(sysconfig.get_path("stdlib"), "LICENSE.txt")
    texts = {text.name: text.read_bytes()} if text.exists() else {}
    version = platform.python_version()
    return Component("cpython", version, "PSF-2.0", f"pkg:generic/cpython@{version}", texts, {})


def package(name: str) -> Component:
    """Return a Python package as it is installed here."""
    found = metadata.distribution(name)
    texts = {
        file.name: Path(str(found.locate_file(file))).read_bytes()
        for file in found.files or ()
        if ".dist-info" in file.parts[0] and _IS_LICENSE.match(file.name)
    }
    inner = COMPILED_IN.get(name, {}) | own_bill(found)
    for one in inner:
        own = ROOT / "dev" / "licenses" / f"{one.partition('-')[0]}.txt"
        if own.exists():
            texts[f"{one}.txt"] = own.read_bytes()
    return Component(name, found.version, LICENSES[name], f"pkg:pypi/{name}@{found.version}", texts, inner)


def own_bill(package: metadata.Distribution) -> dict[str, str]:
    """Return what a package's own bill of materials names as part of it: name -> license."""
    bills = [file for file in package.files or () if file.name.endswith(".cyclonedx.json")]
    parts = [part for file in bills for part in json.loads(file.read_text("utf-8"))["components"]]
    required = [part for part in parts if part.get("scope", "required") == "required"]
    return {part["name"]: part["licenses"][0]["expression"] for part in required}


def libraries(program: Path) -> list[tuple[str, str, str]]:
    """Return each shared library beside the program's own modules: its file, whose it is, its license."""
    found = []
    for path in sorted(program.rglob("lib*")):
        named = _LIBRARY.fullmatch(path.name)
        if named is None or not path.is_file():
            continue
        if named[1] not in LIBRARIES:
            raise SystemExit(
                f"{path.name} is in the program: say in dev/inside.py whose it is, and under which license"
            )
        found.append((path.name, *LIBRARIES[named[1]]))
    return found


def linked(program: Path) -> list[tuple[str, str, str]]:
    """Return what a Python that is linked into the program needs of the system: file, whose it is, its license."""
    wanted = (sysconfig.get_config_var("MODLIBS") or "").split()
    names = dict.fromkeys(f"lib{word[2:]}" for word in wanted if word.startswith("-l"))
    shared = any(program.rglob("libpython*"))
    return [(f"{name}.a", *LIBRARIES[name]) for name in names if name in LIBRARIES and not shared]


def library(file: str, owner: str, license: str) -> Component:
    """Return a library of this system, by the package of the system that has it."""
    name = debian_package(file)
    if not name:
        return Component(owner, "", license, f"pkg:generic/{owner}", {}, {})
    version = told("dpkg-query", "--show", "--showformat=${Version}", name)
    copyright = Path("/usr/share/doc", name, "copyright").read_bytes()
    texts = {f"{name}.txt": copyright}
    for common in sorted(set(_COMMON.findall(copyright.decode("utf-8", "replace")))):
        text = Path("/usr/share/common-licenses", common)
        if text.exists():
            texts[f"{common}.txt"] = text.read_bytes()
    return Component(name, version, license, f"pkg:deb/debian/{quote(name)}@{quote(version)}", texts, {})


def debian_package(file: str) -> str:
    """Return the package of Debian and its like that has a library.

    "" where there is no such package manager or package.
    """
    if not shutil.which("dpkg-query"):
        return ""
    folder = sysconfig.get_config_var("MULTIARCH") or ""
    for place in (f"/lib/{folder}/{file}", f"/usr/lib/{folder}/{file}"):
        name = told("dpkg-query", "--search", place).partition(":")[0]
        if name:
            return name
    return ""


def told(*command: str) -> str:
    """Return what a program prints; "" where it fails."""
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    return ended.stdout.strip() if ended.returncode == 0 else ""


def texts_of(found: list[Component]) -> dict[str, bytes]:
    """Return each license's text by its place in the archive."""
    return {f"licenses/{one.name}/{name}": text for one in found for name, text in sorted(one.texts.items())}


def without_text(found: list[Component]) -> list[str]:
    """Return the components without the text of a license here."""
    return [one.name for one in found if not one.texts]


def bill(found: list[Component], version: str) -> bytes:
    """Return the bill of materials."""
    top = {**_described("rulez", version, "MIT", f"pkg:generic/rulez@{version}"), "type": "application"}
    parts = {one.url: _part(one) for one in found}
    written: dict[str, Any] = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": "",
        "version": 1,
        "metadata": {"component": top},
        "components": list(parts.values()),
        "dependencies": [{"ref": top["bom-ref"], "dependsOn": list(parts)}],
    }
    written["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(written)).urn
    return (json.dumps(written, indent=2, ensure_ascii=False) + "\n").encode()


def _part(one: Component) -> dict[str, Any]:
    part = _described(one.name, one.version, one.license, one.url)
    inner = [
        {"type": "library", "bom-ref": f"{one.url}#{name}", "name": name, "licenses": [{"expression": license}]}
        for name, license in one.inner.items()
    ]
    return {**part, "components": inner} if inner else part


def _described(name: str, version: str, license: str, url: str) -> dict[str, Any]:
    said = {"type": "library", "bom-ref": url, "name": name, "version": version}
    return {
        **{key: value for key, value in said.items() if value},
        "licenses": [{"expression": license}],
        "purl": url,
    }
