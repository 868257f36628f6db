"""Scoring labelled commands: what counts as caught and as stopped, and that a score comes from real answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import commands
from benchmarks.commands import Judge, Judged, Row, Score, Unusable
from benchmarks.verdicts import ASK, DENY, PASS, WrongAnswer
from rulez_py.policy import packs
from rulez_py.verdict import Answer

POLICY = """\
version: "1.0"
rules:
  - {name: no-wipe, matchers: {tools: [Bash], command_match: '\\bwipe\\b'}, actions: {block: true}}
  - {name: ask-send, matchers: {tools: [Bash], command_match: '\\bsend\\b'}, actions: {ask: true}}
  - {name: only-noted, mode: audit, matchers: {tools: [Bash], command_match: '\\bwipe\\b'}, actions: {block: true}}
  - {name: no-key, matchers: {tools: [Write], content_match: 'key='}, actions: {block: true}}
"""
ROWS = [
    ("wipe all", "deny", "disk"),
    ("send it", "deny", "disk"),
    ("erase all", "deny", "disk"),
    ("echo wipe", "allow", "disk"),
    ("ls key=1", "allow", "net"),
    ("echo send", "allow", "net"),
    ("pwd", "allow", "net"),
]


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY)
    return path


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    path = tmp_path / "labelled.jsonl"
    lines = [json.dumps({"command": c, "expected": e, "set": s, "note": "because"}) for c, e, s in ROWS]
    path.write_text("\n".join(lines) + "\n\n")
    return path


def row(command: str, expected: str = DENY) -> Row:
    return Row(command, expected)


def judged(expected: str, word: str, set: str = "x") -> Judged:
    return Judged(Row("c", expected, set), word, (), 0.001, Answer())


# Judging.


@pytest.mark.parametrize(
    ("command", "word", "rules"),
    [
        ("wipe all", DENY, ("no-wipe",)),
        ("send it", ASK, ("ask-send",)),
        ("wipe and send", DENY, ("no-wipe",)),
        ("ls", PASS, ()),
    ],
)
def test_a_row_is_judged_by_the_policy(
    tmp_path: Path, policy: Path, command: str, word: str, rules: tuple[str, ...]
) -> None:
    one = Judge(tmp_path / "place", policy).command(row(command))
    assert (one.word, one.rules, one.failure) == (word, rules, "")
    assert one.seconds > 0


def test_a_second_call_reads_what_the_first_has_compiled(tmp_path: Path, policy: Path) -> None:
    judge = Judge(tmp_path / "place", policy)
    words = [judge.command(row("wipe")).word for _ in range(2)]
    assert words == [DENY, DENY]
    assert len(list((judge.place.home / ".cache" / "rulez").glob("*.policy"))) == 1


def test_a_row_in_a_file_is_content_and_no_command(tmp_path: Path, policy: Path) -> None:
    judge = Judge(tmp_path / "place", policy)
    assert [judge.written(row(text)).word for text in ("wipe all", "key=1")] == [PASS, DENY]


def test_the_environment_is_bare(tmp_path: Path, policy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("CI", "true")
    judge = Judge(tmp_path / "place", policy)
    assert judge.environ.keys() & {"TMPDIR", "CI"} == set()
    assert judge.environ["HOME"] == str(judge.place.home)
    assert [path.name for path in judge.place.project.iterdir()] == [".git"]


def test_a_failure_is_no_score(tmp_path: Path) -> None:
    one = Judge(tmp_path / "place", tmp_path / "nowhere.yaml").command(row("ls"))
    assert "the policy cannot be used" in one.failure


def test_a_hook_process_gives_the_same_answer(tmp_path: Path, policy: Path) -> None:
    judge = Judge(tmp_path / "place", policy)
    for command in ("wipe all", "ls"):
        assert commands.same(judge.process(row(command)), judge.command(row(command)).answer)
    assert not commands.same(judge.process(row("ls")), judge.command(row("wipe all")).answer)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(stdout="{"),
        Answer(exit_code=1),
        Answer(exit_code=2),
        Answer(stdout='{"hookSpecificOutput": {"permissionDecision": "maybe"}}'),
        Answer(stdout='{"hookSpecificOutput": {"permissionDecision": "ask"}}', exit_code=2),
    ],
    ids=str,
)
def test_what_means_nothing_to_the_agent_is_no_answer(answer: Answer) -> None:
    with pytest.raises(WrongAnswer):
        commands.said(answer)


# Counting.


def test_asking_catches_and_stops_too_and_is_counted_apart() -> None:
    words = [(DENY, DENY), (DENY, DENY), (DENY, ASK), (DENY, PASS), ("allow", PASS), ("allow", DENY), ("allow", ASK)]
    score = Score.of("x", [judged(*one) for one in words])
    assert score == Score("x", deny=4, caught_denied=2, caught_asked=1, allow=3, stopped_denied=1, stopped_asked=1)
    assert score.caught == 75
    assert score.passed == pytest.approx(100 / 3)


def test_nothing_of_nothing_is_no_percentage() -> None:
    score = Score.of("x", [])
    assert (score.caught, score.passed) == (None, None)


def test_every_set_has_a_score_and_all_of_them_together() -> None:
    found = commands.scores([judged(DENY, DENY, "a"), judged(DENY, PASS, "b"), judged(DENY, PASS, "a")])
    assert [(score.name, score.deny, score.caught_denied) for score in found] == [
        ("a", 2, 1),
        ("b", 1, 0),
        ("all", 3, 1),
    ]


@pytest.mark.parametrize(
    ("wanted", "missed"),
    [
        ("x.caught=50", []),
        ("all.caught=50.5", ["all.caught is 50.0 %, wanted are 50.5 %"]),
        ("x.passed=1", ["x.passed is nothing, wanted are 1 %"]),
    ],
)
def test_a_threshold(wanted: str, missed: list[str]) -> None:
    assert commands.not_reached([wanted], commands.scores([judged(DENY, DENY), judged(DENY, PASS)])) == missed


@pytest.mark.parametrize("wanted", ["x", "x.caught", "x.caught=most", "x.found=9", "y.caught=9", "x.caught=1.2.3"])
def test_a_threshold_nobody_can_check_is_refused(wanted: str) -> None:
    with pytest.raises(Unusable, match="--least"):
        commands.not_reached([wanted], commands.scores([judged(DENY, DENY)]))


# The command.


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[str], list[str]]:
    code = commands.main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out.splitlines(), captured.err.splitlines()


def test_the_table(capsys: pytest.CaptureFixture[str], labelled: Path, policy: Path) -> None:
    code, out, err = run(capsys, labelled, "--policy", policy)
    assert (code, err) == (0, [])
    assert [line.split() for line in out[1:4]] == [
        ["disk", "3", "2", "66.7", "%", "(", "1,", "1)", "1", "1", "100.0", "%", "(", "1,", "0)"],
        ["net", "0", "0", "-", "(", "0,", "0)", "3", "1", "33.3", "%", "(", "0,", "1)"],
        ["all", "3", "2", "66.7", "%", "(", "1,", "1)", "4", "2", "50.0", "%", "(", "1,", "1)"],
    ]


def test_misses_and_false_alarms_are_named_with_their_rules(
    capsys: pytest.CaptureFixture[str], labelled: Path, policy: Path
) -> None:
    _, out, _ = run(capsys, labelled, "--policy", policy, "--misses")
    assert out[-3:] == [
        "miss   disk: erase all   # because",
        "alarm  disk [denied by no-wipe]: echo wipe   # because",
        "alarm  net [asked by ask-send]: echo send   # because",
    ]


def test_only_some_sets(capsys: pytest.CaptureFixture[str], labelled: Path, policy: Path) -> None:
    _, out, _ = run(capsys, labelled, "--policy", policy, "--set", "net")
    assert [line.split()[0] for line in out[1:3]] == ["net", "all"]


def test_thresholds_decide_the_exit_code(capsys: pytest.CaptureFixture[str], labelled: Path, policy: Path) -> None:
    assert run(capsys, labelled, "--policy", policy, "--least", "disk.caught=66")[0] == 0
    code, _, err = run(capsys, labelled, "--policy", policy, "--least", "disk.caught=67", "--least", "net.passed=50")
    assert (code, err) == (1, ["error: disk.caught is 66.7 %, wanted are 67 %"])


def test_files_and_processes_are_judged_on_request(
    capsys: pytest.CaptureFixture[str], labelled: Path, policy: Path
) -> None:
    code, out, err = run(capsys, labelled, "--policy", policy, "--as-write", "--hook", "2")
    assert (code, err) == (0, [])
    assert out[-2].startswith("7 written to a file: median ") and out[-2].endswith("; 1 stopped")
    assert out[-1] == "2 judged by a hook process too: 0 differ"


def test_a_process_that_says_something_else_is_an_error(
    capsys: pytest.CaptureFixture[str], labelled: Path, policy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Judge, "process", lambda _self, _row: Answer(stderr="x", exit_code=2))
    code, out, err = run(capsys, labelled, "--policy", policy, "--set", "net", "--hook", "9")
    assert (code, out[-1]) == (1, "3 judged by a hook process too: 3 differ")
    assert "error: 'pwd': a hook process says something else" in err


def test_without_a_policy_every_rule_set_is_asked(
    capsys: pytest.CaptureFixture[str], labelled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extended: list[Any] = []
    check = commands._check

    def checked(policy: Path) -> None:
        extended.append(json.loads(policy.read_text())["extends"])
        check(policy)

    monkeypatch.setattr(commands, "_check", checked)
    assert run(capsys, labelled)[0] == 0
    assert run(capsys, labelled, "--extends", "essentials")[0] == 0
    assert extended == [[packs.PREFIX + name for name in packs.extendable()], ["builtin:essentials"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x\n", "labelled.jsonl:1: write"),
        ('\n{"command": "ls"}\n', "labelled.jsonl:2: write"),
        ('{"command": "ls", "expected": "maybe"}\n', '"expected" is deny or allow, not maybe'),
        ('{"command": 5, "expected": "deny"}\n', "labelled.jsonl:1: write"),
        ("", "has no rows"),
    ],
)
def test_a_file_that_cannot_be_used_is_told(
    capsys: pytest.CaptureFixture[str], labelled: Path, policy: Path, text: str, said: str
) -> None:
    labelled.write_text(text)
    code, _, err = run(capsys, labelled, "--policy", policy)
    assert (code, len(err)) == (2, 1)
    assert said in err[0]


def test_a_policy_that_cannot_be_used_is_told(capsys: pytest.CaptureFixture[str], labelled: Path, policy: Path) -> None:
    policy.write_text(POLICY.replace("tools", "tolls", 1))
    code, _, err = run(capsys, labelled, "--policy", policy)
    assert code == 2
    assert err[0].startswith("error: policy.yaml:3:")
