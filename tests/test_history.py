"""The log, read: its files in order, whatever is in them, and in numbers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.event import Event
from rulez_py.history import reading
from rulez_py.history.reading import Query, entries, entry_of, last_entries, log_files
from rulez_py.history.summary import summarised
from rulez_py.history.transcripts import past_calls
from rulez_py.log import audit
from rulez_py.verdict import Answer, Checkpoint, RuleHit, Verdict

NOON = 1_700_000_000.0


def line(
    number: int = 0,
    decision: str = "",
    rule: str | None = None,
    ms: float = 1.0,
    kept: Checkpoint | None = None,
    **fields: Any,
) -> bytes:
    """A line as the hook writes it, so many seconds after noon."""
    hits = (RuleHit(rule=rule, layer="user", source="r:1", mode="enforce", decision=decision),) if rule else ()
    given = {"platform": "claude", "types": ("PreToolUse",), "native_event": "PreToolUse", "session_id": "s-1"}
    event = Event(**{**given, "tool_name": "Bash", "tool_input": {"command": f"run {number}"}, **fields})
    verdict = Verdict(decision=decision, rule=rule, hits=hits, checkpoints=() if kept is None else (kept,))
    return audit.line(audit.entry_for(event, verdict, Answer(), ms, NOON + number))


class Kept:
    """A case of data/kept.yaml: a call with a checkpoint, and what is said of it."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.id, self.state, self.said = (case[name] for name in ("id", "state", "said"))
        self._there = case["there"]
        given = case["checkpoint"]
        self.checkpoint = Checkpoint(**{**given, "names": tuple(given["names"])})
        self.line = line(5, kept=self.checkpoint, cwd="/")

    def write(self, state: Path) -> None:
        """Write the log, and the directory that a checkpoint has."""
        for name in ("audit.jsonl", "denied.jsonl"):
            (state / name).write_bytes(self.line)
        if self._there:
            (state / "checkpoints" / self.checkpoint.id).mkdir(parents=True)


KEPT = [Kept(case) for case in YAML(typ="safe").load(Path(__file__).parent / "data/kept.yaml")]

OLD = (
    b'{"time":"2023-11-14T22:13:20.500Z","platform":"gemini","event":["PreToolUse"],"tool":"Bash","input":"ls",'
    b'"verdict":"","rule":null,"ms":3.0,"session":"s-0","cwd":"/p"}\n'
)


def test_a_line_from_before_schema_has_the_form_of_the_others() -> None:
    entry = entry_of(OLD)
    assert entry is not None
    assert (entry["verdict"], entry["rule"], entry["tool_use_id"]) == ("pass", "", "")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        line()[:40],
        b"\xff\xfe\x00\n",
        b"[]\n",
        b"{}\n",
        b'{"time": 7, "verdict": "deny"}\n',
        b"[" * 100_000,
        b'{"time":"t"}\n',
    ],
)
def test_what_is_no_entry_keeps_no_other_from_being_read(data: bytes) -> None:
    found = list(entries([line(1), data, line(2)], Query()))
    assert [entry["input"] for entry in found] == ["run 1", "run 2"]


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_left_out(data: bytes) -> None:
    list(entries([data], Query()))
    list(entries([data], Query(verdicts=frozenset(("deny",)))))
    summarised([data], Query())


HOSTILE: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9), lambda items: st.lists(items, max_size=3)
)


@given(
    st.dictionaries(st.sampled_from(("rule", "rules", "event", "tool", "ms", "session", "verdict", "input")), HOSTILE)
)
def test_fields_of_any_type_are_read(fields: dict[str, Any]) -> None:
    data = json.dumps({"time": "2023", "verdict": "ask", **fields}).encode()
    everything = Query("2", *(frozenset(("deny", "Bash")) for _ in range(5)))
    list(entries([data], everything))
    assert summarised([data, data], Query()).calls == 2


LINES = [
    line(1, "deny", "no-force-push", session_id="s-1"),
    line(2, "ask", "äsk", platform="codex", session_id='s"2'),
    line(3, "", tool_name="Write", platform_tool_name="write_file"),
    OLD,
]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (Query(), ["run 1", "run 2", "run 3", "ls"]),
        (Query(verdicts=frozenset(("deny",))), ["run 1"]),
        (Query(verdicts=frozenset(("deny", "ask"))), ["run 1", "run 2"]),
        (Query(verdicts=frozenset(("pass",))), ["run 3", "ls"]),
        (Query(platforms=frozenset(("codex", "gemini"))), ["run 2", "ls"]),
        (Query(tools=frozenset(("write_file",))), ["run 3"]),
        (Query(tools=frozenset(("Write",))), ["run 3"]),
        (Query(rules=frozenset(("äsk",))), ["run 2"]),
        (Query(rules=frozenset(("no-force",))), []),
        (Query(sessions=frozenset(('s"2',))), ["run 2"]),
        (Query(since="2023-11-14T22:13:22"), ["run 2", "run 3"]),
        (Query(verdicts=frozenset(("deny",)), platforms=frozenset(("codex",))), []),
    ],
)
def test_what_is_asked_for(query: Query, found: list[str]) -> None:
    assert [entry["input"] for entry in entries(LINES, query)] == found


def test_the_words_of_a_field_in_another_are_not_what_was_asked_for() -> None:
    data = line(1, tool_input={"command": '"verdict":"deny" "deny"'})
    assert list(entries([data], Query(verdicts=frozenset(("deny",))))) == []


TRIALS = [line(4, "deny", "rulez-keeps-its-hook", session_id=audit.OWN_SESSION), line(5, session_id=audit.OWN_SESSION)]


def test_what_doctor_tried_is_found_only_where_it_is_asked_for() -> None:
    raw = [LINES[0], *TRIALS]
    assert [entry["input"] for entry in entries(raw, Query())] == ["run 1"]
    assert [entry["input"] for entry in entries(raw, Query(rules=frozenset(("rulez-keeps-its-hook",))))] == []
    own = Query(sessions=frozenset((audit.OWN_SESSION,)))
    assert [entry["input"] for entry in entries(raw, own)] == ["run 4", "run 5"]


def test_calls_of_a_log_are_replayed_without_what_doctor_tried(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_bytes(b"".join([*TRIALS, LINES[0]]))
    assert [past.rule for past in past_calls(str(path))] == ["no-force-push"]


# Files.


def test_files_are_read_oldest_first(tmp_path: Path) -> None:
    for number, suffix in enumerate((".3", ".2", ".1", "")):
        (tmp_path / f"audit.jsonl{suffix}").write_bytes(line(number))
    paths = log_files(str(tmp_path), Query())
    assert [entry["input"] for entry in entries(reading.lines(paths), Query())] == [f"run {n}" for n in range(4)]


def test_how_far_reading_has_come_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_AT_ONCE", 1)
    monkeypatch.setattr(reading, "_REPORTED", 2 * len(line()))
    paths = [tmp_path / "a", tmp_path / "b"]
    for path in paths:
        path.write_bytes(b"".join(line(number) for number in range(5)))
    told: list[int] = []
    assert len(list(reading.lines(map(str, paths), told.append))) == 10
    assert (sum(told), len(told)) == (sum(path.stat().st_size for path in paths), 6)


def test_what_was_stopped_is_read_where_it_is_kept_longest(tmp_path: Path) -> None:
    (tmp_path / "audit.jsonl").write_bytes(line(1))
    (tmp_path / "denied.jsonl").write_bytes(line(0, "deny", "r"))
    assert log_files(str(tmp_path), Query(verdicts=frozenset(("deny",)))) == [str(tmp_path / "denied.jsonl")]
    assert log_files(str(tmp_path), Query(verdicts=frozenset(("deny", "pass")))) == [str(tmp_path / "audit.jsonl")]


def test_a_file_that_has_gone_has_no_lines(tmp_path: Path) -> None:
    assert list(reading.lines([str(tmp_path / "audit.jsonl")])) == []
    assert last_entries([str(tmp_path / "audit.jsonl")], Query(), 5) == []


@pytest.mark.parametrize("buffer", [1, 7, 64, 1 << 20])
@pytest.mark.parametrize("torn", [b"", b'{"time":"2023", "verd'])
def test_the_last_ones_are_the_same_as_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, buffer: int, torn: bytes
) -> None:
    monkeypatch.setattr(reading, "_BUFFER", buffer)
    older, newer = tmp_path / "a", tmp_path / "b"
    older.write_bytes(line(1) + b"\xff\n" + line(2))
    newer.write_bytes(line(3) + b"\n\n" + line(4) + torn)
    found = last_entries([str(older), str(newer)], Query(), 3)
    assert [entry["input"] for entry in found] == ["run 2", "run 3", "run 4"]
    assert len(last_entries([str(older), str(newer)], Query(), 9)) == 4


def test_the_call_that_was_stopped_last_and_those_before(tmp_path: Path) -> None:
    (tmp_path / "denied.jsonl").write_bytes(b"".join([*LINES[:2], TRIALS[0]]))
    assert [(one or {}).get("input") for one in (reading.last_stopped(str(tmp_path), n) for n in (1, 2, 3))] == [
        "run 2",
        "run 1",
        None,
    ]


def test_a_line_is_found_by_its_id_or_what_only_its_id_begins_with(tmp_path: Path) -> None:
    ids = ("ab12", "ab1", "cd")
    lines = [line(number).replace(b'"id":"', f'"id":"{own}","was":"'.encode()) for number, own in enumerate(ids)]
    (tmp_path / "audit.jsonl").write_bytes(b"".join(lines))
    found = {wanted: reading.by_id(str(tmp_path), wanted) for wanted in ("ab12", "ab1", "ab", "c", "x", "")}
    assert {wanted: one and one["input"] for wanted, one in found.items()} == {
        "ab12": "run 0",
        "ab1": "run 1",
        "ab": None,
        "c": "run 2",
        "x": None,
        "": None,
    }


def steps(path: Path, *things: Any) -> Iterator[None]:
    """Each time that following waits, the next thing happens to the file."""
    for thing in things:
        thing(path)
        yield


def append(data: bytes) -> Any:
    def act(path: Path) -> None:
        with path.open("ab") as file:
            file.write(data)

    return act


def rotate(path: Path) -> None:
    os.replace(path, f"{path}.1")


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be renamed there")
def test_following_goes_on_through_rotation(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_bytes(b"from before\n")

    def written_late(path: Path) -> None:
        append(b"three\n")(Path(f"{path}.1"))
        append(b"four\n")(path)

    happening = steps(path, append(b"one\ntw"), append(b"o\n"), rotate, written_late)
    lines = reading.follow(str(path), wait=lambda _seconds: next(happening))
    assert list(islice(lines, 4)) == [b"one", b"two", b"three", b"four"]
    lines.close()


def test_following_waits_for_a_log_that_is_not_there_yet(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    happening = steps(path, lambda path: None, append(b"one\n"))
    lines = reading.follow(str(path), wait=lambda _seconds: next(happening))
    assert next(lines) == b"one"
    lines.close()


# In numbers.


def summaries(raw: list[bytes]) -> list[Any]:
    """The same by the quick way, with a time as well, and by the one that reads each line."""
    each = Query(platforms=frozenset(("claude", "gemini")))
    return [summarised(raw, query) for query in (Query(), Query(since="2"), each)]


def test_calls_are_counted() -> None:
    raw = [line(0, "deny", "a"), line(1, "deny", "a"), line(2, "ask", "b"), line(3), OLD, b"torn"]
    for found in summaries(raw):
        assert found.calls == 5
        assert found.verdicts == {"deny": 2, "ask": 1, "pass": 2}
        assert found.top_rules(1) == [("a", "deny", 2)]
        assert found.over_time() == {"2023-11-14T22": {"deny": 2, "ask": 1, "pass": 2}}


def test_what_cannot_be_read_is_counted_by_itself() -> None:
    raw = [line(0), b"torn", b"\n", line(1)[:-9], line(2)]
    assert (summarised(raw, Query()).calls, summarised(raw, Query()).unreadable) == (2, 2)


@pytest.mark.parametrize(
    "odd",
    [
        line(1, "deny", 'a "quoted" rule'),
        line(1, "deny", "ä,b").replace(b'"ms":1.0', b'"ms":null'),
        line(1, "deny", "x").replace(b'"schema":1', b'"schema":2'),
        line(1, "deny", "x").replace(b'"rule":"x",', b'"more":"x",'),
    ],
)
def test_lines_that_are_not_as_the_hook_writes_them_count_the_same(odd: bytes) -> None:
    quick, since, each = summaries([odd, line(2, "deny", "r"), odd])
    assert quick.calls == 3
    assert (quick.hours, quick.rules) == (since.hours, since.rules) == (each.hours, each.rules)


def test_what_doctor_tried_is_not_counted() -> None:
    for found in summaries([*TRIALS, line(1), *TRIALS]):
        assert (found.calls, found.verdicts, found.rules) == (1, {"pass": 1}, {})


def test_calls_from_before_a_time_are_not_counted() -> None:
    raw = [line(number, "deny", "r") for number in range(5)]
    found = summarised(raw, Query(since=audit.iso_time(NOON + 3)))
    assert (found.calls, found.verdicts) == (2, {"deny": 2})


def test_a_long_time_is_counted_by_days() -> None:
    raw = [line(hour * 3600) for hour in range(60)]
    for found in summaries(raw):
        assert list(found.over_time()) == ["2023-11-14", "2023-11-15", "2023-11-16", "2023-11-17"]


def test_the_slowest_come_first() -> None:
    raw = [line(number, ms=float(number * 7 % 50)) for number in range(50)]
    for found in summaries(raw):
        assert [ms for ms, _ in found.slowest] == [float(ms) for ms in range(49, 39, -1)]


AFTER: dict[str, Any] = {"types": ("PostToolUse",), "native_event": "PostToolUse"}


@pytest.mark.parametrize("own", ["call-{}", 'ä"{}', ""], ids=["with an id", "with an odd id", "without"])
def test_questions_that_were_always_approved_are_named(own: str) -> None:
    raw = []
    for number in range(3):
        raw.append(line(number, "ask", "needless", call_id=own.format(number)))
        raw.append(line(number, call_id=own.format(number), **AFTER))
        raw.append(line(number + 10, "ask", "useful", call_id=own.format(number + 10)))
    raw.append(line(10, call_id=own.format(10), **AFTER))
    for found in summaries(raw):
        assert [(rule, one.asked) for rule, one in found.needless()] == [("needless", 3)]


def test_another_session_approves_nothing() -> None:
    raw = [one for n in range(3) for one in (line(n, "ask", "r"), line(n, session_id="s-2", **AFTER))]
    assert [found.needless() for found in summaries(raw)] == [[], [], []]


def test_checkpoints_are_counted_once_and_the_latest_are_named() -> None:
    def kept(number: int) -> bytes:
        return line(number, kept=Checkpoint(id=str(number // 2), rule="r", what="1 file"))

    found = summarised([*(kept(number) for number in range(300)), line(301)], Query())
    assert (found.calls, list(found.kept)) == (301, [str(number) for number in range(50, 150)])


@pytest.mark.parametrize(
    "field",
    [{}, "a", 7, [7], [{}], [{"id": 7, "what": "1 file"}], [{"id": "", "what": "x"}], [{"id": "i", "what": []}]],
    ids=repr,
)
def test_what_has_not_the_form_of_a_checkpoint_is_none(field: Any) -> None:
    whole = {**json.loads(line(1)), "checkpoints": field}
    assert not summarised([json.dumps(whole).encode() + b"\n"], Query()).kept


@pytest.mark.parametrize("names", [7, [7, "a"], "a", None], ids=repr)
def test_odd_fields_of_a_checkpoint_do_not_hide_it(names: Any) -> None:
    odd = {"id": "i", "what": "1 file", "names": names, "count": True, "until": 7}
    whole = {**json.loads(line(1)), "checkpoints": [odd]}
    found = summarised([json.dumps(whole).encode() + b"\n"], Query()).kept
    assert found["i"][1].in_words("there").startswith("kept 1 file")


def test_the_last_that_was_stopped_or_kept(tmp_path: Path) -> None:
    kept = line(3, kept=Checkpoint(id="i", rule="r", what="1 file"))
    (tmp_path / "denied.jsonl").write_bytes(b"".join([line(1, "deny", "r"), line(2, "ask", "r"), kept]))
    last = [reading.last_stopped(str(tmp_path), 1, or_kept=or_kept) for or_kept in (True, False)]
    assert [(one or {}).get("input") for one in last] == ["run 3", "run 2"]
