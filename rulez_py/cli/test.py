"""`rulez test`: does a policy say what its tests and scenarios say it does?"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from rulez_py.cli.packs import known_pack
from rulez_py.cli.validate import lines, policies_below, policy_files, problems_as_json
from rulez_py.documents.diagnostics import errors
from rulez_py.policy import packs
from rulez_py.verdict import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.explain.results import Result, Suite
    from rulez_py.policy.format.check import Beside
    from rulez_py.policy.store.file import PolicyFile
    from rulez_py.scenarios.coverage import Coverage, Covered
    from rulez_py.scenarios.run import Ran


TEXT, JSON, GITHUB, JUNIT = "text", "json", "github", "junit"

EXAMPLES = """\b
Examples:
  rulez test                              the policies and scenarios here
  rulez test policies/                    every such file in a directory
  rulez test tests/push.rulez.yaml        one file of scenarios
  rulez test --pack git                   a rule set that ships inside rulez
  rulez test --coverage                   which parts of rules no test tries
  rulez test --format github              in a workflow
  rulez test --junit build/rulez.xml      for a pipeline that shows results

Exit codes: 0 every test holds; 1 one fails, a file is not valid, --require-coverage finds a rule, or --junit's file
cannot be written; 2 wrong command line.
"""


@click.command("test", epilog=EXAMPLES)
@click.argument("files", metavar="[FILE|DIRECTORY]...", nargs=-1, type=click.Path())
@click.option("--pack", "names", metavar="NAME", multiple=True, help="A rule set that ships inside rulez; repeatable.")
@click.option("--format", "form", type=click.Choice((TEXT, JSON, GITHUB, JUNIT)), default=TEXT, help="Default: text.")
@click.option("--json", "form", flag_value=JSON, help="The same as --format json: one JSON object.")
@click.option("--junit", metavar="FILE", type=click.Path(dir_okay=False), help="Write it as JUnit's XML as well.")
@click.option("--coverage", "covers", is_flag=True, help="Say which parts of rules no test tries.")
@click.option("--require-coverage", "requires", is_flag=True, help="Fail where no test makes a rule match.")
def test(
    files: tuple[str, ...], names: tuple[str, ...], form: str, junit: str | None, covers: bool, requires: bool
) -> None:
    """Try the tests that rules carry, and scenarios.

    A test is judged by its own rule alone, in an empty project. A scenario (*.rulez.yaml) has the whole policy judge
    one event after the other. Nothing runs. Without FILE and --pack these are those of the policy files that apply in
    the current directory, and the scenarios in tests/ and .rulez/tests/ of the project.
    """
    done = _all_of(files, names, covers=covers or requires)
    if junit is not None:
        _write_junit(junit, done.suites)
    untried = tuple(one for one in done.covered if not one.matched)
    ok = all(one.is_ok for one in done.suites) and not (requires and untried)
    if form == TEXT:
        for line in _lines(done, told=done.covered if covers else untried if requires else ()):
            click.echo(line)
    elif form == JSON:
        _print_json(done, ok=ok, covers=covers or requires)
    elif form == JUNIT:
        from rulez_py.explain.junit import junit as document

        click.echo(document(done.suites), nl=False)
    else:
        for line in _for_github(done, told=done.covered if covers else untried, requires=requires):
            click.echo(line)
    click.get_current_context().exit(0 if ok else 1)


@dataclass(frozen=True)
class _Text:
    """A policy file or a rule set: its name for people, its path ("" of a set), and what belongs to it."""

    shown: str
    path: str
    content: bytes
    beside: Beside | None = None

    @property
    def place(self) -> str:
        """The name by which coverage knows it."""
        return self.path or self.shown


def _with_files_it_extends(file: PolicyFile) -> list[_Text]:
    """Return a policy and the files that it extends."""
    from rulez_py.policy.store.search import root_of
    from rulez_py.policy.store.whole import each, read_whole

    path, layer = file.source.path, file.source.layer
    whole = read_whole(path, _content(path), file.shown, layer=layer, root=root_of(path))
    found = {tree.path: tree for tree in each(whole.tree)}
    return [_Text(tree.shown, tree.path, _content(tree.path), tree.beside) for tree in found.values()]


@dataclass
class _Done:
    """All that was tried: the policy files that were read, the invalid among them, and a suite for each file."""

    read: Sequence[PolicyFile] = ()
    invalid: Sequence[PolicyFile] = ()
    suites: list[Suite] = field(default_factory=list)
    covered: Sequence[Covered] = ()


def _all_of(files: tuple[str, ...], names: tuple[str, ...], *, covers: bool) -> _Done:
    """Try the tests and scenarios of these files and rule sets; of what applies here where there are none."""
    shipped = [name for pack in names for name in packs.reach((known_pack(pack),))]
    policies, scenarios = _apart(files) if files or names else ((), _applying())
    read = policy_files(policies) if policies or not (files or names) else []
    invalid = [file for file in read if errors(file.problems)]
    done = _Done(read=read, invalid=invalid)
    texts = [one for file in read if file not in invalid for one in _with_files_it_extends(file)]
    texts += [_Text(packs.PREFIX + name, "", packs.text_of(name).encode()) for name in dict.fromkeys(shipped)]
    coverage = _coverage() if covers else None
    tried = [_tried(one, coverage) for one in texts]
    ran = [_ran(path, coverage) for path in scenarios]
    done.suites = [_invalid(file) for file in invalid] + tried + [one.suite for one in ran]
    if coverage is not None:
        done.covered = [found for one in texts for found in coverage.of(one.place, one.content, one.shown)]
    return done


def _apart(files: tuple[str, ...]) -> tuple[tuple[str, ...], list[str]]:
    """Return the policy files, and the scenario files, of what is named. A directory has all that are below it."""
    from rulez_py.scenarios.find import is_scenario_file, scenarios_below

    policies: list[str] = []
    scenarios: list[str] = []
    for name in files:
        if not os.path.isdir(name):
            (scenarios if is_scenario_file(name) else policies).append(name)
            continue
        below, tried = list(policies_below(name)), list(scenarios_below(name))
        if not below and not tried:
            raise click.ClickException(f"{name}: there is no policy file in this directory, and no scenario file")
        policies += below
        scenarios += (path for path in tried if path not in below)
    return tuple(policies), scenarios


def _applying() -> list[str]:
    """Return the scenario files of the project here, as people call them."""
    from rulez_py.policy.store.search import search, shown_path
    from rulez_py.scenarios.find import scenarios_of
    from rulez_py.system.places import places

    here = os.getcwd()
    return [shown_path(path, here, "") for path in scenarios_of(search(places(os.environ), here))]


def _content(path: str) -> bytes:
    from rulez_py.policy.store.search import LARGEST_FILE
    from rulez_py.system.files import read_pieces

    return b"".join(read_pieces(path, LARGEST_FILE))


def _coverage() -> Coverage:
    from rulez_py.scenarios.coverage import Coverage

    return Coverage()


def _invalid(file: PolicyFile) -> Suite:
    from rulez_py.explain.results import Suite

    return Suite(file.shown, wrong=errors(file.problems))


def _tried(text: _Text, coverage: Coverage | None) -> Suite:
    """Try the tests that a policy's rules carry."""
    from rulez_py.explain.results import of_rules
    from rulez_py.policy.format.cases import run_cases

    started = time.perf_counter()
    tested = run_cases(text.content, text.shown, beside=text.beside)
    if coverage is not None:
        for rule, examples in tested.rules:
            coverage.add_tests(text.place, rule, examples)
    return of_rules(text.shown, tested, time.perf_counter() - started)


def _ran(path: str, coverage: Coverage | None) -> Ran:
    """Run the scenarios of one file."""
    from rulez_py.explain.results import Suite
    from rulez_py.policy.format.scenarios import read_scenarios
    from rulez_py.scenarios.policy import PolicyOf
    from rulez_py.scenarios.run import KIND, Ran, run_scenarios
    from rulez_py.system.places import places

    try:
        content = _content(path)
    except OSError as error:
        why = (error.strerror or "it is no file").lower()
        raise click.ClickException(f"{path} cannot be read: {why}") from None
    file = read_scenarios(content, path)
    if wrong := errors(file.problems):
        return Ran(Suite(path, wrong=wrong, kind=KIND))
    policy = PolicyOf(file, path, places(os.environ))
    ran = run_scenarios(file, policy)
    if coverage is not None:
        for facts, rules in ran.seen:
            coverage.add_event(policy.paths, rules, facts)
    return ran


def _write_junit(path: str, suites: Sequence[Suite]) -> None:
    """The result for a pipeline; in a directory that is made where it is not there."""
    from rulez_py.explain.junit import junit

    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(junit(suites))
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {(error.strerror or str(error)).lower()}") from None


# Output.


def _lines(done: _Done, *, told: Sequence[Covered]) -> Iterator[str]:
    if not done.read and not done.suites:
        yield from lines([])
        return
    if done.invalid:
        yield from lines(list(done.invalid))
    shown = [file.shown for file in done.invalid]
    for suite in done.suites:
        if suite.shown not in shown:
            yield from _of_suite(suite)
    if told:
        from rulez_py.scenarios.coverage import gaps

        yield from map(str, gaps(told))
    yield from _in_total(done)


def _in_total(done: _Done) -> Iterator[str]:
    valid = [one for one in done.suites if not one.wrong]
    if valid:
        yield _summary(valid)
    if done.covered:
        from rulez_py.scenarios.coverage import summary

        yield summary(done.covered)


def _of_suite(suite: Suite) -> Iterator[str]:
    yield from (one.labelled for one in suite.wrong)
    for failure in suite.failures:
        yield str(failure.problem)
        yield from (f"    {said}" for said in failure.why)
    yield from (f"{skipped.path}:{skipped.line}:{skipped.column}: note: {skipped.text}" for skipped in suite.skipped)


def _summary(suites: Sequence[Suite]) -> str:
    from rulez_py.scenarios.run import KIND

    held = sum(one.held for one in suites)
    failed = sum(len(one.failures) for one in suites)
    skipped = sum(len(one.skipped) for one in suites)
    untested = sum(len(one.untested) for one in suites)
    said = [f"{counted(held, 'test holds', 'tests hold')}, {failed} {'fails' if failed == 1 else 'fail'}"]
    if skipped:
        said.append(f"the tests of {counted(skipped, 'rule', 'rules')} are skipped")
    if untested:
        own = " of their own" if any(one.kind == KIND for one in suites) else ""
        said.append(f"{counted(untested, 'rule has', 'rules have')} no tests{own}")
    return "; ".join(said)


def _print_json(done: _Done, *, ok: bool, covers: bool) -> None:
    from rulez_py.scenarios.coverage import as_json
    from rulez_py.system import jsontext

    problems = {file.shown: file.problems for file in done.invalid}
    told: dict[str, Any] = {
        "files": [_as_json(one, problems.get(one.shown, tuple(one.wrong))) for one in done.suites],
        "ok": ok,
    }
    if covers:
        told["coverage"] = as_json(done.covered)
    click.echo(jsontext.dumps(told))


def _as_json(suite: Suite, problems: tuple[Diagnostic, ...]) -> dict[str, Any]:
    if suite.wrong:
        return {"path": suite.shown, "problems": problems_as_json(problems)}
    return {
        "path": suite.shown,
        "held": suite.held,
        "failures": [_failure_as_json(failure) for failure in suite.failures],
        "skipped": problems_as_json(suite.skipped),
        "untested": list(suite.untested),
    }


def _failure_as_json(failure: Result) -> dict[str, Any]:
    assert failure.problem is not None
    return {
        **(failure.fields or {}),
        "line": failure.problem.line,
        "column": failure.problem.column,
        "message": failure.problem.message,
        "help": failure.problem.help,
        "why": list(failure.why),
    }


def _for_github(done: _Done, *, told: Sequence[Covered], requires: bool) -> Iterator[str]:
    """Yield workflow commands, which GitHub displays beside the lines."""
    from rulez_py.documents.github import command
    from rulez_py.scenarios.coverage import gaps

    for suite in done.suites:
        for wrong in suite.wrong:
            yield command("error", wrong.path, wrong.line, wrong.column, wrong.text, title=f"no valid {suite.kind}")
        for one in suite.failures:
            assert one.problem is not None
            said = "\n".join((one.problem.text, *one.why))
            yield command("error", one.problem.path, one.problem.line, one.problem.column, said, title=one.group)
        for note in suite.skipped:
            yield command("notice", note.path, note.line, note.column, note.text, title="skipped")
    for covered in told:
        kind = "error" if requires and not covered.matched else "notice"
        for gap in gaps((covered,)):
            yield command(kind, gap.path, gap.line, gap.column, gap.text, title="coverage")
    yield from _in_total(done)
