"""What an installation brings with it, and what development is locked to."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from rulez_py import __version__
from tests.programs import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
GROUPS: dict[str, list[str]] = PROJECT["dependency-groups"]
DEPENDENCIES: list[str] = PROJECT["project"]["dependencies"]

USED = {
    "cel-expr-python": "expressions",
    "click": "the command line",
    "google-re2": "regexes and globs",
    "markdown-it-py": "the sections of a prompt",
    "mdurl": "needed by markdown-it-py",
    "orjson": "JSON",
    "pygments": "needed by rich",
    "pyyaml": "YAML: libyaml",
    "rich": "tables",
}
ON_WINDOWS = {"colorama": "needed by click"}
LOCKS = {"dev": ("dev",), "e2e": ("dev", "e2e"), "docs": ("docs",), "libraries": ("dev", "libraries")}


def below(requirements: list[str]) -> set[str]:
    """The names of these and of all that they bring, on this system."""
    found: set[str] = set()
    waiting = [Requirement(text) for text in requirements]
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        if name in found or (one.marker is not None and not one.marker.evaluate({"extra": ""})):
            continue
        found.add(name)
        waiting += [Requirement(text) for text in metadata.requires(one.name) or []]
    return found


def locked(name: str) -> dict[str, str]:
    """Each package of a lock file -> its entry, without line ends."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").replace("\\\n", "")
    entries = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    return {canonicalize_name(entry.partition("==")[0]): entry for entry in entries}


def test_an_installation_brings_what_rulez_uses_and_nothing_else() -> None:
    assert below(DEPENDENCIES) - set(ON_WINDOWS) == set(USED)


@pytest.mark.parametrize("text", [*DEPENDENCIES, *GROUPS["dev"], *GROUPS["docs"], *PROJECT["build-system"]["requires"]])
def test_no_release_that_nobody_has_tried_is_installed(text: str) -> None:
    operators = {specifier.operator for specifier in Requirement(text).specifier}
    assert operators == {">=", "<"}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_every_package_that_is_asked_for_in_a_version_that_is_asked_for(name: str) -> None:
    pins = locked(name)
    for text in (*DEPENDENCIES, *(text for group in LOCKS[name] for text in GROUPS[group])):
        wanted = Requirement(text)
        version = Requirement(pins[canonicalize_name(wanted.name)].partition("--hash")[0]).specifier
        (pin,) = version
        assert pin.operator == "=="
        assert wanted.specifier.contains(pin.version), f"{text}: run `make lock`"


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_the_bytes_and_no_place_where_they_come_from(name: str) -> None:
    assert [entry for entry in locked(name).values() if "--hash=sha256:" not in entry] == []
    assert [entry for entry in locked(name).values() if "://" in entry or "@" in entry or entry.startswith("-")] == []


def test_both_locks_say_the_same() -> None:
    more = locked("e2e")
    assert {name: more[name] for name in locked("dev")} == locked("dev")


def test_each_guard_has_an_extra_that_brings_its_library_as_it_is_tested() -> None:
    guards = {path.stem.replace("_", "-") for path in (ROOT / "rulez_py" / "guards").glob("*.py")}
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    assert set(EXTRAS) - {"mcp"} == guards - {"--init--", "policy", "refusing"}
    for name, needed in EXTRAS.items():
        assert set(needed) <= set(GROUPS["libraries"])
        assert f"`{name}`" in page or name == "mcp"


def test_the_version_is_said_once() -> None:
    said = re.compile(rf"(?<![\d.]){re.escape(__version__)}(?![\d.])")
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "rulez_py/__init__.py"
    places = [ROOT / "pyproject.toml", *(ROOT / "rulez_py").rglob("*.py")]
    named = [path for path in places for line in said.findall(path.read_text(encoding="utf-8"))]
    assert named == [ROOT / "rulez_py" / "__init__.py"]
