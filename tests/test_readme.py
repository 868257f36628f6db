"""What README.md shows is what rulez does."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SEES, RULES, TESTS = (block.split("```", 1)[0] for block in README.split("```yaml\n")[1:])
ACTIONS = "    actions: {block: true}\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / ".rulez").mkdir()
    return project


def run(project: Path, *arguments: str, stdin: str = "", errors: bool = False) -> str:
    """What `rulez` prints in a project of a home that has no policy; where asked for, what it says besides as well."""
    here = {"HOME": str(project.parent / "home"), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "rulez_py", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, env=here, cwd=project, check=False)
    return done.stdout + done.stderr if errors else done.stdout


def shown(command: str) -> list[str]:
    """What the page shows under each `$ command`."""
    return [part.split("```", 1)[0] for part in README.split(f"$ {command}\n")[1:]]


def test_the_main_job(project: Path) -> None:
    told = README.split("$ echo '", 1)[1]
    payload, rest = told.split("' | .venv/bin/rulez ", 1)
    arguments, answer = rest.split("```", 1)[0].split("\n", 1)
    assert json.loads(run(project, *arguments.split(), stdin=payload)) == json.loads(answer)


@pytest.mark.parametrize(
    ("rules", "output"),
    [
        pytest.param(SEES, shown("rulez test")[0], id="what a pattern does not see"),
        pytest.param(RULES.replace(ACTIONS, ACTIONS + TESTS, 1), shown("rulez test")[1], id="a test that fails"),
    ],
)
def test_tests_of_rules(project: Path, rules: str, output: str) -> None:
    (project / ".rulez" / "rules.yaml").write_text(rules)
    assert run(project, "test") == output


def test_a_mistyped_key(project: Path) -> None:
    (project / ".rulez" / "rules.yaml").write_text(RULES.replace("command: {", "comand: {"))
    [output] = shown("rulez validate")
    assert run(project, "validate") == output


def test_it_is_short() -> None:
    of_agents = README.partition("<!-- conformance")[2].partition("<!-- end of conformance")[0]
    assert len(README.splitlines()) - len(of_agents.splitlines()) <= 162


def test_no_sentence_is_long() -> None:
    prose = re.sub(r"(?ms)^```.*?^```$|^\|.*?$|<!--.*?-->|^#.*?$|!\[[^]]*\]\([^)]*\)", "", README)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)|`[^`]*`", lambda found: found[1] or "code", prose)
    sentences = re.split(r"[.!?:;](?:\s+|\*\*|$)|\n\n|\n- | · ", text)
    assert [sentence for sentence in sentences if len(sentence.split()) > 25] == []


def test_what_is_to_be_tried_is_denied(project: Path) -> None:
    asked = README.split("`rulez explain '", 1)[1].split("'`", 1)[0]
    event = {"session_id": "s", "hook_event_name": "BeforeTool", "tool_name": "run_shell_command"}
    answer = run(project, "hook", "--platform", "gemini", stdin=json.dumps({**event, "tool_input": {"command": asked}}))
    assert json.loads(answer)["decision"] == "deny"
    assert "DENIED" in run(project, "explain", asked)


def test_every_link_leads_somewhere() -> None:
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = page.read_text(encoding="utf-8")
        for target in (part.split(")", 1)[0] for part in text.split("](")[1:]):
            if not target.startswith("http"):
                name, _, section = target.partition("#")
                linked = page.parent / name if name else page
                assert linked.exists(), f"{page.name}: {target}"
                assert not section or section in _sections(linked), f"{page.name}: {target}"


def _sections(page: Path) -> list[str]:
    lines = page.read_text(encoding="utf-8").splitlines()
    headings = (line.lstrip("#").strip().lower() for line in lines if line.startswith("#"))
    return [
        "".join(sign for sign in heading if sign.isalnum() or sign in " -_").replace(" ", "-") for heading in headings
    ]
