"""`rulez undo`: a person gets back what a call has thrown away, out of its checkpoint."""

from __future__ import annotations

import os
import time

import click

from rulez_py.cli.granting import EXIT_CODES, Length, Refused, by_a_person, project_of, written
from rulez_py.system.checkpoints import records
from rulez_py.system.checkpoints.give_back import BESIDE, FAILED, GIVEN, Back, chosen, give_back, lines
from rulez_py.system.checkpoints.records import Checkpoint
from rulez_py.system.places import Places, places
from rulez_py.verdict import counted, visible

_LONGEST = 365 * 24 * 3600
_ONE_CALL = 5
"""Seconds between checkpoints of one call, at most."""
_LINE = 70
"""Characters of a command in the list."""


@click.command(epilog=EXIT_CODES)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--id", "identity", metavar="ID", help="This checkpoint; else those of the newest call of this project.")
@click.option("--since", metavar="TIME", type=Length(_LONGEST), help="All since then, the newest first: 15m, 1h, 7d.")
@click.option("--list", "listing", is_flag=True, help="Show the checkpoints that there are, of every project.")
@click.option("--diff", "differing", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--dry-run", is_flag=True, help="Say what would become of each file, and change nothing.")
def undo(
    paths: tuple[str, ...],
    identity: str | None,
    since: float | None,
    listing: bool,
    differing: bool,
    dry_run: bool,
) -> None:
    """Give back what a call has thrown away, where a rule has kept it (`checkpoint: true`).

    \b
    rulez undo --list           when, by which agent, which command, what
    rulez undo                  all that was kept of this project's newest call
    rulez undo src/a.py         this file, or what is below this directory
    rulez undo --id ID --diff   what would change

    Newer work is never overwritten: what is kept of such a file is put beside it, as NAME.rulez-undo. A person has to
    sit at the terminal, but for --list, --diff and --dry-run.
    """
    changes = not (listing or differing or dry_run)
    here = by_a_person() if changes else places(os.environ)
    there = records.read_all(here.state)
    if since is not None:
        there = tuple(one for one in there if one.time >= time.time() - since)
    if listing:
        _list(there)
        return
    wanted = tuple(os.path.join(os.path.realpath(os.path.dirname(os.path.abspath(one))), _name(one)) for one in paths)
    found = _found(here, there, identity, wanted, every=since is not None)
    if differing:
        for one in found:
            for line in lines(one, here.state, wanted):
                click.echo(visible(line))
        return
    failed = 0
    for one in found:
        done = give_back(one, here.state, wanted, dry_run=dry_run)
        click.echo(f"{one.id} ({one.agent}: {_command(one)})")
        for back in done:
            click.echo(_said(back, dry_run=dry_run), err=back.what == FAILED)
        failed += sum(back.what == FAILED for back in done)
        beside = sum(back.what == BESIDE for back in done)
        if beside:
            click.echo(f"ATTENTION: {counted(beside, 'newer version')} left as it is; what was kept is beside it.")
        if changes:
            given = sum(back.what == GIVEN for back in done)
            written(here, f"a person took {given + beside} things out of checkpoint {one.id}", one.command)
    if changes:
        records.sweep(here.state, time.time())
    if failed:
        raise Refused(f"{counted(failed, 'thing')} could not be given back")


def _name(path: str) -> str:
    return os.path.basename(os.path.abspath(path))


def _found(
    here: Places, there: tuple[Checkpoint, ...], identity: str | None, wanted: tuple[str, ...], *, every: bool
) -> list[Checkpoint]:
    """Return the checkpoints to take from, the newest first. Raises Refused where there is none."""
    if identity is not None:
        found = [one for one in there if one.id == identity]
        if not found:
            raise Refused(f"there is no checkpoint {visible(identity)}; `rulez undo --list` shows those there are")
        return found
    root = project_of(here, os.getcwd())
    found = [one for one in reversed(there) if one.project == root and (not wanted or chosen(one, wanted))]
    if not found:
        about = f" with {', '.join(map(visible, wanted))}" if wanted else ""
        raise Refused(
            f"there is no checkpoint of {visible(root)}{about}; `rulez undo --list` shows those of all projects"
        )
    return found if every else [one for one in found if _is_of_one_call(one, found[0])]


def _is_of_one_call(one: Checkpoint, other: Checkpoint) -> bool:
    """Tell whether two checkpoints are of one call: several rules may have kept a part each."""
    same = (one.agent, one.session, one.command) == (other.agent, other.session, other.command)
    return same and abs(one.time - other.time) < _ONE_CALL


def _said(back: Back, *, dry_run: bool) -> str:
    detail = f": {visible(back.detail)}" if back.detail else ""
    what = _WOULD.get(back.what, back.what) if dry_run else back.what
    return f"  {what:<14} {visible(back.name)}{detail}"


_WOULD = {GIVEN: "would be given back", BESIDE: "would be put beside"}


def _command(checkpoint: Checkpoint) -> str:
    line = " ".join(visible(checkpoint.command).split())
    return line if len(line) <= _LINE else f"{line[: _LINE - 3]}..."


def _list(there: tuple[Checkpoint, ...]) -> None:
    if not there:
        click.echo("no checkpoints")
    for one in reversed(there):
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(one.time))
        click.echo(f"{one.id}  {when}  {one.agent}  {one.what}  {one.size / 1_000_000:.1f} MB")
        click.echo(f"    {_command(one)}  (in {visible(one.project)})")
