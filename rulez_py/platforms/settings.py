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
    credentials: tuple[str, ...] = ()
    """Files with the agent's own access, in the person's home (`~/...`)."""
