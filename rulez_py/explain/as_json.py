"""An explanation as programs read it: the fields are documented in docs/cli.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulez_py.log.audit import iso_time
from rulez_py.trust import exceptions
from rulez_py.verdict import PASS

if TYPE_CHECKING:
    from rulez_py.explain.values import AboutRule, Explained, Node
    from rulez_py.policy.facts.disk import Touched

SCHEMA = 1


def as_json(found: Explained) -> dict[str, Any]:
    """Return all of it."""
    event, verdict = found.event, found.verdict
    return {
        "schema": SCHEMA,
        "call": {
            "platform": event.platform,
            "event": list(event.types),
            "tool": event.tool_name,
            "input": event.own_input,
            "prompt": event.prompt,
            "cwd": event.cwd,
            "project": found.project,
            "notes": list(found.notes),
        },
        "verdict": {
            "decision": verdict.decision or PASS,
            "rule": verdict.rule,
            "reason": verdict.reason,
            "failed": verdict.failed,
            "context": list(verdict.context),
            "rewrite": dict(verdict.rewrite) if verdict.rewrite else None,
            "redacted": []
            if verdict.result is None
            else [{"kind": kind, "count": count} for kind, count in verdict.result.found],
            "notes": list(verdict.notes),
            "scripts_not_run": list(found.scripts),
        },
        "commands": [_node(node) for node in found.commands],
        "files": [_file(file) for file in found.files],
        "hosts": list(found.hosts),
        "rules": [_rule(one) for one in found.rules],
        "policy": [
            {
                "layer": one.source.layer,
                "file": one.shown,
                "trusted": one.source.trusted,
                "trusted_by": one.by,
                "ignored": one.source.ignored,
            }
            for one in found.layers
        ],
        "agents": [
            {
                "platform": one.platform,
                "decision": one.decision,
                "reason": one.text,
                "exit_code": one.answer.exit_code,
                "stdout": one.answer.stdout,
                "stderr": one.answer.stderr,
                "dropped": list(one.answer.dropped),
            }
            for one in found.told
        ],
        "exceptions": [exceptions.as_json(one) for one in found.exceptions],
        "granted": [
            {
                "kind": one.grant.kind,
                "project": one.grant.root or None,
                "until": iso_time(one.grant.until),
                "command": one.grant.text or None,
                "decision": one.passing,
            }
            for one in found.granted
        ],
        "changes": [{"file": one.file, "purpose": one.purpose, "lines": list(one.lines)} for one in found.changes],
        "checkpoints": [
            {"id": one.id, "what": one.what, "names": list(one.names), "until": one.until, "state": state}
            for one, state in found.kept
        ],
        "logged": dict(found.logged) or None,
    }


def _node(node: Node) -> dict[str, Any]:
    command = node.command
    return {
        "words": [{"text": word.text, "known": word.known, "at": _at(word.at)} for word in command.words],
        "program": command.program or None,
        "via": list(command.via),
        "user": command.user or None,
        "script": command.script or None,
        "line": command.line or None,
        "unknown": list(command.opaque),
        "fed": list(command.fed),
        "files": [
            {"path": file.path, "access": list(file.access), "deep": file.deep, "known": file.known, "at": _at(file.at)}
            for file in command.files
        ],
        "named": [file.path for file in command.named],
        "hosts": list(command.hosts),
        "flows": [{"from": origin, "to": sink} for origin, sink in command.flows],
        "supposed": node.supposed,
        "runs": [_node(inner) for inner in node.runs],
    }


def _at(place: tuple[int, int]) -> list[int] | None:
    """Return the place of words in the command line, None where they are not in it."""
    return list(place) if place[1] else None


def _file(file: Touched) -> dict[str, Any]:
    return {"path": file.path, "written": file.spelled, "access": list(file.access), "known": file.known}


def _rule(one: AboutRule) -> dict[str, Any]:
    rule = one.rule
    return {
        "rule": rule["name"],
        "layer": rule["layer"],
        "source": rule["source"],
        "mode": rule["mode"],
        "changed_by": list(rule.get("changed_by", ())),
        "state": one.state,
        "near": one.near,
        "decision": one.decision or None,
        "would": one.would or None,
        "reason": one.reason or None,
        "session": list(one.session),
        "words": [{"text": text, "at": _at((start, end))} for start, end, text in one.words],
        "checks": [
            {"matcher": check.name, "fits": check.fits, "wanted": check.wanted, "there": check.there}
            for check in one.checks
        ],
    }
