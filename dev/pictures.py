"""Draws what commands print at a terminal: docs/pictures/*.svg (`make pictures`)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from rulez_py.platforms import part

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent
PLACE = ROOT / "docs" / "pictures"
WIDTH = 80
_FRAME = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: system-ui, sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""rich's own frame names a font that would be fetched from elsewhere."""
PICTURES: dict[str, tuple[tuple[str, ...], str]] = {
    "explain": (("explain", "X=push; cd ../app && sudo git $X -f origin main"), "\nRules that come nearest"),
    "doctor": (("doctor",), ""),
    "undo": (("undo",), ""),
}
"""Picture -> the words behind `rulez`, and where what it prints is cut off."""
_CHANGING = (
    (re.compile(r"(as it should, )\d+ ms"), r"\g<1>60 ms"),
    (re.compile(r"\b[0-9a-f]{12}\b"), "0123456789ab"),
    (re.compile(r"\b\d{8}-\d{6}-\d{3}[0-9a-f]{4}\b"), "20260101-090000-000abcd"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "2026-01-01 09:00"),
)
"""What is another one each time, and what is drawn for it: times, digests, names of checkpoints."""
_PERSON = "from rulez_py.cli import cli, person; person.why_no_person = lambda: ''; cli(prog_name='rulez')"
"""Runs rulez as if a person sat at the terminal."""
_KEEPING = """\
version: "1.0"
extends: [builtin:git]
settings: {checkpoints: {instead_of: ask}}
"""


def main() -> None:
    """Draw all of them."""
    PLACE.mkdir(exist_ok=True)
    for name in PICTURES:
        (PLACE / f"{name}.svg").write_text(picture(name), encoding="utf-8")


def picture(name: str) -> str:
    """Return one picture, as SVG."""
    words, _ = PICTURES[name]
    text = Text.from_ansi(printed(name))
    width = max(WIDTH, *(len(line) for line in text.plain.split("\n")))
    console = Console(record=True, width=width, file=StringIO(), force_terminal=True, legacy_windows=False)
    console.print(text, soft_wrap=True)
    title = "rulez " + " ".join(f"'{word}'" if " " in word else word for word in words)
    drawn = console.export_svg(title=title, theme=MONOKAI, code_format=_FRAME, unique_id=f"rulez-{name}")
    return re.sub(r"[ \t]+$", "", drawn, flags=re.MULTILINE)


def printed(name: str) -> str:
    """Return what the command prints, with its colours, in an empty home and a new project."""
    words, end = PICTURES[name]
    with tempfile.TemporaryDirectory() as directory:
        home, project, programs = Path(directory, "home"), Path(directory, "project"), Path(directory, "programs")
        for place in (home, project / ".git", programs):
            place.mkdir(parents=True)
        claude = programs / "claude"
        claude.write_text(f"#!/bin/sh\necho {part('claude', 'settings').PROVED}\n", encoding="utf-8")
        claude.chmod(0o755)
        environ = {"HOME": str(home), "PATH": f"{programs}{os.pathsep}{os.defpath}", "PYTHONPATH": str(ROOT)}

        def run(*words: str, program: tuple[str, ...] = ("-m", "rulez_py"), given: str = "") -> str:
            command = [sys.executable, *program, *words]
            more = {"COLUMNS": str(WIDTH), "FORCE_COLOR": "1"}
            ended = subprocess.run(
                command, cwd=project, env={**environ, **more}, input=given, capture_output=True, text=True, check=False
            )
            return ended.stdout

        if name == "doctor":
            run("install", "claude")
        text = _undone(home, project, run) if name == "undo" else run(*words)
    for pattern, same in _CHANGING:
        text = pattern.sub(same, text)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    if end and end in plain:
        lines = plain[: plain.index(end)].count("\n")
        text = "\n".join(text.split("\n")[:lines]) + "\n"
    return text


def _undone(home: Path, project: Path, run: Callable[..., str]) -> str:
    """Return what a terminal shows of an agent's call that throws changes away, and of a person who undoes it."""

    def git(*words: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b.example")
        environ = {"HOME": str(home), "PATH": os.environ["PATH"]}
        subprocess.run(["git", *who, *words], cwd=project, env=environ, check=True, capture_output=True)

    policy = home / ".config" / "rulez" / "rules.yaml"
    policy.parent.mkdir(parents=True)
    policy.write_text(_KEEPING, encoding="utf-8")
    (project / ".git").rmdir()
    git("init", "-q")
    for text in ("", "def total(rows):\n    return sum(rows)\n"):
        for name in ("report.py", "totals.py"):
            (project / name).write_text(text, encoding="utf-8")
        if not text:
            git("add", "-A")
            git("commit", "-qm", "x")
    line = "git checkout ."
    call = {"session_id": "s", "hook_event_name": "PreToolUse", "cwd": str(project), "tool_name": "Bash"}
    answer = run("hook", "--platform", "claude", given=json.dumps({**call, "tool_input": {"command": line}}))
    told = textwrap.fill(json.loads(answer)["hookSpecificOutput"]["additionalContext"], WIDTH, break_on_hyphens=False)
    git(*line.split()[1:])
    said = run("undo", program=("-c", _PERSON))
    prompts = (f"\x1b[1magent$ {line}\x1b[0m", "\x1b[1myou$ rulez undo\x1b[0m")
    return f"{prompts[0]}\n{told}\n\n{prompts[1]}\n{said}".replace(str(project.resolve()), "/home/you/app")


if __name__ == "__main__":
    main()
