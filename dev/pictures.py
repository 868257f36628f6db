"""Draws what commands print at a terminal: docs/pictures/*.svg (`make pictures`)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from rulez_py.platforms import part

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
}
"""Picture -> the words behind `rulez`, and where what it prints is cut off."""
_CHANGING = (
    (re.compile(r"(as it should, )\d+ ms"), r"\g<1>60 ms"),
    (re.compile(r"\b[0-9a-f]{12}\b"), "0123456789ab"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "2026-01-01 09:00"),
)
"""What is another one each time, and what is drawn for it: times, digests."""


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

        def run(*words: str) -> str:
            command = [sys.executable, "-m", "rulez_py", *words]
            more = {"COLUMNS": str(WIDTH), "FORCE_COLOR": "1"}
            ended = subprocess.run(
                command, cwd=project, env={**environ, **more}, capture_output=True, text=True, check=False
            )
            return ended.stdout

        if name == "doctor":
            run("install", "claude")
        text = run(*words)
    for pattern, same in _CHANGING:
        text = pattern.sub(same, text)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    if end and end in plain:
        lines = plain[: plain.index(end)].count("\n")
        text = "\n".join(text.split("\n")[:lines]) + "\n"
    return text


if __name__ == "__main__":
    main()
