"""A kind of definition is a folder with one shape, and stands in one table."""

from __future__ import annotations

import inspect
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import pytest

import rulez_py.definitions
from rulez_py.definitions.project import Manifest
from rulez_py.definitions.project.format import FILE
from rulez_py.definitions.project.kinds import KINDS

FOLDERS = Path(rulez_py.definitions.__file__).parent


def test_each_folder_with_a_kind_stands_in_the_table() -> None:
    assert {kind.KEY for kind in KINDS} == {place.parent.name for place in FOLDERS.glob("*/kind.py")}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.KEY))
def test_each_has_one_shape(kind: ModuleType) -> None:
    assert [str(one) for one in (kind.KEY, kind.NAME, kind.ABOUT)] == [kind.KEY, kind.NAME, kind.ABOUT]
    assert kind.INSIDE in ("", "SKILL.md")
    assert list(inspect.signature(kind.planned).parameters) == ["paths", "platforms", "where", "values", "enricher"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.KEY))
def test_the_project_file_knows_each(kind: ModuleType) -> None:
    assert FILE.fields[kind.KEY][1] == kind.ABOUT
    assert kind.KEY in {one.name for one in fields(Manifest)}
