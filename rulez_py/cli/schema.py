"""`rulez schema`: the formats of the files people write, for editors."""

from __future__ import annotations

import click

POLICY, AGENT, PROJECT, SCENARIOS = "policy", "agent", "agents-project", "scenarios"


EXAMPLES = """\b
Examples:
  rulez schema > .rulez/schema.json      after an update of rulez
  rulez schema agent > agents/schema.json
  rulez schema scenarios > tests/schema.json

With `# yaml-language-server: $schema=schema.json` as a file's first line an editor completes and checks it.

Exit codes: 0; 2 wrong command line.
"""


@click.command("schema", epilog=EXAMPLES)
@click.argument("kind", type=click.Choice([POLICY, SCENARIOS, AGENT, PROJECT]), default=POLICY)
def schema(kind: str) -> None:
    """Print the JSON Schema of policy files, scenario files, agent definitions or rulez.agents.yaml, for an editor."""
    click.echo(text(kind), nl=False)


def text(kind: str) -> str:
    """Return a schema as it is written to a file."""
    import json

    if kind == AGENT:
        from rulez_py.definitions.agents.format import json_schema as form
    elif kind == PROJECT:
        from rulez_py.definitions.project.format import json_schema as form
    elif kind == SCENARIOS:
        from rulez_py.policy.format.scenarios import json_schema as form
    else:
        from rulez_py.policy.format.editor_schema import for_editors as form

    return json.dumps(form(), indent=2, ensure_ascii=False) + "\n"
