"""Entries of a shipped rule set for every platform, made from each platform's `settings.py`.

In a rule set's YAML an entry `{platforms: WHAT}` of a list becomes one entry or several, so that no list of agents'
files is kept by hand:

- `{platforms: settings}`: globs of the files that decide about hooks, and of the directories in which every file does;
  `in: project` only those that may lie in a project, wherever that is;
- `{platforms: settings, as: argument}`: the same as a regex for one argument of a command, `as: text` for its text;
- `{platforms: homes}`: globs of the agents' own directories, each as a whole: itself or all that is in it, and nothing
  else below; `in: home` only those that lie in the person's home;
- `{platforms: links, as: argument}`: a regex for an argument that, by another name, would lead to such a file;
- `{platforms: names, as: argument}`: a regex for names by which such a file is searched for;
- `{platforms: credentials}`: a glob of the agents' own access;
- `{platforms: extensions}`: globs of what agents load besides their settings; `{platforms: texts}` of the texts for
  their models that may hold commands or hooks;
- `{platforms: moved}`: entries of `command` that fit an agent where it is started with other settings, by who starts it
  and with which variables; `{platforms: started otherwise}` by the program that starts it, `{platforms: switched}` by
  its options, `{platforms: switched in files}` by those of a file of its package;
- `{platforms: changed}`: those that fit the commands by which it changes its own settings, `{platforms: extended}`
  those by which it gets code from elsewhere;
- `{platforms: variables, as: argument}`: a regex for an argument that sets a variable which moves an agent's settings,
  `as: text` for a text with one; `{platforms: programs, as: text}`, `{platforms: packages, as: text}` the same of what
  agents are called;
- `{platforms: all}`: a glob of the platforms' names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator

from rulez_py.platforms import PLATFORMS, adapter, part
from rulez_py.platforms.settings import EVERY_HOME, LOADERS, Protects, Starts

_ENTRY = re.compile(r"\{platforms: (?P<what>[\w ]+)(?:, (?P<how>(?:as|in): \w+))?\}")
_LINE = re.compile(rf"(?P<indent> *- ){_ENTRY.pattern}")

_Way = dict[str, list[str] | list[list[str]]]
"""An entry of `command`, as it is written."""

_PREFIXES = ("/**/", "**/", "~/", "./")
_WHOLE = "{\\*,.\\*,\\*.json,\\*.toml,\\*.yaml}"
"""All that is in a directory, or all of one kind, as a command spells it."""


def expanded(text: str) -> str:
    """Return the text of a rule set with every entry about the platforms written out.

    Raises ValueError for an unknown one.
    """
    return "".join(_written_out(line) for line in text.splitlines(keepends=True))


def _written_out(line: str) -> str:
    if line.lstrip().startswith("#") or "{platforms: " not in line:
        return line
    whole = _LINE.fullmatch(line.rstrip())
    if whole is not None:
        return "".join(f"{whole['indent']}{_quoted(entry)}\n" for entry in _entries(whole["what"], whole["how"]))
    return _ENTRY.sub(lambda found: _quoted(*_entries(found["what"], found["how"])), line)


def _quoted(entry: str | _Way) -> str:
    return json.dumps(entry) if isinstance(entry, dict) else "'" + entry.replace("'", "''") + "'"


def _entries(what: str, how: str | None) -> tuple[str | _Way, ...]:
    entry = f"{what} {how}" if how else what
    if entry in _OF_STARTS:
        started = ((adapter(platform).PROGRAMS, part(platform, "settings").STARTS) for platform in PLATFORMS)
        return tuple(_OF_STARTS[entry](tuple(started)))
    if entry not in _MADE:
        known = ", ".join((*_MADE, *_OF_STARTS))
        raise ValueError(f"a rule set cannot say `{{platforms: {entry}}}`; it can say {known}")
    protected = tuple(part(platform, "settings").PROTECTS for platform in PLATFORMS)
    return tuple(dict.fromkeys(_MADE[entry](protected)))


# Globs.


def _settings(protected: Iterable[Protects]) -> Iterator[str]:
    for one in protected:
        yield from (*one.files, *one.directories)
        if one.moved_by:
            home = _bare(one.homes[0]) + "/"
            paths = map(_bare, (*one.files, *one.directories))
            names = dict.fromkeys(path.removeprefix(home) for path in paths if path.startswith(home))
            # As a command says it where only the shell knows where it leads.
            yield f"**/{_variable(one.moved_by)}/{{{','.join(names)},\\*,\\**}}"


def _settings_in_project(protected: Iterable[Protects]) -> Iterator[str]:
    for one in protected:
        for glob in (*one.files, *one.directories):
            if glob.startswith("./"):
                yield glob
            elif glob.startswith("/**/"):
                yield "." + glob


def _homes(protected: Iterable[Protects]) -> Iterator[str]:
    homes = [home for one in protected for home in (*one.homes, *_moved_homes(one))]
    yield from homes
    yield from (f"!{home}/**" for home in homes)
    yield from (f"{home}/{_WHOLE}" for home in homes)


def _moved_homes(one: Protects) -> tuple[str, ...]:
    name = one.moved_by
    return (f"/**/{{${name},$\\{{{name}\\}}}}",) if name else ()


def _variable(name: str) -> str:
    """Return a variable as commands spell it: `$NAME` and `${NAME}`."""
    return f"${{{name},\\{{{name}\\}}}}"


def _homes_in_home(protected: Iterable[Protects]) -> Iterator[str]:
    for one in protected:
        yield from ("~/" + home.removeprefix("/**/") for home in one.homes if home.startswith("/**/"))
        yield from (home for home in one.homes if home.startswith("~/"))


def _credentials(protected: Iterable[Protects]) -> Iterator[str]:
    # One glob with all of them: it names no directory, so that a search through an agent's directory is no theft.
    paths = [path.removeprefix("~/") for one in protected for path in one.credentials]
    yield f"~/{{{','.join(paths)}}}"


def _texts(protected: Iterable[Protects]) -> Iterator[str]:
    yield from (glob for one in protected for glob in one.texts)


def _among(protected: Iterable[Protects]) -> Iterator[str]:
    yield from (glob for one in protected for glob in one.among)


def _extensions(protected: Iterable[Protects]) -> Iterator[str]:
    yield from (glob for one in protected for glob in one.extensions)


def _all(_protected: Iterable[Protects]) -> Iterator[str]:
    yield "{" + ",".join(PLATFORMS) + "}"


# Regexes. A slash may be written twice.


def _settings_regex(protected: Iterable[Protects], *, one_argument: bool) -> str:
    """Return a regex that finds them in a text, after anything; the beginning of a file's name is enough."""
    files = [_file_regex(_bare(glob), one_argument) for one in protected for glob in one.files]
    directories = [_directory_regex(_bare(glob)) for one in protected for glob in one.directories]
    return _any_of((*files, *directories))


def _file_regex(path: str, one_argument: bool) -> str:
    directory, slash, name = path.rpartition("/")
    if not slash:
        # Directly in the project or the home: only its whole name says what it is.
        whole = one_argument and not name.startswith(".")
        return rf"(?:^|[^\w.-]){_escaped(name)}(?:[^\w.-]|$)" if whole else _escaped(name)
    if name.startswith("*"):
        return rf"{_escaped(directory)}/+[^\s/]*{_escaped(name.strip('*'))}"
    beginning = name[:1] + name[1:].partition(".")[0].partition("*")[0]
    return f"{_escaped(directory)}/+{_escaped(beginning)}"


def _directory_regex(path: str) -> str:
    return _escaped(path) + (r"\b" if path.startswith("/") else "")


def _links_regex(protected: Iterable[Protects]) -> str:
    """One for an argument that ends with a directory which holds such files, or leads below one of the machine's."""
    ends: list[str] = []
    below: list[str] = []
    for one in protected:
        ends += [_bare(home) for home in one.homes]
        ends += [_bare(glob).rpartition("/")[0] for glob in one.files if "/" in _bare(glob)]
        for glob in one.directories:
            (below if _of_the_machine(glob) else ends).append(_bare(glob))
    ended = "|".join(dict.fromkeys(map(_escaped, ends)))
    led = "|".join(dict.fromkeys(map(_escaped, below)))
    return rf"(?:^|/)(?:{ended})/*$|(?:{led})(?:/|$)"


def _names_regex(protected: Iterable[Protects]) -> str:
    names = "|".join(sorted({_escaped(name) for one in protected for name in one.names}))
    globs = [glob for one in protected for glob in one.directories if not _of_the_machine(glob)]
    directories = [_escaped(_bare(glob).removeprefix(".")) for glob in globs]
    return rf"^(?:{names})[\w.*-]*\.(?:json|yaml|toml)|{_any_of(directories)}"


def _of_the_machine(glob: str) -> bool:
    return glob.startswith("/") and not glob.startswith("/**/")


def _bare(glob: str) -> str:
    """Return the path of a glob without where it begins; one of the whole machine as it is."""
    return next((glob.removeprefix(prefix) for prefix in _PREFIXES if glob.startswith(prefix)), glob)


def _escaped(path: str) -> str:
    return re.escape(path).replace("/", "/+").replace(r"\ ", " ").replace(r"\-", "-")


def _any_of(regexes: Iterable[str]) -> str:
    """Return one of them; without those in which another one is found anyhow."""
    found = tuple(dict.fromkeys(regexes))
    return "|".join(one for one in found if not any(other != one and other in one for other in found))


_MADE: dict[str, Callable[[tuple[Protects, ...]], Iterable[str]]] = {
    "settings": _settings,
    "settings in: project": _settings_in_project,
    "settings as: argument": lambda protected: ("re:" + _settings_regex(protected, one_argument=True),),
    "settings as: text": lambda protected: (_settings_regex(protected, one_argument=False),),
    "homes": _homes,
    "homes in: home": _homes_in_home,
    "links as: argument": lambda protected: ("re:" + _links_regex(protected),),
    "names as: argument": lambda protected: ("re:" + _names_regex(protected),),
    "credentials": _credentials,
    "extensions": _extensions,
    "among": _among,
    "texts": _texts,
    "all": _all,
}


# Commands.

_Started = tuple[tuple[tuple[str, ...], Starts], ...]
"""Of each agent the names of its program and of its packages, and how it is started."""
_RUNS_FILES = ["node", "nodejs", "bun", "deno", "tsx"]
_FOREIGN_PATHS = "{/tmp,/var/tmp,/dev/shm,.,..}{/*,:*}"


def _moved(started: _Started) -> Iterator[_Way]:
    """Yield commands that start a program with another home, as another user, or in a container."""
    for names, one in started:
        moved = [*one.variables, *EVERY_HOME, *LOADERS, "PYTHONPATH", "PYTHONHOME", f"PATH={_FOREIGN_PATHS}"]
        yield {"program": _programs(names), "environment": moved}
        yield {"program": _programs(names), "via": ["remote"]}
        yield {"program": _programs(names), "user": ["root"]}
        if files := _files(names):
            yield {"program": _RUNS_FILES, "operands": files, "environment": moved}


def _switched(started: _Started) -> Iterator[_Way]:
    for names, one in started:
        if one.options:
            yield {"program": _programs(names), "any_flag": list(one.options)}


def _switched_in_files(started: _Started) -> Iterator[_Way]:
    for names, one in started:
        files = _files(names)
        if one.options and files:
            options = [f"{option}{{,=*}}" for option in one.options if option.startswith("--")]
            yield {"program": _RUNS_FILES, "operands": files, "args": options}


def _started_otherwise(started: _Started) -> Iterator[_Way]:
    """Yield who is started by a program that takes variables away, or makes another user of it."""
    programs = ",".join(program for names, _ in started for program in _programs(names))
    packages = ",".join(name for names, _ in started for name in names if "/" in name)
    named = [f"{{,*/}}{{{programs}}}", f"{{{packages}}}{{,@*}}", f"{{{programs}}} *"]
    variables = ",".join((*dict.fromkeys(name for _, one in started for name in one.variables), *EVERY_HOME))
    away = ["-i", f"-u={{{variables}}}"]
    yield {"program": ["env", "genv"], "any_flag": away, "args": named}
    yield {"program": ["sudo", "doas", "run0", "pkexec"], "any_flag": ["-u", "--user", "-i", "-H"], "args": named}
    yield {"program": ["su", "runuser", "machinectl", "setpriv"], "args": named}


def _of_subcommands(field: str) -> Callable[[_Started], Iterator[_Way]]:
    def found(started: _Started) -> Iterator[_Way]:
        for names, one in started:
            if paths := getattr(one, field):
                yield {"program": _programs(names), "subcommand": [list(path) for path in paths]}

    return found


def _programs(names: tuple[str, ...]) -> list[str]:
    return [name for name in names if "/" not in name]


def _packages(names: tuple[str, ...]) -> list[str]:
    return [name for name in names if "/" in name or name.endswith("-ai")]


def _files(names: tuple[str, ...]) -> list[str]:
    """Globs of the files in an agent's packages."""
    return [f"*/{name}/*" for name in _packages(names)]


def _variables(started: _Started) -> str:
    return "|".join(dict.fromkeys(name for _, one in started for name in one.variables))


def _called(started: _Started, *, packages: bool) -> str:
    found = (name for names, _ in started for name in names if (name in _packages(names)) is packages)
    return "|".join(dict.fromkeys(map(re.escape, found)))


_OF_STARTS: dict[str, Callable[[_Started], Iterable[str | _Way]]] = {
    "moved": _moved,
    "switched": _switched,
    "switched in files": _switched_in_files,
    "started otherwise": _started_otherwise,
    "changed": _of_subcommands("switches"),
    "extended": _of_subcommands("extends"),
    "variables as: argument": lambda started: (f"re:^(?:{_variables(started)})(?:=|$)",),
    "variables as: text": lambda started: (_variables(started),),
    "programs as: text": lambda started: (_called(started, packages=False),),
    "packages as: text": lambda started: (_called(started, packages=True),),
}
