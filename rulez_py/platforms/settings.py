"""The files that decide about an agent's hooks: `platforms/NAME/settings.py` says which they are.

`SETTINGS` there are those that an agent reads in a repository, `PROTECTS` all that agents must not change.
"""

from __future__ import annotations

from rulez_py.analysis import Value

JSON, TOML, DOTENV = "json", "toml", "dotenv"
ALL_OFF = (("disableAllHooks", True),)


class SettingsFile(Value):
    """A file that an agent reads in a repository.

    `off` are the dotted keys that switch hooks off, each with the value that does it: True, False, or a list for one
    that names hooks. `env` is the key of an object with environment variables; a dotenv file is nothing else.
    """

    agent: str
    name: str
    form: str = JSON
    off: tuple[tuple[str, object], ...] = ()
    env: str = ""


class Starts(Value):
    """How this agent is started without the hooks that the person gave it, and how it is changed by its own commands.

    Measured on its own program: what `--help` says, and the variables and options that its text reads.
    """

    variables: tuple[str, ...] = ()
    """Environment variables that move its settings, add others, or leave them out."""
    options: tuple[str, ...] = ()
    """Options that do so."""
    switches: tuple[tuple[str, ...], ...] = ()
    """Subcommands that change its settings, or what of them holds."""
    extends: tuple[tuple[str, ...], ...] = ()
    """Subcommands that give it code or instructions from elsewhere: plugins, extensions, skills."""


EVERY_HOME = ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
"""Variables by which rulez and every agent find what is the person's."""


class Protects(Value):
    """What no agent may change, for the hooks of this one to stay as they are (globs as in `paths` of a rule).

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
    """How the names of such files begin that nothing else is called, for who looks for them by name."""
    extensions: tuple[str, ...] = ()
    """Files and directories of what it loads besides: servers of tools, plugins, tools of its own."""
    credentials: tuple[str, ...] = ()
    """Files with the agent's own access, in the person's home (`~/...`)."""
