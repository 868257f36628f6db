"""What `make dist` puts beside the program: every license, a bill of materials, a README that leads nowhere else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from dev import inside, pack
from rulez_py import __version__
from tests.programs import ROOT
from tests.test_dependencies import USED


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stand-in for dist/rulez."""
    place = tmp_path_factory.mktemp("program")
    (place / "_internal").mkdir()
    (place / "rulez").write_text("")
    return place


@pytest.fixture(scope="module")
def bill(program: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(inside.bill(inside.components(program), __version__))
    return read


def every(part: dict[str, Any]) -> list[dict[str, Any]]:
    """A component's parts, with theirs."""
    return [one for inner in part.get("components", ()) for one in (inner, *every(inner))]


def test_every_package_that_an_installation_brings_is_described() -> None:
    assert set(inside.LICENSES) == {*USED, "pyinstaller"}


def test_every_component_has_the_text_of_its_license(program: Path) -> None:
    assert inside.without_text(inside.components(program)) == []


def test_what_is_compiled_into_a_package_has_its_text_beside_it(program: Path) -> None:
    texts = inside.texts_of(inside.components(program))
    assert {name for name in texts if name.endswith(".txt") and "LICENSE" not in name and "COPYING" not in name} >= {
        "licenses/cel-expr-python/protobuf.txt",
        "licenses/cel-expr-python/antlr4-runtime.txt",
        "licenses/pyyaml/libyaml.txt",
    }


@pytest.mark.parametrize("package", inside.COMPILED_IN)
def test_the_texts_beside_a_package_cover_what_is_compiled_into_it(package: str) -> None:
    """A text of the package's own covers what has the same license; BSL-1.0 asks for none beside compiled code."""
    texts = inside.package(package).texts
    covered = {inside.LICENSES[package], "BSL-1.0"} - {"MIT", "BSD-3-Clause"}
    inner = inside.COMPILED_IN[package].items()
    assert [one for one, license in inner if license not in covered and f"{one}.txt" not in texts] == []


def test_a_package_s_own_bill_says_what_is_in_it() -> None:
    assert inside.package("orjson").inner["xxhash-rust"] == "BSL-1.0"
    assert "cc" not in inside.package("orjson").inner  # It compiles the rest, and is no part of it.


def test_the_bill_has_what_the_format_requires(bill: dict[str, Any]) -> None:
    """CycloneDX 1.6: bomFormat, specVersion; of each component type and name; each bom-ref once."""
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
    top = bill["metadata"]["component"]
    assert (top["type"], top["name"], top["version"]) == ("application", "rulez", __version__)
    parts = every(bill)
    assert [part for part in parts if part["type"] != "library" or not part["name"]] == []
    assert [part for part in parts if list(part["licenses"][0]) != ["expression"]] == []
    refs = [part["bom-ref"] for part in (top, *parts)]
    assert len(set(refs)) == len(refs)


def test_the_bill_says_on_what_rulez_depends(bill: dict[str, Any]) -> None:
    (said,) = bill["dependencies"]
    assert said["ref"] == bill["metadata"]["component"]["bom-ref"]
    assert said["dependsOn"] == [part["bom-ref"] for part in bill["components"]]


def test_the_same_program_has_the_same_bill(program: Path) -> None:
    first, second = (inside.bill(inside.components(program), __version__) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("file", "known"),
    [
        ("libz.so.1", True),
        ("libstdc++.so.6", True),
        ("libgcc_s.so.1", True),
        ("libsqlite3.so.0", True),
        ("libsqlite3.dylib", True),
        ("libnew.so.2", False),
    ],
)
def test_a_library_that_nobody_described_is_not_packed(file: str, known: bool, tmp_path: Path) -> None:
    (tmp_path / file).write_text("")
    if known:
        assert [found[0] for found in inside.libraries(tmp_path)] == [file]
    else:
        with pytest.raises(SystemExit, match=r"say in dev/inside\.py"):
            inside.libraries(tmp_path)


@pytest.mark.parametrize(
    ("page", "alone"),
    [
        ("see [the page](docs/cli.md#x).", "see the page."),
        ("[`a[b]`](../a.md)", "`a[b]`"),
        ("[below](#there)", "[below](#there)"),
        ("[MIT](LICENSE)", "[MIT](LICENSE)"),
        ("[x](https://example.com)", "[x](https://example.com)"),
        ("a\n\n![a picture](docs/pictures/a.svg)\n\nb", "a\n\nb"),
    ],
)
def test_a_page_is_read_without_those_it_leads_to(page: str, alone: str) -> None:
    assert pack.alone(page) == alone


def test_the_readme_of_the_archive_has_no_dead_link() -> None:
    page = pack.alone((ROOT / "README.md").read_text(encoding="utf-8"))
    assert [
        link for link in re.findall(r"\]\(([^)\s]+)\)", page) if not link.startswith(("#", "https:", "LICENSE"))
    ] == []
    assert "![" not in page


def test_they_lie_beside_the_program(program: Path, tmp_path: Path) -> None:
    packing = [sys.executable, str(ROOT / "dev" / "pack.py"), "--program", str(program), "--into", str(tmp_path)]
    subprocess.run(packing, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert names >= {
        "LICENSE",
        "README.md",
        "rulez",
        "sbom.cdx.json",
        "licenses/cpython/LICENSE.txt",
        "licenses/click/LICENSE.txt",
    }
