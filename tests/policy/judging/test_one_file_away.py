"""Every line that a shipped rule stops in its own tests is stopped one file away, too: in a script, a makefile, a
package.json or a Python file that the agent wrote and another call runs. Each line is tried in one of them, the next
line in the next; those that pass are in the table, and each of them in its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from rulez_py.policy import packs
from rulez_py.verdict import ASK, DENY
from tests.policy.judging.test_files_run import Files, judged
from tests.test_packs import RECOMMENDED

PASSING = YAML(typ="safe").load(Path(__file__).parents[2] / "data" / "one-file-away.yaml")
"""Kind of file -> lines that pass in it, with the reason beside each."""

KINDS: dict[str, tuple[str, Callable[[str], str], str]] = {
    "script": ("x.sh", lambda line: f"#!/bin/bash\n{line}\n", "bash x.sh"),
    "makefile": ("Makefile", lambda line: "t:\n\t" + line.replace("$", "$$").replace("\n", " \\\n\t") + "\n", "make t"),
    "package.json": ("package.json", lambda line: json.dumps({"scripts": {"t": line}}), "npm run t"),
    "python": ("x.py", lambda line: f"import subprocess\nsubprocess.run({line!r}, shell=True)\n", "python3 x.py"),
}


def is_stopped(line: str, files: dict[str, str]) -> bool:
    return judged(line, Files(files, {}), *RECOMMENDED).decision in (DENY, ASK)


@cache
def lines() -> tuple[str, ...]:
    """Returns the command lines of the rules' own tests that the rule stops, some of them only in its circumstances."""
    tests = [rule.get("tests", {}) for rule in packs.rules_of(RECOMMENDED)]
    given = [one for test in tests for key in ("deny", "ask") for one in test.get(key, ())]
    return tuple(dict.fromkeys(one if isinstance(one, str) else one["command"] for one in given if is_line(one)))


def is_line(example: object) -> bool:
    """Tell if an example is a command line and nothing beside it."""
    return isinstance(example, str) or (isinstance(example, dict) and set(example) == {"command"})


@pytest.mark.parametrize("kind", KINDS)
def test_a_line_that_is_stopped_is_stopped_one_file_away(kind: str) -> None:
    name, text, run = KINDS[kind]
    known = [row["line"] for row in PASSING[kind]]
    tried = [line for at, line in enumerate(lines()) if line in known or at % len(KINDS) == [*KINDS].index(kind)]
    passing = [line for line in tried if not is_stopped(run, {name: text(line)}) and is_stopped(line, {})]
    assert passing == known
    assert len(passing) <= len(lines()) * 0.02
