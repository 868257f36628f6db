"""Write rulez_py/policy/packs/production.yaml: rules of other sets, as questions (production.yaml beside this).

An example of a rule that the added exceptions free becomes one of what it allows.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from rulez_py.policy import packs  # noqa: E402
from tests.test_packs import ROOT as PROJECT  # noqa: E402
from tests.test_packs import called, said  # noqa: E402

TABLE = Path(__file__).parent / "production.yaml"
PAGE = ROOT / "rulez_py" / "policy" / "packs" / "production.yaml"
HEAD = """\
# What others use, and what cannot be brought back for them: databases, infrastructure, clusters, cloud accounts,
# volumes, hosting, repositories, packages. It asks; what is visibly local or there for tests is
# free. Part of the essentials.
# Written by `make production` from rules of the tools' own sets (dev/production.yaml), which deny: take those as well
# where you work with such tools.
# By name: what is lost lies elsewhere, so each rule matches the name of the tool that reaches it.
version: "1.0"
rules:
"""


def main() -> None:
    PAGE.write_text(written(), encoding="utf-8")


def written() -> str:
    """Return the set as text."""
    rules = []
    for group in YAML(typ="safe").load(TABLE):
        there = {rule["name"]: rule for rule in YAML(typ="safe").load(packs.text_of(group["from"]))["rules"]}
        rules += [copied(there[name], group["except"]) for name in group["rules"]]
    return HEAD + "\n".join(map(shown, rules))


def copied(rule: dict[str, Any], free: list[Any]) -> dict[str, Any]:
    """Return the rule as this set has it."""
    own = rule.get("except", [])
    name = rule["name"].removeprefix("no-").removeprefix("ask-before-")
    made = {
        **rule,
        "name": f"production-{name}",
        "except": [*(own if isinstance(own, list) else [own]), *free],
        "actions": {"ask": True},
        "priority": min(rule.get("priority", 0), 30),
    }
    examples = [*rule["tests"].get("deny", ()), *rule["tests"].get("ask", ())]
    asked = [one for one in examples if asks({**made, "tests": {}}, one)]
    freed = [one for one in examples if one not in asked]
    return {**made, "tests": {"ask": asked, "allow": [*rule["tests"]["allow"], *freed]}}


def asks(rule: dict[str, Any], line: Any) -> bool:
    """Tell whether it asks about an example, which is a command line."""
    from rulez_py.policy.format.check import check
    from rulez_py.policy.format.compile import compile_rules

    text = shown({**rule, "name": "one"})
    checked = check(f'version: "1.0"\nrules:\n{text}'.encode(), "production")
    assert checked.data is not None, checked.problems
    rules = compile_rules(checked.data, checked.rule_lines, layer="built-in", shown="x", root=PROJECT, trusted=True)
    event = called("claude", "PreToolUse", "Bash", {"command": line})
    return bool(said(tuple(rules), event).decision)


def shown(rule: dict[str, Any]) -> str:
    """Return a rule as YAML, one line for each of its keys."""
    keys = ("name", "description", "suggestion", "matchers", "except", "actions", "priority", "governance", "tests")
    assert set(rule) <= set(keys), rule
    lines = [f"{key}: {value_of(rule[key])}" for key in keys if key in rule and (rule[key] or key != "tests")]
    return "".join(f"  {'-' if number == 0 else ' '} {line}\n" for number, line in enumerate(lines))


def value_of(value: Any) -> str:
    """Return a value as YAML in flow style, which JSON is."""
    plain = isinstance(value, str) and not any(sign in value for sign in "\"'#:{}[],&*!|>%@`\\")
    return str(value) if plain else json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main()
