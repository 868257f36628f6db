"""A checked policy file -> compiled rules, plain data (`rule.py`)."""

from __future__ import annotations

import os

from rulez_py.analysis import Value
from rulez_py.policy.format import memory
from rulez_py.policy.format.overrides import bounds_of
from rulez_py.policy.matchers import matchers_of
from rulez_py.verdict import ALLOW, DENY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulez_py.policy.model.rule import Actions, Rule, Run

DECISIONS = ("block", "ask", "checkpoint", "allow")
SCRIPT_TIMEOUT = 5.0
MAX_CONTEXT = 1024 * 1024

_PLAIN_ACTIONS = (
    *("block_if_match", "rewrite", "inject_inline", "inject", "inject_command", "inline_script", "validate_expr"),
)


def on_error(data: dict[str, Any]) -> str | None:
    """Return a file's `on_error`; None without one."""
    said = (data.get("settings") or {}).get("on_error")
    return None if said is None else str(said)


def _on_run_error(settings: dict[str, Any]) -> str | None:
    """Return the decision where a `run` script could not run, None for that of every error.

    There, and only there, RuleZ's `fail_open` counts.
    """
    return ALLOW if settings.get("fail_open") and "on_error" not in settings else None


def compile_rules(
    data: dict[str, Any], rule_lines: tuple[int, ...], *, layer: str, shown: str, root: str, trusted: bool
) -> list[Rule]:
    """Return the rules of one checked file, in its order; rules switched off are left out.

    `shown` is the file's name for people, `root` what its scripts are relative to, and where they run. Errors of a file
    that no person has trusted deny, whatever it says.
    """
    settings = data.get("settings") or {}
    common = _Common(
        layer=layer,
        trusted=trusted,
        root=root,
        on_error=(on_error(data) if trusted else None) or DENY,
        on_run_error=_on_run_error(settings) if trusted else None,
        timeout=settings.get("script_timeout", SCRIPT_TIMEOUT),
        max_context=settings.get("max_context_size", MAX_CONTEXT),
        checkpoints=bounds_of(settings),
        remembering=memory.remembering(data),
    )
    return [
        _rule(rule, f"{shown}:{line}", common)
        for rule, line in zip(data.get("rules") or (), rule_lines, strict=True)
        if (rule.get("metadata") or {}).get("enabled", True)
    ]


class _Common(Value):
    """Values that the rules of one file share."""

    layer: str
    trusted: bool
    root: str
    on_error: str
    on_run_error: str | None
    timeout: float
    max_context: int
    checkpoints: dict[str, float]
    remembering: dict[str, str]


def _rule(rule: dict[str, Any], source: str, common: _Common) -> Rule:
    metadata, governance = rule.get("metadata") or {}, rule.get("governance") or {}
    compiled: Rule = {
        "name": rule["name"],
        "description": rule.get("description") or "",
        "suggestion": rule.get("suggestion") or "",
        "why": governance.get("reason") or "",
        "mode": rule.get("mode", "enforce"),
        "priority": rule.get("priority", metadata.get("priority", 0)),
        "timeout": float(metadata.get("timeout", common.timeout)),
        "enabled_when": rule.get("enabled_when"),
        "match": matchers_of(rule.get("matchers") or {}),
        "except": [matchers_of(one) for one in rule.get("except", [])],
        "actions": _actions(rule.get("actions") or {}, common),
        "layer": common.layer,
        "trusted": common.trusted,
        "root": common.root,
        "on_error": common.on_error,
        "max_context": common.max_context,
        "source": source,
    }
    if "files" in rule:
        compiled["files"] = rule["files"]
    if "requires" in rule:
        compiled["requires"] = {key: common.remembering.get(key, "") for key in rule["requires"]}
    if "remembered" in rule:
        compiled["remembered"] = rule["remembered"]
    if "at_most" in rule:
        compiled["at_most"] = memory.bound(rule["at_most"])
    return compiled


def _actions(actions: dict[str, Any], common: _Common) -> Actions:
    """Return the compiled actions. Raises KeyError for an unknown one."""
    if lost := actions.keys() - {*DECISIONS, *_PLAIN_ACTIONS, "run", "remember", "redact"}:
        raise KeyError(f"actions that are not compiled: {', '.join(sorted(lost))}")
    # Each says the same compiled as written.
    compiled: Any = {key: actions[key] for key in DECISIONS if actions.get(key, False) is not False}
    compiled.update((key, actions[key]) for key in _PLAIN_ACTIONS if key in actions)
    if "checkpoint" in compiled and common.checkpoints:
        compiled["checkpoints"] = common.checkpoints
    if "run" in actions:
        compiled["run"] = _run(actions["run"], common.root, common.on_run_error)
    if "remember" in actions:
        compiled["remember"] = memory.remembered(actions["remember"])
    if "redact" in actions:
        said = actions["redact"]
        compiled["redact"] = {"shapes": list(said.get("shapes", ())), "regexes": list(said.get("match", ()))}
    done: Actions = compiled
    return done


def _run(run: dict[str, Any], root: str, on_run_error: str | None) -> Run:
    script, shell = run["script"], run.get("shell", False)
    file = os.path.join(root, script)
    is_there = not shell and os.path.isfile(file)
    command = [script] if shell else _command(script, file if is_there else None, run.get("args"))
    timeout = run.get("timeout")
    compiled: Run = {
        "command": command,
        "shell": shell,
        "timeout": None if timeout is None else float(timeout),
        "on_error": on_run_error,
        "looked_for": None if shell else (file, is_there),
    }
    if "git" in run:
        compiled["git"] = run["git"]
    if "facts" in run:
        compiled["facts"] = run["facts"]
    return compiled


def _command(script: str, file: str | None, arguments: list[str] | None) -> list[str]:
    """Program and arguments. A script that names a `file` below the root is that file, spaces in its name or not."""
    if file is not None:
        return [file, *(arguments or ())]
    if arguments is not None:
        return [script, *arguments]
    import shlex

    return shlex.split(script)
