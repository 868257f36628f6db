"""`rulez init`: a first policy file, explained line by line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from rulez_py.cli import person
from rulez_py.verdict import visible

if TYPE_CHECKING:
    from rulez_py.suggest.suggest import Suggestion
    from rulez_py.system.places import Places

_DEFAULT = "recommended"


class NotDone(click.ClickException):
    """Nothing was written; exit code 1."""

    def show(self, file: Any = None) -> None:
        click.echo(f"error: {self.message}", err=True)


@click.command("init", epilog="Exit codes: 0 written; 1 not, for instance because there is one; 2 wrong command line.")
@click.option("--user", "scope", flag_value="user", help="For yourself in all projects: ~/.config/rulez/rules.yaml.")
@click.option(
    "--project",
    "scope",
    flag_value="project",
    default="project",
    help="For this project (the default): .rulez/rules.yaml.",
)
@click.option("--pack", "packs", metavar="NAME", multiple=True, help=f"A rule set to take; repeatable. [{_DEFAULT}]")
@click.option("--suggested", is_flag=True, help="Take also the rule sets that fit this project by its files.")
def init(scope: str, packs: tuple[str, ...], suggested: bool) -> None:
    """Write a first policy file, with every line explained, and its schema for editors beside it.

    For a project it also writes scenarios that `rulez test` tries: calls, and what the whole policy must say to them.

    \b
      rulez init                            for this project
      rulez init --user                     for yourself
      rulez init --pack git --pack secrets  with these rule sets
      rulez init --suggested                with those that fit this project, too

    A file that is there is never written over. `rulez packs list` names the rule sets. Those that fit the project by
    its files are in its policy as comments, each with the files that say so.
    """
    from rulez_py.cli.schema import POLICY, text
    from rulez_py.policy import packs as shelf
    from rulez_py.policy.format.scenarios import ENDING
    from rulez_py.policy.format.starter import SCENARIOS, SCHEMA, starter
    from rulez_py.system.places import places

    mine = places(os.environ)
    if suggested and scope != "project":
        raise click.UsageError("--suggested is about one project, --user about all of them; choose one")
    chosen = [_known(name) for name in packs or (_DEFAULT,)]
    path = _path(scope, mine)
    why = person.why_agent()
    if why:
        raise NotDone(why)
    fitting = _fitting(mine, chosen) if scope == "project" else ()
    chosen += [one.pack for one in fitting if suggested]
    proposed = () if suggested else fitting
    text_of_it = starter(
        [shelf.PREFIX + name for name in chosen],
        project=scope == "project",
        suggested=[(shelf.PREFIX + one.pack, ", ".join(one.why)) for one in proposed],
    )
    _write(path, text_of_it, mine)
    schema = os.path.join(os.path.dirname(path), SCHEMA)
    if not os.path.lexists(schema):
        _write(schema, text(POLICY), mine)
    if scope == "project":
        scenarios = os.path.join(os.path.dirname(path), "tests", f"agents{ENDING}")
        if not os.path.lexists(scenarios):
            _write(scenarios, SCENARIOS, mine)
    _say(fitting, taken=suggested)
    click.echo("Edit it; `rulez validate` checks it, `rulez test` tries the tests in it.")


def _fitting(mine: Places, chosen: list[str]) -> tuple[Suggestion, ...]:
    """Return the rule sets that fit the project and do not come with those that are chosen."""
    from rulez_py.policy import packs as shelf
    from rulez_py.policy.store.search import project_root
    from rulez_py.suggest.project import look
    from rulez_py.suggest.suggest import suggestions

    found = suggestions(look(project_root(mine, os.getcwd()), mine.home))
    coming = shelf.reach(shelf.PREFIX + name for name in chosen)
    return tuple(one for one in found if one.pack not in coming)


def _say(fitting: tuple[Suggestion, ...], *, taken: bool) -> None:
    from rulez_py.suggest.suggest import listed

    if fitting and taken:
        click.echo(f"Taken for what is here: {listed(fitting)}.")
    elif fitting:
        click.echo(f"These fit what is here, and are in it as comments: {listed(fitting)}.")


def _known(name: str) -> str:
    from rulez_py.cli.packs import known_pack
    from rulez_py.policy import packs as shelf

    plain = known_pack(name)
    if plain not in shelf.extendable():
        raise click.BadParameter(f"{shelf.PREFIX}{plain} holds always; there is no need to take it")
    return plain


def _path(scope: str, mine: Places) -> str:
    """Return where the policy belongs. Raises NotDone where one is, or its place is not to be believed."""
    from rulez_py.cli.validate import why_not_believed
    from rulez_py.policy.store.search import PROJECT_FILES, search

    found = search(mine, os.getcwd())
    why = why_not_believed(mine, found)
    if why:
        raise NotDone(why)
    taken = [os.path.join(found.root, name) for name in PROJECT_FILES] if scope == "project" else mine.user_policies
    there = next((path for path in taken if os.path.lexists(path)), None)
    if there is not None:
        raise NotDone(f"{_shown(there, mine)} is there already, and is left as it is")
    return taken[0]


def _write(path: str, text: str, mine: Places) -> None:
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise NotDone(f"{_shown(path, mine)} cannot be written: {(error.strerror or str(error)).lower()}") from None
    click.echo(f"wrote {_shown(path, mine)}")


def _shown(path: str, mine: Places) -> str:
    from rulez_py.policy.store.search import shown_path

    return visible(shown_path(path, os.getcwd(), mine.home))
