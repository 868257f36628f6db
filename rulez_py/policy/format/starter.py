"""The policy that `rulez init` writes for who begins: valid, explained line by line, and doing what its sets do."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SCHEMA = "schema.json"
"""The schema's file, beside the policy."""
EXAMPLE = "# | "
"""The prefix of each line of rules that are only suggested."""

_WHOSE = {
    True: "What coding agents may do in this project, for everybody who works on it. It only adds to what they have\n"
    "# themselves, until they trust it: `rulez trust`.",
    False: "What coding agents may do for me, in all projects. It adds to the built-in essentials, which hold anyway.",
}

_TEXT = """\
# yaml-language-server: $schema={schema}
# {whose}
#
#   rulez validate    is it in order?    (here and in an editor, which knows all keys by the first line)
#   rulez test        do the tests hold that rules carry?
version: "1.0"

# Rule sets that come with rulez. `rulez packs list` names them, `rulez packs show {first}` says what is in one.
extends:
{extends}{suggested}
# Rules of these sets that are not for {here}, by the name that a denial says:
# disable: [no-dropping-stashes]

# Rules of your own; of all that match, the strictest decides. To begin with these examples take `rules: []` away, and
# the `# |` in front of them.
rules: []

{examples}"""

_EXAMPLES = """\
rules:
  # `matchers` say when: all of them have to match. `block` denies.
  - name: no-publishing
    description: Releases are made by the release job.         # what is wrong: the agent is told
    suggestion: Open a pull request that bumps the version.    # what would be right
    matchers:
      operations: [PreToolUse]                                 # before a tool runs
      command: {program: npm, subcommand: publish, no_flag: --dry-run}
    actions: {block: true}
    tests:
      deny: ["npm publish", "cd web && npm publish --tag next"]
      allow: ["npm publish --dry-run", "git commit -m 'npm publish'"]

  # Files: by the agent's own tools, and by every command that touches them.
  - name: generated-code
    description: This file is generated.
    suggestion: Change the template and run make generate.
    matchers:
      operations: [PreToolUse]
      paths: {globs: [src/generated/**], access: [write, delete]}
    actions: {block: true}
    tests:
      deny: ["rm src/generated/api.py", {tool: Write, file_path: src/generated/api.py, content: x}]
      allow: ["cat src/generated/api.py"]

  # Branches that only pull requests change, however the push is spelled.
  - name: no-push-to-main
    suggestion: Push a branch of your own, and open a pull request.
    matchers: {pushes: {to: [$default, "release/*"]}}
    actions: {block: true}
    tests: {deny: ["git push origin HEAD:main"], allow: ["git push -u origin feature"]}

  # `ask` leaves it to you; what it says is shown with the question.
  - name: ask-before-migrations
    matchers:
      operations: [PreToolUse]
      paths: {globs: [db/migrations/**], access: [write]}
    actions: {ask: migrations run in production}
    tests:
      ask: [{tool: Edit, file_path: db/migrations/1.sql, old_string: a, new_string: b}]
"""

_SUGGESTED = """\
  # By its files these fit this project, too; each counts once the `# ` before it is gone.
"""


def starter(packs: Iterable[str], *, project: bool, suggested: Iterable[tuple[str, str]] = ()) -> str:
    """Return the text of a policy that extends these rule sets (`builtin:NAME`).

    Those that are `suggested` follow them as comments, each with the reason: one line of text.
    """
    packs, suggested = list(packs), list(suggested)
    shown = "".join((EXAMPLE + line).rstrip() + "\n" for line in _EXAMPLES.splitlines())
    return _TEXT.format(
        schema=SCHEMA,
        whose=_WHOSE[project],
        here="this project" if project else "me",
        first=packs[0].partition(":")[2],
        extends="".join(f"  - {pack}\n" for pack in packs),
        suggested=_SUGGESTED + "".join(_line(pack, why, suggested) for pack, why in suggested) if suggested else "",
        examples=shown,
    )


def _line(pack: str, why: str, among: Iterable[tuple[str, str]]) -> str:
    """Return the line that takes a set, as a comment; the reasons are below one another."""
    width = max(len(one) for one, _ in among)
    return f"  # - {pack.ljust(width)}  # {why}\n"


SCENARIOS = """\
# Calls of an agent, one after the other, and what the whole policy must say to each. `rulez test` tries them: nothing
# runs. More: `rulez schema scenarios` has an editor complete this file.
policy: ../rules.yaml
scenarios:
  - name: everyday work goes on
    events:
      - {command: git status, expect: allow}
      - {tool: Read, file_path: README.md, expect: allow}
  - name: the history of others is not written over
    events:
      - {command: git push --force, expect: deny, rule: no-force-push}
"""
"""Scenarios that hold with every rule set: the essentials deny the last call."""
