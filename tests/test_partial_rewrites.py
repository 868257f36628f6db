"""A partially rewritten line runs what the rewrite says, and all else as before: bash itself is the judge.

Lines are put together from parts. Each of their programs is a stand-in that writes down its words,
also where it has the name of a known one.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulez_py.verdict import DENY, NO_OPINION
from tests.examples import examples
from tests.policy.judging.test_decide import bash as call
from tests.policy.judging.test_decide import said
from tests.policy.judging.test_rewriting import made

BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None, reason="bash is not here")

RECORD = """#!{bash}
printf -v all '%s\\037' "${{0##*/}}" "$@"
printf '%s\\036' "$all" >> "$RECORD"
echo out
[ -t 0 ] || while read -r _; do :; done
"""
PROGRAMS = ("head", "better", "other", "nohup")
WRAP = """#!{bash}
printf -v all '%s\\037' "${{0##*/}}" "$@"
printf '%s\\036' "$all" >> "$RECORD"
"$@"
"""

WORDS = st.sampled_from(
    [
        *("a", "-q", "--keep", "x=y", "'a b'", '"c d"', "e\\ f", "''", '"$V"', "$V", "${V}z", "*.none", "~", "1", "é"),
        *("old/x", "'old/y z'", '"old/q"', "o'ld/'r", "--flag", "{p,q}"),
    ]
)
REDIRECTIONS = st.sampled_from(["", "", "", ">out", " > out", " 2>&1", " <<< in", " </dev/null", " >>out 2>err"])
COMMAND = st.tuples(
    st.sampled_from(
        ["head", "head", "other", "'head'", "he\\ad", "nohup head", "env A=1 head", "V=w head", "command head"]
    ),
    st.lists(WORDS, max_size=4),
    REDIRECTIONS,
    st.lists(WORDS, max_size=2),
).map(lambda one: " ".join((one[0], *one[1])) + one[2] + "".join(f" {word}" for word in one[3]))
LINES = st.recursive(
    COMMAND,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from([" && ", "; ", " || ", " | ", "\n", " &&\n  "]), inner).map("".join),
        inner.map(lambda one: f"cd . && {one}"),
        inner.map(lambda one: f"({one}\n)"),
        inner.map(lambda one: f"if true; then {one}\nfi"),
        inner.map(lambda one: f'other "$({one}\n)" head'),
        inner.map(lambda one: f"other head '{one}'" if "'" not in one else one),
        inner.map(lambda one: f"{one} # head old/x"),
        inner.map(lambda one: f"run_it() {{ {one}\n}}; run_it" if "run_it" not in one else one),
        inner.map(lambda one: f"for V in u 'v w'; do {one}\ndone"),
        inner.map(lambda one: f"other <<'E'\ntool old/x\nE\n{one}"),
    ),
    max_leaves=4,
)
REWRITES: dict[str, dict[str, Any]] = {
    "the program": {"replace_program": "better than"},
    "an option more": {"add_flag": ["--flag", "--with 'x"]},
    "an option less": {"remove_flag": ["-q"]},
    "a part of words": {"replace": ["^old/", "new $(x)\"'\\\\/"]},
    "all of it": {
        "replace_program": "better",
        "remove_flag": "-q",
        "add_flag": "--flag",
        "replace": [["^old/", "new/"], ["^--keep$", "--kept"]],
    },
}


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the programs that the lines name, and no other."""
    directory = tmp_path_factory.mktemp("bin")
    for name in PROGRAMS:
        path = directory / name
        path.write_text((WRAP if name == "nohup" else RECORD).format(bash=BASH))
        path.chmod(0o755)
    (directory / "env").write_text(f'#!{BASH}\nexport "$1"; shift; "$@"\n')
    (directory / "env").chmod(0o755)
    return directory


def ran(line: str, stand_ins: Path, work: Path) -> list[list[str]]:
    """Run a line in an empty directory, and return the words of every program that ran, sorted."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    record = work.parent / "record"
    record.write_bytes(b"")
    environ = {"PATH": str(stand_ins), "HOME": "/nowhere", "RECORD": str(record), "V": "v1 v2", "LC_ALL": "C.UTF-8"}
    assert BASH is not None
    subprocess.run(
        [BASH, "--norc", "--noprofile", "-c", line],
        cwd=work,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=20,
        check=False,
    )
    text = record.read_bytes().decode("utf-8", "surrogateescape")
    return sorted(one.split("\x1f")[:-1] for one in text.split("\x1e") if one)


def expected(words: list[str], rewrite: dict[str, Any]) -> list[str]:
    """Return what a program is to run with in place of these words."""
    at = words.index("head") if words[0] in ("nohup", "head") else -1
    if words[0] == "nohup" and at != 1:
        return words
    if at < 0:
        return words
    own = words[at + 1 :]
    program = rewrite.get("replace_program", "head").split()
    if "remove_flag" in rewrite:
        own = [one for one in own if one != "-q"]
    pairs = rewrite.get("replace", [])
    for pattern, new in [pairs] if pairs and isinstance(pairs[0], str) else pairs:
        plain = pattern.strip("^$")
        text = new.replace("\\\\", "\\")
        own = [(text + one.removeprefix(plain)) if one.startswith(plain) else one for one in own]
    flags = rewrite.get("add_flag", [])
    added = [flag.split() for flag in ([flags] if isinstance(flags, str) else flags) if flag.split()[0] not in own]
    return [*words[:at], *program, *(word for flag in added for word in flag), *own]


@pytest.mark.parametrize("kind", REWRITES)
@given(line=LINES)
@settings(
    max_examples=examples(40, of=300),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_the_line_runs_what_the_rewrite_says_and_all_else_as_before(
    line: str, kind: str, stand_ins: Path, tmp_path: Path
) -> None:
    rewrite = REWRITES[kind]
    rule = made(
        {"name": "r", "matchers": {"command": {"program": "head"}}, "actions": {"rewrite": {"command": rewrite}}}
    )
    verdict = said(rule, event=call(line))
    assert verdict.decision in (NO_OPINION, DENY)
    if verdict.decision == DENY:
        assert "as a call of its own" in verdict.reason
        return
    new = line if verdict.rewrite is None else str(verdict.rewrite["command"])
    before = ran(line, stand_ins, tmp_path / "work")
    assert ran(new, stand_ins, tmp_path / "work") == sorted(expected(words, rewrite) for words in before)


@pytest.mark.parametrize("kind", REWRITES)
def test_most_lines_are_rewritten(kind: str) -> None:
    """The property says nothing of a line that is denied: these are not."""
    rule = made(
        {"name": "r", "matchers": {"command": {"program": "head"}}, "actions": {"rewrite": {"command": REWRITES[kind]}}}
    )
    lines = [
        "head -q old/x",
        "cd . && head -q 'old/y z' | other",
        "nohup head -q --keep old/x >out",
        "x() { head -q old/x; }; x",
    ]
    found = [said(rule, event=call(line)) for line in lines]
    assert [(one.decision, bool(one.rewrite)) for one in found] == [(NO_OPINION, True)] * len(lines)
