"""Writes docs/lint.md: what `rulez lint` looks for (`make lint-page`)."""

from __future__ import annotations

from pathlib import Path

from rulez_py.lint.checks import CHECKS, DOUBTFUL, INVALID

PAGE = Path(__file__).parent.parent / "docs" / "lint.md"

_HEAD = f"""\
# What `rulez lint` finds

`rulez validate` says whether a policy file is valid; `rulez lint` also finds rules that are valid and never match or
never count, and says what could be better. A finding has a code, its place in the file and a caret under it:

```
rules.yaml:5:40: warning RZ101: rule `no-git`: `command` never fits: Read runs no command
    5 |     matchers: {{tools: [Read], command: git}}
      |                                        ^^^
    help: name the tool that does, or leave `tools` out
```

| codes | meaning |
|---|---|
| `{INVALID}` | An error that `rulez validate` tells: the file is not valid, and none of its rules hold. |
| `{DOUBTFUL}` | A warning that `rulez validate` tells. |
| `RZ1..` | A rule never matches, or what it does has no effect. |
| `RZ2..` | Rules of one file against each other. |
| `RZ3..` | What could be better: notes, which do not fail the command unless `--strict` says so. |

How to call it, and in which forms it prints: [cli.md](cli.md#rulez-lint).
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Return the page as it should be."""
    sections = [_HEAD]
    for check in CHECKS:
        sections.append(
            f"## {check.code}: {check.title}\n\n{check.why} ({check.severity})\n\n"
            f"Found:\n\n```yaml\n{policy(check.bad, check.bad_head)}```\n\n"
            f"Not found:\n\n```yaml\n{policy(check.good, check.good_head)}```\n"
        )
    return "\n".join(sections)


def policy(rules: str, head: str = "") -> str:
    """Return a policy file of rules as the checks show them, without their names and with `---` between them."""
    text = f'version: "1.0"\n{head}rules:\n'
    for number, rule in enumerate(rules.split("\n---\n")):
        name = "first" if not number else "second"
        body = "\n    ".join(rule.splitlines())
        text += f"  - name: {name}\n    {body}\n"
    return text


if __name__ == "__main__":
    main()
