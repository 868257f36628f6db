"""Skills on the disk: read from a directory, written where a platform looks; nothing that somebody wrote is lost."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from rulez_py.definitions.base.files import CannotLoad
from rulez_py.definitions.base.notes import Note
from rulez_py.definitions.base.tool import Tool
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.definitions.output.store import CannotWrite, difference, write
from rulez_py.definitions.output.written import State
from rulez_py.definitions.skills import (
    PLATFORMS,
    Skill,
    SkillFile,
    left_over,
    load,
    plan,
    read_directory,
    remove,
    save,
)
from rulez_py.definitions.skills.definition import MOST_FILES
from rulez_py.definitions.skills.platforms import SKILL_FILES
from rulez_py.platforms.agent_files import LARGEST_FILE

OF_PROJECTS = [platform for platform, facts in SKILL_FILES.items() if facts.directory]
SKILL = Skill(
    name="notes",
    description="Writes notes.",
    text="Run scripts/log.sh.\n",
    files=[SkillFile("scripts/log.sh", b"#!/bin/sh\n", executable=True), SkillFile("logo.png", b"\x89PNG\r\n\0\xff")],
)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(place))
    return place


@pytest.fixture
def source(tmp_path: Path) -> Path:
    place = tmp_path / "skills" / "notes"
    (place / "scripts").mkdir(parents=True)
    (place / "SKILL.md").write_text("---\ndescription: Writes notes.\n---\nRun scripts/log.sh.\n")
    (place / "scripts" / "log.sh").write_bytes(b"#!/bin/sh\n")
    (place / "scripts" / "log.sh").chmod(0o755)
    (place / "logo.png").write_bytes(b"\x89PNG\r\n\0\xff")
    return place


def states(skill: Skill, root: Path, platform: str = "claude") -> dict[str, State]:
    done = skill.write(platform, root, check=True)
    return {os.path.relpath(one.path, root / ".claude/skills/notes"): one.state for one in done.files}


# Reading.


def test_a_directory_is_read_with_all_that_lies_there(source: Path) -> None:
    for ignored in (".DS_Store", "scripts/__pycache__/x.pyc", ".git/config"):
        (source / ignored).parent.mkdir(exist_ok=True)
        (source / ignored).write_bytes(b"x")
    assert load(source) == load(source / "SKILL.md") == SKILL


def test_the_current_directory_has_a_name_too(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(source)
    assert load(".") == load("SKILL.md") == SKILL


def told(source: Path) -> list[str]:
    done = read_directory(source)
    assert done.skill is None
    return [f"{os.path.relpath(one.path, source)}: {one.text}" for one in done.problems]


def test_a_link_inside_is_the_file_it_leads_to(source: Path) -> None:
    (source / "again.sh").symlink_to("scripts/log.sh")
    (again,) = (one for one in load(source).files if one.path == "again.sh")
    assert again == SkillFile("again.sh", b"#!/bin/sh\n", executable=True)


def test_a_link_that_leads_out_is_refused(source: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (source / "a.txt").symlink_to(tmp_path / "secret")
    (source / "b").symlink_to(tmp_path)
    (source / "c").symlink_to("/no/such/file")
    out = "a link that leads out of the skill's directory; put the file itself there"
    assert told(source) == [f"a.txt: {out}", f"b: {out}", f"c: {out}"]


def test_a_skill_md_that_is_a_link_out_is_refused(source: Path, tmp_path: Path) -> None:
    os.replace(source / "SKILL.md", tmp_path / "SKILL.md")
    (source / "SKILL.md").symlink_to(tmp_path / "SKILL.md")
    with pytest.raises(CannotLoad, match="leads out of its directory"):
        load(source)


def test_what_is_no_file_is_refused_and_does_not_hang(source: Path) -> None:
    os.mkfifo(source / "pipe")
    (source / "links").symlink_to("scripts")
    assert told(source) == ["links: not a regular file", "pipe: not a regular file"]


@pytest.mark.parametrize("name", ["žluť.md", "a:b", "con.txt", "a\nb", "sub/SKILL.md"])
def test_a_name_that_could_not_be_written_everywhere_is_told_with_its_place(source: Path, name: str) -> None:
    (source / name).parent.mkdir(exist_ok=True)
    (source / name).write_text("x")
    (said,) = told(source)
    assert said.startswith("a?b" if "\n" in name else name) or "\n" in name


def test_too_much_is_told(source: Path) -> None:
    for number in range(MOST_FILES + 5):
        (source / f"f{number}").write_text("x")
    assert told(source) == [f"SKILL.md: the skill has more than {MOST_FILES} files"]


def test_a_file_that_is_too_large_is_told(source: Path) -> None:
    with open(source / "big", "wb") as big:
        big.truncate(LARGEST_FILE + 1)
    assert told(source) == ["big: the file has more than 10,000,000 bytes"]


def test_directories_in_directories_come_to_an_end(source: Path) -> None:
    deep = source.joinpath(*"abcdefghijkl")
    deep.mkdir(parents=True)
    (deep / "x").write_text("x")
    (said,) = told(source)
    assert "lies more than 8 directories deep" in said


@pytest.mark.parametrize("name", ["skill.md", "Skill.md"])
def test_skill_md_is_spelled_in_capitals(source: Path, name: str) -> None:
    os.replace(source / "SKILL.md", source / name)
    with pytest.raises(CannotLoad):
        load(source)


def test_there_is_nothing_to_load(tmp_path: Path) -> None:
    with pytest.raises(CannotLoad, match="No such file"):
        load(tmp_path / "none")


def test_a_skill_with_mistakes_is_refused_with_their_places(source: Path) -> None:
    (source / "SKILL.md").write_text("---\ntools: [Shel]\n---\n")
    with pytest.raises(InvalidAgent, match=r"SKILL.md:2:1: error: .* no description.*\n.*SKILL.md:2:9: error: .*Shel"):
        load(source)


def test_a_platform_s_own_skill_becomes_one_of_ours(source: Path, tmp_path: Path) -> None:
    (source / "SKILL.md").write_text("---\nname: notes\ndescription: x\nallowed-tools: Bash\n---\nIt costs \\$5.\n")
    skill = load(source, of="claude")
    assert (skill.tools, skill.text) == ((Tool.Shell,), "It costs $5.\n")
    save(skill, tmp_path / "saved" / "notes")
    assert load(tmp_path / "saved" / "notes") == skill
    with pytest.raises(CannotWrite, match="is there already"):
        save(skill, tmp_path / "saved" / "notes")


# Writing.


@pytest.mark.parametrize(
    ("platform", "scope"), [*((one, "project") for one in OF_PROJECTS), *((one, "user") for one in PLATFORMS)]
)
def test_it_is_written_where_the_platform_looks(tmp_path: Path, platform: str, scope: str) -> None:
    facts = SKILL_FILES[platform]
    place = tmp_path / (facts.user_directory if scope == "user" else facts.directory) / "notes"
    done = SKILL.write(platform, tmp_path, scope=scope)  # type: ignore[arg-type]
    assert done.changed
    assert [Path(one.path) for one in done.files] == [place / "SKILL.md", place / "logo.png", place / "scripts/log.sh"]
    assert (place / "logo.png").read_bytes() == b"\x89PNG\r\n\0\xff"
    assert stat.S_IMODE((place / "scripts/log.sh").stat().st_mode) & 0o111
    assert not stat.S_IMODE((place / "logo.png").stat().st_mode) & 0o111
    assert not SKILL.write(platform, tmp_path, scope=scope).changed  # type: ignore[arg-type]


def test_a_person_s_own_go_to_the_home_directory(home: Path) -> None:
    SKILL.write("copilot", scope="user")
    assert (home / ".copilot/skills/notes/SKILL.md").is_file()


@pytest.mark.parametrize("platform", OF_PROJECTS)
def test_what_was_written_reads_as_the_skill_it_was_written_from(tmp_path: Path, platform: str) -> None:
    SKILL.write(platform, tmp_path)
    assert load(tmp_path / SKILL_FILES[platform].directory / "notes") == SKILL


def test_with_check_nothing_is_written(tmp_path: Path) -> None:
    done = SKILL.write("claude", tmp_path, check=True)
    assert done.changed
    assert list(tmp_path.iterdir()) == []


def test_another_text_or_file_is_written_over_the_old_one(tmp_path: Path) -> None:
    SKILL.write("claude", tmp_path)
    new = replace(SKILL, text="Other.\n", files=(SkillFile("logo.png", b"new"), SKILL.files[1]))
    assert states(new, tmp_path) == {
        "SKILL.md": State.Ours,
        "logo.png": State.Ours,
        "scripts/log.sh": State.Same,
    }
    assert all(one.kept == "" for one in new.write("claude", tmp_path).files)
    assert (tmp_path / ".claude/skills/notes/logo.png").read_bytes() == b"new"


@pytest.mark.parametrize("name", ["SKILL.md", "scripts/log.sh", "logo.png"])
def test_what_somebody_edited_is_not_written_over(tmp_path: Path, name: str) -> None:
    SKILL.write("claude", tmp_path)
    place = tmp_path / ".claude/skills/notes" / name
    mine = place.read_bytes() + b"mine"
    place.write_bytes(mine)
    assert states(SKILL, tmp_path)[name] is State.Edited
    with pytest.raises(CannotWrite, match="edited by hand"):
        SKILL.write("claude", tmp_path)
    assert place.read_bytes() == mine
    kept = [one.kept for one in SKILL.write("claude", tmp_path, force=True).files if one.kept]
    assert kept == [f"{place}.bak"]
    assert Path(kept[0]).read_bytes() == mine
    assert not SKILL.write("claude", tmp_path, check=True).changed


def test_a_file_that_is_somebody_else_s_is_not_written_over(tmp_path: Path) -> None:
    place = tmp_path / ".claude/skills/notes"
    place.mkdir(parents=True)
    (place / "logo.png").write_bytes(b"mine")
    with pytest.raises(CannotWrite, match="not written by rulez"):
        SKILL.write("claude", tmp_path)
    assert os.listdir(place) == ["logo.png"]


def test_line_ends_that_git_writes_are_no_edit(tmp_path: Path) -> None:
    SKILL.write("claude", tmp_path)
    for name in ("SKILL.md", "scripts/log.sh"):
        place = tmp_path / ".claude/skills/notes" / name
        place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    assert set(states(SKILL, tmp_path).values()) == {State.Same}


def test_a_script_that_nobody_can_run_any_more_is_mended(tmp_path: Path) -> None:
    SKILL.write("claude", tmp_path)
    script = tmp_path / ".claude/skills/notes/scripts/log.sh"
    script.chmod(0o644)
    assert states(SKILL, tmp_path)["scripts/log.sh"] is State.Ours
    SKILL.write("claude", tmp_path)
    assert script.stat().st_mode & 0o100


def test_a_file_that_the_skill_has_no_more_is_removed(tmp_path: Path) -> None:
    SKILL.write("claude", tmp_path)
    place = tmp_path / ".claude/skills/notes"
    less = replace(SKILL, files=())
    checked = less.write("claude", tmp_path, check=True)
    assert checked.changed
    assert [os.path.relpath(path, place) for path in checked.removed] == ["logo.png", "scripts/log.sh"]
    assert (place / "logo.png").exists()
    assert less.write("claude", tmp_path).removed == checked.removed
    assert os.listdir(place) == ["SKILL.md"]
    assert not less.write("claude", tmp_path).changed


def test_one_that_somebody_edited_or_added_stays(tmp_path: Path) -> None:
    SKILL.write("claude", tmp_path)
    place = tmp_path / ".claude/skills/notes"
    (place / "logo.png").write_bytes(b"mine")
    (place / "more.md").write_bytes(b"mine")
    done = replace(SKILL, files=()).write("claude", tmp_path)
    assert [os.path.basename(path) for path in done.removed] == ["log.sh"]
    assert sorted(os.listdir(place)) == ["SKILL.md", "logo.png", "more.md"]


def test_a_list_that_somebody_wrote_removes_nothing_elsewhere(tmp_path: Path) -> None:
    SKILL.write("claude", tmp_path)
    written = tmp_path / ".claude/skills/notes/SKILL.md"
    victim = tmp_path / "victim"
    victim.write_bytes(b"#!/bin/sh\n")
    checksum = written.read_text().splitlines()[2].rpartition(" ")[2]
    line = f"# Its files: ../../../victim {checksum}; {victim} {checksum}"
    written.write_text("\n".join([*written.read_text().splitlines()[:2], line, "---", ""]))
    assert replace(SKILL, files=()).write("claude", tmp_path, force=True).removed == ()
    assert victim.exists()


def test_what_lies_behind_a_link_is_not_removed(tmp_path: Path) -> None:
    SKILL.write("claude", tmp_path)
    place = tmp_path / ".claude/skills/notes/scripts"
    os.rename(place, tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    done = replace(SKILL, files=()).write("claude", tmp_path)
    assert [os.path.basename(path) for path in done.removed] == ["logo.png"]
    assert (tmp_path / "elsewhere" / "log.sh").exists()


@pytest.mark.parametrize("name", [".claude/skills/notes", ".claude/skills/notes/scripts"])
def test_a_directory_that_is_a_link_is_not_written_through(tmp_path: Path, name: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CannotWrite, match="is a symbolic link"):
        SKILL.write("claude", tmp_path, force=True)
    assert os.listdir(tmp_path / "elsewhere") == []


def test_a_skill_is_not_written_over_itself(tmp_path: Path) -> None:
    place = tmp_path / ".claude/skills/notes"
    place.mkdir(parents=True)
    with pytest.raises(CannotWrite, match="is the skill itself"):
        plan(SKILL, "claude", tmp_path, source=".claude/skills/notes")


def test_a_scope_that_there_is_none_of(tmp_path: Path) -> None:
    with pytest.raises(InvalidAgent, match="there are project, user"):
        SKILL.write("claude", tmp_path, scope="machine")  # type: ignore[arg-type]


def test_the_difference_of_a_file_can_be_shown(tmp_path: Path) -> None:
    targets = plan(SKILL, "claude", tmp_path).targets
    assert any("+Run scripts/log.sh." in line for line in difference(targets[0]))


# Others of the same name, and what is left over.


def rivals(root: Path, platform: str, scope: str = "project", beside: tuple[str, ...] = ()) -> list[str]:
    notes: tuple[Note, ...] = plan(SKILL, platform, root, scope=scope, beside=beside).notes  # type: ignore[arg-type]
    return [one.text.partition(": ")[2] for one in notes if one.grave]


def put(*directories: Path) -> None:
    for directory in directories:
        (directory / "notes").mkdir(parents=True)
        (directory / "notes" / "SKILL.md").write_text("---\ndescription: x\n---\n")


def test_a_skill_that_is_loaded_instead_or_as_well_is_told(tmp_path: Path, home: Path) -> None:
    put(home / ".claude/skills", tmp_path / ".agents/skills")
    chance = "may be loaded in its place: which of the two is chance"
    assert rivals(tmp_path, "claude") == ["~/.claude/skills/notes wins over it"]
    assert rivals(tmp_path, "gemini") == [".agents/skills/notes wins over it"]
    assert rivals(tmp_path, "opencode") == [f".agents/skills/notes {chance}", f"~/.claude/skills/notes {chance}"]
    assert rivals(tmp_path, "codex") == [".agents/skills/notes is listed beside it"]
    assert rivals(tmp_path, "copilot") == []


def test_one_that_is_written_in_the_same_go_is_told_too(tmp_path: Path) -> None:
    (said,) = rivals(tmp_path, "opencode", beside=("claude", "opencode", "codex"))
    assert said.startswith(".claude/skills/notes may be loaded in its place")
    assert rivals(tmp_path, "claude", beside=PLATFORMS) == []


def test_those_of_a_person_s_own(home: Path) -> None:
    put(home / ".agents/skills")
    assert rivals(home, "gemini", "user") == ["~/.agents/skills/notes wins over it"]
    assert rivals(home, "claude", "user") == []


def test_those_that_hermes_finds_below_a_category(home: Path) -> None:
    put(*(home / ".hermes/skills" / below for below in ("", "tools", "tools/deep", ".archive")))
    same = "has the same name, so neither is loaded by it"
    assert rivals(home, "hermes", "user") == [f"~/.hermes/skills/tools{below}/notes {same}" for below in ("", "/deep")]


def test_nothing_of_a_project_is_left_over_of_who_loads_none_there(tmp_path: Path) -> None:
    SKILL.write("claude", tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / ".claude/skills/notes/SKILL.md").rename(tmp_path / "notes/SKILL.md")
    assert not list(left_over(str(tmp_path), "hermes"))


def test_a_skill_whose_source_is_gone_is_left_over(tmp_path: Path, source: Path) -> None:
    planned = plan(load(source), "claude", tmp_path, source="skills/notes")

    write(planned.targets)
    assert list(left_over(str(tmp_path), "claude")) == []
    assert [one.source for one in left_over(str(tmp_path), "claude", sources=["skills/notes"])] == ["skills/notes"]
    now = [planned.targets[0].path]
    assert list(left_over(str(tmp_path), "claude", sources=["skills/notes"], written=now)) == []
    os.rename(source, tmp_path / "skills" / "other")
    (gone,) = left_over(str(tmp_path), "claude")
    assert (gone.source, gone.edited) == ("skills/notes", False)
    assert [os.path.basename(path) for path in gone.files] == ["logo.png", "log.sh"]
    remove([gone.path, *gone.files])
    assert not (tmp_path / ".claude").exists()


def test_what_nobody_wrote_with_rulez_is_nobody_s_left_over(tmp_path: Path) -> None:
    put(tmp_path / ".claude/skills")
    assert list(left_over(str(tmp_path), "claude")) == []
