"""What a program may run that nobody described: every row a line and the commands that it holds, or none."""

from __future__ import annotations

import shlex

import pytest

from rulez_py.analysis.programs.runs import inner, is_code_for
from rulez_py.analysis.values import ANY, INTERPRETER, WRAPPER, Word

WORDS = {
    "zork git gc": "git gc",
    "zork -n 3 rm -r out": "rm -r out",
    "zork --profile x -- cat a b": "cat a b",
    "zork @ launch docker system prune": "docker system prune",
    "zork run npm publish": "npm publish",
    "./with-env.sh /usr/bin/git gc --force": "/usr/bin/git gc --force",
}
TEXTS = {
    "zork --eval 'sys(\"rm -r out\")'": 'sys("rm -r out")',
    "zork --on-save='git gc'": "git gc",
    "zork -e'(shell \"git gc\")'": '(shell "git gc")',
    "zork -c 'chmod 0 a; x'": "chmod 0 a; x",
    "zork --python-expr 'os.system(\"git gc\")'": 'os.system("git gc")',
    "zork -code 'Run[\"git gc\"]'": 'Run["git gc"]',
    "zork runner 'system(\"./x\")'": 'system("./x")',
    "zork X='$(shell git gc)'": "$(shell git gc)",
}
NOTHING = [
    "zork -e production",
    "zork -c config.yml",
    "zork --filter name=git",
    "zork --filter 'name ~ x'",
    "zork --exec",
    "zork --code-style google",
    "zork --description 'run git gc'",
    "zork git",
    "zork template python app",
    "zork server reboot web",
    "zork -m 'git push -f is bad'",
    "zork create 'rm -rf of a home'",
    "no-name=2 git gc --force",
    "tldr git push",
    "which git rm",
    "alias g='git push'",
    "choco install git docker",
    "llm 'rm -rf does what?'",
]


def run(line: str) -> list[object]:
    words = [Word(text=text) for text in shlex.split(line)]
    return list(inner(words[0].text.rpartition("/")[2], words))


@pytest.mark.parametrize("line", WORDS)
def test_a_known_program_among_its_words_may_run(line: str) -> None:
    (found,) = inner(line.split()[0].rpartition("/")[2], [Word(text=text) for text in shlex.split(line)])
    assert (" ".join(word.text for word in found.words), found.via) == (WORDS[line], WRAPPER)


@pytest.mark.parametrize("line", TEXTS)
def test_a_text_that_looks_like_code_is_read(line: str) -> None:
    (found,) = inner("zork", [Word(text=text) for text in shlex.split(line)])
    assert found.code is not None
    assert (found.code.text, found.language, found.via) == (TEXTS[line], ANY, INTERPRETER)


@pytest.mark.parametrize("line", NOTHING)
def test_a_name_or_prose_is_none(line: str) -> None:
    assert run(line) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("git push -f", True),
        ('os.system("git push -f")', True),
        ("!git push -f", True),
        ('{"cmd": "git push -f"}', False),  # JSON, as whoever tries a hook gives it
        ("<p>git push -f</p>", False),
        ("do not run git push -f here", False),
        ("one\ntwo\n", False),
    ],
)
def test_what_it_is_given_on_its_standard_input_may_be_code(text: str, code: bool) -> None:
    assert is_code_for("zork", text) is code
    assert not is_code_for("cowsay", text)  # it shows what it is given
    assert not is_code_for("sort", text)  # described
