"""Real bash is the judge: what it runs must be among what `analyse` says (see oracle.py)."""

from __future__ import annotations

import base64
import itertools
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

if sys.platform == "win32" or not Path("/bin/bash").exists():
    pytest.skip("needs bash", allow_module_level=True)

from tests.analysis import courses
from tests.analysis.oracle import STUBS, Bash
from tests.examples import examples

SCRIPTS: dict[str, list[str]] = YAML(typ="safe").load(Path(__file__).with_name("against_bash.yaml"))
FILES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("files_against_bash.yaml"))
LABELS: list[dict[str, Any]] = YAML(typ="safe").load(Path("tests/data/labels.yaml"))


@pytest.fixture(scope="module")
def bash(tmp_path_factory: pytest.TempPathFactory) -> Bash:
    return Bash(tmp_path_factory.mktemp("bash"))


@pytest.mark.parametrize("script", SCRIPTS["exact"])
def test_a_script_is_followed_word_by_word(bash: Bash, script: str) -> None:
    run = bash.run(script)
    assert not run.missed, run
    assert not run.invented, run
    assert not run.opaque, run


@pytest.mark.parametrize("script", SCRIPTS["exact"])
def test_a_script_in_a_file_that_is_there_is_followed_as_the_line(bash: Bash, script: str) -> None:
    run = bash.run("bash x.sh", {"x.sh": script})
    assert not run.missed, run
    assert not run.invented, run


@pytest.mark.parametrize("script", [script for script in SCRIPTS["exact"] if "OUTER" not in script])
def test_a_script_on_standard_input_is_followed_as_the_line(bash: Bash, script: str) -> None:
    run = bash.run(f"bash <<'OUTER'\n{script}\nOUTER")
    assert not run.missed, run
    assert not run.invented, run


@pytest.mark.parametrize("case", FILES, ids=lambda case: str(case["line"]))
def test_files_that_a_line_runs_are_followed_word_by_word(bash: Bash, case: dict[str, Any]) -> None:
    run = bash.run(case["line"], case["files"])
    assert run.ran, run
    assert not run.missed, run
    assert bool(run.invented) is case.get("conditional", False), run


@pytest.mark.parametrize("row", LABELS, ids=lambda row: str(row["line"]))
def test_a_label_that_bash_shows_to_be_wrong_is_wrong(bash: Bash, row: dict[str, Any]) -> None:
    run = bash.run(row["line"])
    assert [" ".join(argv) for argv in run.ran] == row["runs"], run
    assert not run.missed, run


@pytest.mark.parametrize("script", SCRIPTS["open"])
def test_what_cannot_be_known_is_left_open(bash: Bash, script: str) -> None:
    run = bash.run(script)
    assert not run.missed, run
    assert not run.invented, run


@pytest.mark.parametrize("script", SCRIPTS["conditional"])
def test_what_depends_on_a_condition_is_there(bash: Bash, script: str) -> None:
    run = bash.run(script)
    assert not run.missed, run


@pytest.mark.parametrize("script", SCRIPTS["again"])
def test_text_that_is_evaluated_again_is_followed(bash: Bash, script: str) -> None:
    run = bash.run(script)
    assert not run.missed, run


@pytest.mark.parametrize("condition", ["true", "no"])
@pytest.mark.parametrize("script", SCRIPTS["branching"])
def test_whichever_course_things_take_is_followed(bash: Bash, script: str, condition: str) -> None:
    run = bash.run(script.replace("maybe", condition))
    assert not run.missed, run


# Disguises: each makes of a text one that runs the same.

q = shlex.quote
_numbers = itertools.count()


def _number() -> int:
    return next(_numbers)


def _document(text: str, *, literal: bool) -> str:
    mark = f"END{_number()}"
    if not literal:
        for sign in "\\$`":
            text = text.replace(sign, "\\" + sign)
    opening = f"'{mark}'" if literal else mark
    return f"<<{opening}\n{text}\n{mark}\n"


def _octal(text: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in text.encode())


def _backticked(text: str) -> str:
    for sign in "\\$`":
        text = text.replace(sign, "\\" + sign)
    return f"`{text}\n`"


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _in_file(text: str, run: str) -> str:
    name = f"script{_number()}"
    return f"cat > {name} {_document(text, literal=True)}{run.format(name)}"


def _function(text: str, form: str) -> str:
    name = f"f{_number()}"
    return form.format(name) + f" {{\n{text}\n}}\n{name}"


DISGUISES: dict[str, Callable[[str], str]] = {
    "eval": lambda text: f"eval {q(text)}",
    "eval eval": lambda text: f"eval eval {q(q(text))}",
    "bash -c": lambda text: f"bash -c {q(text)}",
    "sh -c": lambda text: f"sh -ec {q(text)}",
    "positional": lambda text: f"bash -c 'eval \"$1\"' _ {q(text)}",
    "all positional": lambda text: f"bash -c '\"$@\"' _ bash -c {q(text)}",
    "here-string": lambda text: f"bash <<< {q(text)}",
    "here-document": lambda text: "bash " + _document(text, literal=True),
    "expanded here-document": lambda text: "sh -s " + _document(text, literal=False),
    "here-document in a substitution": lambda text: f'eval "$(cat {_document(text, literal=True)})"',
    "echo": lambda text: f"echo {q(text)} | sh",
    "printf": lambda text: f"printf '%s\\n' {q(text)} | cat - | bash -s",
    "printf %b": lambda text: f"printf %b '{_octal(text).replace(chr(92), chr(92) + '0')}' | bash",
    "printf format": lambda text: f"printf '{_octal(text)}' | bash",
    "ansi": lambda text: f"eval $'{_octal(text)}'",
    "base64": lambda text: f"echo {_encoded(text)} | base64 -d | sh",
    "base64 here-string": lambda text: f'eval "$(base64 --decode <<< {_encoded(text)})"',
    "rev": lambda text: f"rev <<< {q(_reversed(text))} | bash",
    "source": lambda text: f"source <(printf '%s' {q(text)})",
    "standard input": lambda text: f". /dev/stdin <<< {q(text)}",
    "bash file": lambda text: f"bash <(echo {q(text)})",
    "group": lambda text: f"{{ {text}\n}}",
    "subshell": lambda text: f"( {text}\n)",
    "if": lambda text: f"if true\nthen {text}\nfi",
    "else": lambda text: f"if no; then :; else {text}\nfi",
    "case": lambda text: f"case x in y) ;; x)\n{text}\n;; esac",
    "for": lambda text: f"for unused in 1; do\n{text}\ndone",
    "while read": lambda text: _named('while read -r NAME; do eval "$NAME"; done <<< TEXT', f"eval {_ansi(text)}"),
    "and": lambda text: f"true && {{\n{text}\n}}",
    "or": lambda text: f"no || {{\n{text}\n}}",
    "not": lambda text: f"! {{\n{text}\n}}",
    "time": lambda text: f"time {{\n{text}\n}}",
    "background": lambda text: f"{{\n{text}\n}} & wait",
    "coproc": lambda text: f"coproc {{\n{text}\n}} 2>/dev/null; wait",
    "pipe": lambda text: f": | {{\n{text}\n}} | cat",
    "substitution": lambda text: f": $( {text}\n)",
    "backticks": lambda text: f"x={_backticked(text)}",
    "process": lambda text: f"cat <( {text}\n) >/dev/null",
    "trap": lambda text: f"( trap {q(text)} EXIT; : )",
    "descriptor": lambda text: f"exec 3<<< {q(text)}; bash <&3; exec 3<&-",
    "named descriptor": lambda text: f"exec {{fd}}<<< {q(text)}; . /dev/fd/$fd",
    "mapfile": lambda text: _named('mapfile NAME <<< TEXT; IFS=; eval "${NAME[*]}"; unset IFS', text),
    "read": lambda text: _named('IFS= read -r -d "" NAME <<< TEXT; eval "$NAME"', text),
    "file": lambda text: _in_file(text, "bash {}"),
    "sourced file": lambda text: _in_file(text, ". ./{}"),
    "program": lambda text: _in_file(text, "chmod +x {0}; ./{0}"),
    "redirected file": lambda text: _in_file(text, "sh < {}"),
    "read file": lambda text: _in_file(text, 'eval "$(<{})"'),
    "function": lambda text: _function(text, "{}()"),
    "named function": lambda text: _function(text, "function {}"),
    "redefined": lambda text: _named("NAME() { :; }; NAME() { eval TEXT; }; NAME", text),
    "variable": lambda text: _named('NAME=TEXT; bash -c "$NAME"', text),
    "exported": lambda text: _named("export NAME=TEXT; bash -c 'eval \"$NAME\"'", text),
    "prefix": lambda text: _named("NAME=TEXT bash -c 'eval \"$NAME\"'", text),
    "array": lambda text: _named('NAME=(bash -c TEXT); "${NAME[@]}"', text),
    "slice": lambda text: _named('NAME=(no bash -c TEXT no); "${NAME[@]:1:3}"', text),
    "set": lambda text: f'set -- x bash -c {q(text)}; shift; "$@"',
    "reference": lambda text: _named('declare -n NAME_=NAME; NAME=TEXT; eval "$NAME_"', text),
    "indirect": lambda text: _named('NAME=TEXT; NAME_=NAME; eval "${!NAME_}"', text),
    "printf -v": lambda text: _named('printf -v NAME %s TEXT; eval "$NAME"', text),
    "quoted": lambda text: _named('NAME=TEXT; eval "eval ${NAME@Q}"', text),
    "replaced": lambda text: (
        _named('NAME=TEXT; NAME=${NAME//@@}; eval "${NAME#@}"', "@" + text.replace("e", "@@e"))
        if "@" not in text
        else text
    ),
    "default": lambda text: _named('eval "${NAME:-$(printf %s TEXT)}"', text),
    "xargs": lambda text: f"printf '%s\\0' {q(text)} | xargs -0 -n1 bash -c",
    "xargs -I": lambda text: f"echo x | xargs -I% bash -c {q(text)}" if "%" not in text else text,
    "find": lambda text: f"find a.txt -exec bash -c {q(text)} \\;" if "{}" not in text else text,
    "env": lambda text: f"env -u NONE X=1 bash -c {q(text)}",
    "timeout": lambda text: f"timeout -k 1 5 nice -n 1 nohup bash -c {q(text)}",
    "sudo": lambda text: f"sudo -u me -- bash -c {q(text)}",
    "exec": lambda text: f"( exec bash -c {q(text)} )",
    "command": lambda text: f"command eval {q(text)}",
    "builtin": lambda text: f"builtin command builtin eval {q(text)}",
    "BASH_ENV": lambda text: _in_file(f"unset BASH_ENV\n{text}", "BASH_ENV=./{} bash -c :"),
    "exported function": lambda text: f"called() {{\n{text}\n}}; export -f called; bash -c called",
    "hash": lambda text: f'hash -p "$(command -v bash)" other; other -c {q(text)}',
    "alias": lambda text: f"shopt -s expand_aliases\nalias other='bash -c'\nother {q(text)}",
}


def _reversed(text: str) -> str:
    return "\n".join(line[::-1] for line in text.split("\n"))


def _named(form: str, text: str) -> str:
    """A form with a name of its own in the place of NAME, and the quoted text in that of TEXT."""
    return form.replace("NAME", f"name{_number()}").replace("TEXT", q(text))


def _ansi(text: str) -> str:
    return f"$'{_octal(text)}'"


def _escaped(word: str) -> str:
    return "".join(sign if sign.isalnum() else f"\\{sign}" for sign in word) if word and "\n" not in word else q(word)


def _doubled(word: str) -> str:
    for sign in '\\$`"':
        word = word.replace(sign, "\\" + sign)
    return f'"{word}"'


def _apart(word: str) -> str:
    half = len(word) // 2
    return q(word[:half]) + "''" + _doubled(word[half:])


SPELLINGS: tuple[Callable[[str], str], ...] = (
    q,
    _escaped,
    _doubled,
    _apart,
    _ansi,
    lambda word: f'"$(printf %s {q(word)})"',
    lambda word: f'"`printf %s {_ansi(word).replace(chr(92), chr(92) * 2)}`"',
    lambda word: f'"${{unset_one:-{_doubled(word)}}}"' if "}" not in word else q(word),
    lambda word: f"${{unset_one-{q(word)}}}" if "}" not in word else q(word),
)


_WORDS = st.lists(st.text("ab -*?[]{},;&|<>()$`'\"\\#~!=%@^/:.\n", max_size=6), max_size=3)
_SPELLING = st.integers(0, len(SPELLINGS) - 1)
_STUB = st.sampled_from(STUBS)
_FORM = st.integers(0, 3)
_NAMES = st.lists(st.sampled_from(sorted(DISGUISES)), min_size=1, max_size=4)


@st.composite
def commands(draw: st.DrawFn) -> str:
    words = draw(_WORDS)
    spelled = [SPELLINGS[draw(_SPELLING)](word) for word in (draw(_STUB), *words)]
    form = draw(_FORM)
    if form == 1:
        return f'all=({" ".join(spelled)}); "${{all[@]}}"'
    if form == 2:
        return f'set -- {" ".join(spelled)}; "$@"'
    if form == 3:
        names = [f"v{number}" for number in range(len(spelled))]
        setting = "; ".join(f"{name}={word}" for name, word in zip(names, spelled, strict=True))
        return f"{setting}; " + " ".join(f'"${name}"' for name in names)
    return " ".join(spelled)


@st.composite
def scripts(draw: st.DrawFn) -> str:
    text = "\n".join(draw(st.lists(commands(), min_size=1, max_size=2)))
    for name in draw(_NAMES):
        text = DISGUISES[name](text)
        if len(text) > 4_000:
            break
    return text


@pytest.mark.parametrize("name", DISGUISES)
def test_a_disguise_is_seen_through(bash: Bash, name: str) -> None:
    run = bash.run(DISGUISES[name]("rm -rf 'a  b' \"$(echo '*')\"\ngit push"))
    assert {("rm", "-rf", "a  b", "*"), ("git", "push")} <= set(run.ran), run
    assert not run.hidden, run


@settings(max_examples=examples(60, of=300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(script=scripts())
def test_disguises_in_one_another_are_seen_through(bash: Bash, script: str) -> None:
    run = bash.run(script)
    assert not run.hidden, run


@settings(max_examples=examples(60, of=200), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(script=courses.scripts())
def test_every_course_is_followed_and_no_other(bash: Bash, script: str) -> None:
    run = bash.courses(script)
    assert not run.missed, run
    if run.complete:
        assert not [argv for argv in run.invented if argv[0] != courses.TRAPPED], run
