"""The benchmark measures what it says: right answers only, one process at a time, and its page comes from its data."""

from __future__ import annotations

import collections
import dataclasses
import importlib
import json
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from benchmarks import (
    contenders,
    importtime,
    payloads,
    phases,
    plot,
    policies,
    profile,
    report,
    runner,
    stats,
    verdicts,
)
from benchmarks.contenders import (
    BARE,
    CONSOLE,
    DENIED,
    FROZEN,
    ONE_FILE,
    PYTHON,
    REAL,
    REAL_LINES,
    STREAM,
    Absent,
    Check,
    Contender,
    Programs,
    Tail,
    rules_name,
)
from benchmarks.figures import figures
from benchmarks.importtime import Import
from benchmarks.process import Ended, Spawner, Start
from benchmarks.stats import Summary
from benchmarks.verdicts import ASK, DENY, PASS, WrongAnswer
from rulez_py.hook.call import respond
from rulez_py.hook.values import HookCall, Options
from rulez_py.platforms import adapter
from rulez_py.verdict import Answer
from tests.platforms import denies

SOURCE = (sys.executable, "-I", "-m", "rulez_py")


def ended(stdout: str = "", stderr: str = "", exit_code: int = 0, wall: float = 0.01, memory: int = 1) -> Ended:
    return Ended(exit_code, stdout, stderr, 0.0, wall, wall, memory)


def summary(*milliseconds: float, memory: int = 20_000_000) -> Summary:
    return Summary.of([ended(wall=value / 1000, memory=memory) for value in milliseconds])


# Numbers.


@pytest.mark.parametrize(
    ("values", "expected"),
    [([7.0], 7.0), ([1.0, 2.0], 2.0), ([float(n) for n in range(1, 101)], 95.0), ([3.0] * 19 + [9.0], 3.0)],
)
def test_the_95th_percentile_is_a_value_that_was_measured(values: list[float], expected: float) -> None:
    assert stats.p95(values[::-1]) == expected


def test_a_ratio_is_taken_within_each_round() -> None:
    slow_minute = stats.paired_ratio([20, 200, 22], [10, 100, 11])
    assert slow_minute == 2.0


def test_a_summary_has_the_usual_time_and_the_highest_memory() -> None:
    taken = Summary.of([ended(wall=0.03, memory=5), ended(wall=0.01, memory=9), ended(wall=0.02, memory=7)])
    assert (taken.median, taken.min, taken.p95, taken.cpu, taken.memory) == (0.02, 0.01, 0.03, 0.02, 9)


# What is judged.


def test_a_policy_is_the_same_each_time_and_a_larger_one_begins_like_a_smaller_one() -> None:
    assert policies.policy(30) == policies.policy(30)
    assert policies.policy(30).startswith(policies.policy(20))


@pytest.mark.parametrize("count", [10, 100])
def test_a_policy_is_valid_and_has_as_many_rules_of_each_kind(count: int, tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(policies.policy(count))
    validated = subprocess.run([*SOURCE, "validate", str(path)], capture_output=True, text=True, check=False)
    assert (validated.returncode, validated.stderr) == (0, "")
    names = [line.partition("name: ")[2][:-6] for line in path.read_text().splitlines() if "name: " in line]
    assert collections.Counter(names) == dict.fromkeys(policies.KINDS, count // 10)


def answer(data: bytes, platform: str, rules: Path) -> Answer:
    call = HookCall(Options(platform=platform, rules=str(rules)), dict(os.environ), time.monotonic())
    return respond(call, data).answer


@pytest.mark.parametrize("count", [10, 100])
def test_the_last_rules_of_a_policy_deny_and_say_which_they_are(count: int, tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(policies.policy(count))
    command = payloads.shell("claude", policies.denied_command(count), tmp_path)
    assert f"program-{count - 10:05}" in answer(command, "claude", rules).stdout
    write = payloads.write(policies.denied_path(count), "x", tmp_path)
    assert f"directory-{count - 7:05}" in answer(write, "claude", rules).stdout


@pytest.mark.parametrize("platform", payloads.SHELL)
def test_a_payload_has_the_command_where_its_platform_has_it(platform: str, tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(policies.policy(10))
    assert denies(answer(payloads.shell(platform, "git push --force", tmp_path), platform, rules), platform)
    assert not denies(answer(payloads.shell(platform, "git status", tmp_path), platform, rules), platform)


@pytest.mark.parametrize("size", [100, 1_000, 100_000])
def test_an_input_has_the_size_that_the_table_says(size: int) -> None:
    assert (len(payloads.text(size)), len(payloads.long_command(size))) == (size, size)


def test_a_nested_argument_is_as_deep_as_the_table_says(tmp_path: Path) -> None:
    event = adapter("claude").parse(json.loads(payloads.nested(50, tmp_path)), None)
    value, depth = event.tool_input["text"], 0
    while isinstance(value, list):
        value, depth = value[0], depth + 1
    assert (value, depth) == ("deep", 50)


# One process.


def start(code: str, tmp_path: Path, *, data: bytes = b"", calls: int = 0) -> Start:
    (tmp_path / "payload").write_bytes(data)
    return Start((sys.executable, "-I", "-c", code), tmp_path, dict(os.environ), tmp_path / "payload", calls)


def test_a_process_gets_its_input_and_all_it_says_is_kept(tmp_path: Path) -> None:
    code = "import os, sys; sys.stdout.write(sys.stdin.read().upper()); sys.stderr.write(os.getcwd()); sys.exit(3)"
    with Spawner() as spawner:
        came = spawner.run(start(code, tmp_path, data=b"ab" * 300_000))
    assert (came.exit_code, came.stdout, came.stderr) == (3, "AB" * 300_000, str(tmp_path))


def test_a_process_may_leave_its_input_unread(tmp_path: Path) -> None:
    with Spawner() as spawner:
        came = spawner.run(start("print(1)", tmp_path, data=b"x" * 1_000_000))
        again = spawner.run(start("print(2)", tmp_path))
    assert (came.stdout, again.stdout) == ("1\n", "2\n")


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own word for it is in /proc")
def test_the_memory_is_the_process_s_own_however_large_the_one_that_measures(tmp_path: Path) -> None:
    large = b"x" * 150_000_000
    code = (
        "x = b'x' * 40_000_000; print(next(line.split()[1] for line in open('/proc/self/status') if 'VmHWM' in line))"
    )
    with Spawner() as spawner:
        came = spawner.run(start(code, tmp_path))
    assert len(large) > came.memory
    assert came.memory == pytest.approx(int(came.stdout) * 1024, rel=0.05)


ECHO = "import sys\nfor line in sys.stdin: print(line.strip() + '!', flush=True)"


def test_a_stream_answers_each_line_with_a_line(tmp_path: Path) -> None:
    with Spawner() as spawner:
        came = spawner.run(start(ECHO, tmp_path, data=b"line\n", calls=5))
    assert came.stdout == "line!\n" * 6
    assert came.cpu is None


def test_a_stream_that_ends_early_is_not_waited_for(tmp_path: Path) -> None:
    with Spawner() as spawner:
        came = spawner.run(start("input(); print(1)", tmp_path, data=b"line\n", calls=5))
    assert came.stdout == "1\n"


# Answers.

CLAUDE_DENY = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}'
STREAM_PASS = '{"exit_code":0,"stdout":"","stderr":""}\n'


@pytest.mark.parametrize(
    ("read", "said", "word"),
    [
        pytest.param(verdicts.interpreter, ended(), PASS, id="a Python that does nothing"),
        pytest.param(verdicts.rulez("claude"), ended(), PASS, id="silence"),
        pytest.param(verdicts.rulez("claude"), ended(CLAUDE_DENY, "because", 2), DENY, id="deny"),
        pytest.param(verdicts.rulez("opencode"), ended('{"continue":true}\n'), PASS, id="OpenCode's silence"),
        pytest.param(verdicts.rulez_stream("claude"), ended(STREAM_PASS * 3), PASS, id="a stream"),
        pytest.param(verdicts.claude_json, ended(), PASS, id="another product's silence"),
        pytest.param(verdicts.claude_json, ended(CLAUDE_DENY), DENY, id="another product's deny"),
        pytest.param(verdicts.claude_json, ended(CLAUDE_DENY.replace("deny", "ask")), ASK, id="another product asks"),
    ],
)
def test_an_answer_is_one_word(read: verdicts.Reader, said: Ended, word: str) -> None:
    assert read(said) == word


@pytest.mark.parametrize(
    ("read", "said"),
    [
        pytest.param(verdicts.interpreter, ended(stderr="warning"), id="a Python that says something"),
        pytest.param(verdicts.rulez("claude"), ended(exit_code=1), id="exit code 1"),
        pytest.param(verdicts.rulez("claude"), ended(stderr="Traceback"), id="a traceback and exit code 0"),
        pytest.param(verdicts.rulez("opencode"), ended(), id="nothing, where there has to be an answer"),
        pytest.param(verdicts.rulez_stream("claude"), ended(), id="a stream without a line"),
        pytest.param(verdicts.rulez_stream("claude"), ended(STREAM_PASS + "{}\n"), id="a line that is no answer"),
        pytest.param(verdicts.claude_json, ended(exit_code=1), id="another product's crash"),
        pytest.param(verdicts.claude_json, ended("Unknown option"), id="another product's text"),
    ],
)
def test_a_crash_is_no_answer(read: verdicts.Reader, said: Ended) -> None:
    with pytest.raises(WrongAnswer):
        read(said)


def contender(code: str, tmp_path: Path, *checks: tuple[str, str], unknown: str = "") -> Contender:
    begin = start(code, tmp_path)
    held = tuple(Check(begin.payload, word, mention) for word, mention in checks)
    return Contender("it", "group", begin, verdicts.rulez("claude"), held, unknown=unknown)


SAY_DENY = f"import sys; print({CLAUDE_DENY!r}); sys.stderr.write('my-rule'); sys.exit(2)"


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "SETTLED", 0.0)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("check", [(PASS, ""), (DENY, "another-rule")])
def test_a_wrong_answer_stops_the_run_and_names_the_row(check: tuple[str, str], tmp_path: Path) -> None:
    row = contender(SAY_DENY, tmp_path, (DENY, "my-rule"), check)
    with Spawner() as spawner, pytest.raises(WrongAnswer, match=r"^it: it should say .*it said: exit code 2"):
        runner.check(spawner, [row])


def test_each_sample_is_checked_too(tmp_path: Path) -> None:
    code = "import os, sys; new = not os.path.exists('seen'); open('seen', 'w'); sys.exit(not new)"
    with Spawner() as spawner, pytest.raises(WrongAnswer, match="it, round 2"):
        runner.measure(spawner, [contender(code, tmp_path, (PASS, ""))], 3)


@pytest.mark.usefixtures("at_once")
def test_what_a_build_does_not_know_is_said_and_not_measured(tmp_path: Path) -> None:
    code = "import sys; sys.stderr.write('unknown argument `--stream`'); sys.exit(2)"
    row = contender(code, tmp_path, (PASS, ""), unknown="unknown argument `--stream`")
    with Spawner() as spawner:
        assert runner.check(spawner, [row]) == [Absent("it", "group", "not in this build")]


def test_what_is_not_built_is_said_and_not_measured(tmp_path: Path) -> None:
    rows = contenders.contenders(tmp_path, Programs())
    measured = [row.name for row in rows if isinstance(row, Contender)]
    assert measured == [BARE, PYTHON]
    assert {row.why for row in rows if isinstance(row, Absent)} == {"not built; `make bench` builds it"}


def test_a_round_measures_each_of_a_rows_lines_and_takes_the_middle(tmp_path: Path) -> None:
    code = "import sys, time; word = sys.stdin.read(); time.sleep(float(word)); sys.exit(2 if word == '0.4' else 0)"
    waits = [tmp_path / word for word in ("0", "0.01", "0.02", "0.3", "0.4")]
    for path in waits:
        path.write_text(path.name)
    *lines, last = (Check(path, PASS) for path in waits)
    row = contender(code, tmp_path, (PASS, ""))
    row = dataclasses.replace(row, checks=(*lines, last), measured=len(lines))
    with Spawner() as spawner:
        results = runner.measure(spawner, [row, Tail("the slow ones", "group", row.name)], 2)
        with pytest.raises(WrongAnswer, match="round 1"):
            runner.measure(spawner, [dataclasses.replace(row, measured=5)], 1)
    assert len(results[row.name].walls) == len(results["the slow ones"].walls) == 2
    assert results["the slow ones"].min >= max(0.3, *results[row.name].walls)


@pytest.mark.parametrize(("part", "expected"), [(0.5, 0.05), (0.9, 0.09), (1.0, 0.1)])
def test_a_part_of_the_calls_takes_at_most_so_long(part: float, expected: float) -> None:
    sample = [ended(wall=number / 100) for number in (7, 1, 10, 3, 9, 2, 8, 4, 6, 5)]
    assert stats.at(sample, part).wall == expected


def test_a_hundred_lines_were_drawn_and_say_what_is_answered() -> None:
    lines = [json.loads(line) for line in REAL_LINES.read_text(encoding="utf-8").splitlines()]
    assert len({line["command"] for line in lines}) == 100
    assert {word for line in lines for word in [line["answer"]]} <= {PASS, ASK, DENY}


# The page.


def row(name: str, group: str = contenders.ONE_CALL) -> Contender:
    check = Check(Path("payload"), PASS)
    return Contender(name, group, Start((), Path(), {}, Path()), verdicts.interpreter, (check,))


def run_of(results: dict[str, Summary], *absent: Absent) -> report.Run:
    rows: list[contenders.Row] = [*(row(name) for name in results), *absent]
    return report.Run(rows, results, figures(rows), {"CPU": "a fast one"}, 3, "2026-01-31", "make bench")


def test_the_required_figures_are_those_of_the_data() -> None:
    names = [rules_name("Bash", 10), rules_name("Bash", 10_000)]
    results = {PYTHON: summary(10, 10), FROZEN: summary(16, 18), CONSOLE: summary(30, 30)}
    results |= {ONE_FILE: summary(19, 19)}
    results |= {names[0]: summary(10), names[1]: summary(12), "nah 0.11.0": summary(51, 51), REAL: summary(22, 22)}
    assert report.required(run_of(results)) == (
        "| figure | target | measured | result |\n"
        "| --- | --- | --- | --- |\n"
        "| lines that agents ran: the median of 100, essentials and 100 rules / `python3 -c pass` | at most 1.9 | "
        "2.20 | **miss** |\n"
        "| nine of ten of them / `python3 -c pass` | at most 2.6 | not measured |  |\n"
        "| frozen, warm cache, essentials and 100 rules / `python3 -c pass` | at most 1.45 | 1.70 | **miss** |\n"
        "| the same, a command that is parsed / `python3 -c pass` | at most 2 | not measured |  |\n"
        "| the same, denied / `python3 -c pass` | at most 1.9 | not measured |  |\n"
        "| one file, from its second start on / frozen | at most 1.2 | 1.12 | pass |\n"
        "| console script in a virtual environment / `python3 -c pass` | at most 2 | 3.00 | **miss** |\n"
        "| 10,000 rules / 10 rules, Bash event | at most 1.25 | 1.20 | pass |\n"
        "| 10,000 rules / 10 rules, Write event | at most 1.25 | not measured |  |\n"
        "| stream mode, per call / `python3 -c pass` | at most 0.15 | not measured |  |\n"
        "| first call with a cold cache, 100 rules / `python3 -c pass` | at most 15 | not measured |  |\n"
        "| what one file would lose, of 10,000, more than without such a rule / `python3 -c pass` | at most 1 | "
        "not measured |  |\n"
        "| what 9,800 files would lose / `python3 -c pass` | at most 2.5 | not measured |  |\n"
        "| 200 changed files kept by a checkpoint / `python3 -c pass` | at most 5 | not measured |  |\n"
        "| calls counted, more than a rule that matches / `python3 -c pass` | at most 0.15 | not measured |  |\n"
        "| what the session has done required, more than a rule that matches / `python3 -c pass` | at most 0.15 | "
        "not measured |  |\n"
        "| a call remembered, more than a rule that matches / `python3 -c pass` | at most 0.15 | not measured |  |\n"
        "| cc-safety-net / frozen | at least 3 | not measured |  |\n"
        "| nah / frozen | at least 3 | 3.01 | pass |\n"
        "| peak memory of a hook call, warm cache, 100 rules | at most 40 MB | 20.0 MB | pass |\n"
        "| the same of every rulez row below (cold, 10,000 rules, 5 MB) | at most 40 MB | 20.0 MB | pass |\n"
    )


def test_a_figure_that_was_reached_is_missed_with_other_data() -> None:
    results = {PYTHON: summary(10), FROZEN: summary(18, memory=41_000_000)}
    assert [line.split(" | ")[2:] for line in report.required(run_of(results)).splitlines() if "miss" in line] == [
        ["1.80", "**miss** |"],
        ["41.0 MB", "**miss** |"],
        ["41.0 MB", "**miss** |"],
    ]


def test_the_table_has_every_row_also_those_without_numbers() -> None:
    run = run_of({PYTHON: summary(10, 11, 12), FROZEN: summary(20, 22, 36)}, Absent(STREAM, contenders.ONE_CALL, "why"))
    assert report.full(run).splitlines()[-3:] == [
        "| python3 -c pass | 11.0 | 12.0 | 10.0 | 11.0 | 20.0 | 1.00 |",
        "| frozen | 22.0 | 36.0 | 20.0 | 22.0 | 20.0 | 2.00 |",
        "| frozen, --stream, per call | why |  |  |  |  |  |",
    ]


def test_the_page_says_when_where_and_how_to_repeat_it() -> None:
    page = report.page(run_of({PYTHON: summary(10)}))
    assert "- CPU: a fast one\n- 2026-01-31, 3 rounds\n- again: `make bench`\n" in page


def test_the_plot_is_a_picture_of_the_rows() -> None:
    odd = "a < b & c"
    results = {PYTHON: summary(9), FROZEN: summary(14), odd: summary(40, 90), rules_name("Write", 10): summary(20)}
    rows = [row(PYTHON), row(FROZEN), row(odd), row(rules_name("Write", 10), contenders.RULES)]
    picture = ElementTree.fromstring(plot.svg(rows, results))
    space = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in picture.iter(space + "text")]
    assert {PYTHON, FROZEN, odd, "14.0", "65.0", "Write", "10,000", "5 MB"} <= set(texts)
    widths = [float(bar.get("width", "")) for bar in picture.iter(space + "rect")]
    assert len(widths) == 3
    assert widths[2] / widths[0] == pytest.approx(65 / 9, rel=0.01)
    inside = [float(circle.get("cx", "")) for circle in picture.iter(space + "circle")]
    assert all(0 <= x <= plot.WIDTH for x in inside)


@pytest.mark.parametrize("milliseconds", [0.3, 1, 7, 9.9, 84, 250, 3000])
def test_the_plot_s_axis_reaches_the_largest_value_in_a_few_steps(milliseconds: float) -> None:
    ticks = [text for text in plot.svg([row(PYTHON)], {PYTHON: summary(milliseconds)}).splitlines() if " ms<" in text]
    last = float(ticks[-1].rpartition(" ms<")[0].rpartition(">")[2])
    assert last >= milliseconds
    assert 4 <= len(ticks) <= 9


# The profile.

IMPORTTIME = """\
import time: self [us] | cumulative | imported package
import time:       120 |        120 |   _io
import time:        80 |        200 | io
something the program said
import time:      1000 |       1300 | rulez_py.hook.main
"""


def test_the_interpreter_s_report_on_imports_is_read() -> None:
    assert importtime.parse(IMPORTTIME) == [
        Import("_io", 0.00012, 0.00012),
        Import("io", 0.00008, 0.0002),
        Import("rulez_py.hook.main", 0.001, 0.0013),
    ]


def test_imports_of_several_runs_are_one_list_the_slowest_first() -> None:
    runs = [[Import("a", 1, 1), Import("b", own, own + 1)] for own in (2, 9, 3)]
    assert importtime.medians(runs) == [Import("b", 3, 4), Import("a", 1, 1)]
    assert importtime.without(importtime.medians(runs), [Import("a", 7, 7)]) == [Import("b", 3, 4)]


@pytest.mark.parametrize("entry", phases.WRAPPED, ids=lambda entry: str(entry[0]))
def test_what_the_profile_measures_is_there(entry: tuple[str, str, str]) -> None:
    _phase, module, path = entry
    owner = importlib.import_module(module)
    for name in path.split("."):
        owner = getattr(owner, name)
    assert callable(owner)


def test_time_counts_for_the_innermost_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(100))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(ticks)))
    clock = phases.Phases(-1.0)
    clock.seconds = {phases.REST: 0.0, "outer": 0.0, "inner": 0.0}
    inner = clock.wrap("inner", lambda: None)
    clock.wrap("outer", lambda: (inner(), inner()))()
    assert clock.seconds == {phases.REST: 1.0, "outer": 3.0, "inner": 2.0}


def test_a_call_is_profiled_from_its_start_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile, "SETTLED", 0.0)
    call = "Write, 100 rules"
    taken = profile.profile(tmp_path, None, runs=1, calls=[call])
    seconds = dict(taken.phases[call])
    total = seconds.pop(profile.TOTAL)
    assert sum(seconds.values()) == pytest.approx(total)
    assert all(seconds[phase] > 0 for phase in (profile.START, phases.IMPORTS, "selecting rules", "log"))
    assert seconds["compiling the policy"] == 0
    assert "rulez_py.hook.main" in {one.name for one in taken.imports}
    assert not {"os", "encodings"} & {one.name for one in taken.imports}
    assert "| selecting rules | " in taken.markdown()


# All of it.


@pytest.mark.usefixtures("at_once")
def test_a_small_run_from_source(tmp_path: Path) -> None:
    wanted = {BARE, PYTHON, FROZEN, DENIED, "frozen, --platform gemini", contenders.COLD}
    wanted |= {contenders.COUNTED, contenders.REQUIRED, contenders.REMEMBERED}
    wanted |= {rules_name("Bash", 10), rules_name("Write", 10), f"an argument nested {contenders.LEVELS:,} levels"}
    rows = [row for row in contenders.contenders(tmp_path, Programs(frozen=SOURCE)) if row.name in wanted]
    with Spawner() as spawner:
        rows = runner.check(spawner, rows)
        results = runner.measure(spawner, rows, 1)
    assert set(results) == wanted == {row.name for row in rows}
    run = report.Run(rows, results, figures(rows), {}, 1, "2026-01-31", "make bench")
    measured = [line.split(" | ")[0] for line in report.required(run).splitlines() if "not measured" not in line][2:]
    assert [title.partition(",")[0].partition(" (")[0] for title in measured] == [
        "| frozen",
        "| the same",
        "| first call with a cold cache",
        "| peak memory of a hook call",
        "| the same of every rulez row below",
    ]
    assert all(f"| {name} | " in report.page(run) for name in wanted)
    ElementTree.fromstring(plot.svg(rows, results))
