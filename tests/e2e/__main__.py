"""`python -m tests.e2e`: install the agents, play cases.yaml on them without a network, say what came of it."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.e2e import drift, install, offline, report
from tests.e2e.agents import AGENTS, agent
from tests.e2e.conftest import CHOSEN, RESULTS, WORK
from tests.e2e.place import FORMS, ROOT
from tests.e2e.session import to_play

PAGE = ROOT / "docs" / "conformance.md"
README = ROOT / "README.md"
BEGIN, END = "<!-- conformance: written by `make conformance` -->\n", "<!-- end of conformance -->"


def main() -> int:
    """Exit code: pytest's, 1 where something could not be installed or has drifted."""
    options, more = _options()
    if options.inside:
        offline.bring_up_loopback()
        return int(pytest.main(["-m", "e2e", str(Path(__file__).parent), *more]))
    missing = [str(program) for program in FORMS.values() if not program.exists()]
    if missing:
        return _say(f"{' and '.join(missing)} is not there: start with `make e2e`")
    chosen = in_turn(options.in_turn, datetime.datetime.now(datetime.UTC).date()) if options.in_turn else AGENTS
    print(f"playing {', '.join(chosen)}")
    try:
        with ThreadPoolExecutor() as pool:
            if options.latest:
                install.choose(dict(zip(AGENTS, pool.map(install.latest, AGENTS), strict=True)))
            list(pool.map(install.ensure, chosen))
            if "copilot" in chosen:
                install.editor()
    except install.CannotInstall as cannot:
        if options.if_possible:
            print(f"END-TO-END TESTS SKIPPED, the agents cannot be installed here: {cannot}")
            return 0
        return _say(f"the agents cannot be installed here: {cannot}")
    work = Path(tempfile.mkdtemp(prefix="rulez-e2e-"))
    code = _play(work, chosen, more)
    whole = [platform for platform in AGENTS if _is_complete(work, platform)]
    if (options.write and not whole) or (options.latest and len(whole) < len(AGENTS)):
        code = _say("of no agent every case was played, so nothing is written or compared") or code
    elif options.write and offline.prefix() is None:
        code = _say("without a network namespace the page cannot say that the agents were offline")
    elif options.write and code == 0:
        _write(work, whole)
    elif options.latest:
        code = max(code, _compare(work))
    if code == 0 and not options.keep:
        shutil.rmtree(work)
    else:
        print(f"the sessions are in {work}")
    return code


def _options() -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(prog="python -m tests.e2e", description=__doc__, epilog="More goes to pytest.")
    parser.add_argument("--latest", action="store_true", help="the newest published versions; say what drifted")
    parser.add_argument("--write", action="store_true", help="write docs/conformance.md, README's summary, the shapes")
    parser.add_argument("--if-possible", action="store_true", help="no error where the agents cannot be installed")
    parser.add_argument("--in-turn", type=int, metavar="N", help="only N of the agents, each day the next ones")
    parser.add_argument("--keep", action="store_true", help="keep the sessions' directories")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_known_args()


def in_turn(number: int, day: datetime.date) -> tuple[str, ...]:
    """The agents whose turn it is: within as many days as it takes, each has had one."""
    first = day.toordinal() * number
    return tuple(dict.fromkeys(AGENTS[(first + place) % len(AGENTS)] for place in range(number)))


def _say(problem: str) -> int:
    print(f"error: {problem}", file=sys.stderr)
    return 1


def _play(work: Path, chosen: tuple[str, ...], more: list[str]) -> int:
    """Runs pytest in a process that has no network, where this machine allows that."""
    apart = offline.prefix()
    if apart is None:
        print("this machine makes no network namespaces: the agents are told to stay offline, and trusted to")
    command = [sys.executable, "-m", "tests.e2e", *(["--inside"] if apart else []), *more]
    environment = {
        **os.environ,
        WORK: str(work),
        CHOSEN: ",".join(chosen),
        install.VERSIONS: json.dumps(install.versions()),
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))),
    }
    if apart is None:
        command = [sys.executable, "-m", "pytest", "-m", "e2e", str(Path(__file__).parent), *more]
    return subprocess.run([*(apart or []), *command], cwd=ROOT, env=environment, check=False).returncode


def _is_complete(work: Path, platform: str) -> bool:
    """Whether every case was played on an agent, in every form, and every control."""
    results = json.loads((work / RESULTS).read_text()) if (work / RESULTS).exists() else []
    played = {(row["form"], row["case"], row["control"]) for row in results if row["platform"] == platform}
    return played == {
        (session.form, case.title, controls)
        for controls in (False, True)
        for session, case in to_play(controls=controls)
        if session.platform == platform
    }


def _write(work: Path, platforms: list[str]) -> None:
    results = json.loads((work / RESULTS).read_text())
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    for platform in platforms:
        report.keep(platform, report.came_of(results, platform, install.version(platform), date))
        drift.keep(platform, _shape(platform, work))
    PAGE.write_text(report.page(report.kept()))
    before, _, rest = README.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text("".join((before, BEGIN, report.summary(report.kept()), END, after)))
    print(f"wrote {PAGE.relative_to(ROOT)}, the summary in README.md, {drift.SHAPES.relative_to(ROOT)}")


def _compare(work: Path) -> int:
    """Prints what the agents send that they did not use to. Exit code 1 where there is something."""
    code = 0
    for platform in AGENTS:
        before = drift.kept(platform)
        now = _shape(platform, work)
        changes = drift.differences(before, now) if before else ["nothing is kept to compare with"]
        was = before.version if before else "nothing"
        print(f"{agent(platform).PACKAGE}: {was} -> {now.version}: {len(changes) or 'no'} changes")
        for change in changes:
            code = 1
            print(f"  {change}")
    return code


def _shape(platform: str, work: Path) -> drift.Shape:
    program = agent(platform).program(install.prefix(platform))[-1]
    return drift.seen(platform, install.version(platform), Path(program), work)


if __name__ == "__main__":
    sys.exit(main())
