"""Every state in which an agent does not call our hooks, or may not, and all else that doctor says of one agent.

The one table of it: findings are made out of its rows, the table in docs/cli.md is (dev/states_page.py), the unit tests
and those on the real agents play them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.analysis import Value
from rulez_py.doctor.findings import BROKEN, NOTE, UNKNOWN, Finding
from rulez_py.platforms import PLATFORMS, adapter, is_proven, part
from rulez_py.platforms.settings import DOTENV, replaces

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def _where(holds: Callable[[Any], object]) -> tuple[str, ...]:
    """Return the platforms whose `settings.py` is as a state needs it."""
    return tuple(name for name in PLATFORMS if holds(part(name, "settings")))


def _moves(settings: Any) -> bool:
    """Tell whether a variable, beside that of its directory, starts the agent with other settings."""
    starts, place = settings.STARTS, settings.HOOKS
    return bool({*starts.variables} - {place.moved_by, *starts.without_hooks, *starts.without_project})


_READING = _where(lambda settings: not settings.HOOKS.begins)
"""Those that read settings, and no plugin."""
_COMPARED = _where(lambda settings: not settings.HOOKS.begins or settings.HOOKS.ends)
"""Those whose hooks have keys of their own, which rulez compares."""
_BY_EVENT = _where(lambda settings: not settings.HOOKS.begins or settings.HOOKS.scripts)
"""Those that have a hook for each event."""

_PROVEN = _where(lambda settings: settings.PROVED)

PLAYED = "played on the agent itself (tests/e2e/test_states.py)"


class State(Value):
    """One state: `message` and `help` are a finding's sentences, with names in braces for values of the case.

    `platforms` are those whose agents can be in it, which follows from what is known of them. `title` says it without
    names, `found` how it is found, `seen` where the agent was seen in it.
    """

    name: str
    platforms: tuple[str, ...] = PLATFORMS
    level: str = BROKEN
    title: str
    found: str
    message: str
    help: str
    seen: str

    def finding(self, platform: str, values: Mapping[str, object]) -> Finding:
        """Return the finding for this state of one agent."""
        option = "" if is_proven(platform) else " --unproven"
        known = {"agent": adapter(platform).AGENT, "platform": platform, "option": option, **values}
        return Finding(self.level, self.message.format_map(known), self.help.format_map(known), self.name)


_INSTALL = "rulez install {platform}{option}"
_REVIEW = "start `{program}` and say yes to its review, or type /hooks there"
_MACHINE = "the administrator of this machine can take that out of the file"
_ITS_SERVER = "its app server lists its hooks (`hooks/list`), offline"

STATES: tuple[State, ...] = (
    State(
        name="no-hook",
        title="no hook of rulez is set up",
        found="the files that it looks for hooks in",
        message="no hook of rulez is set up: nothing judges its calls",
        help=_INSTALL,
        seen=PLAYED,
    ),
    State(
        name="only-anothers",
        platforms=_where(lambda settings: settings.HOOKS.also_calls),
        level=UNKNOWN,
        title="no hook of its own is set up; it calls rulez' hook in the files of another agent",
        found="the files of the other agent",
        message="no hook of its own is set up: only that of {other} judges its calls ({where}), and whether a call "
        "runs where that one fails is unknown",
        help=_INSTALL,
        seen="tests/e2e/test_both_hooks.py: it denies in Cursor and Grok Build",
    ),
    State(
        name="rulez-before",
        platforms=_READING,
        title="the hook calls RuleZ, which rulez takes the place of",
        found="the same files",
        message="{where} calls RuleZ, which rulez takes the place of",
        help=_INSTALL,
        seen="docs/migration.md",
    ),
    State(
        name="unreadable",
        title="a file with hooks cannot be read",
        found="the same files",
        message="{where}: {said}",
        help="correct this file, then `rulez doctor` again",
        seen="the agents' contracts",
    ),
    State(
        name="not-its-json",
        platforms=_where(lambda settings: settings.HOOKS.loses),
        title="a comment, a comma too many or a byte order mark, with which this agent reads no settings",
        found="the same files, read as this agent reads them",
        message="{where}: {agent} reads no settings with {said}, so it calls no hook",
        help="take that out of the file",
        seen="played on the agent itself (tests/e2e/test_install.py)",
    ),
    State(
        name="altered",
        platforms=_COMPARED,
        level=UNKNOWN,
        title="the hook is not as `rulez install` writes it: a matcher, a shorter time limit, `async`, ...",
        found="the entry beside the one that `rulez install` writes",
        message="{where}: {said} of the hook is not as `rulez install` writes it, so whether {agent} calls it before "
        "every tool, and waits for it, is unknown",
        help=_INSTALL,
        seen=PLAYED,
    ),
    State(
        name="program-changeable",
        platforms=_where(lambda settings: settings.HOOKS.managed),
        title="the machine's hook calls a program that somebody but root can change",
        found="owner and mode of the program, what it consists of, the directories above and links on the way",
        message="the hook in {where} is the machine's, and {said}, so not only root can switch it off",
        help="install rulez where only root can write, then `sudo rulez install {platform} --scope managed{option}` "
        "with it",
        seen="tests/install/test_owners.py",
    ),
    State(
        name="wrong-answer",
        title="the installed command does not answer as the policy says",
        found="it is called, with a call that is denied and one that passes",
        message="the installed command answers {said}",
        help=_INSTALL,
        seen="played on the agent itself (tests/e2e/cases.yaml)",
    ),
    State(
        name="switched-off",
        platforms=_where(
            lambda settings: any(
                file.off or file.off_variables or file.replaces or file.takes for file in settings.SETTINGS
            )
        ),
        title="a settings file of the project, or your own, switches hooks off",
        found="these files",
        message="{said}",
        help="{advice}",
        seen=PLAYED,
    ),
    State(
        name="surroundings",
        platforms=_where(lambda settings: any(file.env or file.form == DOTENV for file in settings.SETTINGS)),
        level=NOTE,
        title="such a file changes what runs in the hook's place",
        found="these files",
        message="{said}",
        help="{advice}",
        seen='hooks/README.md, "What a repository can switch off"',
    ),
    State(
        name="starts-without-hooks",
        platforms=_where(lambda settings: settings.STARTS.without_hooks),
        title="a variable with which the agent starts without hooks",
        found="the environment of this terminal, and a file of variables beside the hooks",
        message="{variable} is set: {agent} starts without hooks",
        help="unset {variable} where the agent starts",
        seen=PLAYED,
    ),
    State(
        name="starts-without-the-projects",
        platforms=_where(lambda settings: settings.STARTS.without_project),
        title="a variable with which it starts without the project's hooks, and they stand there alone",
        found="the environment of this terminal",
        message="{variable} is set: {agent} starts without the project's plugins, and rulez' hook is there alone",
        help="unset {variable} where the agent starts, or `rulez install {platform}{option}`",
        seen=PLAYED,
    ),
    State(
        name="starts-otherwise",
        platforms=_where(_moves),
        level=NOTE,
        title="a variable that moves the agent's settings, or adds others",
        found="the environment of this terminal",
        message="{variable} is set: {agent} may start with other settings, or without hooks",
        help="unset {variable} where the agent starts",
        seen="the agent's `--help` and the variables that its program names",
    ),
    State(
        name="machine-has-none",
        platforms=_where(lambda settings: settings.HOOKS.none_at_all),
        title="the machine's settings switch all hooks off",
        found="the machine's settings",
        message="{where}: `{key}` switches all hooks of {agent} off",
        help=_MACHINE,
        seen="its own words in its program",
    ),
    State(
        name="machine-has-others",
        platforms=_where(lambda settings: settings.HOOKS.only_managed),
        title="the machine's settings leave only the machine's hooks, and ours are not among them",
        found="the machine's settings",
        message="{where}: by `{key}` {agent} calls only hooks of the machine's settings, and rulez' are not among them",
        help="{advice}",
        seen="its own words in its program",
    ),
    State(
        name="skips-the-file",
        platforms=_where(lambda settings: settings.HOOKS.skipped_by),
        title="`disableAllHooks` in the very file that has the hook",
        found="this file",
        message="{where}: by `{key}` {agent} calls no hook of this file",
        help="set `{key}` to false there",
        seen=PLAYED,
    ),
    State(
        name="refuses-the-list",
        platforms=_where(lambda settings: settings.HOOKS.strict),
        title="a hook beside ours has a key, or an event, that the agent does not know, so it reads none of the file",
        found="this file",
        message="{where}: because of {said} {agent} calls no hook of this file",
        help="take that out of the file",
        seen=PLAYED,
    ),
    State(
        name="overruled",
        platforms=_where(lambda settings: settings.HOOKS.overruled_by),
        title="another file beside the one that has the hook has hooks for the same event, which take its place",
        found="the files that the agent reads first",
        message="{where}: by its `{event}` {agent} calls no hook for that event of the settings.json beside it",
        help="move what {where} has for `{event}` into that settings.json",
        seen=PLAYED,
    ),
    State(
        name="folder-not-trusted",
        platforms=_where(lambda settings: settings.HOOKS.trusts and settings.HOOKS.trusts.file),
        title="the hooks stand in the project alone, and its folder is not trusted",
        found="the agent's list of folders",
        message="its hooks are in the project alone, and {agent} calls none there until you trust the folder "
        "({where} does not have it)",
        help="trust this folder where {agent} asks, or `rulez install {platform}{option}` for all your projects",
        seen="docs/contracts/gemini-cli.md and codex.md",
    ),
    State(
        name="folder-trust-unknown",
        platforms=_where(lambda settings: settings.HOOKS.trusts and not settings.HOOKS.trusts.file),
        level=UNKNOWN,
        title="the same, and it is unknown where the agent keeps which folders you trust",
        found="where the hooks stand",
        message="its hooks are in the project alone: {agent} calls them only where you have trusted the folder, and "
        "whether you have is unknown",
        help="`rulez install {platform}{option}` for all your projects, or start it with COPILOT_ALLOW_ALL=true",
        seen="docs/contracts/copilot.md",
    ),
    State(
        name="not-reviewed",
        platforms=_where(lambda settings: settings.HOOKS.reviews),
        title="you have not reviewed the hook",
        found=f"{_ITS_SERVER}; else its settings",
        message="{agent} skips the hook in {where} until you have reviewed it",
        help=_REVIEW,
        seen=PLAYED,
    ),
    State(
        name="not-accepted",
        platforms=_where(lambda settings: settings.HOOKS.approvals),
        title="you have not accepted the hook, or another rulez has written it since",
        found="the agent's list of hooks that you have accepted",
        message="{agent} skips the hook in {where} until you have accepted it ({list} does not have it)",
        help="start `{program} --accept-hooks` once, or say yes where it asks",
        seen=PLAYED,
    ),
    State(
        name="changed-since-review",
        platforms=_where(lambda settings: settings.HOOKS.reviews),
        title="the hook has changed since you reviewed it, as `rulez install` of another rulez does",
        found=_ITS_SERVER,
        message="the hook in {where} has changed since you reviewed it: {agent} skips it until you review it again",
        help=_REVIEW,
        seen=PLAYED,
    ),
    State(
        name="disabled-there",
        platforms=_where(lambda settings: settings.HOOKS.reviews or settings.HOOKS.switches),
        title="you have switched this hook off under /hooks",
        found="its app server lists its hooks, or its own list of hooks that are off",
        message="the hook in {where} is switched off in {agent}",
        help="type /hooks in `{program}` and switch it on",
        seen=PLAYED,
    ),
    State(
        name="not-listed",
        platforms=_where(lambda settings: settings.HOOKS.reviews),
        title="the agent itself does not know of the hook",
        found=_ITS_SERVER,
        message="{agent} does not list the hook in {where}, so it does not call it",
        help="type /hooks in `{program}`: it says what is wrong with the file",
        seen="docs/contracts/codex.md (a key too many in the file)",
    ),
    State(
        name="review-unknown",
        platforms=_where(lambda settings: settings.HOOKS.reviews),
        level=UNKNOWN,
        title="the agent does not say whether the hook has changed since you reviewed it: it is older, or not there",
        found="its app server does not answer",
        message="the hook in {where} has been reviewed once; whether it has changed since, which has {agent} skip it, "
        "is unknown: `{program} app-server` does not answer",
        help="update {agent}, or type /hooks there and look whether the hook is trusted",
        seen="docs/contracts/codex.md",
    ),
    State(
        name="events-missing",
        platforms=_BY_EVENT,
        level=NOTE,
        title="no hook at some of the events",
        found="the files with hooks",
        message="no hook at {said}: set up by an older rulez, or by hand",
        help=_INSTALL,
        seen="",
    ),
    State(
        name="twice",
        platforms=_where(lambda settings: settings.HOOKS.project and not replaces(settings.SETTINGS)),
        level=NOTE,
        title="set up more than once",
        found="the files with hooks",
        message="set up more than once, so each call is judged twice: {where}",
        help="{advice}",
        seen="",
    ),
    State(
        name="twice-by-another",
        platforms=_where(lambda settings: settings.HOOKS.also_calls),
        level=NOTE,
        title="it calls rulez' hook in the files of another agent as well",
        found="the files of both agents",
        message="{agent} also calls the hooks of {other}, so each call is judged twice: {where}",
        help="{advice}",
        seen="",
    ),
    State(
        name="deny-not-tried",
        level=NOTE,
        title="self-protection is off, so no denial could be tried",
        found="the policy",
        message="self-protection is off or relaxed, so that a denial comes through could not be tried",
        help="leave out `self_protection: false` and `overrides` of it in your own policy",
        seen="",
    ),
    State(
        name="slow",
        level=NOTE,
        title="a call took more than five seconds",
        found="the trial",
        message="a call took {said} s",
        help="look for slow scripts in the policy: `rulez log --summary`",
        seen="",
    ),
    State(
        name="unproven",
        platforms=_where(lambda settings: not settings.PROVED),
        level=NOTE,
        title="rulez was never played on this agent",
        found="its folder in rulez",
        message="rulez was never played on {agent} itself, only its documentation is known",
        help="see in {agent} that a call which should be denied is",
        seen="",
    ),
    State(
        name="newer",
        platforms=_PROVEN,
        level=NOTE,
        title="the agent is newer than the one that rulez was proved with",
        found="its version",
        message="version {version} is newer than {proved}, the last one that rulez was proved with",
        help="update rulez; see in the agent that a call which should be denied is",
        seen="",
    ),
    State(
        name="older",
        platforms=_PROVEN,
        level=NOTE,
        title="it is older",
        found="its version",
        message="version {version} is older than {proved}, which rulez was proved with",
        help="update {agent}",
        seen="",
    ),
)
_BY_NAME = {state.name: state for state in STATES}


def finding(name: str, platform: str, **values: object) -> Finding:
    """Return the finding for one state of this agent."""
    return _BY_NAME[name].finding(platform, values)
