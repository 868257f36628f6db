"""Prerequisites of a valid rule that may be missing when a call comes: arguments, prompts, scripts, time.

Each finding is a path in the rule, a predicate for the value there, and what would be right instead.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from rulez_py.documents.document import Path

    Finding = tuple[Path, str, str]

SCRIPTS_HAVE = 22.5
"""Seconds that the scripts of one hook call have: what `rulez hook` gives itself, less its reserves."""

_STOPPING = ("block", "ask", "checkpoint", "block_if_match", "validate_expr", "run", "inline_script", "rewrite")
_WITH_PROMPT = ("UserPromptSubmit", "UserPromptExpansion", "BeforeAgent")
_ALWAYS_GIVEN = {
    "command": ("Bash", "Shell"),
    "file_path": ("Write", "Read"),
    "content": ("Write",),
    "pattern": ("Glob", "Grep"),
    "url": ("WebFetch",),
    "prompt": ("Task",),
}
"""Argument -> the tools whose calls always have it."""


def seconds_findings(value: object, path: Path) -> Iterator[Finding]:
    """Yield what is wrong with a time limit."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value > SCRIPTS_HAVE:
        says = f"is {value:g} seconds, and a hook ends its scripts after {SCRIPTS_HAVE:g}"
        yield path, says, "raise `--timeout` of `rulez hook` too, and the agent's own limit"


def expression_findings(rule: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield what `enabled_when` reads that an event may not have."""
    expression, actions = rule.get("enabled_when"), rule.get("actions")
    matchers = rule.get("matchers")
    matchers = matchers if isinstance(matchers, dict) else {}
    if not isinstance(expression, str) or not isinstance(actions, dict):
        return
    operations = _listed(matchers.get("operations"))
    stops = rule.get("mode") != "audit" and any(actions.get(action) for action in _STOPPING)
    if stops and (not operations or any("Tool" in one or "Permission" in one for one in operations)):
        given = _given(matchers, expression)
        for name in dict.fromkeys(_arguments(expression)):
            if name not in given and not _is_asked_for(name, expression):
                says = f'reads "{name}", which a call may leave out, and then `on_error` decides'
                yield ("enabled_when",), says, f'ask first: has_field("{name}") && ...'
    has_prompt = bool(operations) and all(one in _WITH_PROMPT for one in operations)
    if _reads_prompt(expression) and not (has_prompt or "prompt_match" in matchers or "event_type" in expression):
        says = 'reads "prompt", and is off at events without one'
        yield ("enabled_when",), says, "name those that have one: operations: [UserPromptSubmit]"


def _arguments(expression: str) -> list[str]:
    """Return the arguments of tools that an expression reads."""
    import re

    found = re.findall(r"""\btool_input(?:_(\w+)|\.(\w+)|\[["'](\w+)["']\])""", expression)
    return [next(filter(None, names)) for names in found]


def _is_asked_for(name: str, expression: str) -> bool:
    import re

    quoted = rf"""["']{re.escape(name)}["']"""
    return re.search(rf"has_field\(\s*{quoted}\s*\)|{quoted}\s+in\s+tool_input\b", expression) is not None


def _given(matchers: Mapping[str, Any], expression: str) -> set[str]:
    """Return the arguments that each call has for which the expression is evaluated."""
    types = matchers.get("field_types")
    given = {*_listed(matchers.get("require_fields")), *(types if isinstance(types, dict) else ())}
    tools = _listed(matchers.get("tools"))
    for name, always in _ALWAYS_GIVEN.items():
        named = any(f'"{tool}"' in expression or f"'{tool}'" in expression for tool in always)
        if named or (tools and all(tool in always for tool in tools)):
            given.add(name)
    return given


def _reads_prompt(expression: str) -> bool:
    import re

    return re.search(r"""(?<![\w."'])prompt\b(?!["'])""", expression) is not None


def _listed(value: object) -> list[str]:
    entries: Iterable[object] = value if isinstance(value, list) else [value]
    return [entry for entry in entries if isinstance(entry, str)]


_INTERPRETERS = ("python", "pypy", "sh", "bash", "dash", "zsh", "ksh", "node", "deno", "bun", "ruby", "perl", "php")
_ENDINGS = (".sh", ".bash", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".zsh")


def script_findings(run: object, root: str) -> Iterator[Finding]:
    """Yield what is wrong with the file that `run` names; `root` is what it is relative to."""
    settings = run if isinstance(run, dict) else {"script": run}
    script, arguments = settings.get("script"), settings.get("args")
    if not isinstance(script, str) or settings.get("shell") is True:
        return
    path: Path = ("script",) if isinstance(run, dict) else ()
    if os.path.isfile(os.path.join(root, script)):
        words, name = [script], script
    else:
        words = [script, *_listed(arguments)] if arguments is not None else _split(script)
        name = _script_among(words)
    if not name or "\0" in name:
        return
    file = os.path.join(root, name)
    if not os.path.exists(file):
        yield path, f"names {name}, which is not there", f"it is looked for in {root}"
    elif name == words[0] and os.path.isfile(file) and not os.access(file, os.X_OK):
        yield path, f"names {name}, which is not executable", f"chmod +x {file}"


def _script_among(words: list[str]) -> str:
    """Return the word that is a script's file, "" where none is for certain."""
    if not words or words[0].startswith("~"):
        return ""
    if "/" in words[0]:
        return words[0]
    if not os.path.basename(words[0]).rstrip("0123456789.").startswith(_INTERPRETERS):
        return words[0] if words[0].endswith(_ENDINGS) else ""
    for word in words[1:]:
        if word.startswith("-"):
            if not word.startswith("--") and set(word) & set("cmeE"):
                return ""  # code or a module, not a file
            continue
        return word if "/" in word or word.endswith(_ENDINGS) else ""
    return ""


def _split(text: str) -> list[str]:
    import shlex

    try:
        return shlex.split(text)
    except ValueError:
        return []
