"""`rulez tools`: the tool table, for people, for programs and for TOOL-MAPPING.md."""

from __future__ import annotations

import click

from rulez_py.cli.platform_option import NAMES, platform_option
from rulez_py.platforms import PLATFORMS, adapter, is_proven
from rulez_py.platforms.tool_table import AGENT_FILE_NAMES, INBOUND, canonical_name
from rulez_py.system import jsontext

_platform = platform_option(f"Only this agent: {NAMES}.")


@click.group(invoke_without_command=True)
@_platform
@click.option("--json", "as_json", is_flag=True, help="The table as JSON.")
@click.option("--markdown", "as_markdown", is_flag=True, help="The text of TOOL-MAPPING.md.")
@click.pass_context
def tools(context: click.Context, platform: str | None, as_json: bool, as_markdown: bool) -> None:
    """Show what each agent calls its tools, and what rules call them."""
    if context.invoked_subcommand is not None:
        if platform or as_json or as_markdown:
            raise click.UsageError(f"write the options behind {context.invoked_subcommand}")
        return
    if as_json and as_markdown:
        raise click.UsageError("choose one of --json and --markdown")
    platforms = (platform,) if platform else PLATFORMS
    if as_markdown:
        if platform:
            raise click.UsageError("--markdown shows all agents; leave out --platform")
        from rulez_py.cli.tool_mapping import markdown

        click.echo(markdown(), nl=False)
    elif as_json:
        click.echo(jsontext.dumps({name: _as_json(name) for name in platforms}))
    else:
        for name in platforms:
            _print_table(name)


@tools.command("canonical", epilog="Exit codes: 0 done; 2 wrong command line.")
@platform_option("The agent whose names these are.", required=True)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def canonical(platform: str, names: tuple[str, ...]) -> None:
    """Print the canonical name of each tool, one a line; unknown names come back unchanged."""
    for name in names:
        click.echo(canonical_name(platform, name))


@tools.command("map", epilog="Exit codes: 0 done; 2 wrong command line, or a word that means no tool.")
@click.option("--platform", type=click.Choice(list(AGENT_FILE_NAMES)), required=True, help="The agent to map for.")
@click.option("--json", "as_json", is_flag=True, help="The names as one JSON list.")
@click.option("--warn", is_flag=True, help="Say which tools the agent lacks.")
@click.argument("words", nargs=-1, required=True, metavar="TOOL...")
def map_(platform: str, as_json: bool, warn: bool, words: tuple[str, ...]) -> None:
    """Print what an agent's definition files call tools, one name a line, each once.

    TOOL is a tool variant (Write, Edit, Shell, ...) or Custom:NAME. A tool the agent lacks is left out.
    """
    from rulez_py.definitions.base.mapping import map_tools
    from rulez_py.definitions.base.tool import AnyTool, Platform, Tool, UnknownTool, old_name, parse_tool

    def missing(tool: Tool, platform: Platform) -> None:
        click.echo(f"{adapter(platform).AGENT} has no {tool.value}", err=True)

    found: list[AnyTool] = []
    for word in words:
        try:
            found += parse_tool(word)
        except UnknownTool as unknown:
            raise click.UsageError(str(unknown)) from None
        if told := old_name(word):
            click.echo(told, err=True)
    names = map_tools(found, Platform(platform), on_missing=missing if warn else None)
    if as_json:
        click.echo(jsontext.dumps(names))
    else:
        for name in names:
            click.echo(name)


def _as_json(platform: str) -> dict[str, object]:
    return {
        "inbound": [
            {
                "name": row.name,
                "canonical": row.canonical or row.name,
                "variants": row.variants,
                "evidence": row.evidence,
            }
            for row in INBOUND[platform].values()
        ],
        "agent_file": AGENT_FILE_NAMES.get(platform, {}),
    }


def _print_table(platform: str) -> None:
    click.secho(platform if is_proven(platform) else f"{platform} (unproven)", bold=True)
    for row in INBOUND[platform].values():
        target = row.canonical or "(unchanged)"
        variants = f"  {', '.join(row.variants)}" if row.variants else ""
        click.echo(f"  {row.name:<30} {target:<12} {row.evidence:<9}{variants}")
