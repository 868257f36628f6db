"""`rulez packs`: the rule sets that ship inside rulez, and what is in them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from rulez_py.policy import packs as shelf
from rulez_py.verdict import counted, visible

if TYPE_CHECKING:
    from rulez_py.policy.store.load import Policy

_as_json = click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
_HOLDS_ALWAYS = "always holds"


@click.group("packs")
def packs() -> None:
    """Show the rule sets that ship inside rulez, which `extends: [builtin:NAME]` takes."""


@packs.command("list", epilog="Exit codes: 0 done; 2 wrong command line.")
@_as_json
def list_packs(as_json: bool) -> None:
    """List them: name, number of rules, purpose."""
    names = [*shelf.extendable(), shelf.SELF_PROTECTION]
    rows = [(name, sum(map(len, shelf.reach((name,)).values())), shelf.about(name)) for name in names]
    if as_json:
        _print_json(
            [
                {"name": name, "rules": count, "about": about, "extendable": name != shelf.SELF_PROTECTION}
                for name, count, about in rows
            ]
        )
        return
    width = max(len(name) for name in names)
    for name, count, about in rows:
        what = f"{about} ({_HOLDS_ALWAYS})" if name == shelf.SELF_PROTECTION else about
        click.echo(f"{name:<{width}}  {counted(count, 'rule'):>9}  {what}".rstrip())


@packs.command("show", epilog="Exit codes: 0 done; 1 it cannot be read; 2 wrong command line, or no such rule set.")
@click.argument("name")
@click.option("--yaml", "as_yaml", is_flag=True, help="Print the rules as they are written.")
@_as_json
def show(name: str, as_yaml: bool, as_json: bool) -> None:
    """Show each rule of a rule set: what it does, why, and what it suggests."""
    if as_yaml and as_json:
        raise click.UsageError("choose one of --yaml and --json")
    name = known_pack(name)
    if as_yaml:
        click.echo(shelf.text_of(name), nl=False)
        return
    rules = rules_in(name)
    if as_json:
        about = {"name": name, "about": shelf.about(name), "extends": list(shelf.extended_by(name))}
        _print_json({**about, "rules": rules})
        return
    click.secho(f"{shelf.PREFIX}{name}: {counted(len(rules), 'rule')}", bold=True)
    if shelf.about(name):
        click.echo(shelf.about(name))
    for rule in rules:
        origin = "" if rule["pack"] == name else f"  ({shelf.PREFIX}{rule['pack']})"
        click.echo(f"\n{rule['name']}: {rule['decision']}{origin}")
        for text in (rule["description"], rule["suggestion"]):
            if text:
                click.echo(f"  {text.strip()}")


@packs.command(
    "suggest",
    epilog="Exit codes: 0 done; 1 the policy here is not in order, or not to be believed; 2 wrong command line.",
)
@_as_json
def suggest(as_json: bool) -> None:
    """Name the rule sets that fit this project by its files and are not in force, and the lines that take them."""
    from rulez_py.suggest.suggest import suggestions, suits_any, without

    policy, files, file = _here()
    if policy.problems:
        raise click.ClickException("what is in force here cannot be known; `rulez validate` shows why")
    fitting = without((*suggestions(files), suits_any()), policy.rules)
    if as_json:
        _print_json(
            {
                "file": file,
                "suggested": [
                    {"name": one.pack, "why": list(one.why), "about": shelf.about(one.pack), "line": one.line}
                    for one in fitting
                ],
            }
        )
        return
    if not fitting:
        click.echo("Every rule set that fits this project is in force.")
        return
    for one in fitting:
        click.secho(f"{one.pack}: {', '.join(one.why)}", bold=True)
        click.echo(f"  {shelf.about(one.pack)}")
    click.echo(f"\nWhat takes them, below `extends:` in {visible(file) or 'a policy (`rulez init` writes one)'}:")
    for one in fitting:
        click.echo(f"  {one.line}")


def _here() -> tuple[Policy, dict[str, str], str]:
    """Return the policy in force, the project's files, and the displayed name of its own policy; "" without one."""
    from rulez_py.cli.install import this_machine
    from rulez_py.policy.store.load import load
    from rulez_py.policy.store.search import project_policies, shown_path
    from rulez_py.suggest.project import look

    here = this_machine()
    # Trusted or not, a file's rule sets hold.
    policy = load(here.own, os.getcwd(), trusted=lambda _path, _digest: False)
    within = os.path.join(here.project, "")
    own = next((path for path in project_policies(os.getcwd(), here.own) if path.startswith(within)), "")
    return policy, look(here.project, here.own.home), shown_path(own, os.getcwd(), here.own.home) if own else ""


def known_pack(name: str) -> str:
    """Return the rule set a person means, with `builtin:` in front or not. Raises click.BadParameter."""
    from rulez_py.documents.diagnostics import closest

    known = shelf.names()
    plain = name.removeprefix(shelf.PREFIX)
    if plain in known:
        return plain
    close = closest(plain, known)
    advice = f'did you mean "{close}"?' if close else f"there are {', '.join(known)}"
    raise click.BadParameter(f'there is no rule set "{plain}"; {advice}')


def rules_in(name: str) -> list[dict[str, Any]]:
    """Return the rules of a rule set, with those of the sets it extends."""
    from rulez_py.policy.store.load import read_packs

    read = read_packs((name,), "/")
    problems = [str(problem) for pack in read for problem in pack.problems]
    if problems:
        raise click.ClickException("; ".join(problems))
    return [
        {
            "name": rule["name"],
            "pack": pack.shown.removeprefix(shelf.PREFIX),
            "decision": "ask" if "ask" in rule["actions"] else "deny",
            "description": rule["description"],
            "suggestion": rule["suggestion"],
        }
        for pack in read
        for rule in pack.rules
    ]


def _print_json(value: object) -> None:
    from rulez_py.system import jsontext

    click.echo(jsontext.dumps(value))
