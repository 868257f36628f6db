"""What is packed for others has every platform's snippets: by them rulez knows which platforms there are."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from rulez_py.platforms import PLATFORMS, snippets

ROOT = Path(__file__).parent.parent
SNIPPETS = {str(path.relative_to(ROOT)) for platform in PLATFORMS for path in Path(snippets(platform)).iterdir()}


def test_every_platform_has_snippets() -> None:
    assert {Path(name).parts[2] for name in SNIPPETS} == set(PLATFORMS)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_people_find_them_in_hooks(platform: str) -> None:
    assert os.path.realpath(ROOT / "hooks" / platform) in (
        os.path.realpath(snippets(platform)),
        str(ROOT / "hooks" / platform),  # unpacked from a source distribution
    )
    for path in Path(snippets(platform)).iterdir():
        assert (ROOT / "hooks" / platform / path.name).read_bytes() == path.read_bytes()


def test_a_source_distribution_has_them_in_both_places(tmp_path: Path) -> None:
    [packed] = SdistBuilder(str(ROOT)).build(directory=str(tmp_path))
    with tarfile.open(packed) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    assert names >= SNIPPETS
    found = {name.replace("rulez_py/platforms/", "hooks/").replace("/hooks/", "/") for name in SNIPPETS}
    assert found <= names


def test_a_wheel_has_them() -> None:
    assert {included.relative_path for included in WheelBuilder(str(ROOT)).recurse_included_files()} >= SNIPPETS
