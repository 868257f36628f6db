"""The grammar against bash: what bash reads is read, what it refuses is `broken`, and no command is lost in either."""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.analysis import Value
from rulez_py.analysis.bash import grammar
from rulez_py.analysis.bash.syntax import Simple, Text, Written

BASH = shutil.which("bash")
SCRIPTS: dict[str, list[str]] = YAML(typ="safe").load(Path(__file__).with_name("against_bash.yaml"))

# (command line, the first word of every simple command in it, in order)
COMMANDS: tuple[tuple[str, list[str]], ...] = (
    ("a; b && c || d | e & f", ["a", "b", "c", "d", "e", "f"]),
    ("a\nb\n\nc # d\ne", ["a", "b", "c", "e"]),
    ("a |& b; ! c; time -p d; time e", ["a", "b", "c", "d", "e"]),
    ("(a; b) | { c; d; }", ["a", "b", "c", "d"]),
    ("if a; then b; elif c; then d; else e; fi; f", ["a", "b", "c", "d", "e", "f"]),
    ("while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]),
    ("for x in 1 2; do a; done; for y; do b; done; for ((i=0;i<3;i++)); do c; done", ["a", "b", "c"]),
    ("select x in 1; do a; done", ["a"]),
    ("case x in a|b) a;; (c) b;& *) c;;& d) e; esac; f", ["a", "b", "c", "e", "f"]),
    ("f() { a; }; function g { b; }; h () ( c ); f", ["a", "b", "c", "f"]),
    ("[[ -f x && y == z* ]] && a; (( x > 1 )) || b", ["a", "b"]),
    ('echo $(a; b) `c` "$(d)" <(e) >(f) ${x:-$(g)} $((1 + $(h)))', ["echo", *"abcdefgh"]),
    ("a=$(b) c=`d` e", ["b", "d", "e"]),
    ("x=(a $(b)) y+=1 z[1]=2 c", ["b", "c"]),
    ("a > f 2>&1 < g >> h &> i 3<> j <<< k", ["a"]),
    ("a 3<<<x; b {fd}>&-; c >&$fd; d 2>/dev/null", ["a", "b", "c", "d"]),
    ("a <<E; b\nx $(c) `d`\nE\ne", ["a", "c", "d", "b", "e"]),
    ("a <<'E'; b\nx $(c) `d`\nE\ne", ["a", "b", "e"]),
    ("a <<E <<F && b\n1\nE\n2\nF\nc", ["a", "b", "c"]),
    ("a <<E | b -x; c\nrm\nE\nd", ["a", "b", "c", "d"]),
    ("a <<-E\n\tx\n\tE\nb", ["a", "b"]),
    ("a <<E > out b c\nx\nE\nd", ["a", "d"]),
    ("$(cat <<E\nx)y\nE\n) a", ["cat", "$"]),
    ("coproc a; coproc N { b; }; coproc (c)", ["a", "b", "c"]),
    ("a \\\nb\\\nc; d", ["a", "d"]),
    ("a#b #c\nd", ["a#b", "d"]),
    ("{ a; }; {a,b} c", ["a", "{a,b}"]),
    ("declare -a x=(1 $(a)); b", ["declare", "a", "b"]),
    ("!a; ! b; echo !", ["!a", "b", "echo"]),
    ("echo @(a|b) !(c); d", ["echo", "d"]),
    ("a && # why\nb |\nc", ["a", "b", "c"]),
    ("echo ${x/(/)} ${y//\\}/z} \"${z:-'}'}\"; a", ["echo", "a"]),
    ("if a; then b; fi > f | c", ["a", "b", "c"]),
    ("echo $(( (1) + 2 )) $( (a) ) $((b) ); c", ["echo", "a", "b", "c"]),
    ("function f() { a; } > x; b", ["a", "b"]),
    ("a;b&c\rd", ["a", "b", "c"]),
)

BROKEN: tuple[tuple[str, list[str]], ...] = (
    ("a 'b; c", ["a"]),
    ('a "b $(c)', ["a", "c"]),
    ("&& a", ["a"]),
    ("| a | | b", ["a", "b"]),
    (") a; } b; fi c", ["a", "b", "c"]),
    ("if a; then b", ["a", "b"]),
    ("(a; b", ["a", "b"]),
    ("a $(b", ["a", "b"]),
    ("a ${b; c", ["a"]),
    ("for; do a; done", ["a"]),
    ("case x in a) b", ["b"]),
    ("done; a", ["a"]),
    ("a ;; b", ["a", "b"]),
    ("f(x) a", ["f", "x", "a"]),
)


def parts(value: object) -> Iterator[Simple]:
    """Every simple command in a part of the syntax, in order."""
    if isinstance(value, Simple):
        names = [value.words[0]] if value.words else []
        rest = value.words[1:] if value.words else ()
        yield from parts(tuple(value.assignments))
        if names:
            yield value
            yield from parts(names[0].pieces)
        yield from parts((*rest, *value.redirects, *value.declared))
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from parts(one)
    elif isinstance(value, Value):
        for one in value.as_dict().values():
            yield from parts(one)


def names(text: str) -> list[str]:
    found = []
    for simple in parts(grammar.parse(text).body):
        first = simple.words[0].pieces
        found.append("".join(piece.text if isinstance(piece, Text) else "$" for piece in first))
    return found


@pytest.mark.parametrize(("text", "expected"), COMMANDS, ids=[text for text, _ in COMMANDS])
def test_every_command_is_seen(text: str, expected: list[str]) -> None:
    assert sorted(names(text)) == sorted(expected)
    assert not grammar.parse(text).broken


@pytest.mark.parametrize(("text", "expected"), BROKEN, ids=[text for text, _ in BROKEN])
def test_what_no_shell_reads_is_read_as_well_as_possible(text: str, expected: list[str]) -> None:
    assert sorted(names(text)) == sorted(expected)
    assert grammar.parse(text).broken


@pytest.mark.skipif(BASH is None, reason="there is no bash here to compare with")
@pytest.mark.parametrize("text", [text for text, _ in (*COMMANDS, *BROKEN)])
def test_broken_is_what_bash_refuses(text: str) -> None:
    assert BASH is not None
    options = ["-O", "extglob"] if "@(" in text else []
    refused = subprocess.run([BASH, "--norc", *options, "-n", "-c", text], capture_output=True, check=False).returncode
    assert grammar.parse(text).broken == bool(refused)


TOKENS = st.sampled_from(
    (
        *(
            "a",
            "b c",
            "x=1",
            "y=(1 2)",
            ";",
            "&&",
            "||",
            "|",
            "&",
            "\n",
            "(",
            ")",
            "{ ",
            " }",
            "$(",
            "`",
            "${x",
            "}",
            '"',
        ),
        *(
            "'",
            "\\",
            "$((",
            "))",
            "<<E\n",
            "E\n",
            "<",
            ">",
            "2>&1",
            "if ",
            "; then ",
            "; fi",
            "for i in ",
            "; do ",
            "; done",
        ),
        *(
            "case x in ",
            "a) ",
            ";; ",
            "esac",
            "f() ",
            "[[ ",
            " ]]",
            "#",
            " ",
            "time ",
            "coproc ",
            "<(",
            "@(",
            "!",
            "$'",
            "\0",
        ),
    )
)


@settings(max_examples=300, deadline=None)
@given(text=st.one_of(st.lists(TOKENS, max_size=25).map("".join), st.text(max_size=60)))
def test_any_text_is_read(text: str) -> None:
    try:
        grammar.parse(text)
    except grammar.TooDeep:
        assert len(text) > grammar.DEEPEST


@pytest.mark.parametrize("opening", ["(", "$(", "{ ", '"$(', "${x:-", "if ", "`\\`", "$((", "[[ (", "a[", "f() ", "<("])
def test_depth_is_bounded(opening: str) -> None:
    """Neither Python's stack nor time gives way under a hostile text."""
    limit = sys.getrecursionlimit()
    for text in (opening * 5_000, opening * 5_000 + "x" + ")" * 5_000):
        try:
            grammar.parse(text)
        except grammar.TooDeep:
            pass
    assert sys.getrecursionlimit() == limit


@pytest.mark.skipif(BASH is None, reason="there is no bash here to compare with")
@pytest.mark.parametrize(
    "text",
    ["\\n", "\\t\\a\\b\\e\\f\\v\\r", "\\x41\\x4", "\\101\\7", "\\u0041\\U00000042", "\\\\\\'\\\"\\?", "\\q", "\\cA"],
)
def test_escapes_are_those_of_bash(text: str) -> None:
    assert BASH is not None
    printed = subprocess.run(
        [BASH, "--norc", "-c", f"printf '%s' $'{text}'"],
        capture_output=True,
        check=True,
        env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
    ).stdout
    assert grammar.unescaped(text) == printed.decode()


# What rules name without a rule of their own.
_TERMINALS = frozenset(
    (
        *(
            "any",
            "delimiter",
            "digit",
            "letter",
            "line",
            "metacharacter",
            "newline",
            "nothing",
            "return",
            "stray",
            "tab",
        ),
        *("a", "before", "but", "to", "up"),
    )
)


def _placeless(part: object) -> object:
    """Return a part of a syntax tree without the places of its words."""
    if isinstance(part, Value):
        left = {"start", "end"} if isinstance(part, Written) else set()
        return type(part), {name: _placeless(one) for name, one in part.as_dict().items() if name not in left}
    return [_placeless(one) for one in part] if isinstance(part, (list, tuple)) else part


_TEXTS = [*(text for text, _ in COMMANDS), *(script for scripts in SCRIPTS.values() for script in scripts)]


@pytest.mark.parametrize("text", _TEXTS)
def test_what_is_read_is_the_same_wherever_the_text_comes_from(text: str) -> None:
    assert _placeless(grammar.parse(text, (3, 3)).body) == _placeless(grammar.parse(text).body)


def _rules() -> dict[str, str]:
    """Return the rules in the docstrings of the reader: the name, and what is read."""
    rules: dict[str, str] = {}
    for _, method in inspect.getmembers(grammar._Reader, inspect.isfunction):
        for line in re.findall(r"^(\w+ = .*(?:\n    .*)*)", inspect.getdoc(method) or "", re.M):
            name, _, rule = line.partition(" = ")
            assert name not in rules
            rules[name] = rule
    return rules


def test_each_part_that_a_rule_names_has_a_rule() -> None:
    rules = _rules()
    for name, rule in rules.items():
        parts = re.findall(r"[a-z]+", re.sub(r"'[^']*'|\"[^\"]*\"", " ", rule))
        assert {part for part in parts if part not in rules} <= _TERMINALS, name


def test_each_rule_is_part_of_a_program_and_each_keyword_has_one() -> None:
    rules = _rules()
    assert set(rules) - {"program"} <= set(re.findall(r"[a-z]+", " ".join(rules.values())))
    assert all(f"'{keyword}'" in " ".join(rules.values()) for keyword in grammar._COMPOUND)
