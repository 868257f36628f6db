"""A checked policy file -> compiled rules, the plain data `match.py` reads (docs/architecture.md)."""

from __future__ import annotations

import os

from rulez_py.analysis import ARGUMENTS, OPAQUE, OUTPUT
from rulez_py.event.arguments import ACCESSES
from rulez_py.policy import globs, regex
from rulez_py.verdict import ALLOW, DENY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DECISIONS = ("block", "ask", "allow")
SCRIPT_TIMEOUT = 5.0
MAX_CONTEXT = 1024 * 1024

USUAL = (ARGUMENTS, OUTPUT)
"""Reasons why a command is opaque that harmless ones have as well: `opaque: true` does not mean them."""

# Matchers that mean the same compiled as written.
_PLAIN = (
    *("tools", "operations", "platforms", "extensions", "directories", "domains", "require_fields"),
    *("command_match", "content_match", "input_match", "field_types"),
)
_PLAIN_ACTIONS = (
    *("block_if_match", "rewrite", "inject_inline", "inject", "inject_command", "inline_script", "validate_expr"),
)


def on_error(data: dict[str, Any]) -> str | None:
    """What a file says an error comes to; None where it does not say."""
    said = (data.get("settings") or {}).get("on_error")
    return None if said is None else str(said)


def _on_run_error(settings: dict[str, Any]) -> str | None:
    """What a `run` script that could not run comes to, None for what every error does.

    There, and only there, RuleZ's `fail_open` counts.
    """
    return ALLOW if settings.get("fail_open") and "on_error" not in settings else None


def compile_rules(
    data: dict[str, Any], rule_lines: tuple[int, ...], *, layer: str, shown: str, root: str, trusted: bool
) -> list[dict[str, Any]]:
    """The rules of one checked file, in its order; rules switched off are left out.

    `shown` is the file's name for people, `root` what its scripts are relative to, and where they run. Errors of a file
    nobody has trusted deny, whatever it says.
    """
    settings = data.get("settings") or {}
    common = {
        "layer": layer,
        "trusted": trusted,
        "root": root,
        "on_error": (on_error(data) if trusted else None) or DENY,
        "max_context": settings.get("max_context_size", MAX_CONTEXT),
    }
    timeout = settings.get("script_timeout", SCRIPT_TIMEOUT)
    on_run_error = _on_run_error(settings) if trusted else None
    return [
        {**_rule(rule, timeout, root, on_run_error), **common, "source": f"{shown}:{line}"}
        for rule, line in zip(data.get("rules") or (), rule_lines, strict=True)
        if (rule.get("metadata") or {}).get("enabled", True)
    ]


def _rule(rule: dict[str, Any], timeout: float, root: str, on_run_error: str | None) -> dict[str, Any]:
    metadata, governance = rule.get("metadata") or {}, rule.get("governance") or {}
    return {
        "name": rule["name"],
        "description": rule.get("description") or "",
        "suggestion": rule.get("suggestion") or "",
        "why": governance.get("reason") or "",
        "mode": rule.get("mode", "enforce"),
        "priority": rule.get("priority", metadata.get("priority", 0)),
        "timeout": float(metadata.get("timeout", timeout)),
        "enabled_when": rule.get("enabled_when"),
        "match": _matchers(rule.get("matchers") or {}),
        "except": _matchers(rule["except"]) if "except" in rule else None,
        "actions": _actions(rule.get("actions") or {}, root, on_run_error),
    }


def _matchers(matchers: dict[str, Any]) -> dict[str, Any]:
    compiled = {key: matchers[key] for key in _PLAIN if key in matchers}
    if "command" in matchers:
        wanted = matchers["command"]
        many = isinstance(wanted, list)
        compiled["command"] = list(map(_command_matcher, wanted)) if many else _command_matcher(wanted)
    if "paths" in matchers:
        paths = matchers["paths"]
        compiled["paths"] = {"globs": paths["globs"], "access": paths.get("access", list(ACCESSES))}
    if "mcp" in matchers:
        compiled["mcp"] = [
            {"server": entry.get("server", ["*"]), "tool": entry.get("tool", ["*"])} for entry in matchers["mcp"]
        ]
    if "prompt_match" in matchers:
        prompt = matchers["prompt_match"]
        compiled["prompt_match"] = {
            "patterns": [_prompt_pattern(pattern, prompt) for pattern in prompt["patterns"]],
            "mode": prompt.get("mode", "any"),
        }
    if lost := matchers.keys() - compiled.keys():
        # A rule without one of its matchers would mean something else.
        raise KeyError(f"matchers that are not compiled: {', '.join(sorted(lost))}")
    return compiled


def _command_matcher(command: dict[str, Any]) -> dict[str, Any]:
    compiled = dict(command)
    if "program" in command:
        names = [name.lower() for name in command["program"]]
        patterns = [name for name in names if globs.is_glob(name)]
        compiled |= {"program": names, "program_globs": patterns} if patterns else {"program": names}
    for key in ("any_flag", "all_flags", "no_flag"):
        if key in command:
            compiled[key] = [_flag(flag) for flag in command[key]]
    for key in ("args", "operands", "stdin"):
        if key in command:
            compiled[key] = [_word(word) for word in command[key]]
    if isinstance(command.get("opaque"), bool):
        compiled["opaque"] = [reason for reason in OPAQUE if reason not in USUAL] if command["opaque"] else []
    return compiled


def _flag(flag: str) -> list[str | None]:
    name, equals, value = flag.partition("=")
    return [name, value if equals else None]


def _word(word: str) -> dict[str, str]:
    return {"regex": word.removeprefix("re:")} if word.startswith("re:") else {"glob": word}


def _prompt_pattern(pattern: str, options: dict[str, Any]) -> dict[str, Any]:
    literal, negate, expression = prompt_parts(pattern)
    if literal:
        expression = rf"\b{regex.escape(expression)}\b"
    anchor = options.get("anchor", "contains")
    if anchor == "start":
        expression = f"^(?:{expression})"
    elif anchor == "end":
        expression = f"(?:{expression})$"
    if options.get("case_insensitive", False):
        expression = f"(?i){expression}"
    return {"regex": expression, "negate": negate}


def prompt_parts(pattern: str) -> tuple[bool, bool, str]:
    """A `prompt_match` pattern: whether it is one literal word, whether it is negated, and what is left of it."""
    negate = pattern.startswith("not:")
    if negate:
        pattern = pattern.removeprefix("not:").strip()
    literal = pattern.startswith("contains_word:")
    if literal:
        pattern = pattern.removeprefix("contains_word:").strip()
    return literal, negate, pattern


def _actions(actions: dict[str, Any], root: str, on_run_error: str | None) -> dict[str, Any]:
    compiled = {key: actions[key] for key in DECISIONS if actions.get(key, False) is not False}
    compiled.update((key, actions[key]) for key in _PLAIN_ACTIONS if key in actions)
    if "run" in actions:
        compiled["run"] = _run(actions["run"], root, on_run_error)
    return compiled


def _run(run: dict[str, Any], root: str, on_run_error: str | None) -> dict[str, Any]:
    script, shell = run["script"], run.get("shell", False)
    file = os.path.join(root, script)
    is_there = not shell and os.path.isfile(file)
    command = [script] if shell else _command(script, file if is_there else None, run.get("args"))
    timeout = run.get("timeout")
    return {
        "command": command,
        "shell": shell,
        "timeout": None if timeout is None else float(timeout),
        "on_error": on_run_error,
        "looked_for": None if shell else (file, is_there),
    }


def _command(script: str, file: str | None, arguments: list[str] | None) -> list[str]:
    """Program and arguments. A script that names a `file` below the root is that file, spaces in its name or not."""
    if file is not None:
        return [file, *(arguments or ())]
    if arguments is not None:
        return [script, *arguments]
    import shlex

    return shlex.split(script)
