"""`rulez programs`: what is known of programs is shown, and who describes one can try it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulez_py.analysis.programs import family
from rulez_py.cli import cli
from rulez_py.system.places import places

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
    assert (shown.exit_code, "zork is not described" in shown.output, "\nls\n" in shown.output) == (1, True, True)


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


# A person's own.


@pytest.fixture
def mine(home: Path) -> Path:
    directory = Path(places({"HOME": str(home)}).user_policy).parent / "programs"
    directory.mkdir(parents=True)
    return directory


def test_what_is_shown_says_from_which_file_it_is(mine: Path) -> None:
    (mine / "own.toml").write_text("[frob]\nflags = ['--fast']\n", "utf-8")
    shown = rulez("show", "frob", "ls").output
    assert "  flags         --fast\n  described in  ~/.config/rulez/programs/own.toml\n" in shown
    assert "  described in  rulez' own, " in shown
    assert rulez("show", "frob").exit_code == 0


def test_what_is_unknown_is_shown_with_how_to_begin() -> None:
    assert "`rulez programs new frob` begins an entry" in rulez("show", "frob").output


def test_without_a_file_the_persons_own_tests_are_tried_too(mine: Path) -> None:
    rulezs = rulez("test")
    number = int(rulezs.output.split()[0])
    text = '[frob]\noperands = ["read *"]\n[[tests]]\nline = "frob a"\nfiles = ["read a"]\n'
    (mine / "own.toml").write_text(text, "utf-8")
    tried = rulez("test")
    assert (tried.exit_code, int(tried.output.split()[0])) == (0, number + 1)
    (mine / "own.toml").write_text(text.replace("read a", "write a"), "utf-8")
    tried = rulez("test")
    assert (tried.exit_code, "own.toml:3: frob a" in tried.output) == (1, True)


@pytest.mark.parametrize("command", [["programs", "test"], ["validate"], ["validate", "own.toml"]])
def test_a_broken_file_is_told_with_its_line(mine: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    (mine / "own.toml").write_text("# Mine.\n[frob]\nflagz = []\n", "utf-8")
    monkeypatch.chdir(mine)
    told = CliRunner().invoke(cli, command)
    assert told.exit_code == 1
    assert "own.toml:3:1: warning: 'flagz' is no key of a program; there are: flags" in told.output


def test_a_file_in_order_is_valid(mine: Path) -> None:
    (mine / "own.toml").write_text("[frob]\n", "utf-8")
    told = CliRunner().invoke(cli, ["validate"])
    assert (told.exit_code, "own.toml (user): describes programs" in told.output) == (0, True)
    as_json = json.loads(CliRunner().invoke(cli, ["validate", "--json"]).output)
    assert [(one["layer"], one["problems"]) for one in as_json["programs"]] == [("user", [])]


@pytest.mark.parametrize("name", ["frob", "frob.sh", "frob2", "git frob"])
def test_a_new_entry_can_be_read_as_it_is_and_with_all_its_lines(tmp_path: Path, name: str) -> None:
    text = rulez("new", name).output
    lines = [line.removeprefix("# ") for line in text.splitlines() if "=" in line or line.startswith(("[", "# ["))]
    for one in (text, "\n".join(lines).replace("subcommands = true\n", "")):
        path = tmp_path / "new.toml"
        path.write_text(one.partition("# Unless")[0], "utf-8")
        tried = rulez("test", str(path))
        assert "new.toml:1: this is no TOML" not in tried.output
        assert "is no key" not in tried.output


def test_a_new_entry_is_written_where_calls_read_it_and_never_over_one(home: Path) -> None:
    wrote = rulez("new", "frob", "--write")
    path = home / ".config" / "rulez" / "programs" / "frob.toml"
    assert (wrote.exit_code, path.is_file()) == (0, True)
    assert "wrote ~/.config/rulez/programs/frob.toml" in wrote.output
    again = rulez("new", "frob", "--write")
    assert (again.exit_code, "is there already" in again.output) == (1, True)


def test_no_agent_writes_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulez_py.cli.person.why_agent", lambda: "an agent runs this")
    assert rulez("new", "frob", "--write").exit_code == 1
    assert not (home / ".config" / "rulez").exists()


def test_a_projects_file_is_begun_shown_tried_and_valid_and_waits_for_trust(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    wrote = rulez("new", "frob", "--project")
    assert (wrote.exit_code, (project / ".rulez" / "programs" / "frob.toml").is_file()) == (0, True)
    assert "wrote .rulez/programs/frob.toml" in wrote.output
    assert "it counts once you have said `rulez trust`" in wrote.output
    (project / ".rulez" / "programs" / "frob.toml").write_text("[frob]\nflags = ['--fast']\n", "utf-8")
    shown = rulez("show", "frob")
    assert (shown.exit_code, "it is not trusted, or has changed since it was" in shown.output) == (1, True)
    valid = CliRunner().invoke(cli, ["validate"])
    assert valid.exit_code == 0
    assert ".rulez/programs/frob.toml (project): describes programs, waits for `rulez trust`" in valid.output
    (told,) = json.loads(CliRunner().invoke(cli, ["validate", "--json"]).output)["programs"]
    assert (told["layer"], told["waits_for_trust"], told["problems"]) == ("project", True, [])
    (project / ".rulez" / "programs" / "frob.toml").write_text("[frob]\nflagz = []\n", "utf-8")
    for command in (["validate"], ["programs", "test"]):
        broken = CliRunner().invoke(cli, command)
        assert (broken.exit_code, "frob.toml:2:1: warning: 'flagz' is no key" in broken.output) == (1, True), command


@pytest.mark.parametrize("name", ["../x", "a/b", "", "-x", "Frob", "a\nb", "x y/z"])
def test_a_name_is_plain(name: str) -> None:
    assert rulez("new", "--", name).exit_code == 2
