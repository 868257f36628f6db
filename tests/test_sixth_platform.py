"""A platform is one folder: an invented one is put beside the others, with its recordings, and nothing else changes.

`data/invented/platform` becomes `rulez_py/platforms/invented`, `data/invented/payloads` `tests/payloads/invented`, in a
copy of the project.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
INVENTED = Path(__file__).parent / "data" / "invented"
COPIED = ("rulez_py", "tests", "dev", "hooks", "docs", "pyproject.toml", "README.md", "TOOL-MAPPING.md")
LAWS = (
    *(
        "tests/adapters/test_laws.py",
        "tests/adapters/test_parsing.py",
        "tests/test_tool_table.py",
        "tests/test_disabled_hooks.py",
    ),
    *("tests/test_self_protection.py", "tests/test_payload_table.py", "tests/hook/test_project.py"),
    *("tests/hook/test_warnings.py", "tests/test_untrusted.py", "tests/definitions/agents/test_tool.py"),
    *(
        "tests/definitions/skills/test_facts.py",
        "tests/definitions/skills/test_files.py",
        "tests/definitions/skills/test_adopting.py",
    ),
)
"""What is said of every platform."""
OF_IT = "invented or test_laws"
"""Those of its parameters, and those that draw a platform each time."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("six") / "project"
    place.mkdir()
    unwanted = shutil.ignore_patterns("__pycache__", ".*_cache", "e2e")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place / name, symlinks=True, ignore=unwanted)
        else:
            shutil.copy(ROOT / name, place / name)
    (place / "tests" / "e2e").symlink_to(ROOT / "tests" / "e2e")
    shutil.copytree(INVENTED / "platform", place / "rulez_py" / "platforms" / "invented", ignore=unwanted)
    shutil.copytree(INVENTED / "payloads", place / "tests" / "payloads" / "invented", ignore=unwanted)
    (place.parent / "home").mkdir()
    run(place, "dev/generated.py")
    run(place, "-m", "compileall", "-q", "rulez_py")  # or each process does it, where the environment keeps none
    return place


def run(project: Path, *arguments: str, stdin: str = "", expect: int = 0) -> str:
    """A Python of the project's own, with nothing of the real one in its way."""
    environ = {**os.environ, "PYTHONPATH": str(project), "HOME": str(project.parent / "home")}
    ended = subprocess.run(
        [sys.executable, *arguments], input=stdin, cwd=project, env=environ, capture_output=True, text=True, check=False
    )
    assert ended.returncode == expect, ended.stdout[-5000:] + ended.stderr[-5000:]
    return ended.stdout


def rulez(project: Path, *arguments: str, stdin: str = "", expect: int = 0) -> str:
    return run(project, "-m", "rulez_py", *arguments, stdin=stdin, expect=expect)


def call(project: Path, tool: str, expect: int = 0, **tool_input: str) -> str:
    payload = {"hook_event_name": "before_call", "cwd": str(project), "tool_name": tool, "tool_input": tool_input}
    return rulez(project, "hook", "--platform", "invented", stdin=json.dumps(payload), expect=expect)


def test_its_hook_answers_in_its_own_words(project: Path) -> None:
    assert call(project, "terminal", command="ls") == ""
    assert json.loads(call(project, "terminal", command="git push --force", expect=2))["verdict"] == "deny"


def test_its_name_before_hook_is_the_hook_too(project: Path) -> None:
    payload = {"hook_event_name": "before_call", "tool_name": "terminal", "tool_input": {"command": "ls"}}
    assert rulez(project, "invented", "hook", stdin=json.dumps(payload)) == ""


def test_its_files_are_protected_on_every_agent(project: Path) -> None:
    assert "rulez-protects-itself" in call(project, "put_file", path=".invented/switches.json", content="x", expect=2)
    payload = {"hook_event_name": "PreToolUse", "cwd": str(project), "tool_name": "Write"}
    for path in (".invented/hooks/x", "/etc/invented/x", "~/.invented/approved.json"):
        sent = json.dumps({**payload, "tool_input": {"file_path": path, "content": "x"}})
        assert "deny" in rulez(project, "hook", "--platform", "claude", stdin=sent, expect=2)


def test_the_tool_table_has_it(project: Path) -> None:
    assert "terminal" in rulez(project, "tools", "--platform", "invented")
    assert (
        rulez(project, "tools", "canonical", "--platform", "invented", "put_file", "walk_tree") == "Write\nwalk_tree\n"
    )
    page = rulez(project, "tools", "--markdown")
    assert "| Invented CLI |" in page
    assert "- **Invented CLI**: The call does not run and the model reads the reason." in page
    assert "### What Invented CLI makes of them" in page


def test_what_a_repository_switches_off_is_told(project: Path) -> None:
    settings = project / "repository" / ".invented" / "switches.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"hooks": {"on": false}}')
    payload = {"hook_event_name": "opened", "cwd": str(settings.parents[1])}
    said = rulez(project, "hook", "--platform", "invented", stdin=json.dumps(payload))
    assert "`hooks.on` switches the hooks of Invented CLI off" in said


def test_its_agent_files_are_written(project: Path) -> None:
    definition = project / "reviewer.yaml"
    definition.write_text("name: reviewer\ndescription: Reads.\ntools: [Read, Glob]\nprompt: Read.\n")
    rulez(project, "agents", "write", str(definition), "--platform", "invented")
    assert "tools: [show_file, walk_tree]\n" in (project / ".invented/people/reviewer.md").read_text()


def test_its_skills_are_written(project: Path) -> None:
    source = project / "skills" / "notes"
    source.mkdir(parents=True)
    (source / "SKILL.md").write_text("---\ndescription: d\ntools: [Read]\nmood: calm\n---\nUse {{tool:Shell}}.\n")
    run(project, "-c", "from rulez_py.definitions.skills import load; load('skills/notes').write('invented', '.')")
    written = (project / ".invented/skills/notes/SKILL.md").read_text()
    assert "permits: [show_file]\nmood: calm\n---\n\nUse terminal.\n" in written


def test_a_platform_may_load_no_skills(project: Path) -> None:
    facts = project / "rulez_py" / "platforms" / "invented" / "skills.py"
    facts.rename(facts.with_suffix(".away"))
    try:
        assert "invented" not in run(
            project, "-c", "from rulez_py.definitions.skills import PLATFORMS; print(PLATFORMS)"
        )
    finally:
        facts.with_suffix(".away").rename(facts)


def test_a_rule_may_be_for_it_alone(project: Path) -> None:
    policy = project / "only.yaml"
    policy.write_text(
        'version: "1.0"\nrules:\n'
        "  - {name: a, matchers: {platforms: [invented], tools: [Read]}, actions: {block: true}}\n"
    )
    assert "is not valid" not in rulez(project, "validate", str(policy))


def test_what_holds_for_every_platform_holds_for_it(project: Path) -> None:
    """The tests that know the platforms by their folders, in the copy."""
    told = run(project, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", OF_IT, *LAWS)
    assert "passed" in told


def test_its_snippets_are_part_of_what_is_installed(project: Path) -> None:
    asked = "from rulez_py.platforms import PLATFORMS, snippets; print(PLATFORMS, snippets('invented'))"
    told = run(project, "-c", asked)
    assert "'invented'" in told
    assert (project / "rulez_py" / "platforms" / "invented" / "hooks" / "switches.json").is_file()
