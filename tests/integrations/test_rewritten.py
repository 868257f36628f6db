"""A call that a rule has rewritten is looked at by all rules once more, by the real pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulez_py import Policy

RULES = """\
version: "1.0"
rules:
  - name: uv
    matchers: {command: {program: pip, subcommand: install}}
    actions: {rewrite: {command: {replace_program: uv pip}}}
  - name: whole
    matchers: {command: npm}
    actions: {rewrite: {command: yarn install}}
  - name: other-place
    matchers: {tools: [Write]}
    actions: {rewrite: {file_path: {replace: ["^old/", "new/"]}}}
"""
AGAINST = {
    "no-uv": "matchers: {command: {program: uv}}, actions: {block: not that one}",
    "ask-uv": "matchers: {command: {program: uv}}, actions: {ask: true}",
    "warn-uv": "matchers: {command: {program: uv}}, mode: warn, actions: {block: true}",
    "no-yarn": "matchers: {command_match: '^yarn'}, actions: {block: true}",
    "no-new": "matchers: {paths: {globs: [new/**], access: [write]}}, actions: {block: true}",
    "allow-yarn": "matchers: {command: yarn}, actions: {allow: true}",
    "again": "matchers: {command: {program: uv}}, actions: {rewrite: {command: {add_flag: --offline}}}",
    "allow-pip": "matchers: {command: pip}, actions: {allow: true}",
    "no-pip": "matchers: {command: {program: pip}}, actions: {block: true}",
}
PIP, NPM, WRITE = "cd x && pip install y", "npm install", {"file_path": "old/a", "content": "x"}
NEW_PIP = {"command": "cd x && uv pip install y"}


@pytest.mark.parametrize(
    ("against", "call", "decision", "new"),
    [
        ("", PIP, "", NEW_PIP),
        ("no-uv", PIP, "deny", None),
        ("ask-uv", PIP, "ask", NEW_PIP),
        ("warn-uv", PIP, "", NEW_PIP),
        ("no-yarn", PIP, "", NEW_PIP),
        ("again", PIP, "", NEW_PIP),
        ("no-pip", PIP, "deny", None),
        ("allow-pip", "pip install y", "allow", {"command": "uv pip install y"}),
        ("", NPM, "", {"command": "yarn install"}),
        ("no-yarn", NPM, "deny", None),
        ("allow-yarn", NPM, "", {"command": "yarn install"}),
        ("", WRITE, "", {"file_path": "new/a", "content": "x"}),
        ("no-new", WRITE, "deny", None),
    ],
)
def test_what_a_rule_denies_does_not_pass_because_another_has_written_it(
    place: Path, environ: dict[str, str], against: str, call: object, decision: str, new: object
) -> None:
    extra = f"  - {{name: {against}, {AGAINST[against]}}}\n" if against else ""
    (Path(environ["HOME"]) / ".config" / "rulez" / "rules.yaml").write_text(RULES + extra)
    tool, given = ("Bash", {"command": call}) if isinstance(call, str) else ("Write", call)
    found = Policy.load(place, environ=environ).decide({"tool_name": tool, "tool_input": given})
    assert (found.decision, found.tool_input) == (decision, new)
    assert found.rule == (against if decision else None)
    assert ("as the policy rewrites it" in found.reason) is (decision in ("deny", "ask") and against != "no-pip")
