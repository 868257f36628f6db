"""`rulez validate`: is every policy file that applies here, or every file named, in order?"""

from __future__ import annotations

import os

import click

from rulez_py.policy import packs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from rulez_py.places import Places
    from rulez_py.policy.load import PolicyFile
    from rulez_py.policy.match import Rule
    from rulez_py.problems import Problem


ESSENTIALS = packs.PREFIX + packs.DEFAULT
NEEDS_TRUST = frozenset(("run", "inline_script", "inject_command", "allow", "rewrite"))


@click.command("validate")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def validate(files: tuple[str, ...], as_json: bool) -> None:
    """Check policy files and say what is wrong with them, and where.

    Without FILE these are the files that apply in the current directory. The exit code is 1 where there is an error.
    """
    from rulez_py.problems import errors

    read = policy_files(files)
    ok = not any(errors(file.problems) for file in read)
    if as_json:
        from rulez_py import jsontext

        click.echo(jsontext.dumps({"files": [_as_json(file) for file in read], "ok": ok}))
    else:
        for line in lines(read, discovered=ok and not files):
            click.echo(line)
    click.get_current_context().exit(0 if ok else 1)


def policy_files(named: tuple[str, ...]) -> list[PolicyFile]:
    """The files named, read; those that apply in the current directory where none is."""
    from rulez_py.places import places

    here = places(os.environ)
    return [_read(here, layer, path, shown) for layer, path, shown in _files(here, named)]


def _files(here: Places, named: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """(layer, path, name for people) of the files to check."""
    from rulez_py.policy.layers import PROJECT
    from rulez_py.policy.load import discover, shown_path

    found = discover(here, os.getcwd())
    if not named:
        return [(layer, path, shown_path(path, os.getcwd(), here.home)) for layer, path in found]
    layers = {os.path.realpath(path): layer for layer, path in found}
    return [(layers.get(os.path.realpath(name), PROJECT), os.path.abspath(name), name) for name in named]


def _read(here: Places, layer: str, path: str, shown: str) -> PolicyFile:
    from rulez_py.policy.load import read_file
    from rulez_py.trust import is_trusted

    return read_file(layer, path, lambda path, digest: is_trusted(here, path, digest), shown=shown)


def lines(files: list[PolicyFile], *, discovered: bool = False) -> list[str]:
    """What people are told of these files; `discovered` says that they are all that apply here."""
    from rulez_py.problems import errors

    if not files:
        return [f"no policy file applies here; the rules of {ESSENTIALS} hold"]
    said = []
    for file in files:
        count = "1 rule" if len(file.rules) == 1 else f"{len(file.rules)} rules"
        state = "not valid" if errors(file.problems) else count
        trust = ", waits for `rulez trust`" if waits_for_trust(file) else ""
        said.append(f"{file.shown} ({file.source.layer}): {state}{trust}")
        said += [problem.labelled for problem in file.problems]
    if discovered and not any(rule["source"].startswith(ESSENTIALS) for file in files for rule in file.rules):
        said.append(f"note: {ESSENTIALS} does not apply beside these files; `extends: [{ESSENTIALS}]` adds it")
    return said


def waits_for_trust(file: PolicyFile) -> bool:
    """Whether something in the file has no effect until a person has trusted it."""
    return not file.source.trusted and any(_waits(rule) for rule in file.rules)


def _waits(rule: Rule) -> bool:
    from rulez_py.policy.match import ENDINGS

    at_an_end = any(kind in ENDINGS for kind in rule["match"].get("operations", ()))
    return bool(NEEDS_TRUST & rule["actions"].keys() or (at_an_end and rule["actions"]))


def _as_json(file: PolicyFile) -> dict[str, Any]:
    return {
        "path": file.shown,
        "layer": file.source.layer,
        "rules": len(file.rules),
        "waits_for_trust": waits_for_trust(file),
        "problems": problems_as_json(file.problems),
    }


def problems_as_json(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Problems as programs read them."""
    keys = ("severity", "line", "column", "message", "help")
    return [{key: getattr(problem, key) for key in keys} for problem in problems]
