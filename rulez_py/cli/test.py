"""`rulez test`: do the rules say what their own `tests` say they do?"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rulez_py.cli.packs import known_pack
from rulez_py.cli.validate import lines, policy_files, problems_as_json
from rulez_py.documents.diagnostics import errors
from rulez_py.policy import packs
from rulez_py.verdict import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.policy.format.cases import Failure, Tested
    from rulez_py.policy.format.check import Beside
    from rulez_py.policy.store.file import PolicyFile


class _Tried(NamedTuple):
    """A policy file or rule set and what became of its tests."""

    shown: str
    tested: Tested
    seconds: float


EXAMPLES = """\b
Examples:
  rulez test                              the policy files that apply here
  rulez test policies/                    every policy file in a directory
  rulez test --pack git                   a rule set that ships inside rulez
  rulez test --junit build/rulez.xml      for a pipeline that shows results

Exit codes: 0 every test holds; 1 one fails, a file is not valid, or --junit's cannot be written; 2 wrong command line.
"""


@click.command("test", epilog=EXAMPLES)
@click.argument("files", metavar="[FILE|DIRECTORY]...", nargs=-1, type=click.Path())
@click.option("--pack", "names", metavar="NAME", multiple=True, help="A rule set that ships inside rulez; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@click.option("--junit", metavar="FILE", type=click.Path(dir_okay=False), help="Write it as JUnit's XML as well.")
def test(files: tuple[str, ...], names: tuple[str, ...], as_json: bool, junit: str | None) -> None:
    """Try the tests that rules carry.

    Each is judged by its own rule alone, in an empty project, and nothing runs. Without FILE and --pack these are the
    tests of the policy files that apply in the current directory.
    """
    shipped = [name for pack in names for name in packs.reach((known_pack(pack),))]
    read = policy_files(files) if files or not names else []
    invalid = [file for file in read if errors(file.problems)]
    valid = [file for file in read if file not in invalid]
    tried = _tried([one for file in valid for one in _with_files_it_extends(file)])
    tried += _tried([(packs.PREFIX + name, packs.text_of(name).encode(), None) for name in dict.fromkeys(shipped)])
    ok = not invalid and not any(one.tested.failures for one in tried)
    if junit is not None:
        _write_junit(junit, invalid, tried)
    if as_json:
        from rulez_py.system import jsontext

        results = [_invalid_as_json(file) for file in invalid] + [_as_json(one) for one in tried]
        click.echo(jsontext.dumps({"files": results, "ok": ok}))
    else:
        for line in _lines(read, invalid, tried):
            click.echo(line)
    click.get_current_context().exit(0 if ok else 1)


def _with_files_it_extends(file: PolicyFile) -> list[tuple[str, bytes, Beside | None]]:
    """Return a policy and the files that it extends: name for people, content, and what belongs to it."""
    from rulez_py.policy.store.search import root_of
    from rulez_py.policy.store.whole import each, read_whole

    path, layer = file.source.path, file.source.layer
    whole = read_whole(path, _content(path), file.shown, layer=layer, root=root_of(path))
    found = {tree.path: tree for tree in each(whole.tree)}
    return [(tree.shown, _content(tree.path), tree.beside) for tree in found.values()]


def _tried(texts: list[tuple[str, bytes, Beside | None]]) -> list[_Tried]:
    """Return the tests of each (name for people, content, what belongs to it), tried."""
    from rulez_py.policy.format.cases import run_cases

    found = []
    for shown, content, beside in texts:
        started = time.perf_counter()
        tested = run_cases(content, shown, beside=beside)
        found.append(_Tried(shown, tested, time.perf_counter() - started))
    return found


def _content(path: str) -> bytes:
    from rulez_py.policy.store.search import LARGEST_FILE
    from rulez_py.system.files import read_pieces

    return b"".join(read_pieces(path, LARGEST_FILE))


def _write_junit(path: str, invalid: list[PolicyFile], tried: list[_Tried]) -> None:
    """The result for a pipeline; in a directory that is made where it is not there."""
    import os

    from rulez_py.explain.failures import why
    from rulez_py.explain.junit import Suite, junit

    suites = [Suite(file.shown, wrong=errors(file.problems)) for file in invalid]
    suites += [Suite(one.shown, tested=one.tested, seconds=one.seconds) for one in tried]
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(junit(suites, why))
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {(error.strerror or str(error)).lower()}") from None


# Output.


def _lines(read: list[PolicyFile], invalid: list[PolicyFile], tried: list[_Tried]) -> Iterator[str]:
    if not read and not tried:
        yield from lines([])
        return
    if invalid:
        yield from lines(invalid)
    for one in tried:
        for failure in one.tested.failures:
            yield str(failure.problem)
            yield from (f"    {said}" for said in _why(failure))
        yield from (
            f"{skipped.path}:{skipped.line}:{skipped.column}: note: {skipped.text}" for skipped in one.tested.skipped
        )
    if tried:
        yield _summary(tried)


def _why(failure: Failure) -> tuple[str, ...]:
    from rulez_py.explain.failures import why

    return why(failure)


def _summary(tried: list[_Tried]) -> str:
    held = sum(one.tested.held for one in tried)
    failed = sum(len(one.tested.failures) for one in tried)
    skipped = sum(len(one.tested.skipped) for one in tried)
    untested = sum(len(one.tested.untested) for one in tried)
    said = [f"{counted(held, 'test holds', 'tests hold')}, {failed} {'fails' if failed == 1 else 'fail'}"]
    if skipped:
        said.append(f"the tests of {counted(skipped, 'rule', 'rules')} are skipped")
    if untested:
        said.append(f"{counted(untested, 'rule has', 'rules have')} no tests")
    return "; ".join(said)


def _invalid_as_json(file: PolicyFile) -> dict[str, Any]:
    return {"path": file.shown, "problems": problems_as_json(file.problems)}


def _as_json(one: _Tried) -> dict[str, Any]:
    return {
        "path": one.shown,
        "held": one.tested.held,
        "failures": [_failure_as_json(failure) for failure in one.tested.failures],
        "skipped": problems_as_json(one.tested.skipped),
        "untested": list(one.tested.untested),
    }


def _failure_as_json(failure: Failure) -> dict[str, Any]:
    return {
        "rule": failure.rule,
        "line": failure.problem.line,
        "column": failure.problem.column,
        "test": failure.example,
        "expected": failure.expected,
        "decision": failure.decision or None,
        "message": failure.problem.message,
        "help": failure.problem.help,
        "why": list(_why(failure)),
    }
