"""One module and one line for each kind of matcher: whatever else there is of it comes from these."""

from __future__ import annotations

import inspect
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulez_py.definitions.base.tool import Tool
from rulez_py.event import CANONICAL_TOOLS
from rulez_py.policy import matchers
from rulez_py.policy.facts.facts import SUBJECTS
from rulez_py.policy.format import schema
from rulez_py.policy.matchers import CALL, FILE, KINDS, PART, command, declared, matcher
from tests.policy.compiled import paths

FOLDER = Path(matchers.__file__).parent
FORMS = {"command_form", "schema_parts", "index_keys"}
"""Modules that hold what a matcher has no room for in its own."""
SUBJECTS_OF = {CALL: ["facts"], PART: ["part", "facts"], FILE: ["file", "facts"]}


def test_every_module_is_listed_and_every_kind_has_one() -> None:
    modules = {path.stem for path in FOLDER.glob("*.py")} - {"__init__"} - FORMS
    assert modules == set(KINDS)


def test_what_is_not_listed_is_no_matcher() -> None:
    with pytest.raises(KeyError, match="command_form"):
        matcher("command_form")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if KINDS[kind] != FILE and kind != "command"])
def test_a_module_says_how_its_matcher_is_explained(kind: str) -> None:
    given = [name.lstrip("_") for name in inspect.signature(matcher(kind).seen).parameters]
    assert given == ["wanted", *SUBJECTS_OF[KINDS[kind]]]


@pytest.mark.parametrize("kind", KINDS)
def test_a_module_says_all_of_a_matcher(kind: str) -> None:
    module = matcher(kind)
    parameters = {
        name: list(inspect.signature(getattr(module, name)).parameters)
        for name in ("schema", "compiled", "filed_by", "fits")
    }
    assert parameters == {
        "schema": [],
        "compiled": ["wanted"],
        "filed_by": ["match"],
        "fits": ["wanted", *SUBJECTS_OF[KINDS[kind]], "strict"],
    }
    assert module.__doc__.startswith(f"`{kind}`")
    assert module.EXAMPLE.startswith(f"{kind}: ")
    assert module.ABOUT.endswith(".")


def test_what_matchers_say_of_themselves_names_checks_and_tools_that_there_are() -> None:
    assert declared("GENERAL").keys() & declared("SAYS_LITTLE").keys() == set()
    for kind, names in declared("SAYS_LITTLE").items():
        assert {name.partition(".")[0] for name in names} == {kind}
    for kind, tools in declared("NEVER_WITH").items():
        assert set(tools) <= {*CANONICAL_TOOLS, *map(str, Tool)}, kind


def test_the_format_has_every_matcher_and_no_other() -> None:
    assert schema.MATCHERS.keys() == schema.EXCEPTION.keys() == tuple(KINDS)


# A matcher that nobody has heard of: in which mode the agent asks a person.

MODULE = '''\
"""`permission_modes`: how the agent asks for permission."""

ABOUT = "The agent's permission mode."
EXAMPLE = "permission_modes: [plan]"


def schema():
    from rulez_py.policy.matchers.schema_parts import one_of, one_or_many

    return one_or_many(one_of(("default", "plan")))


def compiled(wanted):
    return sorted(wanted)


def filed_by(match):
    return "written", ["plan"]


def fits(wanted, facts, *, strict):
    return facts.event.permission_mode in wanted
'''
LINE = '    "permission_modes": CALL,\n'

USE = '''\
import json, sys
from rulez_py.platforms import adapter
from rulez_py.policy.format import schema
from rulez_py.policy.judging import index
from rulez_py.policy.format.check import check
from rulez_py.policy.format.compile import compile_rules
from rulez_py.policy.judging.decide import decide
from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.policy.matchers import matcher

POLICY = """\\
version: "1.0"
rules:
  - {name: planned, matchers: {permission_modes: [plan, default]}, actions: {block: true}}
  - {name: excepted, matchers: {tools: [Write]}, except: {permission_modes: plan}, actions: {block: true}}
"""

def problems(text):
    return [str(problem) for problem in check(text.encode(), "f").problems]

def judged(mode, content):
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/p", "permission_mode": mode,
               "tool_name": "Write", "tool_input": {"file_path": "a", "content": content}}
    facts = Facts(adapter("claude").parse(payload, None), Surroundings(root="/p", home="/h"), None)
    chosen = index.select(packed, facts)
    verdict = decide(chosen, facts)
    return [[rule["name"] for rule in chosen], verdict.rule]

checked = check(POLICY.encode(), "f")
rules = compile_rules(checked.data, checked.rule_lines, layer="user", shown="f", root="/p", trusted=True)
packed = index.pack(rules)
json.dump({
    "problems": problems(POLICY),
    "refused": problems(POLICY.replace("[plan, default]", "nap")),
    "json schema": schema.json_schema()["$defs"]["Matchers"]["properties"]["permission_modes"]["description"],
    "compiled": [rules[0]["match"], rules[1]["except"][0]],
    "planned": judged("plan", "a plan"),
    "in another mode": judged("other", "a plan"),
    "of nothing it is filed by": judged("plan", "x"),
}, sys.stdout)
'''


@pytest.fixture(scope="module")
def invented(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a rulez says that has one matcher more: one module in the folder, one line in the table."""
    place = tmp_path_factory.mktemp("source")
    package = FOLDER.parent.parent
    shutil.copytree(package, place / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    folder = place / FOLDER.relative_to(package.parent)
    (folder / "permission_modes.py").write_text(MODULE)
    table = (folder / "__init__.py").read_text()
    assert table.count('    "prompt_match": CALL,\n') == 1
    (folder / "__init__.py").write_text(
        table.replace('    "prompt_match": CALL,\n', LINE + '    "prompt_match": CALL,\n')
    )
    source = f"import sys; sys.path.insert(0, {str(place)!r})\n{USE}"
    ended = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False, cwd=place)
    assert ended.returncode == 0, ended.stderr
    said: dict[str, Any] = json.loads(ended.stdout)
    return said


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("problems", []),
        ("json schema", "The agent's permission mode."),
        ("compiled", [{"permission_modes": ["default", "plan"]}, {"permission_modes": ["plan"]}]),
        ("planned", [["planned", "excepted"], "planned"]),
        ("in another mode", [["planned", "excepted"], "excepted"]),
        ("of nothing it is filed by", [["excepted"], None]),
    ],
)
def test_a_new_matcher_is_one_module_and_one_line(invented: dict[str, Any], what: str, said: object) -> None:
    assert invented[what] == said


def test_a_new_matchers_values_are_checked(invented: dict[str, Any]) -> None:
    assert len(invented["refused"]) == 1
    assert 'cannot be "nap"' in invented["refused"][0]


def test_all_that_may_be_wanted_of_a_command_is_looked_at() -> None:
    assert {*command._OF_COMMAND, *command._OF_WORDS} == set(schema.MAPS["command"].keys())


def test_every_subject_is_some_matchers() -> None:
    """Or an event would be asked for what no rule is filed by."""
    filed = {matcher(kind).filed_by({kind: compiled})[0] for kind, compiled in _compiled_examples() if compiled}
    ways: list[dict[str, Any]] = [{"via": ["shell"]}, {"user": ["root"]}]
    filed.add(matcher("loses").filed_by({"loses": {"overwritten": "match"}})[0])
    filed.add(matcher("domains").filed_by({"domains": {"only": ["x"]}})[0])
    ways += [{"subcommand": [["push"]]}, {"any_flag": [["-f", None]]}]
    filed |= {matcher("command").filed_by({"command": way})[0] for way in ways}
    both = {"command": {"program": ["rm"]}, "paths": paths(["x"], ["read"])}
    filed.add(matcher("command").filed_by(both)[0])
    filed |= {matcher("paths").filed_by({"paths": paths(["x"], access)})[0] for access in (["delete"], ["write"])}
    assert filed | {"programs", "below"} == set(SUBJECTS)


def _compiled_examples() -> list[tuple[str, Any]]:
    from rulez_py.policy.format.check import check
    from rulez_py.policy.format.compile import compile_rules

    found: list[tuple[str, Any]] = []
    for kind in KINDS:
        text = (
            f'version: "1.0"\nrules:\n- {{name: r, matchers: {{{matcher(kind).EXAMPLE}}}, actions: {{block: true}}}}\n'
        )
        checked = check(text.encode(), "f")
        assert checked.data is not None
        (rule,) = compile_rules(checked.data, checked.rule_lines, layer="user", shown="f", root="/p", trusted=True)
        if matcher(kind).filed_by(rule["match"]) is not None:
            found.append((kind, rule["match"][kind]))
    return found
