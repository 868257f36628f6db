"""`rulez replay`: judge past calls by another policy."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from rulez_py.verdict import counted, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulez_py.history.replay import Replayed
    from rulez_py.history.transcripts import Past


@click.command("replay", epilog="Exit codes: 0; 1 a file or the policy cannot be used; 2 wrong command line.")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(exists=True, dir_okay=False))
@click.option("--policy", type=click.Path(exists=True, dir_okay=False), help="Judge by this file, not by your own.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def replay(files: tuple[str, ...], policy: str | None, as_json: bool) -> None:
    """Judge past calls again, and show which verdicts would be others.

    \b
    rulez replay --policy new.yaml             your log, by another policy
    rulez replay ~/.claude/projects/*/*.jsonl  transcripts, by the policy in force

    FILE is a log of rulez or a transcript of Claude Code, Codex CLI, Gemini CLI, Copilot CLI or OpenCode (its
    database); the content tells which. Without FILE it is your own log. Nothing runs, no script of a policy either.
    """
    from rulez_py.history.replay import replayed

    rules = os.path.abspath(policy) if policy else None
    if rules:
        _must_be_valid(rules, policy or "")
    found = replayed(_calls(files), os.environ, rules)
    if as_json:
        from rulez_py.log.audit import as_json as in_json

        click.echo(in_json(_as_json(found)))
        return
    from rulez_py.cli.tables import console

    screen = console()
    for part in _parts(found, screen.width):
        screen.print(part)


def _must_be_valid(path: str, shown: str) -> None:
    from rulez_py.cli.validate import policy_files
    from rulez_py.documents.diagnostics import errors

    for file in policy_files((path,)):
        wrong = errors(file.problems)
        if wrong:
            raise click.ClickException(f"{visible(shown)} is not valid: {visible(str(wrong[0]))}")


def _calls(files: tuple[str, ...]) -> Iterator[Past]:
    from rulez_py.history.reading import Query, log_files
    from rulez_py.history.transcripts import past_calls
    from rulez_py.system.places import places

    for path in files or log_files(places(os.environ).state, Query()):
        try:
            yield from past_calls(path)
        except ValueError as error:
            raise click.ClickException(f"{visible(path)}: {visible(str(error))}") from None
        except OSError as error:
            raise click.ClickException(f"{visible(path)}: {error.strerror or error}") from None


def _as_json(found: Replayed) -> dict[str, object]:
    changes: list[dict[str, object]] = []
    for one in found.ordered():
        what: dict[str, object] = {"then": one.then, "now": one.now, "rule": one.rule or None, "reason": one.reason}
        changes.append({**what, "calls": one.calls, "examples": one.examples})
    counts = {"judged": found.judged, "same": found.same, "without_project": found.gone}
    would = [{"rule": rule, "would": said, "calls": calls} for (rule, said), calls in _most_first(found)]
    logged: dict[str, object] = {"enforced": found.enforced, "would": would}
    return {"schema": 1, **counts, "inexact": found.inexact, "changes": changes, **logged}


def _most_first(found: Replayed) -> list[tuple[tuple[str, str], int]]:
    return sorted(found.would.items(), key=lambda item: (-item[1], item[0]))


def _parts(found: Replayed, width: int) -> Iterable[Any]:
    from rich.text import Text

    from rulez_py.cli.tables import STYLES, cell, table
    from rulez_py.history.reading import stopped_more

    other = found.judged - found.same
    said = f"{counted(found.judged, 'call')} judged again: {found.same} as before, {other} otherwise"
    yield Text(said, style="bold")
    if found.inexact:
        number = sum(found.inexact.values())
        yield Text(f"{number} cannot be replayed exactly, and {'is' if number == 1 else 'are'} not judged:")
        yield from (cell(f"  {count}: {why}") for why, count in found.inexact.items())
    if found.gone:
        yield Text(f"{found.gone} judged without their project's policy: its directory is gone, or not told")
    if found.changes:
        yield Text()
    for one in found.ordered():
        head = Text()
        head.append_text(cell(f"{one.calls:>5}  "))
        head.append_text(cell(one.then, STYLES.get(one.then, "")))
        head.append_text(cell(" -> "))
        head.append_text(cell(one.now, STYLES.get(one.now, "")))
        head.append_text(cell(f"  {one.rule}", "bold"))
        yield head
        for example in one.examples:
            shown = visible(example)
            yield cell(f"         {shown if len(shown) <= width - 9 else shown[: width - 10] + '…'}", "dim")
    if found.would:
        yield Text("\nRules that only log, and what they would say", style="bold")
        logged = [(cell(calls), cell(v, STYLES.get(v, "")), cell(rule)) for (rule, v), calls in _most_first(found)[:10]]
        yield table((("calls", True), ("would", False), ("rule", False)), logged)
        if stopped := stopped_more(found.enforced):
            yield Text(stopped)
