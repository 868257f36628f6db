"""No command prints the text of a file of another kind than it expects: an agent may call each of them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulez_py.cli import cli
from rulez_py.verdict import visible
from tests.programs import SOURCE_COMMAND

MOST = 20
"""Characters of such a file, one after the other, that a message may quote."""
SECRET = "qK7vXw2mRt9Lp4Zs8Bn3Yc6Hd1Gf5JaQeUiOoPrTzMxNbVl0"
FILES = {
    "a key": f"-----BEGIN OPENSSH PRIVATE KEY-----\n{SECRET}\n{SECRET[::-1]}\n-----END OPENSSH PRIVATE KEY-----\n",
    "variables": f"API_KEY={SECRET}\nOTHER={SECRET[::-1]}\n",
    "one line": SECRET,
    "JSON": f'{{"token": "{SECRET}", "{SECRET[::-1]}": 1}}',
    "JSON in lists": f'[{{"name": "{SECRET}"}}, "{SECRET[::-1]}"]',
    "YAML": f"token: {SECRET}\nnested: {{{SECRET[::-1]}: {SECRET}}}\n",
    "broken YAML": f"token: [{SECRET}\n  {SECRET[::-1]}: }}\n",
    "broken JSON": f'{{"token": "{SECRET}" "{SECRET[::-1]}"',
    "TOML": f'[servers."{SECRET[::-1]}"]\ntoken = "{SECRET}"\n',
    "front matter": f"---\ntoken: {SECRET}\n{SECRET[::-1]}: 1\n---\n{SECRET}\n",
}
NAMES = ("secret.txt", "secret.yaml", "secret.json", "secret.toml", "secret.md", "secret.jsonl", "secret")
COMMANDS = (
    ("validate", "{}"),
    ("lint", "{}"),
    ("lint", "--fix", "{}"),
    ("test", "{}"),
    ("test", "{}", "--policy", "{}"),
    ("explain", "--rules", "{}", "ls"),
    ("migrate", "{}"),
    ("replay", "{}"),
    ("replay", "--policy", "{}"),
    ("log", "{}"),
    ("log", "--summary", "{}"),
    ("log", "--json", "{}"),
    ("report", "--html", "-", "{}"),
    ("programs", "test", "{}"),
    ("agents", "write", "{}"),
    ("agents", "show", "{}"),
    ("agents", "diff", "{}"),
    ("agents", "list", "{}"),
    ("agents", "import", "{}"),
    ("tools", "map", "--file", "{}"),
    ("hook", "--platform", "claude", "--rules", "{}"),
)


def longest_quote(said: str, content: str) -> str:
    """The longest piece of a file's content that is in what was said."""
    shown = visible(content)
    found = ""
    for start in range(len(said)):
        while said[start : start + len(found) + 1] in shown and start + len(found) < len(said):
            found = said[start : start + len(found) + 1]
    return found


def some_names(command: tuple[str, ...], kind: str) -> list[str]:
    """Returns three of the names, the next ones for the next: each command meets each name with several kinds."""
    first = COMMANDS.index(command) + [*FILES].index(kind)
    return [NAMES[at % len(NAMES)] for at in range(first, first + 3)]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("kind", FILES)
def test_no_command_quotes_more_than_a_few_characters(
    command: tuple[str, ...], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    for name in some_names(command, kind):
        Path(name).write_text(FILES[kind])
        words = [word.replace("{}", name) for word in command]
        payload = '{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}'
        said = CliRunner().invoke(cli, words, input=payload, env=dict(os.environ)).output
        # What rulez says of itself (`name: `) may stand there by chance.
        assert len(longest_quote(said, FILES[kind])) <= MOST, (words, longest_quote(said, FILES[kind]))


HIDDEN = "\x9b31m\x9d0;x\x07\x7f\u202e\u2066"
"""What a terminal obeys, hides or reorders."""


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "git push {}"),
        ("explain", "--json", "git push {}"),
        ("explain", "--tool", "Write", "--arg", "file_path={}"),
        ("explain", "--tool", "Write", "--arg", "{}"),
        ("explain", "--prompt", "{}"),
        ("explain", "--id", "{}"),
        ("explain", "a", "{}"),
        ("packs", "show", "{}"),
        ("programs", "show", "{}"),
        ("tools", "canonical", "{}"),
        ("validate", "{}"),
        ("lint", "{}"),
        ("test", "{}"),
        ("migrate", "{}"),
        ("replay", "--policy", "{}"),
        ("agents", "write", "{}"),
        ("log", "--since", "{}"),
        ("hooks", "show", "{}"),
        ("{}",),
    ],
    ids=" ".join,
)
def test_what_a_command_line_says_is_shown_spelled_out(words: tuple[str, ...], tmp_path: Path) -> None:
    said = subprocess.run(
        [*SOURCE_COMMAND, *(word.replace("{}", HIDDEN) for word in words)],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
    )
    shown = (said.stdout + said.stderr).decode()
    assert not set(HIDDEN) - set("31m0;x") & set(shown)
    assert said.returncode >= 0
