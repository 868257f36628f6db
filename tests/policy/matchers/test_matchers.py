"""Every matcher, from the table in matchers.yaml: calls as agents send them, fits or not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.event import Event, UnreadableEvent
from rulez_py.platforms import adapter
from rulez_py.policy.facts.disk import Touched
from rulez_py.policy.facts.facts import Facts, Part
from rulez_py.policy.format.case_repository import PROJECT_DIR
from rulez_py.policy.format.case_world import repository_of
from rulez_py.policy.judging.matching import is_excepted, looked_at, matches, narrowed
from rulez_py.policy.matchers import KINDS
from rulez_py.policy.matchers import paths as of_paths
from rulez_py.policy.matchers.extensions import extension
from tests.events import HOME, ROOT, Disk, facts_of
from tests.platforms import PLATFORMS
from tests.policy import lines
from tests.policy.compiled import paths, regexes

TABLE: dict[str, list[dict[str, Any]]] = YAML(typ="safe").load(Path(__file__).with_name("matchers.yaml"))
for match in (row[key] for rows in TABLE.values() for row in rows for key in ("match", "except") if key in row):
    if "paths" in match:
        match["paths"] = paths(**match["paths"])
    for kind in match.keys() & {"command_match", "content_match", "input_match"}:
        match[kind] = regexes(*match[kind])
    for pattern in match.get("prompt_match", {}).get("patterns", ()):
        pattern.update(*regexes(pattern["regex"]))


def event_of(sent: dict[str, Any]) -> Event:
    """The event an agent's adapter makes of one call of the table."""
    platform = sent.get("platform", "claude")
    payload = {
        "session_id": "s",
        "hook_event_name": sent.get("event", PLATFORMS[platform].before_tool),
        "cwd": sent.get("cwd", ROOT),
        "tool_name": sent.get("tool"),
        "tool_input": sent.get("input"),
        **sent.get("payload", {}),
    }
    payload = {key: value for key, value in payload.items() if value is not None}
    return adapter(platform).parse(payload, None)


def disk(links: dict[str, str]) -> Disk:
    """A disk with these symbolic links."""

    def real_path(path: str) -> str:
        real = "/"
        for part in path.split("/"):
            real = os.path.normpath(os.path.join(real, part))
            real = links.get(real, real)
        return real

    return Disk(real_path)


def seen(sent: dict[str, Any]) -> Facts:
    there = disk(sent.get("links", {}))
    if "git" in sent:
        there.git = repository_of(sent, PROJECT_DIR)
        # The tests' own reader of lines has no subcommands.
        return facts_of(event_of(sent), there)
    return facts_of(event_of(sent), there, analyse=lines.analyse)


def short(sent: dict[str, Any]) -> str:
    said = {key: value for key, value in sent.items() if key not in ("platform", "tool")}
    return f"{sent.get('platform', 'claude')} {sent.get('tool', '')} {said or ''}"[:90]


def cases(section: str, *answers: str) -> list[Any]:
    return [
        pytest.param(row, sent, answer == answers[0], id=f"{row['match']}: {answer}: {short(sent)}"[:180])
        for row in TABLE[section]
        for answer in answers
        for sent in row[answer]
    ]


@pytest.mark.parametrize(("row", "sent", "fits"), cases("fits", "fits", "not"))
def test_a_matcher_fits_or_not(row: dict[str, Any], sent: dict[str, Any], fits: bool) -> None:
    assert matches(row["match"], looked_at(row["match"], seen(sent))) is fits


@pytest.mark.parametrize(("row", "sent", "excepted"), cases("except", "excepted", "applies"))
def test_an_exception_must_cover_all_that_the_rule_is_about(
    row: dict[str, Any], sent: dict[str, Any], excepted: bool
) -> None:
    facts = seen(sent)
    assert matches(row["match"], facts)
    assert is_excepted([row["except"]], row["match"], facts) is excepted


def test_the_table_has_fits_and_non_fits_of_every_matcher() -> None:
    for answer in ("fits", "not"):
        tried = {kind for row in TABLE["fits"] if row[answer] for kind in row["match"]}
        assert tried == set(KINDS)


@pytest.mark.parametrize(("row", "sent", "fits"), cases("fits", "fits", "not"))
def test_a_strict_reading_never_fits_where_the_plain_one_does_not(
    row: dict[str, Any], sent: dict[str, Any], fits: bool
) -> None:
    if not fits:
        facts = seen(sent)
        assert not matches(row["match"], facts, strict=True)
        assert not matches(row["match"], narrowed(facts, row["match"]), strict=True)


@pytest.mark.parametrize(
    ("globs", "path", "fits"),
    [
        (["src/*.key"], "SRC/A.Key", True),
        (["SRC"], "src/a", True),
        (["**/.SSH/**", "!**/.ssh/*.PUB"], "x/.ssh/id.pub", False),
        (["~/.Ssh"], "/HOME/User/.sSH/id", True),
        (["/ETC"], "/etc/passwd", True),
        (["src/a"], "/Home/USER/project/src/A", True),
        (["[A-C].txt"], "b.TXT", True),
        (["src"], "source", False),
    ],
)
def test_paths_ignore_case_where_the_disk_does(globs: list[str], path: str, fits: bool) -> None:
    event = event_of({"tool": "Read", "input": {"file_path": path}})
    match = {"paths": paths(globs, ["read"])}
    facts = facts_of(event, ignore_case=True)
    assert matches(match, facts) is fits
    assert matches(match, narrowed(facts, match), strict=True) is fits
    assert not matches(match, facts_of(event)) or path == "source"


@pytest.mark.parametrize("kind", KINDS)
def test_a_matcher_whose_field_is_absent_does_not_fit(kind: str) -> None:
    wanted: dict[str, Any] = {
        "paths": paths(["**"], ["read", "write", "delete"]),
        "prompt_match": {"patterns": [{**regexes("x")[0], "negate": True}], "mode": "any"},
        "mcp": [{}],
        "command": {},
        "require_fields": ["x"],
        "field_types": {"x": "any"},
        "tools": ["mcp__*"],
        "operations": [],
        "platforms": [],
        "projects": [],
        "git": {"worktree": True},
        "loses": {"untracked": "match"},
    }
    bare = Event(platform="claude", types=("Stop",), native_event="Stop")
    match = {kind: wanted.get(kind, ["*", "", ".", ".*"])}
    assert not matches(match, facts_of(bare))
    assert not matches(match, facts_of(bare), strict=True)


def test_narrowed_facts_leave_the_others_as_they_were() -> None:
    facts = seen({"tool": "MultiEdit", "input": {"edits": [{"file_path": "a.md"}, {"file_path": "b.py"}]}})
    match = {"extensions": [".md"]}
    files = facts.files
    assert [file.path for file in narrowed(facts, match).files] == [f"{ROOT}/a.md"]
    assert facts.files == files
    assert matches({"extensions": [".py"]}, facts)


def test_the_disk_is_asked_once_for_each_file() -> None:
    asked: list[str] = []

    def real_path(path: str) -> str:
        asked.append(path)
        return path

    facts = facts_of(event_of({"tool": "Read", "input": {"file_path": "ab"}}), Disk(real_path))
    for _ in range(2):
        matches({"paths": paths(["b"], ["read"]), "extensions": [".x"]}, facts)
        matches({"directories": ["b"]}, facts)
    assert sorted(asked) == [HOME, ROOT, f"{ROOT}/ab"]


def test_nothing_is_asked_of_the_disk_for_a_rule_about_commands() -> None:
    def real_path(path: str) -> str:
        raise AssertionError(path)

    facts = facts_of(event_of({"tool": "Bash", "input": {"command": "x"}}), Disk(real_path))
    assert matches({"tools": ["Bash"], "command_match": regexes("x")}, facts)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a.py", ".py"),
        ("a.tar.gz", ".gz"),
        ("/x.y/a", "."),
        ("a", "."),
        (".env", "."),
        (".env.local", ".local"),
        ("a.", "."),
        ("a.py/", ".py"),
        ("C:\\x\\a.py", ".py"),
        ("", "."),
        ("..", "."),
        ("a b.txt", ".txt"),
    ],
)
def test_an_extension_is_what_follows_the_last_dot_of_the_name(path: str, found: str) -> None:
    assert extension(path) == found


spelled = st.text(alphabet="ab./~", min_size=1, max_size=10)


@given(spelled)
def test_however_a_path_is_spelled_it_is_absolute_and_without_dots(path: str) -> None:
    facts = seen({"tool": "Read", "input": {"file_path": path}})
    for file in facts.files:
        assert file.path.startswith("/")
        assert not file.path.startswith("//")
        assert not {".", "..", ""} & set(file.path[1:].split("/")[:-1])
        assert file.spelled == path


@given(st.lists(spelled, min_size=1, max_size=3), st.sampled_from(["a", "**/b", "~/a", "/a/**", "a/b"]))
def test_an_exception_that_says_the_same_as_the_rule_always_covers_it(names: list[str], glob: str) -> None:
    facts = seen({"tool": "MultiEdit", "input": {"edits": [{"file_path": name} for name in names]}})
    match = {"paths": paths([glob], ["write"])}
    if matches(match, facts):
        assert matches(match, narrowed(facts, match), strict=True)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = ("command", "file_path", "path", "edits", "content", "url", "pattern", "patch", "input", "paths", "x")


@given(
    st.sampled_from(tuple(PLATFORMS)),
    st.sampled_from(["Bash", "Write", "bash", "edit", "replace", "glob", "apply_patch", "mcp__a__b", "a-b", "a_b", ""]),
    st.dictionaries(st.sampled_from(KEYS), json_values, max_size=4) | json_values,
)
def test_no_tool_input_makes_a_matcher_fail(platform: str, tool: str, tool_input: Any) -> None:
    try:
        facts = seen({"platform": platform, "tool": tool, "input": tool_input})
    except UnreadableEvent:
        return  # and so denied
    for row in TABLE["fits"]:
        for kind, wanted in row["match"].items():
            assert isinstance(matches({kind: wanted}, facts), bool)
            if matches({kind: wanted}, facts, strict=True):
                assert matches({kind: wanted}, facts)


# A command that touches many files.

_PIECES = st.sampled_from([".env", "src", "a.py", "A", "*", "~", "credentials~1", "x"])
_FILES = st.builds(
    lambda names, deep, known: Touched(
        path=f"{ROOT}/{'/'.join(names)}", spelled="/".join(names), access=("read",), deep=deep, known=known
    ),
    st.lists(_PIECES, min_size=1, max_size=3),
    st.booleans(),
    st.booleans(),
)
_GLOBS = st.lists(
    st.sampled_from([".env", "!src/.env", "src/**", "**/a.py", "~/.aws", "*", f"{ROOT}/src/x", "[ab]*", "A"]),
    min_size=1,
    max_size=3,
)


@given(
    st.lists(_FILES, min_size=5, max_size=9), st.lists(_FILES, max_size=2), _GLOBS, st.sampled_from(["ask", "ignore"])
)
def test_of_many_files_those_are_asked_about_that_may_fit(
    touched: list[Touched], named: list[Touched], globs: list[str], unknown: str
) -> None:
    part = Part(None, (), lambda: tuple(touched), named=lambda: tuple(named))
    wanted: Any = paths(globs=globs, access=["read"], unknown=unknown)
    facts = seen({"tool": "Read", "input": {"file_path": "x"}})
    fitting = [file for file in of_paths.files(wanted, part) if of_paths.fits(wanted, file, facts, strict=False)]
    assert [
        file for file in of_paths.possible(wanted, part) if of_paths.fits(wanted, file, facts, strict=False)
    ] == fitting


def test_of_many_files_that_no_rule_is_about_none_is_asked_about() -> None:
    part = Part(
        None, (), lambda: tuple(Touched(path=f"{ROOT}/{n}", spelled=str(n), access=("read",)) for n in range(99))
    )
    wanted: Any = paths(globs=[".env"])
    assert of_paths.possible(wanted, part) == ()
