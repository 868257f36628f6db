"""`rulez validate`: is every policy file that applies here, or every file named, in order?"""

from __future__ import annotations

import os

import click

from rulez_py.verdict import counted, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.lint.untold import Untold
    from rulez_py.policy.model.rule import Rule
    from rulez_py.policy.store.file import PolicyFile
    from rulez_py.policy.store.floor import Floor
    from rulez_py.policy.store.search import Found, Search
    from rulez_py.system.places import Places


_NAMES = ("rules.yaml", "hooks.yaml")
_ENDINGS = (".yaml", ".yml")
NEEDS_TRUST = frozenset(("run", "inline_script", "inject_command", "allow", "rewrite"))


@click.command("validate", epilog="Exit codes: 0 no error, warnings or not; 1 an error; 2 wrong command line.")
@click.argument("files", metavar="[FILE|DIRECTORY]...", nargs=-1, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def validate(files: tuple[str, ...], as_json: bool) -> None:
    """Check policy files, and files that describe programs (.toml), and print each mistake with its place.

    Without FILE these are the files that apply in the current directory; then settings of the agents there that switch
    hooks off are printed, too. A DIRECTORY means every policy file in it.
    """
    from rulez_py.documents.diagnostics import errors
    from rulez_py.policy.store import floor

    named, describing = _apart(files)
    read = [_linted(file) for file in policy_files(named)] if named or not files else []
    read = read if files else _with_names_that_fit_nothing(read)
    described = _described(describing, named=bool(files))
    ok = not any(errors(file.problems) for file in read) and not any(problems for *_, problems in described)
    switches = () if files else switched_off()
    below = None if files or not ok else _below(read)
    if as_json:
        from rulez_py.system import jsontext

        told: dict[str, Any] = {"files": [_as_json(file) for file in read], "ok": ok}
        if described:
            told["programs"] = [
                {"path": shown, "layer": layer, "waits_for_trust": waits, "problems": problems_as_json(problems)}
                for shown, layer, waits, problems in described
            ]
        if not files:
            told["essentials"] = None if below is None else floor.as_json(below)
            told["settings"] = [{"path": one.path, **shown} for one in switches for shown in problems_as_json((one,))]
        click.echo(jsontext.dumps(told))
    else:
        essentials = () if below is None else (floor.in_words(below),)
        of_policies = lines(read) if read or not files else []
        for line in (*of_policies, *_of_programs(described), *essentials, *(one.labelled for one in switches)):
            click.echo(line)
    if ok and not files:
        _keep_it_compiled()
    click.get_current_context().exit(0 if ok else 1)


def _apart(files: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the policies, and the files that describe programs."""
    from rulez_py.policy.store.search import DESCRIBING

    describing = tuple(one for one in files if one.endswith(DESCRIBING) and not os.path.isdir(one))
    return tuple(one for one in files if one not in describing), describing


def _described(files: tuple[str, ...], *, named: bool) -> list[tuple[str, str, bool, tuple[Diagnostic, ...]]]:
    """Return the files that describe programs, each as people call it, its layer, whether it waits for trust, and what
    is wrong with it.

    Those that apply here where none is `named`.
    """
    from rulez_py.cli.described import of_people
    from rulez_py.policy.store.search import shown_path
    from rulez_py.system.places import places

    if named and not files:
        return []
    found = of_people(files if named else None, untrusted=True)
    home = places(os.environ).home
    shown = [(shown_path(one.path, os.getcwd(), home), one.layer, not one.trusted) for one in found.sources]
    return [(*one, tuple(problem for problem in found.problems if problem.path == one[0])) for one in shown]


def _of_programs(described: list[tuple[str, str, bool, tuple[Diagnostic, ...]]]) -> list[str]:
    """Return the messages about these files."""
    said: list[str] = []
    for shown, layer, waits, problems in described:
        state = "something in it does not count" if problems else "describes programs"
        state += ", waits for `rulez trust`" if waits else ""
        said += [f"{visible(shown)} ({layer}): {state}", *(problem.labelled for problem in problems)]
    return said


def _linted(file: PolicyFile) -> PolicyFile:
    """Return the same, with what lint finds that no rule can mean as warnings."""
    from rulez_py.documents.diagnostics import errors, in_order
    from rulez_py.lint.lint import warnings_in
    from rulez_py.policy.store.search import LARGEST_FILE, root_of
    from rulez_py.system.files import read_pieces

    if errors(file.problems) or file.ignored:
        return file
    try:
        content = b"".join(read_pieces(file.source.path, LARGEST_FILE))
    except OSError:
        return file
    found = warnings_in(content, file.shown, root=root_of(file.source.path), path=file.source.path)
    return file.replace(problems=in_order([*file.problems, *found]))


def _with_names_that_fit_nothing(files: list[PolicyFile]) -> list[PolicyFile]:
    """Return the files that apply here, with a warning of each key of `overrides` that is about no rule.

    What a file may change lies in other files, so only here is it known. A rule of rulez' sets counts, for a project
    may extend its set.
    """
    from rulez_py.documents.diagnostics import WARNING, diagnostic, in_order
    from rulez_py.policy import packs
    from rulez_py.policy.format.overrides import MAY_CHANGE_OTHERS, changes_here, concerned
    from rulez_py.policy.model.layers import LAYERS
    from rulez_py.policy.store.search import project_root
    from rulez_py.system.places import places

    shipped = [name for rules in packs.reach(packs.names()).values() for name in rules]
    root = project_root(places(os.environ), os.getcwd())
    done = []
    for file in files:
        found = []
        if file.source.layer in MAY_CHANGE_OTHERS:
            below = LAYERS[LAYERS.index(file.source.layer) + 1 :]
            names = [rule["name"] for one in files if one.source.layer in below for rule in one.rules]
            told = " ".join(problem.message for problem in file.problems)
            for key, change in changes_here(file.overrides or {}, root).items():
                if not concerned(key, (*shipped, *names)) and f'"overrides" names "{key}"' not in told:
                    line = int(change["by"].rpartition(":")[2])
                    said = f'"overrides" names "{key}", no rule here'
                    help = "write its name as its file does, or only_in, where it is a rule of other projects"
                    found.append(diagnostic(file.shown, (line, 1), said, help, severity=WARNING))
        done.append(file.replace(problems=in_order([*file.problems, *found])) if found else file)
    return done


def _keep_it_compiled() -> None:
    """So that the first call of an agent need not do it."""
    from rulez_py.policy.store.cache import warm
    from rulez_py.system.places import places

    warm(places(os.environ), os.getcwd())


def switched_off() -> tuple[Diagnostic, ...]:
    """Return what the agents' settings in the current project do to hooks, for every agent."""
    from rulez_py.disabled_hooks import found
    from rulez_py.platforms import PLATFORMS
    from rulez_py.policy.store.search import project_root, shown_path
    from rulez_py.system.places import places

    here, directory = places(os.environ), os.getcwd()
    directories = (directory, project_root(here, directory))
    return found(PLATFORMS, directories, lambda path: shown_path(path, directory, here.home))


def policy_files(named: tuple[str, ...]) -> list[PolicyFile]:
    """Return the files named, read; those that apply in the current directory where none is."""
    from rulez_py.policy.store.load import believing, read_found
    from rulez_py.system.places import places
    from rulez_py.trust import is_trusted

    here = places(os.environ)

    def trusted(path: str, digest: str) -> bool:
        return is_trusted(here, path, digest)

    files = _files(here, named)
    believed = believing(here, trusted)
    return [read_found(one, believed, shown=shown) for one, shown in files]


def _files(here: Places, named: tuple[str, ...]) -> list[tuple[Found, str]]:
    """Return the files to check, each with its name for people."""
    from rulez_py.policy.model.layers import PROJECT
    from rulez_py.policy.store.search import Found, search, shown_path

    found = search(here, os.getcwd())
    why = why_not_believed(here, found)
    if why:
        raise click.ClickException(why)
    if not named:
        return [(one, shown_path(one.path, os.getcwd(), here.home)) for one in found.files]
    named = tuple(path for name in named for path in _named(name))
    layers = {os.path.realpath(one.path): one.layer for one in found.files}
    return [
        (Found(layer=layers.get(os.path.realpath(name), PROJECT), path=os.path.abspath(name)), name) for name in named
    ]


def _named(name: str) -> list[str]:
    """Return the files of a name. Raises ClickException for a directory without any."""
    if not os.path.isdir(name):
        return [name]
    below = list(policies_below(name))
    if not below:
        raise click.ClickException(f"{name}: there is no policy file in this directory")
    return below


def policies_below(directory: str) -> Iterator[str]:
    """The policy files in a directory and below: those called so, all in a `.rulez/rules.d`, and all YAML that has a
    version and rules.
    """
    from rulez_py.policy.store.search import PROJECT_RULES

    for place, names, files in os.walk(directory):
        names[:] = sorted(name for name in names if name in (".rulez", ".claude") or not name.startswith("."))
        for name in sorted(files):
            path = os.path.join(place, name)
            is_ours = place.endswith(os.sep + PROJECT_RULES)
            if name in _NAMES or (name.endswith(_ENDINGS) and (is_ours or _looks_like_a_policy(path))):
                yield path


def _looks_like_a_policy(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            lines = file.read(64 * 1024).splitlines()
    except OSError:
        return False
    keys = {line.partition(b":")[0] for line in lines if line[:1].isalpha()}
    return b"version" in keys and bool(keys & {b"rules", b"extends"})


def why_not_believed(here: Places, *found: Search) -> str:
    """Return why the environment's places must not be trusted for one of these directories; "" where they may."""
    from rulez_py.system.places import in_words, refused

    refusals = refused(os.environ, here, [ground for one in found for ground in one.grounds])
    return "; ".join(in_words(refusals)) if refusals else ""


def lines(files: list[PolicyFile]) -> list[str]:
    """Return the messages about these files."""
    from rulez_py.documents.diagnostics import errors

    said = [] if files else ["no policy file applies here"]
    for file in files:
        count = counted(len(file.rules), "rule")
        state = "ignored" if file.ignored else "not valid" if errors(file.problems) else count
        trust = ", waits for `rulez trust`" if waits_for_trust(file) else ""
        where = "of the main work tree" if file.elsewhere else "above the repository"
        above = f", {where}: only its denials and questions count" if file.above else ""
        further = f", {counted(len(file.source.included), 'file')} that it extends" if file.source.included else ""
        said.append(f"{visible(file.shown)} ({file.source.layer}{above}): {state}{further}{trust}")
        said += [problem.labelled for problem in file.problems]
        said += [f"{one.file}:{one.line}: note: {visible(one.message)}; {one.help}" for one in _untold(file)]
    return said


def _untold(file: PolicyFile) -> list[Untold]:
    """Return the rules that some agents give no result to remember by."""
    if not any("remember" in rule["actions"] for rule in file.rules):
        return []
    from rulez_py.lint.untold import untold

    return list(untold(file.rules))


def _below(files: list[PolicyFile]) -> Floor:
    """Return how the essentials hold beside all files that apply here."""
    from rulez_py.policy.store.load import floor_of
    from rulez_py.policy.store.search import project_root
    from rulez_py.system.places import places

    return floor_of(files, project_root(places(os.environ), os.getcwd()))


def waits_for_trust(file: PolicyFile) -> bool:
    """Tell whether something in the file has no effect until a person has trusted it."""
    return not file.source.trusted and any(_waits(rule) for rule in file.rules)


def _waits(rule: Rule) -> bool:
    from rulez_py.policy.judging.decide import ENDINGS

    at_an_end = any(kind in ENDINGS for kind in rule["match"].get("operations", ()))
    return bool(NEEDS_TRUST & rule["actions"].keys() or (at_an_end and rule["actions"]))


def _as_json(file: PolicyFile) -> dict[str, Any]:
    return {
        "path": file.shown,
        "layer": file.source.layer,
        "rules": len(file.rules),
        **({"extends": [path for path, *_ in file.source.included]} if file.source.included else {}),
        "waits_for_trust": waits_for_trust(file),
        "problems": problems_as_json(file.problems),
        **({"never_remembers": found} if (found := [_untold_as_json(one) for one in _untold(file)]) else {}),
    }


def _untold_as_json(one: Untold) -> dict[str, Any]:
    return {"rule": one.rule, "key": one.key, "required_by": list(one.required_by), "agents": list(one.agents)}


def problems_as_json(problems: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Problems as programs read them."""
    keys = ("severity", "line", "column", "message", "help")
    return [{key: getattr(problem, key) for key in keys} for problem in problems]
