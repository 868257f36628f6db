"""`rulez trust`: a person says that a project's policy may run its scripts, approve calls and rewrite them."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rulez_py import trust as store
from rulez_py.cli import person
from rulez_py.cli.granting import why_not_let
from rulez_py.policy.store.cache import warm
from rulez_py.system.places import Places, places
from rulez_py.verdict import counted
from rulez_py.verdict import visible as _visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.policy.format.check import Checked
    from rulez_py.policy.store.floor import Changed


class Refused(click.ClickException):
    """The request cannot be carried out; exit code 1."""

    def show(self, file: Any = None) -> None:
        click.echo(f"rulez trust: {self.message}", err=True)


class Describing(NamedTuple):
    """A file that describes programs as it is now: its text, the names that it describes, and what is wrong with it."""

    path: str
    digest: str
    text: str
    names: tuple[str, ...]
    mistakes: tuple[str, ...]


class Candidate(NamedTuple):
    """A policy file as it is now; `beyond` lists files of its scripts that trust does not cover."""

    path: str
    root: str
    digest: str
    scripts: list[str]
    patterns: list[str]
    beyond: tuple[str, ...]
    checked: Checked


@click.command(
    epilog="Exit codes: 0 done; 1 refused, declined, invalid, or nothing to do it to; 2 wrong command line.",
)
@click.argument("path", required=False, type=click.Path())
@click.option("--yes", is_flag=True, help="Do not ask; a person has to sit at the terminal all the same.")
@click.option("--list", "listing", is_flag=True, help="Show the trusted files: when, and whether they changed since.")
@click.option("--revoke", is_flag=True, help="Trust the file no longer.")
def trust(path: str | None, yes: bool, listing: bool, revoke: bool) -> None:
    """Let a project's policy run its scripts, approve calls and rewrite them; let it describe programs.

    PATH is a policy file, a file that describes programs (.toml) or a project directory; without it the project around
    the current directory is meant. What
    trusting the file would allow, each rule of the essentials that it weakens, and what trust does not cover, is shown
    before you are asked. Trust ends with every
    change to the file or to a script that its lines run. The policy's denials count without any of this.
    """
    if listing and (revoke or path or yes):
        raise click.UsageError("--list takes neither PATH nor another option")
    mine = places(os.environ)
    _believe(path, mine)
    try:
        if listing:
            _list(mine)
        elif revoke:
            _revoke(path, mine)
        else:
            _trust(path, yes, mine)
    except store.StoreProblem as problem:
        raise Refused(str(problem)) from None


def _believe(path: str | None, places: Places) -> None:
    """Raise Refused where the project, or another user, would own the list of trusted files."""
    from rulez_py.cli.validate import why_not_believed
    from rulez_py.policy.store.search import search

    start = path or os.getcwd()
    why = why_not_believed(places, search(places, start if os.path.isdir(start) else os.path.dirname(start) or "."))
    if why:
        raise Refused(why)


def _trust(path: str | None, yes: bool, places: Places) -> None:
    for policy in _policies(path, places):
        if _describes(policy):
            _trust_describing(policy, yes, places)
            continue
        candidate = _candidate(policy)
        shown = _visible(candidate.path)
        if candidate.checked.data is None:
            _show_problems(candidate.checked)
            raise Refused(f"{shown} is invalid, so it cannot be trusted; `rulez validate` checks it")
        if any(os.path.realpath(policy) == os.path.realpath(own) for own in _own_policies(places)):
            click.echo(f"{shown} is your own policy, it needs no trust")
            continue
        if store.is_trusted(places, candidate.path, candidate.digest):
            click.echo(f"{shown} is trusted already, as it is now")
            continue
        weakened = _weakened(candidate)
        for line in _description(candidate, weakened):
            click.echo(line)
        _confirm(places, yes, len(weakened))
        _believed(places, candidate.path, candidate.digest)
        warm(places, candidate.root)


def _trust_describing(path: str, yes: bool, places: Places) -> None:
    """Trust a file that describes programs, once a person has seen all of it."""
    shown = _visible(path)
    own = {os.path.realpath(one) for one in (places.managed_programs, *places.user_programs)}
    if os.path.realpath(os.path.dirname(path)) in own:
        click.echo(f"{shown} is your own, it needs no trust")
        return
    found = _describing(path)
    if found.mistakes:
        for mistake in found.mistakes:
            click.echo(_visible(mistake), err=True)
        raise Refused(f"{shown} is invalid, so it cannot be trusted; `rulez programs test` checks it")
    if store.is_trusted(places, path, found.digest):
        click.echo(f"{shown} is trusted already, as it is now")
        return
    click.echo(shown)
    click.echo(f"  It describes {counted(len(found.names), 'program')}: {_visible(', '.join(found.names))}.")
    click.echo(
        "  Once trusted, rules see in their commands what this says, in place of what rulez knows, and nothing else:"
    )
    for line in _block(found.text):
        click.echo(line)
    _confirm(places, yes, 0)
    _believed(places, path, found.digest)


def _believed(places: Places, path: str, digest: str) -> None:
    """Write down that a person trusts a file, and say so."""
    backup = store.trust(places, path, digest, time.time())
    if backup:
        click.echo(f"the list of trusted files was damaged; it is kept as {backup}, and a new one begun", err=True)
    click.echo(f"trusted: {_visible(path)}")


def _confirm(places: Places, yes: bool, weakened: int) -> None:
    """Returns where a person agrees. INVARIANT: an agent cannot agree for them, by an option or by another name."""
    why = person.why_no_person() or why_not_let(places, "trust")
    if why:
        raise Refused(why)
    question = "Trust this file as it is now"
    if weakened:
        question += f", and weaken {'this rule' if weakened == 1 else f'these {weakened} rules'} in its project"
    if not yes and not click.confirm(f"{question}?"):
        raise Refused("nothing was trusted")


def _list(places: Places) -> None:
    problem = store.problem(places)
    if problem:
        raise Refused(problem)
    entries = store.trusted(places)
    if not entries:
        click.echo("no policy file is trusted")
    for entry in entries:
        click.echo(f"{_state(entry):<13}  {entry.at}  {_visible(entry.path)}")


def _state(entry: store.Trusted) -> str:
    if not os.path.isfile(entry.path):
        return "missing"
    try:
        found = _describing(entry.path) if _describes(entry.path) else _candidate(entry.path)
        return "trusted" if found.digest == entry.digest else "changed since"
    except Refused:
        return "unreadable"


def _revoke(path: str | None, places: Places) -> None:
    problem = store.problem(places)
    if problem:
        raise Refused(problem)
    policies = [path] if path is not None and not os.path.isdir(path) else _policies(path, places)
    before = {entry.path for entry in store.trusted(places)}
    revoked = [policy for policy in policies if store.revoke(places, policy)]
    for policy in revoked:
        click.echo(f"no longer trusted: {_visible(os.path.abspath(policy))}")
    # It ends in all work trees, for every file of the repository.
    gone = before - {entry.path for entry in store.trusted(places)} - {os.path.realpath(one) for one in revoked}
    for path in sorted(gone):
        click.echo(f"no longer trusted: {_visible(path)}")
    if not revoked:
        raise Refused(f"{_visible(' and '.join(policies))} was not trusted")


# Which files, and what they are.


def _policies(path: str | None, places: Places) -> list[str]:
    """Return the files a person means, policies first. Raises Refused where there are none."""
    from rulez_py.policy.model.layers import PROJECT
    from rulez_py.policy.store.search import search

    if path is not None and not os.path.isdir(path):
        if not os.path.exists(path):
            raise Refused(f"{_visible(path)} does not exist")
        return [os.path.abspath(path)]
    start = os.path.abspath(path or os.getcwd())
    there = search(places, start)
    found = [one.path for one in there.files if one.layer == PROJECT]
    found += [one.path for one in there.programs if one.layer == PROJECT and _describes(one.path)]
    if not found:
        raise Refused(f"no project policy was found from {_visible(start)}; it would be .rulez/rules.yaml")
    return found


def _own_policies(places: Places) -> tuple[str, ...]:
    return (places.managed_policy, *places.user_policies)


def _describes(path: str) -> bool:
    from rulez_py.policy.store.search import DESCRIBING

    return path.endswith(DESCRIBING)


def _describing(path: str) -> Describing:
    """Return the file as it is now, read once, so that the person trusts what they see. Raises Refused."""
    from rulez_py.analysis.programs import Given, described, of_people
    from rulez_py.policy.model.layers import PROJECT
    from rulez_py.policy.store.programs import decoded
    from rulez_py.policy.store.search import leads_out

    if leads_out(path):
        raise Refused(f"{_visible(path)} is a link that leads out of the project, so it does not count")
    content = _content(path)
    try:
        text = decoded(content)
    except UnicodeDecodeError:
        raise Refused(f"{_visible(path)} is no text in UTF-8") from None
    given = [Given(shown=path, text=text, origin=PROJECT)]
    found = [one for dialect in ("", "powershell") for one in described(dialect, given).items()]
    names = tuple(sorted(name for name, entry in found if entry.file == path))
    return Describing(path, store.digest(path, content, ()), text, names, tuple(map(str, of_people(given).mistakes)))


def _content(path: str) -> bytes:
    """Return the bytes of a file. Raises Refused."""
    from rulez_py.policy.store.search import LARGEST_FILE
    from rulez_py.system.files import read_pieces

    try:
        content = b"".join(read_pieces(path, LARGEST_FILE + 1))
    except OSError as error:
        raise Refused(f"{_visible(path)} cannot be read: {error.strerror or error}") from None
    if len(content) > LARGEST_FILE:
        raise Refused(f"{_visible(path)} is larger than {LARGEST_FILE // 1024 // 1024} MiB")
    return content


def _candidate(path: str) -> Candidate:
    """Return the policy file as it is now, read once, so that the person trusts what they see. Raises Refused."""
    from rulez_py.policy.format.check import check
    from rulez_py.policy.model.layers import PROJECT
    from rulez_py.policy.store.search import root_of
    from rulez_py.trust.pins import reach

    content = _content(path)
    root = root_of(path)
    checked = check(content, path, layer=PROJECT, root=root)
    words = store.script_words(checked.raw, root)
    scripts = store.script_files(words, root)
    patterns = [word.removeprefix(store.GLOB) for word in words if word.startswith(store.GLOB)]
    digest = store.digest(path, content, scripts)
    return Candidate(path, root, digest, scripts, patterns, reach(checked.raw, root).beyond, checked)


def _show_problems(checked: Checked) -> None:
    from rulez_py.documents.diagnostics import errors

    for problem in errors(checked.problems):
        click.echo(_visible(str(problem)), err=True)


# Output for the person.


def _description(candidate: Candidate, weakened: list[Changed]) -> Iterator[str]:
    data = candidate.checked.data or {}
    rules = data.get("rules") or []
    yield _visible(candidate.path)
    powers = [*_settings_powers(data), *(line for rule in rules for line in _powers(rule))]
    count = counted(len(rules), "rule")
    if not powers:
        yield f"  {count}; none needs trust: denials and questions count without it"
    else:
        yield f"  {count}. Once trusted, they may:"
    yield from (f"    {line}" for line in powers)
    yield from _about_the_essentials(weakened)
    if candidate.scripts or candidate.patterns:
        yield "  Trust covers these files as well, and ends when one of them changes:"
        yield from (f"    {_visible(os.path.relpath(script, candidate.root))}" for script in candidate.scripts)
        yield from (
            f"    each file whose name fits {_visible(pattern)}, also a new one" for pattern in candidate.patterns
        )
    if any(action in (rule.get("actions") or {}) for rule in rules for action in _SCRIPTS):
        yield "  Not covered; a change there does not end trust:"
        yield from (f"    {_visible(what)}" for what in candidate.beyond)
        yield "    what these scripts and programs themselves run, load or read"


def _weakened(candidate: Candidate) -> list[Changed]:
    """Return the rules of the essentials that stop less in the file's project once it is trusted."""
    from rulez_py.policy.store.floor import changes_of
    from rulez_py.policy.store.load import read_floor

    essentials = read_floor(candidate.root).rules
    changed = changes_of(candidate.checked.data or {}, essentials, candidate.root, shown=candidate.path)
    return [one for one in changed if one.weaker]


def _about_the_essentials(weakened: list[Changed]) -> Iterator[str]:
    from rulez_py.policy.store.floor import NAME, would_be

    if not weakened:
        yield f"  It weakens no rule of {NAME}: they hold as before"
        return
    yield f"  It weakens {counted(len(weakened), 'rule')} of {NAME} in its project:"
    yield from (f"    {would_be(one)}" for one in weakened)


_SCRIPTS = ("run", "inject_command", "inline_script")


def _settings_powers(data: dict[str, Any]) -> Iterator[str]:
    settings = data.get("settings") or {}
    if settings.get("on_error", "deny") != "deny":
        yield f"{'let calls through' if settings['on_error'] == 'allow' else 'ask you'} where something fails"
    elif "on_error" not in settings and settings.get("fail_open") is True:
        yield "let calls through where a script cannot run"
    instead = (settings.get("checkpoints") or {}).get("instead_of")
    if instead is not None:
        yield "let calls through that lose something, once it is kept, where a rule asks (checkpoints.instead_of)"
    for name, change in (data.get("overrides") or {}).items():
        if change.get("action") == "checkpoint":
            yield f'let calls through that lose something, once it is kept (rule "{_visible(name)}")'


def _powers(rule: dict[str, Any]) -> Iterator[str]:
    """Yield what a rule may do only when its file is trusted, in lines."""
    from rulez_py.policy.judging.decide import ENDINGS
    from rulez_py.policy.judging.rewriting import bounded

    actions = rule.get("actions") or {}
    by = f'(rule "{_visible(rule["name"])}")'
    run = actions.get("run")
    if run:
        shell = " in a shell" if run.get("shell") else ""
        yield f"run{shell} {by}"
        yield from _block(" ".join((run["script"], *run.get("args", ()))))
    if "inline_script" in actions:
        yield f"run this script {by}"
        yield from _block(actions["inline_script"])
    if "inject_command" in actions:
        yield f"run this shell line and tell the agent its output {by}"
        yield from _block(actions["inject_command"])
    endings = [kind for kind in (rule.get("matchers") or {}).get("operations", ()) if kind in ENDINGS]
    if endings and actions:
        yield f"keep the agent going where it would end ({', '.join(endings)}) {by}"
    if "inject" in actions:
        yield f"show the agent a file, also one that a rule keeps it from reading {by}"
        yield from _block(actions["inject"])
    if actions.get("allow", False) is not False:
        yield f"approve calls without asking you {by}"
    if actions.get("checkpoint", False) is not False:
        yield f"let calls through that lose something, once it is kept {by}"
    if "rewrite" in actions:
        yield f"change the arguments of calls {by}"
        for name, value in actions["rewrite"].items():
            yield from _block(_rewriting(name, value))
        if isinstance(actions["rewrite"].get("command"), str) and bounded(rule.get("matchers") or {}):
            yield "    a line that says more than the command the rule is about is denied instead"


def _rewriting(name: str, value: object) -> str:
    """Return what becomes of an argument, in lines."""
    from rulez_py.policy.model.rewrites import REPLACE, is_partial, pairs, texts

    if not is_partial(value, of=name):
        return f"{name} = {value}"
    lines: list[str] = []
    for key, said in value.items():
        if key == REPLACE:
            lines += [f"{name}: {key} {pattern} -> {text}" for pattern, text in pairs(said)]
        else:
            lines.append(f"{name}: {key} {', '.join(texts(said))}")
    return "\n".join(lines)


def _block(text: str) -> Iterator[str]:
    """INVARIANT: all of it. What is left out here would be trusted unseen."""
    yield from (f"    | {_visible(line.expandtabs(4))}" for line in text.rstrip("\n").split("\n"))
