"""Every command line that a page shows runs, and prints what the page shows (tests/data/pages.yaml)."""

from __future__ import annotations

import glob
import io
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from ruamel.yaml import YAML

from rulez_py.cli import cli, person
from rulez_py.platforms import PLATFORMS, part
from tests import codex_server
from tests.programs import ROOT, SOURCE_COMMAND, run_hook

TABLE: dict[str, list[dict[str, Any]]] = YAML(typ="safe").load(Path(__file__).parent / "data" / "pages.yaml")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "hooks" / "README.md"]
PAGES += [ROOT / "CONTRIBUTING.md", ROOT / "benchmarks" / "README.md", ROOT / "tests" / "e2e" / "README.md"]
_BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_CHANGING = (
    (re.compile(r"\d+ ms"), "1 ms"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "2026-01-01 00:00"),
    (re.compile(r"\b[0-9a-f]{12}\b"), "0" * 12),
)
"""What an output says that is another one each time: times, digests."""


@dataclass(frozen=True)
class Line:
    """A command line on a page, and what is shown below it; None where nothing is."""

    page: str
    text: str
    output: str | None

    def fits(self, row: dict[str, Any]) -> bool:
        return row.get("page", self.page) == self.page and fnmatchcase(self.text, row["line"])


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """The blocks of code of a page, with their languages, without the indentation of a list."""
    for indent, language, text in _BLOCK.findall(page.read_text("utf-8")):
        yield language, "".join(line.removeprefix(indent) for line in text.splitlines(keepends=True))


def lines(page: Path) -> Iterator[Line]:
    """The command lines of a page: those of blocks of `sh`, and what comes after `$ ` with its output below."""
    name = page.relative_to(ROOT).as_posix()
    for language, text in blocks(page):
        if language == "sh":
            yield from (Line(name, plain(line), None) for line in text.splitlines() if plain(line))
        elif language in ("console", ""):
            for shown in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, output = shown.partition("\n")
                yield Line(name, plain(command), output or None)


def plain(line: str) -> str:
    """A command line without its comment."""
    return re.sub(r"(^|\s)#\s.*", "", line).strip()


EVERY = {page.relative_to(ROOT).as_posix(): list(lines(page)) for page in PAGES}
HERE = {name: [one for one in found if not any(map(one.fits, TABLE["elsewhere"]))] for name, found in EVERY.items()}


class Sandbox:
    """A home and a project, programs that tell the agents' versions, and a person at a terminal who reviews hooks."""

    def __init__(self, home: Path, directory: Path, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home, self.page = home, page
        self.project, programs = directory / "project", directory / "programs"
        (self.project / ".git").mkdir(parents=True)
        programs.mkdir()
        for platform in PLATFORMS:
            version = part(platform, "settings").PROVED or "1.0.0"
            text = codex_server.script(version) if platform == "codex" else f"#!/bin/sh\necho {version}\n"
            (programs / platform).write_text(text)
            (programs / platform).chmod(0o755)
        monkeypatch.setattr(sys, "path", list(sys.path))  # where a page's enrichers were found
        monkeypatch.delitem(sys.modules, "my_enrichers", raising=False)  # of a page that was read before
        monkeypatch.setenv("PATH", f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin")
        monkeypatch.setenv("HERMES_ACCEPT_HOOKS", "1")
        (home / ".codex").mkdir(parents=True)
        key = f"{home}/.codex/hooks.json:pre_tool_use:0:0"
        (home / ".codex" / "config.toml").write_text(f'[hooks.state."{key}"]\ntrusted_hash = "{codex_server.ANY}"\n')
        monkeypatch.setattr(person, "why_agent", lambda: "")
        monkeypatch.setattr(person, "why_no_person", lambda: "")

    def prepare(self, row: dict[str, Any]) -> None:
        for folder in row.get("folders", ()):
            self.path(folder).mkdir(parents=True, exist_ok=True)
        for name, content in row.get("files", {}).items():
            self.path(name).parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, dict):
                language, at = content["block"].split()
                content = [text for one, text in blocks(self.page) if one == language][int(at)]
            self.path(name).write_text(content, "utf-8")
        for name in row.get("gone", ()):
            self.path(name).unlink(missing_ok=True)
        for command in row.get("calls", ()):
            call = {"session_id": "s", "cwd": str(self.project), "hook_event_name": "PreToolUse", "tool_name": "Bash"}
            ended = run_hook(SOURCE_COMMAND, "claude", {**call, "tool_input": {"command": command}}, self.project)
            assert ended.returncode in (0, 2), ended.stderr
        for line in row.get("lines", ()):
            assert self.run(line).exit_code == 0

    def path(self, name: str) -> Path:
        return self.home / name[2:] if name.startswith("~/") else self.project / name

    def run(self, line: str, answer: str = "") -> Result:
        """Run a line of `rulez`, and answer what it asks; no shell ever sees it."""
        words = shlex.split(line)
        files = {sign: self.path(words.pop(words.index(sign) + 1)) for sign in ("<", ">", ">>") if sign in words}
        words = [word for word in words if word not in files]
        assert words[0] == "rulez", f"{line}: neither a line of rulez nor one of the table"
        with chdir(self.project):
            spread = (sorted(glob.glob(word)) if "/*" in word else [word] for word in words[1:])
            arguments = [word for several in spread for word in several]
            data = files["<"].read_text("utf-8") if "<" in files else answer
            result = CliRunner().invoke(cli, arguments, input=io.BytesIO(data.encode()))
        for sign in (">", ">>"):
            if sign in files:
                files[sign].write_text(result.stdout, "utf-8")
        return result


@pytest.mark.parametrize("name", [name for name, found in HERE.items() if found])
def test_every_line_of_a_page_runs_and_prints_what_it_shows(
    name: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox = Sandbox(home, tmp_path, ROOT / name, monkeypatch)
    for line in HERE[name]:
        rows = [row for row in TABLE["before"] if line.fits(row)]
        for row in rows:
            sandbox.prepare(row)
        result = sandbox.run(line.text, "".join(row.get("answer", "") for row in rows))
        assert result.exit_code == 0, f"{line.text}\n{result.output}"
        if line.output is not None:
            shown, whole = steady(line.output), steady(result.output)
            holds = whole.startswith(shown.removesuffix("...\n")) if shown.endswith("...\n") else whole == shown
            assert holds, f"{line.text}\n{whole}"


def steady(text: str) -> str:
    """An output, with the same for what is another each time."""
    for pattern, same in _CHANGING:
        text = pattern.sub(same, text)
    return text


@pytest.mark.parametrize("row", TABLE["elsewhere"], ids=lambda row: row["line"])
def test_a_line_that_is_not_run_here_stands_on_a_page_and_is_tried_where_the_table_says(row: dict[str, Any]) -> None:
    assert any(line.fits(row) for found in EVERY.values() for line in found)
    assert "test" not in row or (ROOT / row["test"]).is_file()


@pytest.mark.parametrize("row", TABLE["before"], ids=lambda row: row["line"])
def test_a_row_about_a_line_is_about_one_that_runs(row: dict[str, Any]) -> None:
    assert any(line.fits(row) for found in HERE.values() for line in found)
