"""Say what a project's policy may do once it is trusted, for who is asked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from rulez_py.verdict import counted
from rulez_py.verdict import visible as _visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.policy.store.floor import Changed


class Candidate(NamedTuple):
    """A policy file as it is now, with those that it extends: `parts`, as people know them.

    `beyond` lists files of its scripts that trust does not cover; `data` is that of all its files, `content` the bytes
    of the file itself.
    """

    path: str
    root: str
    digest: str
    scripts: list[str]
    patterns: list[str]
    beyond: tuple[str, ...]
    parts: tuple[str, ...]
    data: dict[str, Any]
    problems: tuple[Diagnostic, ...]
    content: bytes


def description(candidate: Candidate, weakened: list[Changed]) -> Iterator[str]:
    """Yield what the person is shown before they are asked, in lines."""
    data = candidate.data
    rules = data.get("rules") or []
    yield _visible(candidate.path)
    powers = powers_of(data)
    count = counted(len(rules), "rule")
    if not powers:
        yield f"  {count}; none needs trust: denials and questions count without it"
    else:
        yield f"  {count}. Once trusted, they may:"
    yield from (f"    {line}" for line in powers)
    yield from _about_the_essentials(weakened)
    if candidate.parts or candidate.scripts or candidate.patterns:
        yield "  Trust covers these files as well, and ends when one of them changes:"
        for covered in (*candidate.parts, *candidate.scripts):
            yield f"    {_visible(os.path.relpath(covered, candidate.root))}"
        yield from (
            f"    each file whose name fits {_visible(pattern)}, also a new one" for pattern in candidate.patterns
        )
    if any(action in (rule.get("actions") or {}) for rule in rules for action in _SCRIPTS):
        yield "  Not covered; a change there does not end trust:"
        yield from (f"    {_visible(what)}" for what in candidate.beyond)
        yield "    what these scripts and programs themselves run, load or read"


def weaker_rules(candidate: Candidate) -> list[Changed]:
    """Return the rules of the essentials that stop less in the file's project once it is trusted."""
    from rulez_py.policy.store.floor import changes_of
    from rulez_py.policy.store.load import read_floor

    essentials = read_floor(candidate.root).rules
    changed = changes_of(candidate.data, essentials, candidate.root, shown=candidate.path)
    return [one for one in changed if one.weaker]


def _about_the_essentials(weakened: list[Changed]) -> Iterator[str]:
    from rulez_py.policy.store.floor import NAME, would_be

    if not weakened:
        yield f"  It weakens no rule of {NAME}: they hold as before"
        return
    yield f"  It weakens {counted(len(weakened), 'rule')} of {NAME} in its project:"
    yield from (f"    {would_be(one)}" for one in weakened)


_SCRIPTS = ("run", "inject_command", "inline_script")


def powers_of(data: Mapping[str, Any]) -> list[str]:
    """Return what a file with this data may do only when it is trusted, in lines; what belongs to one is indented."""
    return [*_of_settings(data), *(line for rule in data.get("rules") or () for line in _of_rule(rule))]


def _of_settings(data: Mapping[str, Any]) -> Iterator[str]:
    settings = data.get("settings") or {}
    if settings.get("on_error", "deny") != "deny":
        yield f"{'let calls through' if settings['on_error'] == 'allow' else 'ask you'} where something fails"
    elif "on_error" not in settings and settings.get("fail_open") is True:
        yield "let calls through where a script cannot run"
    instead = (settings.get("checkpoints") or {}).get("instead_of")
    if instead is not None:
        yield "let calls through that lose something, once it is kept, where a rule asks (checkpoints.instead_of)"
    for name, change in (data.get("overrides") or {}).items():
        if change.get("action") == "checkpoint":
            yield f'let calls through that lose something, once it is kept (rule "{_visible(name)}")'


def _of_rule(rule: dict[str, Any]) -> Iterator[str]:
    from rulez_py.policy.judging.decide import ENDINGS
    from rulez_py.policy.judging.rewriting import bounded

    actions = rule.get("actions") or {}
    by = f'(rule "{_visible(rule["name"])}")'
    run = actions.get("run")
    if run:
        shell = " in a shell" if run.get("shell") else ""
        yield f"run{shell} {by}"
        yield from block(" ".join((run["script"], *run.get("args", ()))))
    if "inline_script" in actions:
        yield f"run this script {by}"
        yield from block(actions["inline_script"])
    if "inject_command" in actions:
        yield f"run this shell line and tell the agent its output {by}"
        yield from block(actions["inject_command"])
    endings = [kind for kind in (rule.get("matchers") or {}).get("operations", ()) if kind in ENDINGS]
    if endings and actions:
        yield f"keep the agent going where it would end ({', '.join(endings)}) {by}"
    if "inject" in actions:
        yield f"show the agent a file, also one that a rule keeps it from reading {by}"
        yield from block(actions["inject"])
    if actions.get("allow", False) is not False:
        yield f"approve calls without asking you {by}"
    if actions.get("checkpoint", False) is not False:
        yield f"let calls through that lose something, once it is kept {by}"
    if "rewrite" in actions:
        yield f"change the arguments of calls {by}"
        for name, value in actions["rewrite"].items():
            yield from block(_rewriting(name, value))
        if isinstance(actions["rewrite"].get("command"), str) and bounded(rule.get("matchers") or {}):
            yield "    a line that says more than the command the rule is about is denied instead"


def _rewriting(name: str, value: object) -> str:
    """Return what becomes of an argument, in lines."""
    from rulez_py.policy.model.rewrites import REPLACE, is_partial, pairs, texts

    if not is_partial(value, of=name):
        return f"{name} = {value}"
    lines: list[str] = []
    for key, said in value.items():
        if key == REPLACE:
            lines += [f"{name}: {key} {pattern} -> {text}" for pattern, text in pairs(said)]
        else:
            lines.append(f"{name}: {key} {', '.join(texts(said))}")
    return "\n".join(lines)


def block(text: str) -> Iterator[str]:
    """Yield the lines of a text, indented. INVARIANT: all of it. What is left out here would be trusted unseen."""
    yield from (f"    | {_visible(line.expandtabs(4))}" for line in text.rstrip("\n").split("\n"))


def stops(rule: Mapping[str, Any]) -> bool:
    """Tell if a rule denies calls or asks about them, by itself or by what it runs."""
    actions = rule.get("actions") or {}
    said = (actions.get(name, False) for name in ("block", "ask", "checkpoint"))
    others = ("block_if_match", "require_fields", "run", "inline_script", "validate_expr")
    return any(one is not False for one in said) or any(name in actions for name in others) or "requires" in rule
