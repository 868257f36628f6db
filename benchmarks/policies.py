"""Policies of any size: ten kinds of rules in turn, so that every size has the same mix."""

from __future__ import annotations

_HEAD = """\
version: "1.0"
extends: [builtin:essentials]
rules:
"""

_COMMON = """\
  - name: {kind}-{number:05}
    description: Team {number:05} keeps this to itself
    suggestion: Ask team {number:05}.
    matchers:
{matchers}
    actions: {{block: true}}
    priority: {priority}
"""

KINDS = {
    "program": """\
      operations: [PreToolUse]
      tools: [Bash]
      command_match: '\\bctl-{number:05}\\s+(?:destroy|purge)\\b'""",
    "either-program": """\
      operations: [PreToolUse]
      tools: [Bash]
      command_match: '^\\s*(?:sudo\\s+)?(?:rollout-{number:05}|release-{number:05})\\s'""",
    "git-branch": """\
      operations: [PreToolUse]
      tools: [Bash]
      command_match: ['\\bgit\\s+push\\b.*\\bstable-{number:05}\\b', '\\bgit\\s+tag\\s+-d\\s+v{number:05}\\b']""",
    "directory": """\
      operations: [PreToolUse]
      tools: [Write, Edit]
      paths: {{globs: ["services/team-{number:05}/**", "!services/team-{number:05}/drafts/**"], access: [write]}}""",
    "file-name": """\
      operations: [PreToolUse]
      tools: [Read]
      paths: {{globs: ["**/vault-{number:05}.*"], access: [read]}}""",
    "content": """\
      operations: [PreToolUse]
      tools: [Write, Edit]
      content_match: '(?i)key-{number:05}\\s*[:=]\\s*\\w{{16,}}'""",
    "afterwards": """\
      operations: [PostToolUse]
      tools: [Bash]
      command_match: '\\bmake\\s+deploy-{number:05}\\b'""",
    "host": """\
      operations: [PreToolUse]
      tools: [WebFetch]
      domains: ["*.team-{number:05}.example"]""",
    "server": """\
      operations: [PreToolUse]
      mcp: {{server: "store-{number:05}", tool: "delete_*"}}""",
    "prompt": """\
      operations: [UserPromptSubmit]
      prompt_match: ['(?i)release train {number:05}']""",
}
"""Kind -> its matchers. Three of ten look at Bash before it runs, two at Write."""

LOSES = """\
  - name: ask-before-losing
    description: This cannot be brought back
    matchers: {operations: [PreToolUse], loses: [uncommitted, untracked]}
    actions: {ask: true}
"""
KEEPS = LOSES.replace("ask-before-losing", "keep-what-is-lost").replace("ask: true", "checkpoint: true")
_TESTS = "command: {program: npm, subcommand: test}"
MATCHES = f"""\
  - {{name: tests, matchers: {{operations: [PreToolUse], {_TESTS}}}, actions: {{}}}}
"""
MATCHES_AFTER = MATCHES.replace("PreToolUse", "PostToolUse")
COUNTS = MATCHES.replace("actions: {}", "at_most: 1000, actions: {block: true}")
REQUIRES = MATCHES.replace("actions: {}", "requires: planned, actions: {block: true}")
REMEMBERS = MATCHES_AFTER.replace(
    "actions: {}", "actions: {remember: {key: tested, until: {paths: {globs: src/**, access: [write]}}}}"
)
"""Rules that may follow those of `policy`."""

_NAMES = tuple(KINDS)


def policy(count: int) -> str:
    """Return a policy file: `builtin:essentials` and `count` rules, always the same ones."""
    return _HEAD + "".join(_rule(number) for number in range(count))


def _rule(number: int) -> str:
    kind = _NAMES[number % len(_NAMES)]
    return _COMMON.format(
        kind=kind,
        number=number,
        priority=number % 7 * 10,
        matchers=KINDS[kind].format(number=number),
    )


def _last(kind: str, count: int) -> int:
    place = _NAMES.index(kind)
    return (count - 1 - place) // len(_NAMES) * len(_NAMES) + place


def denied_command(count: int) -> str:
    """Return a command that only one rule of `policy(count)` denies, one near its end; `count` is at least 10."""
    return f"ctl-{_last('program', count):05} destroy"


def denied_path(count: int) -> str:
    """Return the same for a file written, relative to the project."""
    return f"services/team-{_last('directory', count):05}/main.py"
