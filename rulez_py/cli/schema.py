"""`rulez schema`: the policy file format for editors."""

from __future__ import annotations

import click


@click.command("schema")
def schema() -> None:
    """Print the JSON Schema of policy files, for completion and checks in an editor."""
    import json

    from rulez_py.policy.schema import json_schema

    click.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))
