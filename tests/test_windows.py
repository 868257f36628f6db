"""Rules about deleting, devices, secrets, persistence, services and accounts, on Windows (data/windows.yaml)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.policy import packs
from rulez_py.policy.judging import index
from tests.judging import EVERYTHING, decided, packed
from tests.test_packs import HOME, rules_of

TABLE: dict[str, Any] = YAML(typ="safe").load(Path(__file__).with_name("data") / "windows.yaml")
SETS = tuple(name for name in packs.reach(("recommended", "privilege", packs.DEFAULT)) if name != "production")
RULES = {rule["name"]: rule for rule in rules_of(*SETS)}
OF_THESE_KINDS = [
    rule["name"]
    for rule in packs.rules_of(SETS)
    if set(rule.get("governance", {}).get("tags", [])) & set(TABLE["kinds"])
]
ENVIRON = {
    "HOME": HOME,
    "USERPROFILE": HOME,
    "APPDATA": f"{HOME}/AppData/Roaming",
    "LOCALAPPDATA": f"{HOME}/AppData/Local",
    "TEMP": f"{HOME}/AppData/Local/Temp",
}
SHELLS = ("powershell", "cmd", "bash")


def lines(spellings: dict[str, list[str]]) -> list[tuple[str, str]]:
    """The tool and the command of each line."""
    return [_call(shell, line) for shell in SHELLS for line in spellings.get(shell, [])]


def _call(shell: str, line: str) -> tuple[str, str]:
    if shell == "powershell":
        return "PowerShell", line
    return "Bash", f'cmd /c "{line}"' if shell == "cmd" else line


@pytest.mark.parametrize(
    ("rule", "tool", "command"),
    [
        pytest.param(rule, tool, command, id=f"{rule}: {tool}: {command}")
        for rule, spellings in TABLE["spellings"].items()
        for tool, command in lines(spellings)
    ],
)
def test_a_rule_stops_the_spelling_of_windows(rule: str, tool: str, command: str) -> None:
    assert decided(index.pack([RULES[rule]]), tool, {"command": command}, ENVIRON).decision


@pytest.mark.parametrize(("tool", "command"), lines(TABLE["free"]))
def test_everyday_work_on_windows_is_free(tool: str, command: str) -> None:
    assert not decided(packed(*EVERYTHING), tool, {"command": command}, ENVIRON).decision


@pytest.mark.parametrize("rule", OF_THESE_KINDS)
def test_each_rule_of_these_kinds_has_spellings_of_windows_or_a_reason_for_none(rule: str) -> None:
    spellings, reason = TABLE["spellings"].get(rule), TABLE["elsewhere"].get(rule)
    assert bool(spellings) is not bool(reason)
    if spellings:
        assert spellings["powershell"]
        assert spellings["cmd"]


@pytest.mark.parametrize("rule", [*TABLE["spellings"], *TABLE["elsewhere"]])
def test_the_table_names_rules_that_are_there(rule: str) -> None:
    assert rule in RULES
