"""`rulez log`: print decisions, the rules behind them, and their counts over time."""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from rulez_py.cli.platform_option import NAMES, platform_option
from rulez_py.verdict import ALLOW, ASK, DENY, PASS, UNKNOWN, counted, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from rich.console import Console

    from rulez_py.history.reading import Entry, Query
    from rulez_py.history.summary import Summary
    from rulez_py.log.checkpoints import Logged

SHOWN = 20
"""The default number of calls to list."""
COLUMNS = (
    *("time", "verdict", "rule", "rule_source", "platform", "tool", "input", "reason", "ms", "session", "tool_use_id"),
    *("cwd", "host", "user", "id"),
)
"""The columns of --csv."""
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_LARGE = 20 << 20
"""Bytes of logs from which on a bar displays progress."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _since(_context: click.Context, _option: click.Parameter, value: str | None) -> str:
    """Return how long ago, or a point in time in UTC -> the beginning of an ISO time, "" for none."""
    from rulez_py.log.audit import iso_time

    ago = re.fullmatch(r"(\d{1,9})([smhdw])", value or "")
    if ago:
        return iso_time(max(0.0, time.time() - int(ago[1]) * _UNITS[ago[2]]))
    if value and not re.fullmatch(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?Z?)?", value):
        shown = "90s, 30m, 1h, 2d, 1w, 2026-11-23 or 2026-11-23T07:00 (UTC)"
        raise click.BadParameter(f"{visible(value)!r} is no time; write {shown}")
    return (value or "").replace(" ", "T").removesuffix("Z")


def choosing(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the options by which calls of the log are chosen, and the files."""
    options = (
        click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(exists=True, dir_okay=False)),
        click.option(
            "--since", metavar="TIME", callback=_since, help="Only calls since then: 90s, 30m, 1h, 2d, 1w, or a date."
        ),
        platform_option(f"Of this agent: {NAMES}.", "platforms", multiple=True),
        click.option("--tool", "tools", metavar="NAME", multiple=True, help="Of this tool, e.g. Bash."),
        click.option(
            "--verdict",
            "verdicts",
            type=click.Choice((DENY, ASK, ALLOW, PASS)),
            multiple=True,
            help="With this verdict.",
        ),
        click.option("--rule", "rules", metavar="NAME", multiple=True, help="That this rule matched."),
        click.option("--session", "sessions", metavar="ID", multiple=True, help="Of this session."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def chosen(files: tuple[str, ...], since: str, **sets: tuple[str, ...]) -> tuple[Query, list[str]]:
    """Return the query that the options make, and the files that answer it."""
    from rulez_py.history.reading import Query, log_files
    from rulez_py.system.places import places

    query = Query(since=since, **{name: frozenset(values) for name, values in sets.items()})
    return query, list(files) or log_files(places(os.environ).state, query)


@click.command("log", epilog="Exit codes: 0; 1 a file cannot be read; 2 wrong command line. Fields: docs/log.md.")
@choosing
@click.option("-n", "--last", "number", type=click.IntRange(min=0), help=f"How many; 0 for all (default {SHOWN}).")
@click.option("-f", "--follow", "following", is_flag=True, help="Go on with what comes, until Ctrl-C.")
@click.option("--summary", is_flag=True, help="Numbers: over time, by rule, the slowest calls, needless questions.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per call (with --summary: one in all).")
@click.option("--csv", "as_csv", is_flag=True, help="A table for a spreadsheet.")
def log(
    files: tuple[str, ...],
    since: str,
    number: int | None,
    following: bool,
    summary: bool,
    as_json: bool,
    as_csv: bool,
    **sets: tuple[str, ...],
) -> None:
    """Show the calls that were judged, the latest last; times are UTC.

    \b
    rulez log --since 1h --verdict deny    what was denied in the last hour
    rulez log -f                           as it happens
    rulez log --summary --since 7d         the week in numbers

    Without FILE this is your own log, with its rotated files. Given several times, an option means any of these.
    """
    from rulez_py.history.reading import Query

    if (as_json and as_csv) or (following and (summary or files)) or (as_csv and summary):
        raise click.UsageError("--json and --csv, -f and FILE, and --summary and -f or --csv do not go together")
    query, paths = chosen(files, since, **sets)
    show = _as_json if as_json else _csv_writer() if as_csv else _Lines()
    try:
        if summary:
            _summarise(paths, query, as_json=as_json)
            return
        shown = False
        for entry in _past(paths, query, number, everything=bool(since or as_json or as_csv)):
            show(entry)
            shown = True
        if following:
            sys.stdout.flush()
            _follow(query, show)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.ClickException(f"{error.filename or 'the log'}: {error.strerror or error}") from None
    if not shown and not (following or as_json or as_csv):
        none = query == Query() and not files
        click.echo("no call has been logged yet" if none else "the log has no such call", err=not none)


def _past(paths: list[str], query: Query, number: int | None, *, everything: bool) -> Iterable[Entry]:
    from rulez_py.history.reading import entries, last_entries

    if number is None:
        number = 0 if everything else SHOWN
    if number:
        return last_entries(paths, query, number)
    return _with_progress(paths, lambda raw: entries(raw, query))


def _follow(query: Query, show: Callable[[Entry], None]) -> None:
    from rulez_py.history.reading import entries, follow
    from rulez_py.log.audit import FILE_NAME
    from rulez_py.system.places import places

    path = os.path.join(places(os.environ).state, FILE_NAME)
    try:
        for entry in entries(follow(path), query):
            show(entry)
            sys.stdout.flush()
    except KeyboardInterrupt:
        click.echo()


def _with_progress(paths: list[str], work: Callable[[Iterable[bytes]], Iterable[Entry]]) -> Iterator[Entry]:
    with reading(paths) as raw:
        yield from work(raw)


@contextmanager
def reading(paths: list[str]) -> Iterator[Iterator[bytes]]:
    """Yield the lines of files, and on a terminal a bar that says how many of them have been read."""
    from rulez_py.history.reading import lines

    total = sum(os.path.getsize(path) for path in paths if os.path.exists(path))
    if total < _LARGE or not sys.stderr.isatty():
        yield lines(paths)
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    from rulez_py.cli.tables import console

    columns = (TextColumn("reading the log"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lines(paths, lambda read: progress.advance(task, read))


# Lines for calls.


def _as_json(entry: Entry) -> None:
    from rulez_py.history.reading import as_logged
    from rulez_py.log.audit import as_json

    click.echo(as_json(as_logged(entry)))


def _csv_writer() -> Callable[[Entry], None]:
    import csv

    from rulez_py.log.checkpoints import checkpoints_of

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow((*COLUMNS, "checkpoints"))

    def show(entry: Entry) -> None:
        kept = " ".join(one.id for one in checkpoints_of(entry))
        writer.writerow([*(_cell(entry.get(name)) for name in COLUMNS), _cell(kept)])

    return show


def _cell(value: object) -> str:
    """Return a cell that a spreadsheet reads as text, also where a model wrote a formula."""
    text = "" if value is None else visible(str(value))
    return f"'{text}" if text.startswith(_FORMULA) else text


class _Lines:
    """One line for each call, cut at a terminal's edge; a day is printed above its calls."""

    def __init__(self) -> None:
        from rulez_py.cli.tables import console

        self._console = console()
        self._day = ""
        self._states = States()

    def __call__(self, entry: Entry) -> None:
        from rich.text import Text

        from rulez_py.cli.tables import STYLES, cell

        day, _, clock = entry["time"].partition("T")
        if day != self._day:
            self._day = day
            self._print(cell(day, "bold"))
        verdict = entry["verdict"]
        text = Text()
        text.append_text(cell(clock[:8].ljust(8), "dim"))
        text.append_text(cell(f"  {verdict:<5}", STYLES.get(verdict, "")))
        text.append_text(cell(f"  {entry['platform']:<8}  {entry['tool'] or ' '.join(entry['event']):<9}"))
        text.append_text(cell(f"  {entry['rule']}", "bold") if entry["rule"] else cell(""))
        text.append_text(cell(f"  {entry['input']}"))
        for said in _besides(entry):
            text.append_text(cell(f"  {said}", "italic"))
        for kept in self._states.said_of(entry):
            text.append_text(cell(f"  ({kept})", "italic"))
        self._print(text)

    def _print(self, text: Any) -> None:
        whole = not self._console.is_terminal
        self._console.print(
            text, no_wrap=True, overflow="ignore" if whole else "ellipsis", crop=not whole, soft_wrap=whole
        )


class States:
    """The states of checkpoints, looked up when the first is asked for."""

    def __init__(self) -> None:
        self._there: frozenset[str] | None = None
        self._now = ""

    def of(self, one: Logged) -> str:
        """Return whether a checkpoint is there, has expired, or was deleted."""
        from rulez_py.log.audit import iso_time
        from rulez_py.system.checkpoints.records import all_names
        from rulez_py.system.places import places

        if self._there is None:
            self._there, self._now = all_names(places(os.environ).state), iso_time(time.time())
        return one.state(self._there, self._now)

    def said_of(self, entry: Mapping[str, object]) -> list[str]:
        """Return a clause for each checkpoint of a logged call."""
        from rulez_py.log.checkpoints import checkpoints_of

        return [one.in_words(self.of(one)) for one in checkpoints_of(entry)]


def _besides(entry: Entry) -> Iterator[str]:
    """Yield the actions and grants of people, and the decisions of rules that only log."""
    from rulez_py.history.reading import notes_of, would_be
    from rulez_py.log.audit import PERSON

    if entry["platform"] == PERSON:
        yield from notes_of(entry)
    if entry["let_pass"]:
        yield f"(let pass by {entry['let_pass']})"
    yield from (f"(only logs: {rule} would {_WOULD.get(would, would)})" for rule, would in would_be(entry))


_WOULD = {DENY: "deny", ASK: "ask", UNKNOWN: "run a script"}


# The summary.


def _summarise(paths: list[str], query: Query, *, as_json: bool) -> None:
    from rulez_py.history.summary import summarised
    from rulez_py.log.audit import as_json as in_json

    with reading(paths) as raw:
        found = summarised(raw, query)
    if as_json:
        click.echo(in_json(summary_as_json(found)))
        return
    from rulez_py.cli.tables import console

    screen = console()
    for part in _parts(found, screen):
        screen.print(part)


def summary_as_json(found: Summary) -> dict[str, object]:
    """Return the summary as one object."""
    return {
        "schema": 1,
        "calls": found.calls,
        "unreadable": found.unreadable,
        "verdicts": found.verdicts,
        "over_time": found.over_time(),
        "rules": [
            {"rule": rule, "verdict": verdict, "calls": count}
            for rule, verdict, count in found.top_rules(len(found.rules))
        ],
        "would": [{"rule": rule, "would": would, "calls": count} for rule, would, count in found.top_would()],
        "enforced": found.enforced,
        "let_pass": [{"by": by, "calls": count} for by, count in sorted(found.let_pass.items())],
        "kept": kept_as_json(found),
        "person": [{"time": when, "what": what} for when, what in found.person],
        "slowest": [{key: entry.get(key) for key in ("ms", *COLUMNS)} for _ms, entry in found.slowest],
        "false_alarm_candidates": [{"rule": rule, "asked": one.asked} for rule, one in found.needless()],
    }


def kept_as_json(found: Summary) -> list[dict[str, object]]:
    """Return the checkpoints of a summary, each with its call, the latest last."""
    states = States()
    return [
        {
            **{name: entry.get(name) for name in ("time", "platform", "input")},
            **one.as_dict(),
            "names": list(one.names),
            "state": (state := states.of(one)),
            "said": one.in_words(state),
        }
        for entry, one in found.kept.values()
    ]


def _parts(found: Summary, screen: Console) -> Iterator[Any]:
    from rich.text import Text

    from rulez_py.cli.tables import STYLES, cell, table
    from rulez_py.history.reading import stopped_more

    verdicts = found.verdicts
    said = ", ".join(f"{verdicts[name]} {name}" for name in (DENY, ASK, ALLOW, PASS) if name in verdicts)
    yield Text(f"{counted(found.calls, 'call')}{': ' if said else ''}{said}", style="bold")
    if found.unreadable:
        which = counted(found.unreadable, "line that cannot be read is", "lines that cannot be read are")
        yield Text(f"{which} not counted")
    if not found.calls:
        return
    yield Text()
    yield _chart(found, screen)
    if found.rules:
        yield Text("\nRules that decided most", style="bold")
        rows = [(cell(count), cell(v, STYLES.get(v, "")), cell(rule)) for rule, v, count in found.top_rules(10)]
        yield table((("calls", True), ("verdict", False), ("rule", False)), rows)
    if found.would:
        yield Text("\nRules that only log, and what they would have said", style="bold")
        logged = [(cell(count), cell(v, STYLES.get(v, "")), cell(rule)) for rule, v, count in found.top_would()[:10]]
        yield table((("calls", True), ("would", False), ("rule", False)), logged)
        if said := stopped_more(found.enforced):
            yield Text(said)
    if found.let_pass:
        yield Text("\nPassed by a person's word", style="bold")
        passed = [(cell(count), cell(by)) for by, count in sorted(found.let_pass.items())]
        yield table((("calls", True), ("by", False)), passed)
    if found.kept:
        yield Text("\nWhat was kept of what calls would have lost", style="bold")
        states = States()
        latest = list(found.kept.values())[-10:]
        kept = [
            (cell(call["time"][:16].replace("T", " ")), cell(one.id), cell(states.of(one)), cell(one.what))
            for call, one in latest
        ]
        yield table((("UTC", False), ("checkpoint", False), ("state", False), ("what", False)), kept)
    if found.person:
        yield Text("\nWhat a person did", style="bold")
        did = [(cell(when[:16].replace("T", " ")), cell(what)) for when, what in found.person[-10:]]
        yield table((("UTC", False), ("what", False)), did)
    yield Text("\nSlowest calls", style="bold")
    slow = [
        (cell(f"{ms:.0f}"), cell(one["tool"]), cell(_cut(one["input"], screen.width - 24)))
        for ms, one in found.slowest[:5]
    ]
    yield table((("ms", True), ("tool", False), ("input", False)), slow)
    needless = found.needless()
    if needless:
        yield Text("\nFalse alarms? Asked, and approved each time", style="bold")
        yield table((("asked", True), ("rule", False)), [(cell(one.asked), cell(rule)) for rule, one in needless[:10]])


def _cut(text: str, length: int) -> str:
    shown = visible(text)
    return shown if len(shown) <= length else shown[: max(1, length - 1)] + "…"


ROWS = 31
"""Rows of the chart; of a longer time the latest are printed."""


def _chart(found: Summary, screen: Console) -> Any:
    from rich.text import Text

    from rulez_py.cli.tables import STYLES, cell, table

    over_time = list(found.over_time().items())[-ROWS:]
    most = max(sum(counts.values()) for _, counts in over_time)
    room = max(10, screen.width - 42)
    marks = {DENY: "█", ASK: "▓", ALLOW: "▒", PASS: "░"}
    if "utf" not in screen.encoding.lower():
        marks = {DENY: "#", ASK: "?", ALLOW: "+", PASS: "."}
    rows = []
    for when, counts in over_time:
        bar = Text()
        for verdict, mark in marks.items():
            width = round(counts.get(verdict, 0) * room / most)
            bar.append(mark * (width or bool(counts.get(verdict))), STYLES[verdict])
        total = sum(counts.values())
        shown = cell(when.replace("T", " ") + ("h" if "T" in when else ""))
        rows.append((shown, cell(total), cell(counts.get(ASK, 0)), cell(counts.get(DENY, 0)), bar))
    legend = "  ".join(f"{mark} {verdict}" for verdict, mark in marks.items())
    return table((("UTC", True), ("calls", True), ("ask", True), ("deny", True), (legend, False)), rows)
