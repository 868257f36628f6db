"""docs/security.md answers for every command and option what an agent, or a repository, could make of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import click

from benchmarks import kinds
from benchmarks.peers import PEERS
from dev import kinds_page
from rulez_py.cli import cli

PAGE = Path(__file__).parent.parent / "docs" / "security.md"
HEADING = "## rulez' own commands"
CODE = re.compile(r"`([^`]+)`")


def commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, with its words."""
    if not isinstance(command, click.Group):
        yield " ".join(path), command
        return
    if command.invoke_without_command and path:
        yield " ".join(path), command
    with click.Context(command) as context:
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, (*path, name))


def options(command: click.Command) -> set[str]:
    """Long names; `--help` only prints."""
    names = (name for one in command.params if isinstance(one, click.Option) for name in one.opts)
    return {name for name in names if name.startswith("--")}


def answered() -> dict[str, set[str]]:
    """The commands that the table names, each with the options that its rows name."""
    section = PAGE.read_text("utf-8").split(HEADING, 1)[1].split("\n## ", 1)[0]
    found: dict[str, set[str]] = {}
    for line in section.splitlines():
        cells = line.split(" | ")
        if not line.startswith("| `"):
            continue
        assert len(cells) == 3, line
        assert all(cell.strip(" |") for cell in cells), line
        said = CODE.findall(cells[0])
        rows = [one for one in said if not one.startswith("--")]
        for row in rows:
            found.setdefault(row, set()).update(one for one in said if one.startswith("--"))
    return found


def test_every_command_and_option_is_answered() -> None:
    there = {name: options(command) for name, command in commands(cli)}
    table = answered()
    assert {
        name: sorted(names - table.get(name, set())) for name, names in there.items() if names - table.get(name, set())
    } == {}
    assert sorted(set(there) - set(table)) == []


def test_the_table_names_nothing_that_is_not_there() -> None:
    there = {name: options(command) for name, command in commands(cli)}
    assert sorted(set(answered()) - set(there)) == []
    # A row of several commands may name options that only some of them have.
    everywhere = set().union(*there.values()) | {"--stream", "--platform", "--event", "--rules"}
    assert {name for names in answered().values() for name in names} <= everywhere


def test_how_much_is_stopped_is_measured() -> None:
    page = PAGE.read_text("utf-8")
    assert kinds_page.with_table(page) == page, "run `make kinds-page`"


def test_by_default_nothing_less_is_stopped_than_with_more() -> None:
    for row in kinds_page.table().splitlines()[2:]:
        counts = [re.findall(r"\d+|none", cell)[0] for cell in row.split("|")[2:5]]
        numbers = [0 if count == "none" else int(count) for count in counts]
        assert numbers == sorted(numbers), row


def test_other_products_were_asked_about_the_calls_that_are_there() -> None:
    kept = json.loads(kinds.KEPT.read_text("utf-8"))
    assert kept["kinds"] == kinds.digest(), "run `make peers`"
    assert list(kept["stopped"]) == [peer.title for peer in PEERS], "run `make peers`"
    for told in kept["stopped"].values():
        for side in kinds.SIDES:
            assert all(0 <= count <= len(kind[side]) for count, kind in zip(told[side], kinds.kinds(), strict=True))


def test_every_kind_has_harmless_calls_beside_it() -> None:
    assert [kind["kind"] for kind in kinds.kinds() if len(kind["free"]) < 3] == []
