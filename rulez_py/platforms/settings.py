"""The files that decide about an agent's hooks: `platforms/NAME/settings.py` says which they are.

`SETTINGS` there are those that an agent reads in a repository, `PROTECTS` all that agents must not change.
"""

from __future__ import annotations

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

JSON, TOML, YAML, DOTENV = "json", "toml", "yaml", "dotenv"
ALL_OFF = (("disableAllHooks", True),)


class SettingsFile(Value):
    """A file that an agent reads in a repository.

    `off` are the dotted keys that switch hooks off, each with the value that does it: True, False, or a list for one
    that names hooks; parts of a key may be written as one, `"chat.useHooks"`. `withstood` tells whether the hooks of
    the machine-wide place are called all the same. `env` is the key of an object with environment variables; a dotenv
    file is nothing else. With those of `off_variables` the agent starts without hooks. `own_hooks` is what a hook in
    the file itself can do to those of the person, "" for nothing. `takes` are the names of our hooks, each with its
    type: a hook there with such a name is called in the place of ours. One that `replaces` has the agent read none of
    the person's hooks, whatever is in it.
    """

    agent: str
    name: str
    form: str = JSON
    off: tuple[tuple[str, object], ...] = ()
    withstood: bool = True
    env: str = ""
    off_variables: tuple[str, ...] = ()
    own_hooks: str = ""
    takes: tuple[tuple[str, str], ...] = ()
    replaces: bool = False


def replaces(files: Iterable[SettingsFile]) -> bool:
    """Tell if an agent with these files reads the hooks of one of them in place of the person's."""
    return any(file.replaces for file in files)


class Starts(Value):
    """Ways to start this agent without the person's hooks, and commands of its own that change it.

    Measured on its own program: what `--help` says, and the variables and options that its text reads.
    """

    variables: tuple[str, ...] = ()
    """Environment variables that move its settings, add others, or leave them out."""
    without_hooks: tuple[str, ...] = ()
    """Those of them with which it starts without hooks."""
    without_project: tuple[str, ...] = ()
    """Those with which it starts without the hooks of a project."""
    options: tuple[str, ...] = ()
    """Options that do so."""
    switches: tuple[tuple[str, ...], ...] = ()
    """Subcommands that change its settings, or which of them hold."""
    extends: tuple[tuple[str, ...], ...] = ()
    """Subcommands that give it code or instructions from elsewhere: plugins, extensions, skills."""


EVERY_HOME = ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
"""Variables by which rulez and every agent find what is the person's."""
LOADERS = ("LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH")
"""Variables that make any program, rulez too, load other code."""


class Protects(Value):
    """Files that no agent may change, so that the hooks of this one stay as they are (globs as in `paths` of a rule).

    The rule set self-protection is made of it, and the credentials of the rule set secrets.
    """

    files: tuple[str, ...] = ()
    """The files that decide."""
    directories: tuple[str, ...] = ()
    """Directories in which every file decides."""
    homes: tuple[str, ...] = ()
    """The agent's own directories, which hold such files among others: they do not go as a whole."""
    moved_by: str = ""
    """The environment variable that names another place for the first of these."""
    names: tuple[str, ...] = ()
    """Beginnings of names that only such files have, for searches by name."""
    extensions: tuple[str, ...] = ()
    """Files and directories of what it loads besides: servers of tools, plugins, tools of its own."""
    among: tuple[str, ...] = ()
    """Settings of an editor, with the switches for its hooks among many others: only these are kept from agents."""
    texts: tuple[str, ...] = ()
    """Texts for its model from which it runs commands or hooks by itself, unseen by rulez' hook."""
    credentials: tuple[str, ...] = ()
    """Files with the agent's own access, in the person's home (`~/...`)."""


class FolderTrust(Value):
    """This agent's list of folders in which it obeys a project's hooks: in others it calls none of them.

    In `file` of its own directory ("": unknown), the folders are the keys at `above`; `word` is at
    `below` of a folder that is trusted with all that it holds, `parent_word` where the folder above is.
    """

    file: str = ""
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    word: object = ""
    parent_word: str = ""
    variable: str = ""
    """The environment variable that has it trust every folder, where it is one of `variable_words`."""
    variable_words: tuple[str, ...] = ("true",)
    unless: tuple[str, str] = ("", "")
    """A file of its own directory and a key there: where that is false, it trusts every folder."""
    lists: tuple[str, str] = ("", "")
    """Instead of keys, lists in `file`: of the folders that are trusted, and of those that are not."""


class HookReview(Value):
    """This agent's list of hooks that the person has reviewed: it skips the others, but for the machine's.

    In `file` of its own directory, in the table at `above`, as `PATH:event_in_snake_case:GROUP:ENTRY` with a `word`.
    """

    file: str
    above: tuple[str, ...]
    word: str
    server: tuple[str, ...]
    """The arguments that start its program as a server that lists its hooks (`hooks/list`)."""


class HookSwitches(Value):
    """This agent's list of hooks that the person has switched off.

    In `file` of its own directory, a name a line: `name` with what is put for its `{scope}` (`user` or `project`), the
    `{file}` without its ending, the `{event}` in snake case, and the numbers of `{group}` and `{entry}`.
    """

    file: str
    name: str
    user: str
    project: str


class OtherHooks(Value):
    """Hooks of another agent that this one calls as well as its own."""

    platform: str
    """The other agent."""
    files: tuple[str, ...]
    """The files with them: the person's begin with `~/`, the others are the project's."""
    unless_variable: tuple[str, str] = ("", "")
    """An environment variable, and the value with which this agent calls none of them."""
    unless: tuple[str, str] = ("", "")
    """A file of its own directory and a key there: where that is false, it calls none of them."""


CLAUDE_HOOKS = OtherHooks(
    platform="claude", files=("~/.claude/settings.json", ".claude/settings.json", ".claude/settings.local.json")
)
"""Claude Code's, the person's and the project's."""


class HookPlace(Value):
    """The files in which this agent looks for hooks, and where `rulez install` writes: the file of `hooks/` in its
    folder.

    Its events, matchers and time limits are those of that file.
    """

    snippet: str
    """The file's name in `hooks/`."""
    home: str
    """The agent's own directory in the person's home, from there: it is there where the agent has been used."""
    moved_by: str = ""
    """The environment variable that names another place for it."""
    moved_below: str = ""
    """The path in that other place."""
    user: str
    """The file for one person, in that directory."""
    project: str
    """The file for one project, in the directory that the agent takes for it; "" where it has none."""
    managed: tuple[tuple[str, str], ...] = ()
    """The file for the whole machine, by `sys.platform`."""
    unmanaged: str = ""
    """Why rulez puts no hooks into the machine's settings that the agent has, as a sentence; "" where it has none."""
    keeps_on: tuple[tuple[str, str, bool], ...] = ()
    """Switches that the machine's settings must have, or others switch those hooks off: file, key, and its value.

    "" is the file with the hooks.
    """
    only_managed: tuple[tuple[str, str], ...] = ()
    """Switches in the machine's settings by which no other hooks than those there are called: file and key.

    A file without a leading `/` is in the agent's own directory. Every value but false switches.
    """
    none_at_all: tuple[tuple[str, str, bool], ...] = ()
    """Switches there by which none is called: file, key, and the value that does it."""
    begins: str = ""
    """The words that begin rulez' plugin for it, by which rulez knows one in any file; "" for settings."""
    ends: str = ""
    """The line that ends rulez' lines, where they stand in a file between those of the person; "" for a whole file."""
    scripts: tuple[tuple[str, str], ...] = ()
    """Names under which the same plugin belongs beside `user` and `project`: one for each event, with the event."""
    skipped_by: tuple[str, ...] = ()
    """Keys that have the agent skip a file with hooks, where they are true in it."""
    strict: tuple[str, ...] = ()
    """The keys of a hook, where one with another key, or for an event of another name, has the agent call none of the
    file."""
    overruled_by: tuple[str, ...] = ()
    """Files in the same directory, each an object of events: what one has of an event takes the place of ours there."""
    profile: str = ""
    """A file in that directory that names a profile: then `profiles/NAME` there is the agent's own directory."""
    dotenv: str = ""
    """A file in the same directory with variables of the environment, which the agent loads."""
    approvals: str = ""
    """The agent's list of commands that the person has accepted, in the same directory: it calls no hook without.

    An object with the list `approvals` of `event` and `command`.
    """
    approves_all: tuple[str, str] = ("", "")
    """The environment variable, and the key beside the hooks, by which it calls them all the same."""
    trusts: FolderTrust | None = None
    reviews: HookReview | None = None
    switches: HookSwitches | None = None
    ours_alone: bool = False
    """Nothing but our hooks belongs into these files; else they are the agent's settings."""
    also_user: tuple[str, ...] = ()
    """Further files with hooks of the person, in the same directory; a last `*` is any name."""
    also_project: tuple[str, ...] = ()
    """Further files with hooks of the project."""
    also_calls: OtherHooks | None = None
    loses: tuple[str, ...] = ()
    """With what in it the agent does not read such a file: of COMMENTS, COMMAS and MARK."""
    afterwards: str = ""
    """What is left for a person to do."""


class ServerFiles(Value):
    """The files in which this agent is told of MCP servers: in each a map of servers by their names.

    It may be a list as well, of servers with their names in `name`.
    """

    user: tuple[str, ...]
    """For one person, in the agent's own directory."""
    in_home: bool = False
    """True where these are in the person's home, unless a variable moves the agent's own directory."""
    project: tuple[str, ...] = ()
    """For one project, in its directory."""
    key: str = "mcpServers"
    """The key of that map."""
    form: str = JSON
    """JSON, TOML or YAML."""
    of_projects: str = ""
    """The key of an object with such an object for each project, in the person's files; "" for none."""
    whole: bool = False
    """True where `command` is a list with the arguments, which are in `args` else."""
    split: bool = False
    """True where `command` is split into words as by a shell, or is a list of them; `args` follow."""
    tilde: bool = False
    """True where the agent takes `~` at the start of a command for the home. The proxy does not."""


COMMENTS, COMMAS, MARK = "comments", "trailing commas", "a byte order mark"
