"""`rulez schema`: the formats of the files people write, for editors."""

from __future__ import annotations

import click

POLICY, AGENT = "policy", "agent"


@click.command("schema")
@click.argument("kind", type=click.Choice([POLICY, AGENT]), default=POLICY)
def schema(kind: str) -> None:
    """Print the JSON Schema of policy files, or of agent definitions, for completion and checks in an editor."""
    import json

    if kind == AGENT:
        from rulez_py.agents.format import json_schema
    else:
        from rulez_py.policy.schema import json_schema

    click.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))
