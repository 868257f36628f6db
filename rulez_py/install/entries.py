"""Recognize rulez' hooks in an agent's settings, and say what they should be."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from rulez_py.install import blocks, jsonc, yamlc
from rulez_py.platforms import AUTO, PLATFORMS, part, snippets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.platforms.settings import HookPlace

Json = dict[str, Any]

KEY = "hooks"
"""The key of hooks in the settings of all agents that run commands: an object with a list for each event, or a list."""
_EVENT, ACTION = "trigger", "action"
"""The keys of a hook in a list of all: its event, and the object with its command."""

_COMMANDS = ("command", "bash", "exec", "powershell")
_AGENTS = "|".join(map(re.escape, PLATFORMS)) or "(?!)"
"""What names one of them; nothing does where there are none."""
_NAMED = f"{_AGENTS}|{AUTO}"
"""What `rulez hook --platform` takes."""
_OURS = re.compile(rf"\shook\s+--platform[\s=]+(?:{_NAMED})\b|(?:^|[\s/\\])rulez(?:\.exe)?[\"']?\s+hook\b")
_CALL = re.compile(
    rf"^(?P<watch>(?:answer=\$\()?(?:\$\([^()]*\) )?)(?P<program>.+?)(?= hook --platform (?:{_NAMED})\b)"
)
_SHELL = "sh -c "
"""The beginning of the command for an agent that starts no shell itself."""
# RuleZ, the predecessor, installs `rulez gemini hook`, and for Claude Code its path alone.
_RULEZ = re.compile(
    rf"(?:^|[\s/\\\"'])(?:rulez|cch)(?:\.exe)?[\"']?\s+(?:{_AGENTS})\s+hook\b"
    r"|^\s*[\"']?(?:[^\s;&|<>$`]*[/\\])?(?:rulez|cch)(?:\.exe)?[\"']?\s*$"
)

_PLUGIN_COMMAND = re.compile(r"^const COMMAND = (\[.*\])", re.M)
_SCRIPT_COMMAND = re.compile(r"^set -- (.*)(?= # `rulez install`)", re.M)
_LINE_COMMAND = re.compile(r'(?m)^(command = "(?:\$\([^)]*\) )?)((?:[^"\\]|\\.)*?)(?= hook --platform )')


class Program(NamedTuple):
    """The call of rulez: as a shell reads it, and as the words of the command."""

    text: str
    words: tuple[str, ...]
    missing: str = ""
    """A clause for those who have to install the program first; without quotes."""

    @property
    def in_powershell(self) -> str:
        return f"& {self.text}" if self.text.startswith(("'", '"')) else self.text


ON_PATH = Program("rulez", ("rulez",))
_GET_IT = "get it with pipx install . in a clone of rulez (its README.md says more), or ask who set this project up"
IN_PROJECT = ON_PATH._replace(missing=_GET_IT)
"""The clause in a project's files, which people without the program use as well."""


def program(words: tuple[str, ...], system: str = sys.platform) -> Program:
    """Return the program that these words start."""
    return Program(subprocess.list2cmdline(words) if system == "win32" else shlex.join(words), words)


class Entry(NamedTuple):
    """A hook of rulez in settings: its event, which group of that, which of the group's own hooks, if it has such."""

    event: str
    group: int
    inner: int | None
    command: str
    alone: bool
    """Its group holds nothing else."""
    listed: bool = False
    """It is in a list of the hooks of all events."""

    @property
    def path(self) -> jsonc.Path:
        return self.whole if self.inner is None else (*self.whole, "hooks", self.inner)

    @property
    def whole(self) -> jsonc.Path:
        """The place of its group."""
        return (*self.above, self.group)

    @property
    def above(self) -> jsonc.Path:
        """The place of the list with that group."""
        return (KEY,) if self.listed else (KEY, self.event)


def is_ours(command: str) -> bool:
    """Tell whether a hook's command calls rulez, or RuleZ, in any way that was ever installed."""
    return bool(_OURS.search(command)) or is_rulez(command)


def is_for(platform: str, command: str) -> bool:
    """Tell whether a hook's command calls rulez for this agent: by its name, or for whichever agent calls."""
    return any(f"--platform{sign}{name}" in command for name in (platform, AUTO) for sign in (" ", "="))


def is_rulez(command: str) -> bool:
    """Tell whether it is what RuleZ installs."""
    return not _OURS.search(command) and bool(_RULEZ.search(command))


def command_of(entry: Json) -> str:
    """Return the command of a hook that is ours, as its shell gets it; "" where it is not."""
    action = entry.get(ACTION)
    entry = action if isinstance(action, dict) else entry
    arguments = entry.get("args")
    more = [str(word) for word in arguments] if isinstance(arguments, list) else []
    for key in _COMMANDS:
        text = entry.get(key)
        if isinstance(text, str) and is_ours(" ".join((text, *more))):
            return " ".join((text, *more))
    return ""


def entries_in(settings: object) -> Iterator[Entry]:
    """Our hooks in an agent's settings, in their order."""
    events = settings.get(KEY) if isinstance(settings, dict) else None
    for number, hook in enumerate(events if isinstance(events, list) else ()):
        event = hook.get(_EVENT) if isinstance(hook, dict) else None
        if isinstance(event, str) and (command := command_of(hook)):
            yield Entry(event, number, None, command, alone=True, listed=True)
    for event, groups in events.items() if isinstance(events, dict) else ():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            inner = group.get("hooks") if isinstance(group, dict) else None
            if isinstance(inner, list):
                for index, entry in enumerate(inner):
                    command = command_of(entry) if isinstance(entry, dict) else ""
                    if command:
                        yield Entry(event, number, index, command, len(inner) == 1)
            elif isinstance(group, dict) and command_of(group):
                yield Entry(event, number, None, command_of(group), True)


# The hooks that should be there.


def snippet(platform: str) -> str:
    """Return what a person puts into this agent by hand, as it is shipped: it calls the `rulez` on the PATH."""
    with open(os.path.join(snippets(platform), snippet_name(platform)), encoding="utf-8") as file:
        return file.read()


def snippet_name(platform: str) -> str:
    """Return the name of the file with it."""
    name: str = part(platform, "settings").HOOKS.snippet
    return name


def is_yaml(path: str) -> bool:
    """Tell whether a file of settings is YAML, by its name."""
    return path.endswith((".yaml", ".yml"))


def is_plugin(platform: str) -> bool:
    """Tell whether the agent takes code instead of settings."""
    return bool(part(platform, "settings").HOOKS.begins)


def filled(platform: str, called: Program) -> str:
    """Return the same with this program in the place of `rulez`."""
    if is_plugin(platform):
        return plugin(snippet(platform), called)
    wanted = settings(platform, called)
    return yamlc.formatted(wanted) if is_yaml(snippet_name(platform)) else jsonc.formatted(wanted)


def events(platform: str) -> tuple[str, ...]:
    """Return the events at which our hooks should be; () for a plugin, which has all of them."""
    scripts = tuple(event for _, event in part(platform, "settings").HOOKS.scripts)
    return scripts if is_plugin(platform) else tuple(by_event(settings(platform, ON_PATH)[KEY]))


def by_event(hooks: Json | list[Json]) -> Json:
    """Return the hooks as an object with a list for each event, however they stand there."""
    return hooks if isinstance(hooks, dict) else {hook[_EVENT]: [hook] for hook in hooks}


def settings(platform: str, called: Program) -> Json:
    """Return the same as a value."""
    text = snippet(platform)
    value: Json = _calling(yamlc.value(text) if is_yaml(snippet_name(platform)) else json.loads(text), called)
    return value


def _calling(value: Any, called: Program, key: str = "") -> Any:
    """Return a value in whose commands this program is called."""
    if isinstance(value, dict):
        denies = any(value.get(key) == denying for key, denying in _DENIES)
        called = _asking(called) if denies and called.missing else called
        return {name: _calling(item, called, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_calling(item, called) for item in value]
    if key not in _COMMANDS or not isinstance(value, str):
        return value
    program = called.in_powershell if key == "powershell" else called.text
    if called.missing:
        value = value.replace(_MISSING, f"{_MISSING} If it is missing: {called.missing}.", 1)
    script = _script(value)
    if script:
        return _SHELL + shlex.quote(_with_program(script, program))
    return _with_program(value, program)


def _with_program(line: str, program: str) -> str:
    return _CALL.sub(lambda match: match["watch"] + program, line, count=1)


def _script(command: str) -> str:
    """Return what a shell gets from a command that starts one; "" where it starts none."""
    try:
        words = shlex.split(command) if command.startswith(_SHELL) else []
    except ValueError:
        return ""
    return words[2] if len(words) == len(("sh", "-c", "script")) else ""


_DENIES = (("onFailure", "block"), ("failClosed", True))
"""Keys of an entry that have the agent deny by itself when the command fails."""
_MISSING = "rulez is missing or has failed."
"""Return the message of commands that deny on failure themselves; "" where the agent denies by itself."""


def _asking(called: Program) -> Program:
    """The program behind a question whether it is there: the agent, which denies when it fails, has no words for it."""
    said = f"Blocked: rulez, which judges what agents do in this project, is missing here: {called.missing}."
    first = f"command -v {called.words[0]} >/dev/null || {{ echo '{said}' >&2; exit 2; }}; "
    return called._replace(text=first + called.text)


def called_by(command: str) -> str:
    """Return the program that a hook's command calls, as the command spells it."""
    match = _CALL.search(_script(command) or command)
    return match["program"] if match else command


def recalled(entry: Json, called: Program) -> Json:
    """Return an entry of rulez, as a person may have added it for a further event, with this program in it."""
    changed: Json = _calling(entry, called)
    return changed


# The plugin of an agent that takes code.


def plugin(text: str, called: Program) -> str:
    """Return the plugin with this program in it."""
    words = json.dumps(list(called.words), ensure_ascii=False)
    text = _PLUGIN_COMMAND.sub(lambda _: f"const COMMAND = {words}", text, count=1)
    if called.missing:
        text = text.replace(_MISSING, f"{_MISSING} If it is missing: {called.missing}.", 1)
    text = _SCRIPT_COMMAND.sub(lambda _: f"set -- {shlex.join(called.words)}", text, count=1)
    # What JSON escapes in a text TOML escapes as well.
    return _LINE_COMMAND.sub(lambda match: match[1] + json.dumps(called.text, ensure_ascii=False)[1:-1], text)


def plugin_words(platform: str, text: str) -> tuple[str, ...]:
    """Return the words by which rulez' plugin for this agent calls rulez; () for any other plugin."""
    known: HookPlace = part(platform, "settings").HOOKS
    if known.ends:
        text = blocks.inside(known, text)
    if not known.begins or not re.match(rf"\ufeff?(?:#!.*\n)?{re.escape(known.begins)}\b", text):
        return ()
    script = _SCRIPT_COMMAND.search(text)
    match = _PLUGIN_COMMAND.search(text)
    try:
        if script:
            return tuple(shlex.split(script[1]))
        if known.ends and (command := _LINE_COMMAND.search(text)):
            return tuple(shlex.split(json.loads(f'"{command[2]}"')))
        return tuple(map(str, json.loads(match[1]))) if match else ON_PATH.words
    except ValueError:
        return ON_PATH.words
