"""docs/policy.md says what the format is: every key, no other, and examples that are right."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulez_py.documents.diagnostics import errors
from rulez_py.documents.types import Map
from rulez_py.policy.format import cases, schema
from rulez_py.policy.format.check import check
from rulez_py.policy.matchers import KINDS, matcher
from rulez_py.policy.patterns import expressions

PAGE = (Path(__file__).parents[3] / "docs" / "policy.md").read_text(encoding="utf-8")

FILE = 'version: "1.0"\n@\n'
RULE = 'version: "1.0"\nrules:\n- name: x\n  @\n'

# Section of the page -> its map in the format, and a file with `@` where one key of that map goes.
SECTIONS: dict[str, tuple[Map, str]] = {
    "The file": (schema.FILE, FILE),
    "Settings": (schema.SETTINGS, FILE.replace("@", "settings: {@}")),
    "`overrides`": (schema.OVERRIDE, FILE.replace("@", "overrides: {rulez-protects-itself: {@}}")),
    "A rule": (schema.RULE, RULE),
    "Matchers": (schema.MATCHERS, RULE.replace("@", "matchers: {@}")),
    "`command`": (schema.MAPS["command"], RULE.replace("@", "matchers: {command: {@}}")),
    "`git`": (schema.MAPS["git"], RULE.replace("@", "matchers: {git: {@}}")),
    "`paths`": (schema.MAPS["paths"], RULE.replace("@", "matchers: {paths: {globs: [x], @}}")),
    "`prompt_match`": (schema.MAPS["prompt_match"], RULE.replace("@", "matchers: {prompt_match: {patterns: [x], @}}")),
    "`mcp`": (schema.MAPS["mcp"], RULE.replace("@", "matchers: {mcp: {@}}")),
    "Actions": (schema.ACTIONS, RULE.replace("@", "actions: {@}")),
    "`rewrite`": (schema.MAPS["rewrite"], RULE.replace("@", "actions: {rewrite: {command: {@}}}")),
    "`remember`": (schema.MAPS["remember"], RULE.replace("@", "actions: {remember: {key: x, @}}")),
    "`at_most`": (schema.MAPS["at_most"], RULE.replace("@", "actions: {block: true}\n  at_most: {times: 1, @}")),
    "`run`": (schema.RUN, RULE.replace("@", "actions: {run: {script: x, @}}")),
    "`governance`": (schema.GOVERNANCE, RULE.replace("@", "governance: {@}")),
    "`metadata`": (schema.METADATA, RULE.replace("@", "metadata: {@}")),
    "`tests`": (schema.TESTS, RULE.replace("@", "tests: {@}")),
    "Circumstances": (
        schema.MAPS["case"],
        RULE.replace("@", "tests: {deny: [{tool: Bash, tool_input: {command: ls}, @}]}"),
    ),
}
# What a key cannot do without, or stands in for.
NEEDS = {
    "disable": "extends: [builtin:essentials]\n@",
    "requires": "actions: {block: true}\n  @",
    "at_most": "actions: {block: true}\n  @",
}
STANDS_FOR = {
    "version": 'version: "1.0"\n',
    "name": "name: x\n  ",
    "globs": "globs: [x], ",
    "patterns": "patterns: [x], ",
    "script": "script: x, ",
    "key": "key: x, ",
    "times": "times: 1, ",
    "tool": "tool: Bash, ",
    "tool_input": "tool_input: {command: ls}, ",
}


def rows(section: str) -> list[tuple[str, str]]:
    """(key, example) of each row of a section's table."""
    table = PAGE.split(f"# {section}\n", 1)[1].split("\n| key |", 1)[1].split("\n\n", 1)[0]
    cells = [line.replace("\\|", "").strip("|").split("|") for line in table.splitlines() if line.startswith("| `")]
    return [(row[0].strip(" `"), row[1].strip().removeprefix("`").removesuffix("`")) for row in cells]


def whole(section: str, key: str, example: str) -> str:
    """A file with the example in it."""
    frame = SECTIONS[section][1].replace("@", NEEDS.get(key, "@"))
    if key in STANDS_FOR:
        frame = frame.replace(STANDS_FOR[key], "")
    if key == "checkpoint":
        frame = frame.replace("actions:", "matchers: {loses: commits}\n  actions:")
    return frame.replace("@", example)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_key_has_a_row(section: str) -> None:
    assert sorted(key for key, _ in rows(section)) == sorted(SECTIONS[section][0].keys())


@pytest.mark.parametrize("kind", KINDS)
def test_a_matchers_row_is_what_its_module_says(kind: str) -> None:
    row = f"| `{kind}` | `{matcher(kind).EXAMPLE}` | {matcher(kind).ABOUT} |"
    assert row in PAGE.split("## Matchers\n", 1)[1].split("\n## ", 1)[0].splitlines()


@pytest.mark.parametrize(
    ("section", "key", "example"),
    [(section, key, example) for section in SECTIONS for key, example in rows(section)],
)
def test_every_example_is_right(section: str, key: str, example: str) -> None:
    assert example.startswith(f"{key}: ")
    assert [str(one) for one in errors(check(whole(section, key, example).encode(), section).problems)] == []


def test_every_variable_is_named() -> None:
    page = PAGE.split("## Expressions", 1)[1]
    assert [name for name in expressions.VARIABLES if f"`{name}`" not in page] == []


@pytest.mark.parametrize("text", [block.split("```", 1)[0] for block in PAGE.split("```yaml\n")[1:]])
def test_every_file_is_right_and_its_tests_hold(text: str) -> None:
    tried = cases.run_cases(text.encode(), "docs/policy.md")
    assert [str(failure.problem) for failure in tried.failures] == []
    assert (tried.held > 0, tried.skipped, tried.untested) == (True, (), ())
