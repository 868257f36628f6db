"""The documentation as a site: what `make docs` makes of the pages. Links and anchors the build itself looks at."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path, PurePosixPath

import pytest

import rulez_py
from dev import pictures, reference_page, site
from rulez_py.platforms import PLATFORMS
from tests.programs import ROOT

SOURCES = sorted({path.relative_to(ROOT).as_posix() for pattern in site.SOURCES for path in ROOT.glob(pattern)})


def test_the_reference_is_current() -> None:
    assert reference_page.PAGE.read_text("utf-8") == reference_page.page(), "run `make reference-page`"


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_a_picture_of_a_terminal_shows_what_is_printed(name: str) -> None:
    assert (pictures.PLACE / f"{name}.svg").read_text("utf-8") == pictures.picture(name), "run `make pictures`"


@pytest.mark.parametrize("path", sorted(pictures.PLACE.glob("*.svg")), ids=lambda path: path.stem)
def test_a_picture_is_shown_and_fetches_nothing(path: Path) -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    assert any(f"pictures/{path.name})" in page.read_text("utf-8") for page in pages)
    assert site.outside(path.read_text("utf-8")) == []


def test_every_agent_has_a_page() -> None:
    assert set(site.agents()) == set(PLATFORMS)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_agent_s_page_says_what_becomes_of_every_outcome(platform: str) -> None:
    page = site.agent_page(platform)
    outcomes = site.sections(
        site.section((ROOT / "TOOL-MAPPING.md").read_text("utf-8"), "What rulez can make each agent do"), "###"
    )
    assert [one for one in outcomes if f"\n| {one} | " not in page] == []
    assert "**Limits.**" in page


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_agent_s_page_is_in_the_navigation(platform: str) -> None:
    assert f"- hooks/{platform}.md\n" in site.SETTINGS.read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[a](docs/policy.md#settings)", "[a](docs/policy.md#settings)"),
        ("[a](#rule-sets)", "[a](#rule-sets)"),
        ("[a](https://example.com/x)", "[a](https://example.com/x)"),
        ("[a](docs/contracts)", "[a](docs/contracts/README.md)"),
        ("[a](rulez_py/policy/packs)", "a"),
        ("[a `b[c]`](Makefile)", "a `b[c]`"),
        ("```\n[a](Makefile)\n```", "```\n[a](Makefile)\n```"),
    ],
)
def test_links_of_a_page_lead_somewhere_on_the_site(text: str, shown: str) -> None:
    assert site.linked(text, PurePosixPath("README.md")) == shown


@pytest.mark.parametrize(
    ("text", "spaced"),
    [
        ("Text:\n- one\n- two", "Text:\n\n- one\n- two"),
        ("- one\n  - two\n  more", "- one\n    - two\n    more"),
        ("1. one\n2. two", "1. one\n2. two"),
        ("```\na\n- b\n  c\n```", "```\na\n- b\n  c\n```"),
        ("1. a\n\n   ```sh\n   b\n     c\n   ```", "1. a\n\n    ```sh\n    b\n      c\n    ```"),
    ],
)
def test_lists_are_lists_on_the_site(text: str, spaced: str) -> None:
    assert site.spaced(text) == spaced


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('<script src="https://cdn.example/a.js"></script>', ["https://cdn.example/a.js"]),
        ("<img src=//cdn.example/a.png>", ["//cdn.example/a.png"]),
        ('<link rel="stylesheet" href="https://fonts.example/css">', ["https://fonts.example/css"]),
        ("@import 'https://fonts.example/css';", ["https://fonts.example/css"]),
        ("a { background: url(https://cdn.example/a.svg) }", ["https://cdn.example/a.svg"]),
        ('<link rel="canonical" href="https://docs.example/">', []),
        ('<a href="https://cel.dev">CEL</a>', []),
        ('<script src="../assets/a.js"></script>', []),
    ],
)
def test_what_a_page_fetches_from_elsewhere_is_found(text: str, found: list[str]) -> None:
    assert site.outside(text) == found


def test_the_search_on_a_disk_is_served_by_a_script_of_ours() -> None:
    """Without one of this name, mkdocs-material's `offline` plugin has every page fetch it from elsewhere."""
    settings = site.SETTINGS.read_text("utf-8")
    assert "plugins: [search, offline]" in settings
    assert "polyfills: [docs/iframe-worker.js]" in settings
    assert (ROOT / "docs" / "iframe-worker.js").is_file()
    assert any(PurePosixPath("docs/iframe-worker.js").match(pattern) for pattern in site.ASSETS)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("| `a \\| b` | c |", "| `a | b` | c |"),
        ("| `[ -e .env ] \\|\\| cp x y` | |", "| `[ -e .env ] || cp x y` | |"),
        ("| ``a ` \\| b`` | c \\| d |", "| ``a ` | b`` | c \\| d |"),
        ("`a \\| b`", "`a \\| b`"),
    ],
)
def test_code_in_a_table_is_shown_as_people_type_it(text: str, shown: str) -> None:
    assert site.unescaped(text) == shown


@pytest.mark.parametrize("path", SOURCES)
def test_every_table_has_heads(path: str) -> None:
    """Only the corner of a table may be empty."""
    lines = (ROOT / path).read_text("utf-8").splitlines()
    heads = [
        above
        for above, below in pairwise(lines)
        if above.startswith("|") and re.fullmatch(r"\|(?:\s*:?-{3,}:?\s*\|)+", below)
    ]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", head.strip()[1:-1])] for head in heads]
    assert [row for row in cells if not all(row[1:]) or not any(row)] == []


def test_the_start_page_says_what_it_is_how_to_install_it_and_where_to_go() -> None:
    page = site.start_page((ROOT / "README.md").read_text("utf-8"))
    parts = [
        "title: Start",
        "# rulez",
        "pipx install",
        "rulez install",
        "rulez doctor",
        "## Where next",
        "## What it stops",
    ]
    assert [page.find(part) for part in parts] == sorted(page.find(part) for part in parts)
    assert all(part in page for part in parts)


def test_a_link_on_the_site_shows_the_title_of_the_page() -> None:
    assert site.linked("[cli.md](docs/cli.md#x)", PurePosixPath("README.md")) == "[The command line](docs/cli.md#x)"


def test_every_page_says_its_version_and_leads_to_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://forge.example")
    monkeypatch.setenv("GITHUB_REPOSITORY", "team/rulez")
    assert site.source().startswith("https://")
    assert f"rulez {rulez_py.__version__} " in site.footer()
    settings = site.SETTINGS.read_text("utf-8")
    assert 'repo_url: !ENV [RULEZ_SOURCE, ""]' in settings
    assert 'copyright: !ENV [RULEZ_FOOTER, ""]' in settings


def test_the_navigation_has_every_page_once() -> None:
    named = re.findall(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", site.SETTINGS.read_text("utf-8"), re.MULTILINE)
    assert sorted(named) == sorted([*SOURCES, *(f"hooks/{platform}.md" for platform in PLATFORMS)])
