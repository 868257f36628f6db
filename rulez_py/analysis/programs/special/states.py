"""Programs that bring machines into a described state: Ansible, Salt, Puppet, Chef, pyinfra."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.states import commands
from rulez_py.analysis.values import REMOTE, SHELL, WRAPPER, Inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.programs.runs import Own
    from rulez_py.analysis.values import Word

_HERE = ("localhost", "127.0.0.1", "::1", "@local")
"""What these programs call this machine."""
_CODE = ("shell", "command", "raw", "win_shell", "win_command")
_SENT = ("copy", "template", "unarchive", "synchronize", "script", "assemble")
"""Modules that take a file of the machine that Ansible runs on to another."""


def ansible_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of ansible PATTERN -m MODULE -a 'NAME=VALUE ...'; without a module it is `command`."""
    given, module = own.value("-a", "--args"), own.value("-m", "--module-name")
    if own.is_idle:
        return ()
    how = own.value("-c", "--connection")
    where = own.operands[0] if own.operands else None
    here = (where is not None and where.text in _HERE) or (how is not None and how.text == "local")
    who = ""
    if own.has("-b", "--become", "--become-user"):
        user = own.value("--become-user")
        who = "root" if user is None else parts.user(user)
    name = module.text.rpartition(".")[2] if module is not None else "command"
    if name in _CODE or (module is not None and not module.known):
        return () if given is None else (Inner(code=given, via=SHELL if here else REMOTE, user=who),)
    if module is None:
        return ()
    values = {} if given is None else _arguments(given, "argument")
    found = list(commands(name.removeprefix("win_"), values, module, WRAPPER if here else REMOTE))
    if not here and where is not None:
        found += _copied(name, values, module, where)
    return tuple(one.replace(user=who) for one in found)


def _copied(module: str, values: dict[str, Word], word: Word, where: Word) -> list[Inner]:
    """Return what goes from this machine to another, and what comes from there."""
    source, target = values.get("src") or values.get("argument"), values.get("dest")
    scp = (parts.with_text(word, "scp"), parts.with_text(word, "-r"))
    if source is None or values.get("remote_src", word).text in ("yes", "true"):
        return []
    if module in _SENT:
        there = parts.with_text(where, f"{where.text}:{'' if target is None else target.text}")
        return [Inner(words=(*scp, source, there), via=WRAPPER)]
    if module == "fetch" and target is not None:
        return [Inner(words=(*scp, parts.with_text(where, f"{where.text}:{source.text}"), target), via=WRAPPER)]
    return []


def _arguments(text: Word, unnamed: str) -> dict[str, Word]:
    """Return the parameters in a text: `NAME=VALUE NAME="VALUE"`, or a map of JSON."""
    if text.text.lstrip()[:1] == "{":
        from rulez_py.analysis.languages.states import parameters

        return {name: parts.with_text(text, value) for name, value in parameters(text.text).items()}
    return _named(parts.split(text), unnamed)


def _named(words: Sequence[Word], unnamed: str = "") -> dict[str, Word]:
    """Return parameters by their names; those without one by their places, or by `unnamed`."""
    found: dict[str, Word] = {}
    place = 0
    for word in words:
        name, equals, _ = word.text.partition("=")
        if equals and name.replace("_", "").isalnum():
            found[name] = parts.cut(word, len(name) + 1)
        else:
            found.setdefault(unnamed or str(place), word)
            place += 1
    return found


_RUN = ("run", "shell", "run_all", "run_stdout", "run_stderr", "retcode", "run_bg", "wait", "script", "exec_code")
_LOCAL = ("salt-call",)


def salt_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of salt TARGET FUNCTION WORDS, salt-call FUNCTION WORDS and state.single STATE WORDS."""
    here = parts.name(own.words[0]) in _LOCAL
    for at, word in enumerate(own.operands):
        if "." not in word.text or word.text in ("state.single", "salt.cmd", "salt.execute"):
            continue
        module, _, function = word.text.rpartition(".")
        values = _named(own.operands[at + 1 :])
        if module == "cmd" and function in _RUN:
            code = values.get("cmd") or values.get("name") or values.get("0")
            return () if code is None else (Inner(code=code, via=SHELL if here else REMOTE),)
        if found := commands(word.text, values, word, WRAPPER if here else REMOTE):
            return found
    return ()


def resource_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of puppet resource TYPE NAME ATTRIBUTE=VALUE..., and chef-run TARGET with the same."""
    there = parts.name(own.words[0]) == "chef-run"
    words = own.operands[1:] if there else own.operands
    if len(words) < 2 or own.is_idle:
        return ()
    kind, name, *attributes = words
    here = not there or own.operands[0].text in _HERE
    values = {**_named(attributes), "name": name}
    return commands(kind.text.lower(), values, kind, WRAPPER if here else REMOTE)


def pyinfra_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of pyinfra INVENTORY exec -- COMMAND, or an operation: `files.file path=x present=False`."""
    if len(own.operands) < 2 or own.is_idle:
        return ()
    where, operation, *rest = own.operands
    here = where.text in _HERE
    if operation.text == "exec":
        return tuple(Inner(code=code, via=SHELL if here else REMOTE) for code in parts.readings(rest)) if rest else ()
    kind = operation.text.rpartition(".")[2]
    values = _named(rest, "path")
    if values.get("present", operation).text.lower() == "false":
        values["state"] = parts.with_text(operation, "absent")
    if kind == "shell":
        return tuple(Inner(code=word, via=SHELL if here else REMOTE) for word in rest)
    kind = {"put": "copy", "line": "lineinfile", "download": "get_url", "sync": "copy"}.get(kind, kind)
    found = list(commands(kind, values, operation, WRAPPER if here else REMOTE))
    return tuple(found if here else [*found, *_copied(kind, values, operation, where)])
