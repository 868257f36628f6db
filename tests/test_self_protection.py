"""What rulez protects of itself and of every agent: the table in data/self-protection.yaml, and the platforms' own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.platforms import PLATFORMS, part
from rulez_py.platforms.settings import DOTENV, Protects
from rulez_py.verdict import DENY, NO_OPINION
from tests.test_packs import SHELLS, called, rules_of, said

TABLE: list[dict[str, Any]] = YAML(typ="safe").load(
    (Path(__file__).parent / "data" / "self-protection.yaml").read_text("utf-8")
)
RULES = rules_of("self-protection")
ROOT = Path(__file__).parent.parent


def rows() -> list[Any]:
    return [
        pytest.param(
            line.format(place.replace("{{", "{").replace("}}", "}")),
            row.get("rule"),
            id=f"{row['id']}: {line}: {place}",
        )
        for row in TABLE
        for line in row["lines"]
        for place in row["places"]
    ]


@pytest.mark.parametrize(("line", "rule"), rows())
def test_a_place_that_decides_is_not_changed(line: str, rule: str | None) -> None:
    verdict = said(RULES, called(*SHELLS[0], {"command": line}))
    assert verdict.decision == DENY
    assert rule is None or rule in [hit.rule for hit in verdict.hits]


def protected(platform: str) -> Protects:
    found: Protects = part(platform, "settings").PROTECTS
    return found


def example(glob: str) -> str:
    """A path that a glob fits."""
    for anywhere, somewhere in (("/**/", "sub/"), ("**/", "conf/"), ("./", "")):
        if glob.startswith(anywhere):
            glob = somewhere + glob.removeprefix(anywhere)
    return glob.replace("*", "x").replace(" ", "\\ ")


FILES = [
    (platform, example(glob))
    for platform in PLATFORMS
    for glob in (*protected(platform).files, *(f"{directory}/x" for directory in protected(platform).directories))
]
HOMES = [(platform, example(home).removeprefix("sub/")) for platform in PLATFORMS for home in protected(platform).homes]
MOVED = [(platform, name) for platform in PLATFORMS if (name := protected(platform).moved_by)]


def decision(line: str) -> str:
    return said(RULES, called(*SHELLS[0], {"command": line})).decision


@pytest.mark.parametrize(("platform", "path"), FILES)
@pytest.mark.parametrize("line", ["echo x > {}", "rm {}", "sponge {}", 'cp "$X" {}'])
def test_what_a_platform_protects_is_not_changed(platform: str, path: str, line: str) -> None:
    assert decision(line.format(path)) == DENY


@pytest.mark.parametrize(("platform", "path"), FILES)
def test_what_a_platform_protects_may_be_read(platform: str, path: str) -> None:
    assert decision(f"cat {path}") == NO_OPINION


@pytest.mark.parametrize(("platform", "home"), HOMES)
@pytest.mark.parametrize("line", ["rm -rf {}", "mv {} /tmp/x", "ln -s {} c"])
def test_a_platforms_own_directory_does_not_go_as_a_whole(platform: str, home: str, line: str) -> None:
    assert decision(line.format(home)) == DENY


@pytest.mark.parametrize(("platform", "home"), HOMES)
def test_what_else_is_in_a_platforms_own_directory_stays_free(platform: str, home: str) -> None:
    assert decision(f"rm -rf {home}/projects/x") == NO_OPINION


@pytest.mark.parametrize(("platform", "variable"), MOVED)
def test_a_platforms_own_directory_is_known_by_its_variable(platform: str, variable: str) -> None:
    assert decision(f"rm -rf ${variable}") == DENY
    assert decision(f"rm -f ${variable}/*") == DENY
    assert decision(f"rm -rf ${variable}/projects") == NO_OPINION


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_platforms_credentials_are_a_secret(platform: str) -> None:
    for path in protected(platform).credentials:
        reading = called("claude", "PreToolUse", "Read", {"file_path": path})
        assert said(rules_of("secrets"), reading).decision == DENY


@pytest.mark.parametrize("platform", PLATFORMS)
def test_what_can_be_switched_off_is_protected(platform: str) -> None:
    for settings in part(platform, "settings").SETTINGS:
        text = "BASH_ENV=x" if settings.form == DOTENV else "x"
        if any(key.startswith("chat.") for key, _ in settings.off):
            # An editor's other settings are everyday work: the switches themselves are protected.
            for key, value in settings.off:
                assert decision(f"echo '{json.dumps({key: value})}' > '{settings.name}'") == DENY
        else:
            assert decision(f"echo {text} > {settings.name}") == DENY


def test_where_a_person_puts_our_snippets_is_protected() -> None:
    rows = re.findall(
        r"(?m)^\|[^|]+\| `(\w+)/[^|]+` \| `([^|]+)` \| (?:`([^|]+)`|none) \|$",
        (ROOT / "hooks" / "README.md").read_text(),
    )
    assert {platform for platform, *_ in rows} == set(PLATFORMS)
    assert {place: decision(f"rm {place}") for _, *places in rows for place in places if place} == {
        place: DENY for _, *places in rows for place in places if place
    }
