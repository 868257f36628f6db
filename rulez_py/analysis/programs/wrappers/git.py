"""git: aliases and settings given with -c, and the subcommands that run a command (git-config(1), git(1))."""

from __future__ import annotations

from rulez_py.analysis.programs.wrappers import parts
from rulez_py.analysis.programs.wrappers.spec import DOUBTS, Scan, Spec, each, scan
from rulez_py.analysis.values import REMOTE, SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

GIT = Spec(
    values="-c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source --list-cmds",
    attached="--exec-path",
    cwd="-C",
    exact=True,
    nothing="--version -v --help -h --html-path --man-path --info-path",
)
# Settings whose value is a command; `*` stands for any part.
COMMANDS = frozenset(
    (
        *("core.sshcommand", "core.editor", "core.pager", "core.fsmonitor", "core.askpass", "core.gitproxy"),
        *("core.alternaterefscommand", "sequence.editor", "diff.external", "interactive.difffilter"),
        *("uploadpack.packobjectshook", "credential.helper", "gpg.program", "sendemail.smtpserver", "sendemail.tocmd"),
        *(
            "sendemail.cccmd",
            "sendemail.sendmailcmd",
            "sendemail.headercmd",
            "gpg.ssh.defaultkeycommand",
            "web.browser",
        ),
        *("diff.*.command", "diff.*.textconv", "merge.*.driver", "mergetool.*.cmd", "difftool.*.cmd", "filter.*.clean"),
        *("filter.*.smudge", "filter.*.process", "credential.*.helper", "gpg.*.program", "pager.*", "browser.*.cmd"),
        *("man.*.cmd", "trailer.*.cmd", "trailer.*.command", "tar.*.command", "submodule.*.update", "guitool.*.cmd"),
    )
)
THERE = frozenset(("remote.*.uploadpack", "remote.*.receivepack"))
BOOLEAN = ("", "true", "false", "yes", "no", "on", "off", "0", "1", "none", "checkout", "rebase", "merge")
FILTERS = (
    *(
        "--setup",
        "--env-filter",
        "--tree-filter",
        "--index-filter",
        "--parent-filter",
        "--msg-filter",
        "--commit-filter",
    ),
    "--tag-name-filter",
)


def git(words: Sequence[Word]) -> tuple[Inner, ...]:
    """What git runs besides itself."""
    return each(GIT, words, lambda own: _git(own, words))


def _git(own: Scan, words: Sequence[Word]) -> Iterator[Inner]:
    settings = []
    for word in own.every("-c"):
        name, equals, _ = word.text.partition("=")
        settings.append((name, parts.cut(word, len(name) + 1) if equals else parts.with_text(word, "true")))
    found: list[Inner] = []
    for start in own.starts or (len(words),):
        rest = tuple(words[start:])
        found += configured(settings, words[0], rest)
        if rest:
            found += _subcommand(rest)
    where = own.value("-C")
    for one in found:
        yield one if where is None or one.via == REMOTE else one.replace(cwd=one.cwd or where)


def configured(settings: Sequence[tuple[str, Word]], program: Word, rest: Sequence[Word]) -> list[Inner]:
    """What git runs by its settings; `rest` begins with the subcommand."""
    found: list[Inner] = []
    # The last value of an alias counts.
    aliases = {name.lower()[6:]: value for name, value in settings if name.lower().startswith("alias.")}
    if rest and rest[0].text.lower() in aliases:
        found.append(_alias(aliases[rest[0].text.lower()], program, rest[1:]))
    elif rest and not rest[0].known:
        found += [_alias(value, program, rest[1:]) for value in list(aliases.values())[:DOUBTS]]
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


def _subcommand(rest: Sequence[Word]) -> list[Inner]:
    name = rest[0].text
    behind = rest[1:]
    if name == "rebase":
        return _texts(rest, "-x --exec", "-s --strategy -X --strategy-option -C --onto")
    if name == "bisect":
        return [Inner(words=tuple(behind[1:]))] if len(behind) > 1 and behind[0].text == "run" else []
    if name == "submodule":
        return _foreach(behind)
    if name == "filter-branch":
        return _texts(rest, " ".join(FILTERS), "--original -d --subdirectory-filter --state-branch")
    if name == "difftool":
        return _texts(rest, "-x --extcmd", "-t --tool")
    if name == "grep":
        return _texts(rest, "", "-e -f -m -A -B -C", "-O --open-files-in-pager")
    if name in ("clone", "fetch", "pull", "push", "ls-remote", "remote", "archive", "fetch-pack", "send-pack"):
        return _transport(name, rest)
    if name == "send-email":
        return _texts(rest, "--to-cmd --cc-cmd --sendmail-cmd --header-cmd", "")
    return []


def _texts(words: Sequence[Word], code: str, values: str, attached: str = "") -> list[Inner]:
    own = scan(Spec(values=f"{values} {code}", attached=attached, operands=-1), words)
    texts = [*own.every(code), *own.every(attached)]
    return [Inner(code=word, via=SHELL) for word in texts if word.text]


def _foreach(words: Sequence[Word]) -> list[Inner]:
    """git submodule foreach: one word is shell code, several are a command."""
    own = scan(Spec(exact=True), words, 0)
    if not own.starts or words[own.starts[-1]].text != "foreach":
        return []
    own = scan(Spec(exact=True), words, own.starts[-1] + 1)
    found = []
    for start in own.starts:
        rest = tuple(words[start:])
        found.append(Inner(code=rest[0], via=SHELL) if len(rest) == 1 else Inner(words=rest))
    return found


def _transport(name: str, words: Sequence[Word]) -> list[Inner]:
    """--upload-pack and the like run on the other side, which is this one for a path; `ext::` URLs run here."""
    values = "-b --branch -o --origin --depth --reference -j --jobs -c --config --template --separate-git-dir --filter"
    packs = "--upload-pack --receive-pack --exec" + (" -u" if name == "clone" else "")
    found = [
        Inner(code=word, via=SHELL) for word in scan(Spec(values=f"{values} {packs}", operands=-1), words).every(packs)
    ]
    for word in words[1:]:
        if word.text.startswith("ext::"):
            found.append(Inner(code=parts.cut(word, 5), via=SHELL))
    return found


KINDS: dict[str, Callable[[Sequence[Word]], tuple[Inner, ...]]] = {"git": git}
