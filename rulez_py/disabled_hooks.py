"""Files of a repository that switch an agent's hooks off, or change the environment in which they start.

The agents obey these files, some before anybody has trusted the repository (hooks/README.md says what withstands them).
rulez can only say so: where a session begins, and in `rulez validate`.
"""

from __future__ import annotations

import os

from rulez_py.documents.diagnostics import WARNING, diagnostic
from rulez_py.platforms import PLATFORMS, part
from rulez_py.platforms.settings import DOTENV, LOADERS, TOML
from rulez_py.system import jsontext
from rulez_py.system.files import read_pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.platforms.settings import SettingsFile

LARGEST = 256 * 1024
"""Bytes of such a file that are read."""
_SHORTEST = 28
"""Seconds that a hook of rulez needs at least."""
_LIMITED = "$(command -v timeout >/dev/null && echo timeout -k 1 "
_MOST_OF_A_FILE = 5
"""The most findings reported of one file."""

_LOADS_CODE = ("LD_", "DYLD_", "PYTHON", "XDG_")
_NAMES = ("PATH", "HOME", "BASH_ENV", "ENV", "NODE_OPTIONS", "NODE_PATH")
_HARMLESS = ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONHASHSEED")
# Most often it is set for the size of the heap.
_NODE_LOADS = ("-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file")


def found(platforms: Iterable[str], directories: Iterable[str], shown: Callable[[str], str]) -> tuple[Diagnostic, ...]:
    """Return what the files in these directories do that the platforms' agents read there. Raises nothing."""
    problems: dict[Diagnostic, None] = {}
    for directory in dict.fromkeys(directories):
        files = ((platform, settings) for platform in platforms for settings in part(platform, "settings").SETTINGS)
        for platform, settings in files:
            path = os.path.join(directory, settings.name)
            if settings.takes and directory == os.path.expanduser("~"):
                continue  # The person's own, with our hooks in it.
            for number, one in enumerate(_in_file(platform, settings, path, shown(path))):
                if number == _MOST_OF_A_FILE:
                    break
                problems[one] = None
    return tuple(problems)


def warnings(
    platform: str, directories: Iterable[str], environ: Mapping[str, str], shown: Callable[[str], str]
) -> tuple[str, ...]:
    """Return findings as sentences for the person at the start of a session, and settings this process has to obey."""
    directories = tuple(directories)
    return (*(f"{one}." for one in found((platform,), directories, shown)), *obeyed(environ, directories))


def obeyed(environ: Mapping[str, str], directories: Iterable[str]) -> tuple[str, ...]:
    """Sentences about variables of this process that have it load code from these directories.

    What they name is running by now and may have changed anything: this only helps where it did not.
    """
    roots = [os.path.realpath(directory) for directory in directories]

    def inside(entry: str) -> bool:
        real = os.path.realpath(entry)
        return not os.path.isabs(entry) or any(_is_below(real, root) for root in roots)

    return tuple(
        f"{name} in the environment of this hook loads code from the project into rulez: do not rely on its verdicts; "
        "find out who sets it (hooks/README.md)."
        for name in LOADERS
        if any(inside(entry) for entry in environ.get(name, "").replace(":", " ").split())
    )


def switches_off(problem: Diagnostic) -> bool:
    """Tell whether a finding of `found` is that hooks are off, or may be; else it is about what runs in their place."""
    return " off" in problem.message


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def _in_file(platform: str, settings: SettingsFile, path: str, shown: str) -> Iterator[Diagnostic]:
    def unread(why: str) -> Diagnostic:
        message = f"this {why}, so it is not known whether it switches the hooks of {settings.agent} off"
        return diagnostic(shown, (1, 1), message, "look into it", severity=WARNING)

    try:
        data = b"".join(read_pieces(path, LARGEST + 1))
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        yield unread(f"cannot be read ({error.strerror.lower() if error.strerror else 'it is no regular file'})")
        return
    if len(data) > LARGEST:
        yield unread(f"is larger than {LARGEST // 1024} KiB")
        return
    text = data.decode("utf-8-sig", "replace")
    if settings.form == DOTENV:
        yield from _about_variables(settings, shown, text, variables_in(text))
        return
    try:
        content = _parsed(settings.form, text)
    except (ValueError, RecursionError):
        yield unread(f"is no {settings.form.upper()}")
        return
    if settings.replaces:
        yield from _about_place(platform, settings, path, shown, content)
        return
    for key, off in settings.off:
        for names, value in _spelled(content, key):
            if _is_off(value, off):
                which = "some hooks" if isinstance(off, list) else "the hooks"
                yield _about_switch(settings, shown, text, key, names, which)
                break
    if settings.own_hooks and (command := _own_hook(content, platform)):
        at = max(_key(text, settings.form, "hooks"), text.find(jsontext.dumps(command)))
        message = f"this has hooks of its own, and in {settings.agent} {settings.own_hooks}"
        yield diagnostic(shown, _place(text, at), message, "look into them (hooks/README.md)", severity=WARNING)
    for name, kind in settings.takes:
        if _is_taken(content, name, kind, platform):
            at = max(text.find(jsontext.dumps(name)), 0)
            message = (
                f"a hook here has the name `{name}`, and of those with one name {settings.agent} calls this one alone "
                "where the folder is trusted: rulez is off there"
            )
            yield diagnostic(shown, _place(text, at), message, "remove it (hooks/README.md)", severity=WARNING)
            break
    block = _at(content, settings.env) if settings.env else None
    variables = block.items() if isinstance(block, dict) else ()
    places = ((name, value, _key(text, settings.form, settings.env, name)) for name, value in variables)
    yield from _about_variables(settings, shown, text, places)


def _about_place(platform: str, settings: SettingsFile, path: str, shown: str, content: object) -> Iterator[Diagnostic]:
    """Yield a finding where the agent reads a project's file in place of the person's, and it does not call rulez."""
    if _calls_rulez(_at(content, "hooks.PreToolUse"), platform) or _is_the_persons(settings, path):
        return
    message = f"{settings.agent} reads this file in place of the person's: the hooks there are off, and rulez with them"
    advice = "remove it, or have it call rulez as well: `rulez install` with `--scope project`"
    yield diagnostic(shown, (1, 1), message, advice, severity=WARNING)


def _calls_rulez(groups: object, platform: str) -> bool:
    """Tell whether one of these groups calls rulez for every tool, as `rulez install` writes it."""
    for group in groups if isinstance(groups, list) else ():
        hooks = group.get("hooks") if isinstance(group, dict) and group.get("matcher", "*") in ("", "*") else None
        if any(
            isinstance(hook, dict) and _is_plainly_ours(hook, platform)
            for hook in (hooks if isinstance(hooks, list) else ())
        ):
            return True
    return False


def _is_the_persons(settings: SettingsFile, path: str) -> bool:
    own = os.path.join(os.path.expanduser("~"), settings.name)
    return os.path.realpath(path) == os.path.realpath(own)


def _about_variables(
    settings: SettingsFile, shown: str, text: str, variables: Iterable[tuple[str, object, int]]
) -> Iterator[Diagnostic]:
    for name, value, at in variables:
        if name in settings.off_variables and _is_true(value):
            yield _about_off_variable(settings, shown, text, name, at)
        elif _changes_what_runs(name, value):
            yield _about_variable(settings, shown, text, name, at)


def _own_hook(content: object, platform: str) -> str:
    """Return the command of a hook that is not as `rulez install` writes it; "" where there is none."""
    events = _at(content, "hooks")
    for groups in events.values() if isinstance(events, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            hooks = group.get("hooks") if isinstance(group, dict) else None
            for hook in hooks if isinstance(hooks, list) else ():
                if isinstance(hook, dict) and not _is_plainly_ours(hook, platform):
                    return str(hook.get("command", "")) or "?"
    return ""


def _is_taken(content: object, name: str, kind: str, platform: str) -> bool:
    """Tell whether the first hook of this name is not as `rulez install --scope project` writes it."""
    hooks = _at(content, "hooks")
    for hook in hooks if isinstance(hooks, list) else ():
        if isinstance(hook, dict) and hook.get("name") == name:
            limit = hook.get("timeout")
            waits = isinstance(limit, int) and limit >= _SHORTEST and "match" not in hook
            strict = kind != "pre_tool" or hook.get("strict") is True
            same = hook.get("type") == kind and waits and strict
            return not (same and _is_our_command(str(hook.get("command")), platform))
    return False


def _is_our_command(command: str, platform: str) -> bool:
    """Tell whether a command calls rulez by its name or by a full path, and denies where that fails."""
    call, _, otherwise = command.partition(" || ")
    program, _, named = _without_limit(call).partition(" hook --platform ")
    first, *more = program.split(" ")
    name = first.strip("'").rpartition("/")[2]
    away = "/" not in first or first.lstrip("'").startswith("/")
    alone = not more and name == "rulez"
    if named != platform or not away or not (otherwise == "" or otherwise.endswith("exit 2; }")):
        return False
    return alone or (name.startswith("python") and more == ["-m", "rulez_py"])


def _without_limit(call: str) -> str:
    """Return a call without the time limit before it, as `rulez install` writes one."""
    limit, _, rest = call.removeprefix(_LIMITED).partition(") ")
    return rest if call.startswith(_LIMITED) and limit.isdigit() else call


def _is_plainly_ours(hook: Mapping[str, object], platform: str) -> bool:
    """Tell whether a hook is as `rulez install` writes it, and nothing in it but that."""
    command, limit = hook.get("command"), hook.get("timeout")
    ours = isinstance(command, str) and _is_our_command(command, platform)
    return ours and isinstance(limit, int) and limit >= _SHORTEST and set(hook) <= {"type", "command", "timeout"}


def _is_off(value: object, off: object) -> bool:
    if isinstance(off, list):
        return bool(value)
    # VS Code takes the word for the value in lists of paths.
    return value is off or (isinstance(value, str) and value.strip().lower() == str(off).lower())


def _is_true(value: object) -> bool:
    return str(value).strip("\"' ").lower() not in ("", "0", "false", "no", "off")


def _about_switch(
    settings: SettingsFile, shown: str, text: str, key: str, names: tuple[str, ...], which: str
) -> Diagnostic:
    at = _key(text, settings.form, *names)
    message = f"`{key}` switches {which} of {settings.agent} off, and with them rulez, if the agent honours it"
    advice = "remove it (hooks/README.md)"
    if settings.withstood:
        advice = "remove it, and set rulez up for the whole machine (hooks/README.md)"
    return diagnostic(shown, _place(text, at), message, advice, severity=WARNING)


def _about_variable(settings: SettingsFile, shown: str, text: str, name: str, at: int) -> Diagnostic:
    message = f"`{name}` is set for {settings.agent} and its hooks, where it can put other code in the place of rulez"
    advice = "remove it, and call rulez by its full path (hooks/README.md)"
    return diagnostic(shown, _place(text, at), message, advice, severity=WARNING)


def _about_off_variable(settings: SettingsFile, shown: str, text: str, name: str, at: int) -> Diagnostic:
    message = (
        f"`{name}` is set for {settings.agent}, which starts without hooks then: they are off, and rulez with them"
    )
    advice = "remove it, or set it yourself where the agent is started (hooks/README.md)"
    return diagnostic(shown, _place(text, at), message, advice, severity=WARNING)


def _key(text: str, form: str, *names: str) -> int:
    """Return where the last of these keys, each in the one before, seems to be written; 0 where it is not found."""
    at = 0
    for name in names:
        at = max(text.find(name if form == TOML else f'"{name}"', at), 0)
    return at


def _place(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _changes_what_runs(name: str, value: object) -> bool:
    # Other names are no variables, and would only be words of the repository's in our sentence.
    if not (name.isascii() and name.replace("_", "").isalnum() and len(name) <= 60) or name in _HARMLESS:
        return False
    if name == "NODE_OPTIONS":
        words = str(value).replace("=", " ").split()
        return any(word in _NODE_LOADS for word in words)
    if name in _NAMES or name.startswith(_LOADS_CODE):
        return True
    return any(name in part(platform, "settings").VARIABLES for platform in PLATFORMS)


def _parsed(form: str, text: str) -> Any:
    if form == TOML:
        import tomllib

        return tomllib.loads(text)
    return jsontext.loads(_without_comments(text))


def _without_comments(text: str) -> str:
    """JSON with comments and commas too many as plain JSON; every character that is left stays where it was."""
    import re

    def blank(match: re.Match[str]) -> str:
        piece = match.group()
        return piece if piece.startswith('"') else re.sub(r"[^\n]", " ", piece)

    text = re.sub(r'"(?:[^"\\]|\\.)*(?:"|$)|//[^\n]*|/\*(?:.*?\*/|.*)', blank, text, flags=re.DOTALL)
    return re.sub(r'"(?:[^"\\]|\\.)*(?:"|$)|,(?=\s*[}\]])', blank, text, flags=re.DOTALL)


def _at(content: Any, key: str) -> Any:
    for name in key.split("."):
        content = content.get(name) if isinstance(content, dict) else None
    return content


def _spelled(content: Any, key: str, before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every value that a dotted key has, with the keys as they are written: as one, or each in the one before."""
    if not isinstance(content, dict):
        return
    if key in content:
        yield (*before, key), content[key]
    at = key.find(".", 1)
    while at > 0:
        name = key[:at]
        if name in content:
            yield from _spelled(content[name], key[at + 1 :], (*before, name))
        at = key.find(".", at + 1)


def variables_in(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield the variables of a dotenv file, and where each begins."""
    at = 0
    for line in text.split("\n"):
        name, equals, value = line.partition("=")
        if not equals:
            name, equals, value = line.partition(":")
        word = name.strip().removeprefix("export ").strip()
        if equals and word:
            yield word, value.strip(), at + line.index(word)
        at += len(line) + 1
