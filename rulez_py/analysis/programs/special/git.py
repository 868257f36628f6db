"""git: aliases and settings given with -c (git-config(1)), what its transports run."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.read import cut, level
from rulez_py.analysis.programs.runs import plainly, ways
from rulez_py.analysis.programs.touches import HERE, is_away
from rulez_py.analysis.values import REMOTE, SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rulez_py.analysis.programs.runs import Own
    from rulez_py.analysis.programs.touches import Touching

# Settings whose value is a command; `*` is any part.
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
TRACKED = "ls-files"
LISTS = {
    TRACKED: (),
    "archive": (),
    "diff": ("--name-only",),
    "show": ("--name-only",),
    "log": ("--name-only",),
    "diff-tree": ("--name-only",),
    "diff-index": ("--name-only",),
    "ls-tree": ("--name-only", "--name-status", "-r"),
    "status": ("-s", "--short", "--porcelain", "-z"),
    "grep": ("-l", "--files-with-matches", "--name-only", "-L", "--files-without-match"),
}
"""Subcommands that print names of files: those with options with one of them."""
DIFFS = {
    "diff": (),
    "show": (),
    "log": ("-p", "-u", "--patch"),
    "format-patch": ("--stdout",),
    "diff-tree": ("-p", "-u", "--patch"),
    "diff-index": ("-p", "-u", "--patch"),
}
"""Subcommands that print patches: those with options with one of them."""
BOOLEAN = ("", "true", "false", "yes", "no", "on", "off", "0", "1", "none", "checkout", "rebase", "merge")
_ON, _OFF = ("true", "yes", "on", "1", ""), ("false", "no", "off", "0")
CONFIGS = 64
"""How many settings are read from GIT_CONFIG_KEY_n."""
_MOST_ALIASES = 4


def git_runs(own: Own) -> Iterator[Inner]:
    """Yield what git runs besides itself: by its settings, and by its subcommand."""
    if own.is_idle:
        return
    settings = []
    for word in own.every("-c"):
        name, equals, _ = word.text.partition("=")
        settings.append((name, parts.cut(word, len(name) + 1) if equals else parts.with_text(word, "true")))
    rest = _subcommand(own)
    found = configured(settings, own.words[0], rest)
    if rest and rest[0].text == "config":
        found += defined(settings_by(own), own.words[0])
    found += plainly(own)
    found += _transports(rest)
    where = own.value("-C")
    for one in found:
        yield one if where is None or one.via == REMOTE else one.replace(cwd=one.cwd or where)


def _subcommand(own: Own) -> tuple[Word, ...]:
    """Return git's words from the subcommand on."""
    return () if own.branch is None else tuple(own.words[own.branch :])


def configured(settings: Sequence[tuple[str, Word]], program: Word, rest: Sequence[Word]) -> list[Inner]:
    """Return what git runs by its settings; `rest` begins with the subcommand."""
    return [*_aliased(settings, program, rest), *_implied(settings, program, rest), *commands(settings)]


def defined(settings: Sequence[tuple[str, Word]], program: Word) -> list[Inner]:
    """Return what git would run later by settings that are made now: aliases, and what is a command itself."""
    aliases = [value for name, value in settings if name.lower().startswith("alias.") and value.text.strip()]
    return [*(_alias(value, program, ()) for value in aliases), *commands(settings)]


def _aliased(settings: Sequence[tuple[str, Word]], program: Word, rest: Sequence[Word]) -> list[Inner]:
    """Return what a subcommand means that is an alias: an alias may name another, but not one that leads to
    itself.
    """
    # The last value of an alias counts.
    aliases = {name.lower()[6:]: value for name, value in settings if name.lower().startswith("alias.")}
    if rest and not rest[0].known:
        return [_alias(value, program, rest[1:]) for value in list(aliases.values())[:_MOST_ALIASES]]
    seen: set[str] = set()
    words = rest
    while words and (name := words[0].text.lower()) in aliases:
        value = aliases[name]
        if name in seen:
            return []
        seen.add(name)
        if not value.known or value.text[:1] == "!":
            return [_alias(value, program, words[1:])]
        words = (*parts.split(value), *words[1:])
    return [Inner(words=(program, *words))] if seen and words else []


def commands(settings: Sequence[tuple[str, Word]]) -> list[Inner]:
    """Return the settings whose values are commands."""
    found: list[Inner] = []
    for name, value in settings:
        if name.lower().startswith("url.ext::"):
            command = name[9:].rpartition(".")[0]
            found.append(Inner(code=parts.with_text(value, command), via=SHELL))
            continue
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
            elif last == "helper" and " " in value.text:
                found.append(Inner(code=parts.with_text(value, f"git-credential-{value.text}"), via=SHELL))
        else:
            found.append(Inner(code=value, via=SHELL))
    return found


def _implied(settings: Sequence[tuple[str, Word]], program: Word, rest: Sequence[Word]) -> list[Inner]:
    """Return what a subcommand does because of settings, written out with words."""
    if not rest or rest[0].text == "config":
        return []
    found = [Inner(words=(program, *rest, *more)) for more in _pushed(settings, program, rest)]
    held = {name.lower(): value for name, value in settings}
    forced = any(word.text == "--force" or (word.text[:2] != "--" and "f" in word.text[1:]) for word in rest[1:])
    if rest[0].text == "clean" and not forced and held.get("clean.requireforce", program).text.lower() in _OFF:
        found.append(Inner(words=(program, rest[0], parts.with_text(program, "-f"), *rest[1:])))
    for name, value in settings:
        if name.lower().startswith("url.") and name.lower().endswith((".insteadof", ".pushinsteadof")) and value.text:
            words = tuple(_instead(word, value.text, name[4:].rpartition(".")[0]) for word in rest)
            if words != tuple(rest):
                found.append(Inner(words=(program, *words)))
    return found


def _instead(word: Word, start: str, base: str) -> Word:
    """Return an address as git takes it that begins as `insteadOf` says."""
    return parts.with_text(word, base + word.text[len(start) :]) if word.text.startswith(start) else word


def _pushed(settings: Sequence[tuple[str, Word]], program: Word, rest: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    """Yield the words that a push without a refspec has by its remote's settings.

    Of each remote, where it names none.
    """
    named = [word for word in rest[1:] if not word.text.startswith("-")]
    given: dict[str, list[Word]] = {}
    for name, value in settings if rest[0].text == "push" and len(named) < 2 else ():
        section, _, tail = name.lower().partition(".")
        remote, _, last = tail.rpartition(".")
        if section != "remote" or (named and named[0].text.lower() != remote):
            continue
        if last == "push":
            given.setdefault(remote, []).append(value)
        elif last == "mirror" and value.text.lower() in _ON:
            given.setdefault(remote, []).append(parts.with_text(program, "--mirror"))
    for remote, words in given.items():
        yield (*(() if named else (parts.with_text(program, remote),)), *words)


def _alias(value: Word, program: Word, rest: Sequence[Word]) -> Inner:
    """Return an alias: shell code behind `!`, else words of git; what follows is put behind."""
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
    """Return the commands of `ext::` URLs, which run here."""
    if not rest or rest[0].text not in _TRANSPORTS:
        return []
    return [Inner(code=parts.cut(word, 5), via=SHELL) for word in rest[1:] if word.text.startswith("ext::")]


# Settings that stay.


def settings_by(own: Own) -> list[tuple[str, Word]]:
    """Return the setting that `git config` makes by these words, if it makes one."""
    if own.has("--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list", "--unset", "--unset-all"):
        return []
    if own.has("--remove-section", "--rename-section", "-e", "--edit"):
        return []
    words = own.operands[1:] if own.operands and own.operands[0].text == "set" else own.operands
    return [(words[0].text, words[1])] if len(words) > 1 and "." in words[0].text else []


def made(words: Sequence[Word]) -> list[tuple[str, Word]]:
    """Return the settings that a git command makes for those behind it, its words given."""
    owns, _ = ways(level("git"), words)
    if not any(word.text == "config" for word in _subcommand(owns[0])[:1]):
        return []
    return settings_by(owns[0])


def cloned(words: Sequence[Word]) -> list[str]:
    """Return the directories that a git command fills from elsewhere."""
    owns, _ = ways(level("git"), words)
    own = owns[0]
    if not own.operands or not is_away(own.operands[0].text) or own.level.key != "git clone":
        return []
    place = own.operands[1] if len(own.operands) > 1 else own.operands[0]
    path = place.text.rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git")
    path = place.text if len(own.operands) > 1 else path
    return [path] if path else []


def written(name: str, value: Word) -> str:
    """Return a setting as a file has it."""
    section, _, rest = name.partition(".")
    middle, _, last = rest.rpartition(".")
    text = value.text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'[{section} "{middle}"]\n{last} = "{text}"\n' if middle else f'[{section}]\n{last} = "{text}"\n'


def in_file(text: str, *, known: bool) -> list[tuple[str, Word]]:
    """Return the settings in the text of a file (git-config(1), "Syntax"), the last ones."""
    found: list[tuple[str, Word]] = []
    section = ""
    for line in text.replace("\\\n", "").split("\n"):
        line = line.strip()
        if line.startswith("["):
            head, _, line = line[1:].partition("]")
            name, quote, middle = head.partition('"')
            section = ".".join((name.strip(), middle.rpartition('"')[0])) if quote else name.strip()
            line = line.strip()
        if not line or line[0] in "#;" or not section:
            continue
        name, equals, value = line.partition("=")
        found.append((f"{section}.{name.strip()}", Word(text=_value(value) if equals else "true", known=known)))
    return found[-CONFIGS:]


def _value(text: str) -> str:
    """Return a value without its quotes, escapes and comment."""
    found: list[str] = []
    quoted = False
    at = 0
    text = text.strip()
    while at < len(text):
        char = text[at]
        if char == "\\" and at + 1 < len(text):
            at += 1
            found.append({"n": "\n", "t": "\t"}.get(text[at], text[at]))
        elif char == '"':
            quoted = not quoted
        elif char in "#;" and not quoted:
            break
        else:
            found.append(char)
        at += 1
    return "".join(found).rstrip() if not quoted else "".join(found)


def by_files(words: Sequence[Word], settings: Sequence[tuple[str, Word]], done: set[tuple[str, str]]) -> list[Inner]:
    """Return what git runs by settings that were made before it.

    A command among them may be git again, so of each it is
    noted in `done` that it was met."""
    owns, _ = ways(level("git"), words)
    rest = _subcommand(owns[0])
    if rest and rest[0].text == "config":
        return []
    fresh = [one for one in settings if (one[0], one[1].text) not in done]
    done.update((name, value.text) for name, value in fresh)
    return [*_aliased(settings, words[0], rest), *_implied(settings, words[0], rest), *commands(fresh)]


# Variables.


def by_variables(words: Sequence[Word], variables: Mapping[str, Word]) -> list[Inner]:
    """Return what git runs by settings in its environment."""
    settings = [*_parameters(variables.get("GIT_CONFIG_PARAMETERS")), *_settings(variables)]
    if not settings or not words:
        return []
    owns, _ = ways(level("git"), words)
    return configured(settings, words[0], _subcommand(owns[0]))


def _parameters(value: Word | None) -> list[tuple[str, Word]]:
    """Read `'name=value' 'name'='value'`, as git hands -c on to those it starts."""
    if value is None:
        return []
    found = []
    for word in parts.split(value):
        name, equals, _ = word.text.partition("=")
        if equals:
            found.append((name, parts.cut(word, len(name) + 1)))
    return found


def _settings(variables: Mapping[str, Word]) -> list[tuple[str, Word]]:
    """Read GIT_CONFIG_KEY_n and GIT_CONFIG_VALUE_n; the count is not needed to see them."""
    found = []
    for number in range(CONFIGS if "GIT_CONFIG_COUNT" in variables else 0):
        key, value = variables.get(f"GIT_CONFIG_KEY_{number}"), variables.get(f"GIT_CONFIG_VALUE_{number}")
        if key is not None and value is not None:
            found.append((key.text, value))
    return found


def clone_effects(command: Touching) -> None:
    """Touch a repository that no URL names: it is a directory here."""
    command.by_options()
    for word in command.operands:
        if is_away(word.text) and not word.text.startswith((":", "+")):
            command.url(word)
    if len(command.operands) > 1:
        command.touch(command.operands[1], "w/")
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


def _prefixed(command: Touching, name: str) -> None:
    """Touch what is put below a prefix that an option gives."""
    for word in command.values(name):
        command.touch(word.replace(text=word.text.rstrip("/") or "/"), "w/")


def apply_effects(command: Touching) -> None:
    """Touch what a patch names (git apply, git am), below --directory; --include selects some of it."""
    command.by_options()
    command.by_operands()
    if not command.has("--check", "--stat", "--numstat", "--summary", "--cached"):
        _prefixed(command, "--directory")
        directory = command.value("--directory")
        command.base = command.base if directory is None else parts.below(command.base, directory)
        for word in command.values("--include"):
            command.touch(word, "w", deep=True)


def index_effects(command: Touching) -> None:
    """Touch what the index holds, below --prefix (git checkout-index, git read-tree)."""
    command.by_options()
    _prefixed(command, "--prefix")
    for word in command.operands if command.key.endswith("checkout-index") else ():
        command.touch(word, "w")


def grep_effects(command: Touching) -> None:
    """Touch what `git grep` reads: tracked files, with some options all files; it prints those that are named."""
    command.by_options()
    places = command.operands if command.has("-e", "-f") else command.operands[1:]
    if command.has("--no-index") or any(word.text == "--no-exclude-standard" for word in command.words):
        for word in places or (HERE,):
            command.touch(word, "r", deep=True)
    elif not command.has(*_NAMES_ONLY):
        _shown(command, places)


_NAMES_ONLY = (
    *("-l", "--files-with-matches", "--name-only", "-L", "--files-without-match", "-c", "--count", "-q", "--quiet"),
    *("--stat", "--numstat", "--shortstat", "--name-status", "--summary", "--compact-summary", "-s", "--no-patch"),
    *("--dirstat", "--raw", "--check", "--dirstat-by-file"),
)
_PATCH = ("-p", "--patch", "-U", "--cc", "-c", "-W", "--patch-with-raw", "--patch-with-stat", "--word-diff", "--binary")


def _shown(command: Touching, words: Sequence[Word]) -> None:
    """Touch the files among the operands; something of them is printed.

    Those behind `--`; without one all but what is spelled as a revision (a branch's name may be a file's).
    """
    end = next((place for place, word in enumerate(command.words) if word.text == "--"), -1)
    for word in words:
        if end < 0 and _is_revision(word.text):
            continue
        if command.place.get(id(word), 0) > end and word.text[:2] not in (":!", ":^") and "(exclude" not in word.text:
            magic = word.text.find(")") + 1 if word.text[:2] == ":(" else 2 if word.text[:2] == ":/" else 0
            command.touch(cut(word, magic), "r")


def _is_revision(text: str) -> bool:
    """Tell if a word is spelled as no file is: `HEAD~1`, `main..x`, `@{u}`, `:/fix`, `HEAD:a`, a digest."""
    if text in ("@", "-") or text.endswith("HEAD") or text.startswith(("refs/", ":/")):
        return True
    if any(char in text for char in ("..", "^", "@{")) and not text.startswith(("../", "..\\")):
        return True
    if ":" in text[1:] and text[:1] != ":":
        return True
    name, tilde, count = text.partition("~")
    if name and tilde and (not count or count.isdigit()):
        return True
    return 7 <= len(text) <= 40 and set(text) <= _DIGEST and not text.isalpha()


_DIGEST = frozenset("0123456789abcdef")


def stash_effects(command: Touching) -> None:
    """Touch the files of `git stash push FILE...`, which are then as they were committed."""
    for word in command.operands:
        command.touch(word, "w", deep=True)


def sparse_effects(command: Touching) -> None:
    """Delete what `!` takes out in `git sparse-checkout set PATTERN...`."""
    for word in command.operands:
        if word.text.startswith("!"):
            command.touch(word.replace(text=word.text[1:].lstrip("/").rstrip("/") or ".", glob=""), "d", deep=True)


def clean_effects(command: Touching) -> None:
    if command.has("-f", "--force") and not command.has("--dry-run"):
        for word in command.operands:
            command.touch(word, "d", deep=True)


def diff_effects(command: Touching) -> None:
    command.by_options()
    if command.has("--no-index"):
        for word in command.operands:
            command.touch(word, "r", deep=True)
    elif command.has(*_PATCH) or not command.has(*_NAMES_ONLY):
        _shown(command, command.operands)


def config_effects(command: Touching) -> None:
    """Write a setting that is given a value."""
    file = command.value("-f", "--file")
    if file is not None:
        asks = command.has("--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list")
        words = command.operands
        changes = command.has("--unset", "--unset-all", "--remove-section", "--rename-section", "--add", "-e", "--edit")
        asks = asks or (len(words) < 2 and not changes) or (bool(words) and words[0].text in ("get", "list"))
        command.touch(file, "r" if asks else "rw")
    blob = command.value("--blob")
    if blob is not None and ":" in blob.text:
        command.touch(cut(blob, blob.text.index(":") + 1), "r")


def archive_effects(command: Touching) -> None:
    """Read the files of a commit, all where none is named; printed, unless a file is made of them."""
    command.by_options()
    command.by_operands()
    if command.has("-l", "--list") or command.value("--remote") is not None:
        return
    if len(command.operands) == 1:
        # Not what lies below it: files that git does not track are in no commit.
        command.touch(HERE, "r")
    command.silent = command.silent or command.has("-o", "--output")


def objects_effects(command: Touching) -> None:
    """Read what a commit or the index has under a path (`HEAD:.env`, `:a`) as the file."""
    command.by_options()
    for word in command.operands:
        name, colon, path = word.text.partition(":")
        if colon and path and "/" not in name[:1] and not (name == "" and path[:1] in ("/", "(", "!", "^")):
            start = len(name) + 1
            if path[1:2] == ":" and path[:1].isdigit() and not name:
                start += 2  # `:1:path`, a side of a merge
            command.touch(cut(word, start), "r")
    for word in command.values("-L"):
        if ":" in word.text:
            command.touch(cut(word, word.text.rfind(":") + 1), "r")
    printer = next((word.text for word in command.words[1:] if word.text in _PRINTERS), "")
    if command.has(*_PATCH) if printer in _LOGS else printer == "show" and not command.has(*_NAMES_ONLY):
        _shown(command, command.operands)


_LOGS = ("log", "whatchanged")
"""They print differences where an option says so, `show` unless one says otherwise."""
_PRINTERS = (*_LOGS, "show", "cat-file", "rev-list")
"""The subcommands that share this."""
