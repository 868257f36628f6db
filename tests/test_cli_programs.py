"""`rulez programs`: what is known of programs is shown, and who describes one can try it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulez_py.analysis.programs import family
from rulez_py.cli import cli

NPX = """
[npx]
also = ["bunx"]
values = ["-p --package", "--registry"]
runs = "words"

[[tests]]
line = "npx --registry https://r.example make all"
options = ["--registry=https://r.example"]
runs = ["make all"]
"""


def rulez(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["programs", *arguments])


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(NPX, "utf-8")
    return path


def test_what_is_known_of_a_program_is_shown() -> None:
    shown = rulez("show", "gtimeout")
    assert shown.exit_code == 0
    assert shown.output.startswith("timeout\n  also          gtimeout\n")
    assert "  values        -k --kill-after, -s --signal\n" in shown.output


def test_a_subcommand_is_shown() -> None:
    assert "runs shell" in rulez("show", "git rebase").output


def test_a_version_in_a_name_is_nothing_of_its_own() -> None:
    assert rulez("show", "python3.12").output.startswith("python\n")


def test_a_program_that_nobody_described_is_said() -> None:
    shown = rulez("show", "zork", "ls")
    assert (shown.exit_code, "zork: nobody described it" in shown.output, "\nls\n" in shown.output) == (1, True, True)


def test_the_tests_of_a_file_are_tried(own: Path) -> None:
    tried = rulez("test", str(own))
    assert (tried.exit_code, tried.output) == (0, "1 test holds\n")


def test_a_test_that_fails_is_told_with_its_place(own: Path) -> None:
    own.write_text(NPX.replace(', "--registry"', ""), "utf-8")
    tried = rulez("test", str(own))
    assert tried.exit_code == 1
    assert f"{own}:7: npx --registry https://r.example make all\n    runs = [" in tried.output
    assert tried.output.endswith("1 test, 1 failed\n")


def test_a_mistake_is_told_with_its_place(own: Path) -> None:
    own.write_text(NPX.replace("values", "value"), "utf-8")
    tried = rulez("test", str(own))
    assert (tried.exit_code, tried.output.startswith(f"{own}:4: 'value' is no key of a program")) == (1, True)


def test_what_is_tried_stays_for_itself(own: Path) -> None:
    own.write_text("[zork]\n", "utf-8")
    assert rulez("test", str(own)).exit_code == 0
    assert family("zork") == ""
