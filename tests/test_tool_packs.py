"""The rule sets for tools: containers, clusters, clouds, data stores, registries and platforms.

What they say of themselves is tried in test_packs.py. Here: the table in data/tool-packs.yaml, and every rule's first
example run by other means, or only written down.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.policy import packs
from rulez_py.verdict import NO_OPINION, Verdict
from tests.test_packs import called, rules_of, said

TOOLS = (
    *("containers", "kubernetes", "cloud-aws", "cloud-gcp", "cloud-azure"),
    *("terraform", "databases", "package-publish", "ci-cd"),
)
_READER = YAML(typ="safe")
TABLE: dict[str, Any] = _READER.load(Path(__file__).parent / "data" / "tool-packs.yaml")

RUN = {
    "as root": "sudo {}",
    "with a time limit": "timeout 5 {}",
    "with another environment": "env A=b {}",
    "in a shell": "bash -c {quoted}",
    "evaluated": "eval {quoted}",
    "on another machine": "ssh host {quoted}",
    "behind another": "cd x && {}",
    "if another fails": "false || {} | tee log",
    "in a subshell": "( {} )",
    "in the background": "nohup {} &",
    "if something is true": "if true; then {}; fi",
    "for its output": "x=$({})",
}
WRITTEN = {
    "printed": "echo {quoted}",
    "as a commit's message": "git commit -m {quoted}",
    "as an issue's text": "gh issue create --title x --body {quoted}",
    "in a file": "cat > notes.md <<'END'\n{}\nEND",
    "added to a file": "printf '%s\\n' {quoted} >> todo.txt",
    "looked for": "grep -rn {quoted} .",
    "as a comment": "ls # {}",
}


def judged(command: str, *names: str) -> Verdict:
    return said(rules_of(*names), called("claude", "PreToolUse", "Bash", {"command": command}))


def first_examples() -> dict[str, str]:
    """By rule, the first of its tests that must be stopped."""
    found: dict[str, str] = {}
    for rule in packs.rules_of(TOOLS):
        tests = rule["tests"]
        found[rule["name"]] = (tests.get("deny") or tests["ask"])[0]
    return found


EXAMPLES = first_examples()
SIMPLE = {rule: example for rule, example in EXAMPLES.items() if not set("|<\n") & set(example)}
"""Those that are one simple command."""


@pytest.mark.parametrize("command", TABLE["everyday"])
def test_everyday_work_with_tools_goes_on(command: str) -> None:
    verdict = judged(command, *TOOLS)
    assert (verdict.decision, verdict.notes) == (NO_OPINION, ()), verdict.reason


@pytest.mark.parametrize(
    ("name", "command"),
    [
        pytest.param(name, command, id=f"{name}: {command}")
        for name, commands in TABLE["dangerous"].items()
        for command in commands
    ],
)
def test_a_set_stops_what_is_dangerous_with_its_tools(name: str, command: str) -> None:
    assert judged(command, name).decision != NO_OPINION


@pytest.mark.parametrize("form", RUN.values(), ids=RUN.keys())
def test_a_dangerous_command_is_stopped_however_it_is_run(form: str) -> None:
    commands = {rule: filled(form, example) for rule, example in SIMPLE.items()}
    passed = [
        command for rule, command in commands.items() if rule not in [hit.rule for hit in judged(command, *TOOLS).hits]
    ]
    assert passed == []


@pytest.mark.parametrize("form", WRITTEN.values(), ids=WRITTEN.keys())
def test_a_dangerous_command_that_is_only_written_down_is_none(form: str) -> None:
    commands = [filled(form, example) for example in EXAMPLES.values() if "\n" not in example]
    assert [command for command in commands if judged(command, *TOOLS).decision != NO_OPINION] == []


def test_the_table_and_the_rules_are_worth_their_names() -> None:
    assert set(TABLE["dangerous"]) == set(TOOLS)
    assert min(len(commands) for commands in TABLE["dangerous"].values()) >= 10
    assert len(TABLE["everyday"]) >= 400
    assert len(SIMPLE) >= 100


def filled(form: str, command: str) -> str:
    return form.format(command, quoted=shlex.quote(command))
