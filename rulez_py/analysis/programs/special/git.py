"""git: aliases and settings given with -c (git-config(1)), what its transports run."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.read import cut, level
from rulez_py.analysis.programs.runs import plainly, ways
from rulez_py.analysis.programs.touches import is_away
from rulez_py.analysis.values import REMOTE, SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rulez_py.analysis.programs.runs import Own
    from rulez_py.analysis.programs.touches import Touching

# Settings whose value is a command; `*` stands for any part.
COMMANDS = frozenset(
    (
        *("core.sshcommand", "core.editor", "core.pager", "core.fsmonitor", "core.askpass", "core.gitproxy"),
        *("core.alternaterefscommand", "sequence.editor", "diff.external", "interactive.difffilter"),
        *("uploadpack.packobjectshook", "credential.helper", "gpg.program", "sendemail.smtpserver", "sendemail.tocmd"),
        *("sendemail.cccmd", "sendemail.sendmailcmd", "sendemail.headercmd", "gpg.ssh.defaultkeycommand"),
        *("web.browser", "diff.*.command", "diff.*.textconv", "merge.*.driver", "mergetool.*.cmd", "difftool.*.cmd"),
        *("filter.*.clean", "filter.*.smudge", "filter.*.process", "credential.*.helper", "gpg.*.program", "pager.*"),
        *("browser.*.cmd", "man.*.cmd", "trailer.*.cmd", "trailer.*.command", "tar.*.command", "submodule.*.update"),
        "guitool.*.cmd",
    )
)
THERE = frozenset(("remote.*.uploadpack", "remote.*.receivepack"))
BOOLEAN = ("", "true", "false", "yes", "no", "on", "off", "0", "1", "none", "checkout", "rebase", "merge")
CONFIGS = 64
"""How many settings are read from GIT_CONFIG_KEY_n."""
_MOST_ALIASES = 4


def git_runs(own: Own) -> Iterator[Inner]:
    """What git runs besides itself: by its settings, and by its subcommand."""
    if own.is_idle:
        return
    settings = []
    for word in own.every("-c"):
        name, equals, _ = word.text.partition("=")
        settings.append((name, parts.cut(word, len(name) + 1) if equals else parts.with_text(word, "true")))
    rest = _subcommand(own)
    found = configured(settings, own.words[0], rest)
    found += plainly(own)
    found += _transports(rest)
    where = own.value("-C")
    for one in found:
        yield one if where is None or one.via == REMOTE else one.replace(cwd=one.cwd or where)


def _subcommand(own: Own) -> tuple[Word, ...]:
    """git's words from the subcommand on."""
    return () if own.branch is None else tuple(own.words[own.branch :])


def configured(settings: Sequence[tuple[str, Word]], program: Word, rest: Sequence[Word]) -> list[Inner]:
    """What git runs by its settings; `rest` begins with the subcommand."""
    found: list[Inner] = []
    # The last value of an alias counts.
    aliases = {name.lower()[6:]: value for name, value in settings if name.lower().startswith("alias.")}
    if rest and rest[0].text.lower() in aliases:
        found.append(_alias(aliases[rest[0].text.lower()], program, rest[1:]))
    elif rest and not rest[0].known:
        found += [_alias(value, program, rest[1:]) for value in list(aliases.values())[:_MOST_ALIASES]]
    for name, value in settings:
        section, _, tail = name.lower().partition(".")
        last = tail.rpartition(".")[2]
        pattern = f"{section}.{tail}" if f"{section}.{tail}" in COMMANDS else f"{section}.*.{last}"
        pattern = "pager.*" if section == "pager" else pattern
        if value.text.lower() in BOOLEAN or (pattern not in COMMANDS and pattern not in THERE):
            continue
        if pattern in THERE:
            found.append(Inner(code=value, via=REMOTE))
        elif last in ("helper", "update"):
            # A plain name is git's own helper (git-credential-NAME).
            if value.text[:1] in ("!", "/", "~", "$"):
                found.append(Inner(code=parts.cut(value, 1) if value.text[0] == "!" else value, via=SHELL))
        else:
            found.append(Inner(code=value, via=SHELL))
    return found


def _alias(value: Word, program: Word, rest: Sequence[Word]) -> Inner:
    """An alias: shell code behind `!`, else words of git; what follows is put behind."""
    if value.text[:1] == "!":
        code = parts.cut(value, 1)
        return Inner(
            code=parts.join([code, *[parts.quoted(word) for word in rest]]), via=SHELL, arguments=(code, *rest)
        )
    if not value.known:
        return Inner(code=value, via=SHELL)
    return Inner(words=(program, *parts.split(value), *rest))


_TRANSPORTS = ("clone", "fetch", "pull", "push", "ls-remote", "remote", "archive", "fetch-pack", "send-pack")


def _transports(rest: Sequence[Word]) -> list[Inner]:
    """`ext::` URLs are commands that run here."""
    if not rest or rest[0].text not in _TRANSPORTS:
        return []
    return [Inner(code=parts.cut(word, 5), via=SHELL) for word in rest[1:] if word.text.startswith("ext::")]


# Variables.


def by_variables(words: Sequence[Word], variables: Mapping[str, Word]) -> list[Inner]:
    """What git runs by settings in its environment."""
    settings = [*_parameters(variables.get("GIT_CONFIG_PARAMETERS")), *_settings(variables)]
    if not settings or not words:
        return []
    owns, _ = ways(level("git"), words)
    return configured(settings, words[0], _subcommand(owns[0]))


def _parameters(value: Word | None) -> list[tuple[str, Word]]:
    """`'name=value' 'name'='value'`, as git hands -c on to those it starts."""
    if value is None:
        return []
    found = []
    for word in parts.split(value):
        name, equals, _ = word.text.partition("=")
        if equals:
            found.append((name, parts.cut(word, len(name) + 1)))
    return found


def _settings(variables: Mapping[str, Word]) -> list[tuple[str, Word]]:
    """GIT_CONFIG_KEY_n and GIT_CONFIG_VALUE_n; the count is not needed to see them."""
    found = []
    for number in range(CONFIGS if "GIT_CONFIG_COUNT" in variables else 0):
        key, value = variables.get(f"GIT_CONFIG_KEY_{number}"), variables.get(f"GIT_CONFIG_VALUE_{number}")
        if key is not None and value is not None:
            found.append((key.text, value))
    return found


def clone_effects(command: Touching) -> None:
    """A repository that no URL names is a directory here."""
    command.by_options()
    for word in command.operands:
        if is_away(word.text) and not word.text.startswith((":", "+")):
            command.url(word)
    if len(command.operands) > 1:
        command.touch(command.operands[1], "w")
    if command.operands and not command.hosts:
        command.touch(command.operands[0], "r", deep=True)


def checkout_effects(command: Touching) -> None:
    end = next((place for place, word in enumerate(command.words) if word.text == "--"), -1)
    if end >= 0:
        for word in command.operands:
            if command.place.get(id(word), 0) > end:
                command.touch(word, "w", deep=True)


def restore_effects(command: Touching) -> None:
    command.by_options()
    if not command.has("--staged") or command.has("--worktree"):
        for word in command.operands:
            command.touch(word, "w", deep=True)


def clean_effects(command: Touching) -> None:
    if command.has("-f", "--force") and not command.has("--dry-run"):
        for word in command.operands:
            command.touch(word, "d", deep=True)


def diff_effects(command: Touching) -> None:
    command.by_options()
    if command.has("--no-index"):
        for word in command.operands:
            command.touch(word, "r", deep=True)


def config_effects(command: Touching) -> None:
    """A setting that is given a value is written."""
    file = command.value("-f", "--file")
    if file is not None:
        asks = command.has("--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list")
        words = command.operands
        changes = command.has("--unset", "--unset-all", "--remove-section", "--rename-section", "--add", "-e", "--edit")
        asks = asks or (len(words) < 2 and not changes) or (bool(words) and words[0].text in ("get", "list"))
        command.touch(file, "r" if asks else "rw")


def objects_effects(command: Touching) -> None:
    """What a commit or the index has under a path (`HEAD:.env`, `:a`) is read as the file is."""
    command.by_options()
    for word in command.operands:
        name, colon, path = word.text.partition(":")
        if colon and path and "/" not in name[:1] and not (name == "" and path[:1] in ("/", "(", "!", "^")):
            start = len(name) + 1
            if path[1:2] == ":" and path[:1].isdigit() and not name:
                start += 2  # `:1:path`, a side of a merge
            command.touch(cut(word, start), "r")
