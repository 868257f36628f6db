"""`rulez trust`: a person says that a project's policy may run its scripts, approve calls and rewrite them."""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rulez_py import trust as store
from rulez_py.cli import person
from rulez_py.cli.granting import why_not_let
from rulez_py.cli.trust_changes import as_kept, as_object, change, lines_of
from rulez_py.cli.trust_powers import Candidate, block, description, weaker_rules
from rulez_py.policy.store.cache import warm
from rulez_py.policy.store.trusting import by_whom, signature_problems
from rulez_py.system.files import replace
from rulez_py.system.places import Places, places
from rulez_py.trust import kept
from rulez_py.trust.digests import PREFIX, SIGNATURE
from rulez_py.trust.signatures import NAMESPACE, message, program
from rulez_py.trust.store import entry_before, place_of
from rulez_py.verdict import counted
from rulez_py.verdict import visible as _visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.cli.trust_changes import Change
    from rulez_py.policy.store.file import Trusting
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


@click.command(
    epilog="Exit codes: 0 done; 1 refused, declined, invalid, or nothing to do it to; 2 wrong command line.",
)
@click.argument("path", required=False, type=click.Path())
@click.option("--yes", is_flag=True, help="Do not ask; a person has to sit at the terminal all the same.")
@click.option("--everywhere", is_flag=True, help="Also in each other clone where all of it is the same.")
@click.option("--show", is_flag=True, help="Show what would be trusted and what has changed, and trust nothing.")
@click.option("--list", "listing", is_flag=True, help="Show the trusted files: when, and whether they changed since.")
@click.option("--revoke", is_flag=True, help="Trust the file no longer.")
@click.option("--sign", "key", metavar="KEY", help="Sign it with this SSH key, for those who let its owner sign.")
@click.option("--signed-text", is_flag=True, help="Print the text that a signature is made of.")
@click.option("--json", "as_json", is_flag=True, help="With --show or --list: one JSON object, for programs.")
def trust(
    path: str | None,
    yes: bool,
    everywhere: bool,
    show: bool,
    listing: bool,
    revoke: bool,
    key: str | None,
    signed_text: bool,
    as_json: bool,
) -> None:
    """Let a project's policy run its scripts, approve calls and rewrite them; let it describe programs.

    PATH is a policy file, a file that describes programs (.toml) or a project directory; without it the project around
    the current directory is meant. What
    trusting the file would allow, each rule of the essentials that it weakens, and what trust does not cover, is shown
    before you are asked; of a file that you trusted before also what it may newly do, and the lines that changed.
    Trust ends with every
    change to the file or to a script that its lines run. The policy's denials count without any of this.
    """
    if listing and (path or yes):
        raise click.UsageError("--list takes neither PATH nor another option")
    if sum((listing, show, revoke, key is not None, signed_text)) > 1:
        raise click.UsageError("choose one of --list, --show, --revoke, --sign and --signed-text")
    if as_json and not (listing or show):
        raise click.UsageError("--json goes with --show or --list")
    trusting = not (listing or show or revoke or signed_text or key is not None)
    if (yes and (show or signed_text)) or (everywhere and not trusting):
        raise click.UsageError("--yes and --everywhere are for trusting a file")
    mine = places(os.environ)
    _believe(path, mine)
    try:
        if listing:
            _list(mine, as_json=as_json)
        elif show:
            _show(path, mine, as_json=as_json)
        elif revoke:
            _revoke(path, mine)
        elif signed_text:
            _signed_text(path, mine)
        elif key is not None:
            _sign(path, key, yes, mine)
        else:
            _trust(path, yes, mine, everywhere=everywhere)
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


def _trust(path: str | None, yes: bool, places: Places, *, everywhere: bool) -> None:
    machine = _machine(places)
    for policy in _policies(path, places):
        if _describes(policy):
            _trust_describing(policy, yes, places, everywhere=everywhere)
            continue
        candidate = _valid(policy)
        shown = _visible(candidate.path)
        if _is_own(policy, places):
            click.echo(f"{shown} is your own policy, it needs no trust")
            continue
        by = by_whom(machine, places, candidate.path, candidate.digest)
        if by and not (everywhere and by == "you"):
            click.echo(f"{shown} is trusted already, as it is now{'' if by == 'you' else f' (by {_visible(by)})'}")
            continue
        weakened = weaker_rules(candidate)
        _echo_all(candidate, weakened, places)
        _confirm(places, yes, len(weakened), everywhere=everywhere)
        now = as_kept(candidate)
        _still(candidate)
        _believed(places, candidate.path, candidate.digest, everywhere=everywhere)
        kept.keep(places, candidate.digest, now, (one.digest for one in store.trusted(places)))
        warm(places, candidate.root)


def _machine(places: Places) -> Trusting | None:
    from rulez_py.policy.store.load import trusting_of

    return trusting_of(places)


def _valid(policy: str) -> Candidate:
    """Return the policy file as it is now. Raises Refused where it is invalid."""
    from rulez_py.documents.diagnostics import errors

    candidate = _candidate(policy)
    if errors(candidate.problems):
        for problem in errors(candidate.problems):
            click.echo(_visible(str(problem)), err=True)
        raise Refused(f"{_visible(candidate.path)} is invalid, so it cannot be trusted; `rulez validate` checks it")
    return candidate


def _still(candidate: Candidate) -> None:
    """Raise Refused where the file, or one that it covers, is not what the person has seen any more."""
    if _candidate(candidate.path).digest != candidate.digest:
        raise Refused(f"{_visible(candidate.path)} has changed meanwhile; look at it again")


def _echo_all(candidate: Candidate, weakened: list[Changed], places: Places) -> None:
    for line in description(candidate, weakened):
        click.echo(line)
    found = _changed(candidate, places)
    for line in lines_of(found) if found is not None else ():
        click.echo(line)
    for why in signature_problems(_machine(places), places, candidate.path, candidate.digest):
        click.echo(f"  {_visible(candidate.path)}{SIGNATURE}: this signature does not count: {_visible(why)}")


def _changed(candidate: Candidate, places: Places) -> Change | None:
    """Return what has changed since a person trusted the file; None where that is not known, or nothing has."""
    before = entry_before(places, candidate.path)
    was = None if before is None or before.digest == candidate.digest else kept.read(places, before.digest)
    return None if before is None or was is None else change(was, as_kept(candidate), before.at)


# Showing.


def _show(path: str | None, places: Places, *, as_json: bool) -> None:
    """Show what would be trusted. It needs no person: it trusts nothing."""
    machine, said = _machine(places), []
    for policy in _policies(path, places):
        if _is_own(policy, places):
            raise Refused(f"{_visible(policy)} is your own policy, it needs no trust")
        if _describes(policy):
            found = _describing(policy)
            by = by_whom(machine, places, policy, found.digest)
            said.append({"path": policy, "digest": PREFIX + found.digest, "trusted_by": by, "programs": found.names})
            for line in () if as_json else _about_description(found):
                click.echo(line)
        else:
            candidate = _valid(policy)
            by = by_whom(machine, places, candidate.path, candidate.digest)
            weakened = weaker_rules(candidate)
            said.append(as_object(candidate, weakened, by, _changed(candidate, places)))
            if not as_json:
                _echo_all(candidate, weakened, places)
        if not as_json:
            click.echo(f"  {said[-1]['digest']}")
            click.echo(f"  {f'trusted by {_visible(by)}' if by else 'not trusted'}")
    if as_json:
        click.echo(json.dumps({"files": said}, indent=2))


# Signing.


def _signed_text(path: str | None, places: Places) -> None:
    """Print what is signed. It needs no person: with the key anything can be signed."""
    policies = _policies(path, places)
    if len(policies) != 1:
        raise Refused(f"a signature is for one file; name one of {_visible(', '.join(policies))}")
    click.echo(message(policies[0], _digest(policies[0])).decode(), nl=False)


def _sign(path: str | None, key: str, yes: bool, places: Places) -> None:
    """Sign each file beside itself, once a person has seen what it may do."""
    for policy in _policies(path, places):
        if _is_own(policy, places):
            raise Refused(f"{_visible(policy)} is your own policy, it needs no trust")
        if _describes(policy):
            found = _describing(policy)
            digest = found.digest
            for line in _about_description(found):
                click.echo(line)
        else:
            candidate = _valid(policy)
            digest = candidate.digest
            _echo_all(candidate, weaker_rules(candidate), places)
        why = person.why_no_person()
        if why:
            raise Refused(why)
        if not yes and not click.confirm("Sign this file as it is now, for all who let the key's owner sign?"):
            raise Refused("nothing was signed")
        if digest != _digest(policy):
            raise Refused(f"{_visible(policy)} has changed meanwhile; look at it again")
        _write_signature(policy, key, message(policy, digest))
        click.echo(f"signed: {_visible(policy)}{SIGNATURE}")


def _digest(policy: str) -> str:
    return _describing(policy).digest if _describes(policy) else _valid(policy).digest


def _write_signature(policy: str, key: str, text: bytes) -> None:
    ssh_keygen = program()
    if not ssh_keygen:
        raise Refused("ssh-keygen is not installed; OpenSSH's client has it")
    command = [ssh_keygen, "-Y", "sign", "-n", NAMESPACE, "-f", os.path.abspath(os.path.expanduser(key))]
    made = subprocess.run(command, input=text, stdout=subprocess.PIPE, check=False)
    if made.returncode != 0 or not made.stdout:
        raise Refused("ssh-keygen has made no signature")
    try:
        replace(policy + SIGNATURE, made.stdout, 0o644)
    except OSError as error:
        raise Refused(f"{_visible(policy)}{SIGNATURE} cannot be written: {error.strerror or error}") from None


# Files that describe programs.


def _trust_describing(path: str, yes: bool, places: Places, *, everywhere: bool) -> None:
    """Trust a file that describes programs, once a person has seen all of it."""
    shown = _visible(path)
    own = {os.path.realpath(one) for one in (places.managed_programs, *places.user_programs)}
    if os.path.realpath(os.path.dirname(path)) in own:
        click.echo(f"{shown} is your own, it needs no trust")
        return
    found = _describing(path)
    by = by_whom(_machine(places), places, path, found.digest)
    if by and not found.mistakes and not (everywhere and by == "you"):
        click.echo(f"{shown} is trusted already, as it is now{'' if by == 'you' else f' (by {_visible(by)})'}")
        return
    for line in _about_description(found):
        click.echo(line)
    _confirm(places, yes, 0, everywhere=everywhere)
    _believed(places, path, found.digest, everywhere=everywhere)


def _about_description(found: Describing) -> Iterator[str]:
    """Yield what the person is shown of a file that describes programs. Raises Refused where it is invalid."""
    shown = _visible(found.path)
    if found.mistakes:
        for mistake in found.mistakes:
            click.echo(_visible(mistake), err=True)
        raise Refused(f"{shown} is invalid, so it cannot be trusted; `rulez programs test` checks it")
    yield shown
    yield f"  It describes {counted(len(found.names), 'program')}: {_visible(', '.join(found.names))}."
    yield "  Once trusted, rules see in their commands what this says, in place of what rulez knows, and nothing else:"
    yield from block(found.text)


# The person's list.


def _believed(places: Places, path: str, digest: str, *, everywhere: bool) -> None:
    """Write down that a person trusts a file, and say so."""
    backup = store.trust(places, path, digest, time.time(), everywhere=everywhere)
    if backup:
        click.echo(f"the list of trusted files was damaged; it is kept as {backup}, and a new one begun", err=True)
    click.echo(f"trusted: {_visible(path)}{', and wherever it is the same' if everywhere else ''}")


def _confirm(places: Places, yes: bool, weakened: int, *, everywhere: bool = False) -> None:
    """Returns where a person agrees. INVARIANT: an agent cannot agree for them, by an option or by another name."""
    why = person.why_no_person() or why_not_let(places, "trust")
    if why:
        raise Refused(why)
    question = f"Trust this file as it is now{', in every clone where it is the same' if everywhere else ''}"
    if weakened:
        question += f", and weaken {'this rule' if weakened == 1 else f'these {weakened} rules'} in its project"
    if not yes and not click.confirm(f"{question}?"):
        raise Refused("nothing was trusted")


def _list(places: Places, *, as_json: bool) -> None:
    problem = store.problem(places)
    if problem:
        raise Refused(problem)
    said = [_listed(entry) for entry in store.trusted(places)]
    said += _trusted_otherwise(places, {one["path"] for one in said})
    if as_json:
        click.echo(json.dumps({"trusted": said}, indent=2))
        return
    if not said:
        click.echo("no policy file is trusted")
    for one in said:
        by = "" if one["by"] == "you" else f"  ({_visible(one['by'])})"
        click.echo(f"{one['state']:<13}  {one['at'] or '-':<25}  {_visible(one['path'])}{by}")


def _listed(entry: store.Trusted) -> dict[str, str]:
    by = "you, everywhere" if entry.everywhere else "you"
    return {"path": entry.path, "digest": PREFIX + entry.digest, "at": entry.at, "state": _state(entry), "by": by}


def _trusted_otherwise(places: Places, listed: set[str]) -> Iterator[dict[str, str]]:
    """Yield the files of the project here that are trusted, but not by an entry of their own."""
    try:
        policies = [one for one in _policies(None, places) if not _is_own(one, places)]
    except Refused:
        return
    machine = _machine(places)
    for policy in policies:
        try:
            digest = _describing(policy).digest if _describes(policy) else _candidate(policy).digest
        except Refused:
            continue
        by = by_whom(machine, places, policy, digest)
        if by and not (place_of(policy) in listed and by.startswith("you")):
            yield {"path": policy, "digest": PREFIX + digest, "at": "", "state": "trusted", "by": by}


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
    revoked = [policy for policy in policies if store.revoke(places, policy, _digest_or_none(policy))]
    for policy in revoked:
        click.echo(f"no longer trusted: {_visible(os.path.abspath(policy))}")
    # It ends in all work trees, for every file of the repository.
    gone = before - {entry.path for entry in store.trusted(places)} - {os.path.realpath(one) for one in revoked}
    for path in sorted(gone):
        click.echo(f"no longer trusted: {_visible(path)}")
    machine = _machine(places)
    for policy in policies:
        by = by_whom(machine, places, policy, _digest_or_none(policy))
        if by:
            click.echo(f"still trusted by {_visible(by)}: {_visible(os.path.abspath(policy))}")
    if not revoked:
        raise Refused(f"{_visible(' and '.join(policies))} was not trusted")


def _digest_or_none(policy: str) -> str:
    """Return a file's digest now, "" where it has none."""
    try:
        return _describing(policy).digest if _describes(policy) else _candidate(policy).digest
    except Refused:
        return ""


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


def _is_own(policy: str, places: Places) -> bool:
    """Tell whether a policy is the machine's or the user's own, or in one of their directories."""
    from rulez_py.policy.store.search import own_policies

    real = os.path.realpath(policy)
    own = {os.path.realpath(one) for one in own_policies(places)}
    return real in own or os.path.dirname(real) in own


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
    from rulez_py.policy.model.layers import PROJECT
    from rulez_py.policy.store.search import root_of
    from rulez_py.policy.store.whole import each, read_whole
    from rulez_py.trust.pins import reach

    content = _content(path)
    root = root_of(path)
    whole = read_whole(path, content, path, layer=PROJECT, root=root)
    words = whole.words
    scripts = store.script_files(words, root)
    patterns = [word.removeprefix(store.GLOB) for word in words if word.startswith(store.GLOB)]
    digest = store.digest_from(path, whole.digest, scripts)
    beyond = dict.fromkeys(one for tree in each(whole.tree) for one in reach(tree.checked.raw, root).beyond)
    parts = tuple(part.path for part in whole.included.each)
    return Candidate(path, root, digest, scripts, patterns, tuple(beyond), parts, whole.data, whole.problems, content)
