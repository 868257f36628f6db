"""A kind of definition is a folder with one shape, and is in one table."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

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
    assert list(inspect.signature(kind.imported).parameters) == ["path", "platform", "directory"]
    assert list(inspect.signature(kind.is_one).parameters) == ["path"]


def test_the_project_file_knows_no_other() -> None:
    with pytest.raises(TypeError, match="there is no kind 'hooks' of definitions; there are agents, skills"):
        Manifest(hooks=("a",))
    with pytest.raises(AttributeError, match="no attribute 'hooks'"):
        Manifest().hooks  # noqa: B018


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.KEY))
def test_the_project_file_knows_each(kind: ModuleType) -> None:
    assert FILE.fields[kind.KEY][1] == kind.ABOUT
    paths: dict[str, Any] = {kind.KEY: ("a",)}
    assert getattr(Manifest(**paths), kind.KEY) == Manifest(**paths).of(kind.KEY) == ("a",)
