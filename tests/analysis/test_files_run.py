"""What a line runs from files that are there is followed as if it stood in the line, and is bounded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.analysis import LIMIT, Command, follow, values
from rulez_py.analysis.bash import machine, scripts
from rulez_py.analysis.programs import runs
from rulez_py.analysis.programs.special import recipes
from tests.analysis.stored import Stored

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path("tests/data/files-run.yaml").read_text("utf-8"))
HERE = "/p"


def stored(files: dict[str, str]) -> Stored:
    """Files below HERE."""
    return Stored({f"{HERE}/{path}": text for path, text in files.items()})


def commands(files: dict[str, str], line: str) -> tuple[Command, ...]:
    return follow(line, cwd=HERE, home="/home/u", environ={}, stored=stored(files)).commands


def found(files: dict[str, str], line: str) -> set[str]:
    """The commands that stand in files, with these and their lines."""
    return {
        f"{one.script.removeprefix(HERE + '/')}:{one.line} {' '.join(word.text for word in one.words)}"
        for one in commands(files, line)
        if one.script
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_what_runs_from_files_is_found_where_it_stands(case: dict[str, Any]) -> None:
    there = found(case["files"], case["line"])
    assert set(case.get("runs", ())) <= there
    words = {one.partition(" ")[2] for one in there}
    assert words.isdisjoint(case.get("never", ()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_without_a_way_to_files_nothing_is_read(case: dict[str, Any]) -> None:
    assert not any(one.script for one in follow(case["line"], cwd=HERE, home="/home/u", environ={}).commands)


FUNCTIONS = "".join(
    f"f{number}() {{ if a; then x=1; elif b; then x=2; fi; for i in 1 2 3; do f{number + 1} $i $x; done; }}\n"
    for number in range(8)
)
LONG = {
    "functions in functions": FUNCTIONS + "f0\n",
    "conditions": "if a; then b=1; else b=2; fi; if c; then d=1; else d=2; fi; echo $b $d\n" * 400,
    "a long file": f"true  # {'x' * 20}\n" * 1_500,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_behind_a_bound_each_command_is_read_by_itself(text: str) -> None:
    lines = text.count("\n") + 1
    there = found({"x.sh": text + "g() {\n git push --force\n}\n"}, "sh x.sh")
    assert f"x.sh:{lines + 1} git push --force" in there


def test_behind_a_bound_recipes_are_read_by_themselves() -> None:
    text = "all:\n" + "".join(f"\tif a; then b=1; else b=2; fi; echo $b {number}\n" for number in range(180))
    there = found({"Makefile": text + "\tgit push --force\nother:\n\tgit gc\n"}, "make all")
    assert "Makefile:182 git push --force" in there
    assert not any("git gc" in one for one in there)


def test_a_file_leaves_the_bound_of_its_line_alone() -> None:
    files = {"x.sh": LONG["conditions"]}
    assert not any(LIMIT in one.opaque for one in commands(files, "sh x.sh; git gc"))


def test_files_that_run_one_another_end() -> None:
    files = {f"{number}.sh": f"git gc {number}\nsh {number + 1}.sh\n" for number in range(10)}
    there = found(files, "sh 0.sh")
    assert {f"{n}.sh:1 git gc {n}" for n in range(scripts.DEEPEST_SCRIPT)} <= there
    assert not any("git gc 9" in one for one in there)


def test_what_is_too_much_even_flat_is_opaque() -> None:
    text = "".join(f"echo {number}\n" for number in range(machine.MOST_COMMANDS + 50))
    found = commands({"x.sh": text}, "sh x.sh")
    assert any(values.LIMIT in one.opaque for one in found)


def test_each_language_of_recipes_has_a_reader() -> None:
    assert {*runs.RECIPES, "make"} == set(recipes.LANGUAGES)


@pytest.mark.parametrize("language", recipes.LANGUAGES)
@pytest.mark.parametrize("text", ["", "\n", "a", "a:\n", "{", '{"scripts": [', "tasks:\n  a:\n  - b", "\\\n\\", '"\\'])
def test_any_text_is_read_to_its_end_and_keeps_its_lines(language: str, text: str) -> None:
    read = recipes.shell_of(language, text, ["a"])
    assert read is not None
    assert read.count("\n") >= text.count("\n")
