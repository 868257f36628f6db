"""CONTRIBUTING.md, SECURITY.md, AGENTS.md: what they name is there."""

from __future__ import annotations

import glob
import re

import pytest

from tests.programs import ROOT
from tests.test_workflows import TARGETS

PAPERS = ("CONTRIBUTING.md", "SECURITY.md", "AGENTS.md", "docs/supported.md", "docs/architecture.md")
_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)#\s]+)")
_FOLDERS = ("rulez_py/", "tests/", "docs/", ".ci/")


def read(paper: str) -> str:
    return (ROOT / paper).read_text(encoding="utf-8")


@pytest.mark.parametrize("paper", PAPERS)
def test_every_path_that_a_paper_names_is_there(paper: str) -> None:
    named = [code for code in _CODE.findall(read(paper)) if code.startswith(_FOLDERS)]
    patterns = [re.sub(r"\b(NAME|KIND)\b", "*", path) for path in named]
    assert [path for path in patterns if not glob.glob(str(ROOT / path))] == []


@pytest.mark.parametrize("paper", PAPERS)
def test_every_link_of_a_paper_leads_somewhere(paper: str) -> None:
    links = _LINK.findall(read(paper))
    assert links
    assert [link for link in links if not ((ROOT / paper).parent / link).exists()] == []


@pytest.mark.parametrize("paper", PAPERS)
def test_every_target_that_a_paper_names_is_in_the_makefile(paper: str) -> None:
    lines = [code for code in _CODE.findall(read(paper)) if code.startswith("make ")]
    lines += re.findall(r"^make .*", read(paper), re.MULTILINE)
    words = [word for line in lines for word in re.sub(r"#.*|\w+=.*", "", line).split()[1:]]
    assert set(words) <= TARGETS


def test_each_invariant_is_held_by_tests() -> None:
    rows = re.findall(r"^\| (?!invariant|---)(.+?) \| (.+) \|$", read("SECURITY.md"), re.MULTILINE)
    assert len(rows) >= 10
    assert [invariant for invariant, tests in rows if "`tests/" not in tests] == []


def test_the_security_page_leads_to_how_to_report() -> None:
    assert "(../SECURITY.md)" in read("docs/security.md")
