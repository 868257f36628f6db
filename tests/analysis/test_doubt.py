"""Words whose role no entry says: each is a file with an unknown effect, and what may run.

INVARIANT: an entry opens no more than it says. A file or a command in a place of which the entry says nothing is seen
as it is with a program that has no entry.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rulez_py.analysis import analyse
from rulez_py.analysis.programs import compile as compiling
from rulez_py.analysis.programs import read, store, touches
from rulez_py.analysis.programs.doubt import commands
from rulez_py.analysis.programs.notation import Described
from rulez_py.analysis.programs.parts import OPTION_VERBS
from rulez_py.analysis.programs.runs import inner
from rulez_py.analysis.values import DOUBT, SEND, Inner, Word

ENTRIES = [entry for entry in compiling.load(store.sources())[0] if not entry.dialect]
FILE = ".env"
COMMAND = "git push --force"


def places(entry: Described) -> Iterator[list[str]]:
    """Yield command lines with `@` in each place of which the entry does not say what it is."""
    name = entry.name.split()
    for spellings, takes, does in entry.options:
        if takes in ("=", "/", "2") and OPTION_VERBS.issuperset(does):
            yield [*name, spellings[0], "@", *(["x"] if takes == "2" else [])]
            if takes == "2":
                yield [*name, spellings[0], "x", "@"]
        for spelling in spellings:
            if takes in ("=", "~") and spelling.startswith("--") and OPTION_VERBS.issuperset(does):
                yield [*name, f"{spelling}=@"]
    if not entry.name.startswith("python -m"):  # its words are the module's
        yield [*name, "--not-described=@"]
    if not entry.text("runs") and not entry.text("code") and "subcommands" not in entry.switches:
        before: list[str] = []
        for role in (*entry.operands, "value"):
            if role in ("value", "value *"):
                yield [*name, *before, "@"]
            if role.endswith("*"):
                break
            before.append("1")


def seen(line: list[str], given: str) -> list[str]:
    """Return what a line is known or supposed to use, as texts: files, hosts, commands."""
    words = [Word(text=word.replace("@", given)) for word in line]
    program = words[0].text
    impact = touches.effects(program, words, read.read(program, words[1:]))
    files = [touch.path.text for touch in (*impact.touches, *impact.named)]
    ways = [_text(one) for one in (*inner(program, words), *commands(words, impact.doubted))]
    return [*files, *(word.text for word in impact.variables), *impact.hosts, *ways]


def _text(one: Inner) -> str:
    known = [word for word in (one.code, one.file, one.cwd) if word is not None]
    given = [f"{name}={value.text}" for name, value in one.environment]
    return " ".join((*given, *(word.text for word in (*one.words, *known, *one.arguments))))


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry.name) for entry in ENTRIES])
def test_a_word_of_which_the_entry_says_nothing_is_in_doubt(entry: Described) -> None:
    lines = list(places(entry))
    for given in (FILE, COMMAND):
        assert [line for line in lines if not any(given in one for one in seen(line, given))] == []


@pytest.mark.parametrize(
    "line",
    ["zork @", "zork --attach @", "zork --attach=@", "zork x @ y", "zork sub -q @"],
)
def test_a_word_of_a_program_without_an_entry_is_in_doubt(line: str) -> None:
    for given in (FILE, COMMAND):
        assert given in seen(line.split(), given)


def lines_of(text: str) -> list[tuple[str, bool]]:
    """Return the programs of a command line, each with whether it only may run."""
    found = analyse(text, cwd="/work", home="/home/me", environ={})
    return [(" ".join(word.text for word in one.words), DOUBT in one.via) for one in found]


@pytest.mark.parametrize(
    "line",
    [
        "zork --body 'git push --force' --to a@b.example --title='git push --force'",
        "git commit -m 'git push --force'",
        "git log --grep 'git push --force'",
        "notify-send 'git push --force'",
        "gh pr create --title 'git push --force' --body 'git push --force'",
        "zork --description 'git push --force' -m 'git push --force'",
        "echo 'git push --force'",
    ],
)
def test_a_text_that_is_shown_stored_or_compared_is_no_command(line: str) -> None:
    assert [text for text, _ in lines_of(line) if text.startswith("git push")] == []


@pytest.mark.parametrize(
    "line",
    [
        "bat --pager='git push --force' x",
        "lerna exec --no-bail 'git push --force'",
        "npm explore x -- git push --force",
        "zork frob 'git push --force'",
    ],
)
def test_a_command_in_doubt_is_said_to_be_one(line: str) -> None:
    assert ("git push --force", True) in lines_of(line)


def test_a_known_command_beside_one_in_doubt_is_certain() -> None:
    assert ("git push --force", False) in lines_of("zork 'git push --force'; git push --force")


@pytest.mark.parametrize("form", ["@@.env", "x=@.env", "a:.env", "a,.env", "'.env'", '{"k": ".env"}'])
@pytest.mark.parametrize("program", ["zork", "gcloud", "npm", "swaks"])
def test_a_file_is_found_in_every_form_that_programs_have_for_it(program: str, form: str) -> None:
    assert FILE in seen([program, "--not-described", form], "@")


@pytest.mark.parametrize(
    ("line", "sent"),
    [
        ("zork --attach .env https://example.com", True),
        ("zork .env --to https://$WHERE/x", True),
        ("zork ~ https://example.com", True),
        ("npm --not-described .env --registry https://example.com publish", True),
        ("zork .env 'https://example.com/?from=file://x'", True),
        ("zork .env file://x,https://example.com/", True),
        ("zork .env http:/example.com/", True),
        ("zork .env http://localhost.example.com http://localhost@example.com", True),
        # An address on this machine, in a text, or of a file.
        ("zork .env http://localhost:3000/x", False),
        ("zork .env http://127.0.0.1 http://[::1]:80", False),
        ("zork .env file:///tmp/x", False),
        ("zork .env file://x,http://localhost/", False),
        ("docker build --label a=https://example.com --not-described .env .", False),
        # The directory that a program works in.
        ("zork --dir . https://example.com", False),
    ],
)
def test_a_file_in_doubt_may_be_sent_where_the_program_may_contact_another_machine(line: str, sent: bool) -> None:
    found = analyse(line, cwd="/work", home="/home/me", environ={})
    touched = [
        one for command in found for one in command.named if one.path in (FILE, ".", "/home/me") and SEND in one.access
    ]
    assert bool(touched) is sent
