"""`rulez install`: our hooks into the settings of the agents on this machine."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import click

from rulez_py.cli import person
from rulez_py.platforms import PLATFORMS, adapter, is_proven
from rulez_py.verdict import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rulez_py.install.entries import Program
    from rulez_py.install.places import Machine
    from rulez_py.install.plan import Change, Plan, Refused

SCOPES = ("user", "project", "managed")

NOT_OF_THE_MACHINE = "MCP servers are those of a person or of a project, not of the machine"
NEVER_PLAYED = "rulez was never played on {} itself, only its documentation is known"

EXIT_CODES = "Exit codes: 0 done, or nothing to do; 1 refused, or not done for one of them; 2 wrong command line."

platforms_argument = click.argument("platforms", metavar="[PLATFORM]...", nargs=-1, type=click.Choice(PLATFORMS))
scope_option = click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default=SCOPES[0],
    show_default=True,
    help="For you in all projects; for everybody in this project; for the whole machine, which needs root.",
)
dry_run_option = click.option("--dry-run", is_flag=True, help="Change nothing; print what would change as a diff.")


class NotDone(click.ClickException):
    """The request cannot be carried out; exit code 1."""

    def show(self, file: Any = None) -> None:
        click.echo(f"error: {self.message}", err=True)


@click.command("install", epilog=f"PLATFORM is one of {', '.join(PLATFORMS)}.\n\n{EXIT_CODES}")
@platforms_argument
@scope_option
@dry_run_option
@click.option("--command", metavar="CMD", help="How the agents call rulez, in place of this rulez by its full path.")
@click.option("--mcp", is_flag=True, help="Instead of hooks: put the agents' MCP servers behind `rulez mcp-proxy`.")
@click.option("--unproven", is_flag=True, help="Also agents on which rulez was never played.")
def install(
    platforms: tuple[str, ...], scope: str, dry_run: bool, command: str | None, mcp: bool, unproven: bool
) -> None:
    """Set rulez up in your coding agents: from then on it judges every tool call of theirs.

    \b
      rulez install --dry-run        look first
      rulez install                  in every agent found on this machine
      rulez install claude codex     in these two
      rulez install --scope project  for everybody who works on this project
      rulez install --mcp            judge MCP servers as well, of all agents

    Only entries of rulez are written; everything else in a settings file stays as it is, byte for byte. Old entries of
    rulez, and of RuleZ, are brought up to date. What was there before is kept, and `rulez uninstall` gives it back.
    """
    from rulez_py.install import programs
    from rulez_py.install.places import agents_here
    from rulez_py.install.plan import to_install

    here = this_machine()
    if mcp and scope == SCOPES[2]:
        raise NotDone(NOT_OF_THE_MACHINE)
    agents = agents_here(here)
    named_or_found = platforms or agents
    offered = tuple(platform for platform in PLATFORMS if unproven or is_proven(platform))
    if not named_or_found:
        raise NotDone(f"no coding agent was found on this machine; name yours: {', '.join(offered)}")
    chosen = tuple(platform for platform in named_or_found if platform in offered)
    try:
        called = programs.chosen(scope, command)
    except programs.CannotName as error:
        raise NotDone(str(error)) from None
    done = Plans(here, scope, dry_run)
    if scope == SCOPES[2]:
        why = programs.why_not_for_all(called)
        if why:
            raise NotDone(visible(why))
    done.leave_out((platform for platform in named_or_found if platform not in chosen), named=bool(platforms))
    if mcp:
        _put_behind(done, chosen, called, named=bool(platforms))
        return
    chosen = chosen if platforms else done.with_a_place(chosen)
    for platform in chosen:
        done.make(platform, lambda platform: to_install(platform, scope, here, called))
    if not dry_run:
        done.refuse_agents(changing=command is not None)
        _carry_out(done, called)
    for doubt in programs.doubts(scope, called) if done.changed else ():
        say_long(f"note: {visible(doubt)}")
    missing = [adapter(platform).AGENT for platform in offered if platform not in agents]
    if missing and not platforms:
        say_long(f"Not found here: {', '.join(missing)} (`rulez install NAME` sets it up all the same)")
    done.end()


def _put_behind(done: Plans, platforms: Iterable[str], called: Program, *, named: bool) -> None:
    """Put the agents' MCP servers behind the proxy. Ends the command."""
    from functools import partial

    from rulez_py.install.mcp_servers import BEHIND, has_place, servers, to_wrap, wrap

    for platform in platforms:
        if named or has_place(platform):
            done.make(platform, lambda platform: to_wrap(platform, done.scope, done.here, called))
    if not done.dry_run:
        if any(plan.needed for _, plan in done.plans):
            why = person.why_agent()
            if why:
                raise NotDone(why)
        for platform, plan in done.plans:
            if not done.carry_out(platform, plan, partial(wrap, platform), []):
                continue
            behind = [server.name for server in servers(platform, done.scope, done.here) if server.state == BEHIND]
            said = f"behind the proxy: {', '.join(behind)}" if behind else "no MCP server that it starts itself"
            done.say(platform, visible(said))
        if done.changed:
            click.echo("Start agents that are running again; from then on these servers' calls and reads are judged.")
    done.end()


def _carry_out(done: Plans, called: Program) -> None:
    from rulez_py.install.entries import events
    from rulez_py.install.places import hooks
    from rulez_py.install.plan import install

    for platform, plan in done.plans:
        first = plan.changes[0]
        number = len(events(platform))
        state = "brought up to date" if first.updates else f"{number} hooks" if number else "the plugin"
        said = f"{state if plan.needed else 'up to date already'} in {done.shown_link(first)}"
        if hooks(platform).scripts:
            said += " and beside it"
        if (
            done.carry_out(platform, plan, install, [said])
            and plan.needed
            and hooks(platform).afterwards
            and done.scope != SCOPES[2]
        ):
            click.echo(f"  {hooks(platform).afterwards}")
        if not is_proven(platform):
            say_long(f"  note: {NEVER_PLAYED.format(adapter(platform).AGENT)}; see there that a deny holds")
    if done.changed:
        click.echo("Start agents that are running again; from then on their calls are judged.")


class Plans:
    """The plan for each agent, its failures, and the messages about them."""

    def __init__(self, here: Machine, scope: str, dry_run: bool) -> None:
        self.here, self.scope, self.dry_run = here, scope, dry_run
        self.plans: list[tuple[str, Plan]] = []
        self.failed = self.changed = False

    def make(self, platform: str, planned: Callable[[str], Plan]) -> None:
        """Return the plan for one agent; print why one is refused."""
        from rulez_py.install.plan import Refused, difference

        try:
            plan = planned(platform)
        except Refused as refused:
            advice = "; mend that first, nothing was changed" if refused.at else ""
            self.fail(platform, f"{self._words(refused)}{advice}")
            return
        self.plans.append((platform, plan))
        if not self.dry_run:
            return
        for change in plan.needed:
            for line in difference(change):
                click.echo(visible(line.expandtabs(4)))
        self._remark(plan.remarks)
        if not plan.needed and plan.changes:
            self.say(platform, f"nothing to change in {self.shown(plan.changes[0].path)}")
        self._doubt(platform, plan.doubts)

    def leave_out(self, platforms: Iterable[str], *, named: bool) -> None:
        """Say why these are left out, and how they are set up all the same; an error for those that were named."""
        for platform in platforms:
            agent = adapter(platform).AGENT
            way = f"`rulez install {platform} --unproven` sets it up all the same"
            if named:
                self.fail(platform, f"{NEVER_PLAYED.format('it')}; {way}")
            else:
                say_long(f"note: {agent} is left out: {NEVER_PLAYED.format('it')}; {way}")

    def with_a_place(self, platforms: Iterable[str]) -> tuple[str, ...]:
        """Return those of the agents found here that have a place for this scope; says that the others have none."""
        from rulez_py.install.places import no_place, target

        there = tuple(platforms)
        good = tuple(platform for platform in there if target(platform, self.scope, self.here) is not None)
        for platform in there if good else ():
            if platform not in good:
                say_long(f"note: {no_place(platform, self.scope)}: each person sets it up")
        return good or there

    def _words(self, refused: Refused) -> str:
        place = ":".join((self.shown(refused.path), *map(str, refused.at))) if refused.path else ""
        return f"{place}: {refused.message}" if place else refused.message

    def refuse_agents(self, *, changing: bool) -> None:
        """INVARIANT: an agent may add the hooks, and change nothing that is there already."""
        if changing or any(change.updates for _, plan in self.plans for change in plan.needed):
            why = person.why_agent()
            if why:
                raise NotDone(why)

    def carry_out(
        self, platform: str, plan: Plan, do: Callable[[Change, str, Machine, float], str | None], said: Iterable[str]
    ) -> bool:
        """Change the files of one agent and print these sentences; return whether it could."""
        backups: list[str] = []
        for change in plan.needed:
            try:
                backup = do(change, self.scope, self.here, time.time())
            except OSError as error:
                self.fail(platform, f"{self.shown(change.path)} cannot be written: {_why(error, self.scope)}")
                return False
            self.changed = True
            backups += [backup] if backup else []
        for sentence in said:
            self.say(platform, sentence)
        for backup in backups:
            click.echo(f"  as it was: {self.shown(backup)}")
        self._remark(plan.remarks)
        self._doubt(platform, plan.doubts)
        return True

    def _doubt(self, platform: str, doubts: Iterable[Refused]) -> None:
        for doubt in doubts:
            self.fail(platform, f"{self._words(doubt)}; take them out")

    def say(self, platform: str, sentence: str) -> None:
        """A sentence about one agent."""
        click.echo(f"{adapter(platform).AGENT}: {sentence}")

    def shown_link(self, change: Change) -> str:
        """Return the path for people; of a link its target, too."""
        leads = os.path.realpath(os.path.dirname(change.path)) != os.path.dirname(change.real)
        return self.shown(change.path) + (
            f" -> {self.shown(change.real)}" if leads or os.path.islink(change.path) else ""
        )

    def _remark(self, remarks: Iterable[str]) -> None:
        for remark in remarks:
            say_long(f"  note: {visible(remark)}")

    def fail(self, platform: str, message: str) -> None:
        """Print the error of one agent; the others go on."""
        self.failed = True
        click.echo(f"error: {adapter(platform).AGENT}: {visible(message)}", err=True)

    def shown(self, path: str) -> str:
        """Return the path as people read it."""
        from rulez_py.policy.store.search import shown_path

        return visible(shown_path(path, os.getcwd(), self.here.own.home))

    def end(self) -> None:
        """Ends the command with its exit code."""
        click.get_current_context().exit(1 if self.failed else 0)


def say_long(text: str) -> None:
    """A sentence that may take several lines."""
    import textwrap

    indent = text[: len(text) - len(text.lstrip())]
    lines = textwrap.wrap(text.strip(), 79, initial_indent=indent, break_long_words=False, break_on_hyphens=False)
    click.echo("\n".join(lines))


def _why(error: OSError, scope: str) -> str:
    why = (error.strerror or str(error)).lower()
    if scope == SCOPES[2] and isinstance(error, PermissionError):
        return f"{why}; this place is root's, and so that no developer can change it: try again with sudo"
    return why


def this_machine() -> Machine:
    """This machine, with the project around the current directory. Raises NotDone where its places are not believed."""
    from rulez_py.cli.validate import why_not_believed
    from rulez_py.install import Machine
    from rulez_py.policy.store.search import search
    from rulez_py.system.places import places

    mine = places(os.environ)
    found = search(mine, os.getcwd())
    why = why_not_believed(mine, found)
    if why:
        raise NotDone(why)
    return Machine(os.environ, found.root)
