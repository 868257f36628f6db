"""Programs that do something else, and run a command where an option, an operand or a script says so."""

from __future__ import annotations

from rulez_py.analysis.programs.wrappers import interpreters, parts
from rulez_py.analysis.programs.wrappers.plain import UV_FLAGS, UV_VALUES, UVX
from rulez_py.analysis.programs.wrappers.remote import ssh_options
from rulez_py.analysis.programs.wrappers.sed import sed
from rulez_py.analysis.programs.wrappers.shells import shell
from rulez_py.analysis.programs.wrappers.spec import Scan, Spec, below, context, each, read, scan, top, within
from rulez_py.analysis.values import INTERPRETER, REMOTE, SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RSYNC = Spec(
    values="-f --filter -T --temp-dir -B --block-size -M --remote-option --exclude --include --exclude-from "
    "--include-from --files-from --backup-dir --suffix --chmod --chown --usermap --groupmap "
    "--compare-dest --copy-dest --link-dest --log-file --log-file-format --out-format --password-file "
    "--port --bwlimit --timeout --contimeout --max-size --min-size --max-delete --modify-window -@ "
    "--partial-dir --info --debug --outbuf --sockopts --address --protocol --iconv --checksum-seed "
    "--compress-level --zl --compress-choice --zc --checksum-choice --cc --skip-compress --stop-after "
    "--stop-at --write-batch --read-batch --only-write-batch --early-input --max-alloc "
    "--config --dparam",
    code="-e --rsh",
    remote="--rsync-path",
    flags="--relative --recursive --remove-source-files --protect-args --include-dirs --partial --compress",
    operands=-1,
)


def options_only(spec: Spec) -> Callable[[Sequence[Word]], tuple[Inner, ...]]:
    """Programs where nothing but options hold commands; options may stand between operands."""
    wide = spec.replace(operands=-1, behind=True)

    def run(words: Sequence[Word]) -> tuple[Inner, ...]:
        return tuple(one for one in read(wide, words) if not one.words)

    return run


TAR_LETTERS = "bCfFgHIKLNTVX"
TAR = Spec(
    values="-b --blocking-factor -C --directory -f --file -g --listed-incremental -H --format -K --starting-file "
    "-L --tape-length -N --newer --after-date -T --files-from -V --label -X --exclude-from --exclude "
    "--owner --group --mode --mtime --transform --xform --strip-components --suffix "
    "--warning --record-size --level --sparse-version --volno-file "
    "--index-file --add-file --owner-map --group-map --sort --quoting-style --exclude-tag --pax-option "
    "--newer-mtime --hole-detection  --quote-chars --no-quote-chars",
    code="-I --use-compress-program --to-command -F --info-script --new-volume-script --rmt-command --rsh-command",
    flags="--file-list --checkpoint --totals --to-stdout",
    operands=-1,
)


def tar(words: Sequence[Word]) -> tuple[Inner, ...]:
    """tar: --to-command, -I, -F, --checkpoint-action=exec=. Letters without a dash have their values behind."""
    found: list[Inner] = []
    first = 1
    if len(words) > 1 and words[1].known and words[1].text[:1].isalpha() and "=" not in words[1].text:
        first = 2
        for letter in words[1].text[:16]:
            if letter in TAR_LETTERS:
                if letter in "IF" and first < len(words):
                    found.append(Inner(code=words[first], via=SHELL))
                first += 1
    spec = TAR.replace(values=f"{TAR.values} --checkpoint-action")
    own = scan(spec, words, first)
    found += [Inner(code=word, via=SHELL) for word in own.every(TAR.code)]
    for word in own.every("--checkpoint-action"):
        if word.text.startswith("exec="):
            found.append(Inner(code=parts.cut(word, 5), via=SHELL))
    return tuple(found)


SCP = Spec(values="-c -D -F -i -J -l -o -P -S -X", flags="-B -R", operands=-1, exact=True)
SFTP = Spec(values="-B -b -c -D -F -i -J -l -o -P -R -S -s -X", operands=-1, exact=True)


def scp(words: Sequence[Word]) -> tuple[Inner, ...]:
    """scp and sftp: -S names the program to connect with, -o may hold a command as with ssh."""
    own = scan(SFTP if parts.name(words[0]) == "sftp" else SCP, words)
    return (*[Inner(words=(word,)) for word in own.every("-S")], *ssh_options(own.every("-o")))


SOCAT = {"exec": False, "system": True, "shell": True}


def socat(words: Sequence[Word]) -> tuple[Inner, ...]:
    """socat: the addresses EXEC:, SYSTEM: and SHELL:, up to the comma before their options."""
    found: list[Inner] = []
    for word in words[1:]:
        start = 0
        for address in word.text.split("!!")[: parts.MANY]:
            kind, colon, rest = address.partition(":")
            if colon and kind.lower() in SOCAT:
                begin = start + len(kind) + 1
                end = rest.find(",")
                found.append(
                    Inner(code=parts.cut(word, begin, begin + end if end >= 0 else start + len(address)), via=SHELL)
                )
            start += len(address) + 2
    return tuple(found)


NCAT = Spec(
    values="-g -G -i --idle-timeout -m --max-conns -d --delay -o --output -x --hex-dump -p --source-port -s "
    "--source -w --wait --proxy --proxy-type --proxy-auth --allow --deny --allowfile --denyfile "
    "--ssl-cert --ssl-key --lua-exec -q -O -I -P -T -V -X",
    code="-e --exec -c --sh-exec",
    operands=-1,
)


VIM = Spec(
    values="-c --cmd -S -t -T -u -U -i -w -W --servername --remote-expr --remote-send --startuptime --listen --server",
    operands=-1,
    exact=True,
)
EX_PREFIXES = ("silent!", "silent", "sil!", "sil", "execute", "exe", "exec", "noautocmd", "noa")
EX_SHELL = (
    "!",
    "%!",
    ".!",
    "r!",
    "r !",
    "read !",
    "read!",
    "w !",
    "write !",
    "%w !",
    "term ",
    "terminal ",
    "te ",
    "0r!",
    "0r !",
)
EX_CALLS = ("system(", "systemlist(", "termopen(", "term_start(", "jobstart(", "job_start(")


def vim(words: Sequence[Word]) -> tuple[Inner, ...]:
    """vim, vi, nvim, ex: `!command` and system() in -c, --cmd and +command."""
    # `-s` is a script for the editor, but for `ex`, and behind `-e`, it only says "silent".
    if words[0].text.endswith("ex") or any(word.text in ("-e", "-E", "-es", "-Es") for word in words):
        words = [word for word in words if word.text not in ("-s", "-es", "-Es")]
    own = scan(VIM, words)
    texts = [*own.every("-c --cmd"), *[parts.cut(word, 1) for word in words[1:] if word.text[:1] == "+"]]
    return tuple(found for text in texts if (found := _ex(text)) is not None)


def _ex(word: Word) -> Inner | None:
    text = word.text.lstrip(": ")
    for prefix in EX_PREFIXES * 2:
        if text.startswith(prefix + " ") or (prefix.endswith("!") and text.startswith(prefix)):
            text = text[len(prefix) :].lstrip(": '\"")
    for start in EX_SHELL:
        if text.startswith(start):
            return Inner(code=parts.with_text(word, text[len(start) :].strip()), via=SHELL)
    for call in EX_CALLS:
        at = text.find(call)
        if at >= 0:
            inside = text[at + len(call) :].lstrip()
            quote = inside[:1]
            end = inside.rfind(quote, 1) if quote in ("'", '"') else -1
            code = parts.with_text(word, inside[1:end]) if end > 0 else word.replace(known=False)
            return Inner(code=code, via=SHELL)
    return None


def gdb(words: Sequence[Word]) -> tuple[Inner, ...]:
    """gdb --args WORDS, and `shell`, `!` and `python` in -ex; a program named without --args runs where -ex says so."""
    spec = Spec(
        values="-x -ix -command --command -p -pid --pid -c -core --core -d -directory --directory -cd --cd -b -l "
        "-s -symbols --symbols -e -exec --exec -se --se -tty --tty -i --interpreter -D --data-directory "
        "-ex -iex --eval-command --init-eval-command -eval-command",
        words="-args --args",
        flags="-q -quiet --quiet -silent --silent -batch --batch -n -nx --nx -nh --nh -nw --nw -w -tui --tui -readnow "
        "-readnever -write -statistics -return-child-result --return-child-result -v",
        exact=True,
    )
    return each(spec, words, lambda own: _gdb(own, words))


def _gdb(own: Scan, words: Sequence[Word]) -> list[Inner]:
    found: list[Inner] = []
    runs = False
    for word in own.every("-ex -iex --eval-command --init-eval-command -eval-command"):
        name, _, rest = word.text.strip().partition(" ")
        code = parts.with_text(word, rest)
        runs = runs or name in ("r", "run", "start", "starti")
        if name in ("shell", "she"):
            found.append(Inner(code=code, via=SHELL))
        elif name[:1] == "!":
            found.append(Inner(code=parts.with_text(word, word.text.strip()[1:]), via=SHELL))
        elif name in ("python", "py", "pi", "python-interactive"):
            found.append(Inner(code=code, language="python", via=INTERPRETER))
    found += [Inner(words=tuple(words[start:])) for start in own.starts]
    if runs and not own.starts:
        found += [Inner(words=(word,)) for word in own.operands[:1]]
    return found


PSQL = Spec(
    values="-d --dbname -f --file -v --set --variable -L --log-file -F --field-separator -P --pset -R "
    "--record-separator -T --table-attr -h --host -p --port -U --username",
    piped="-o --output",
    operands=-1,
)


def psql(words: Sequence[Word]) -> tuple[Inner, ...]:
    """psql -c: `\\! command`, and the programs that COPY, \\copy, \\o and \\g are given."""
    own = scan(PSQL.replace(values=f"{PSQL.values} -c --command"), words)
    found = [Inner(code=parts.cut(word, 1), via=SHELL) for word in own.every(PSQL.piped) if word.text[:1] == "|"]
    for word in own.every("-c --command"):
        text = word.text.strip()
        if text.startswith("\\!"):
            found.append(Inner(code=parts.with_text(word, text[2:].strip()), via=SHELL))
        elif text[:2] in ("\\o", "\\g", "\\w") and "|" in text:
            found.append(Inner(code=parts.with_text(word, text.partition("|")[2].strip()), via=SHELL))
        else:
            start = text.lower().find("program '")
            if start >= 0:
                end = text.rfind("'")
                there = not text.startswith("\\copy")
                code = parts.with_text(word, text[start + 9 : end if end > start + 9 else None])
                found.append(Inner(code=code, via=REMOTE if there else SHELL))
    return tuple(found)


def sqlite(words: Sequence[Word]) -> tuple[Inner, ...]:
    """sqlite3: the dot commands .shell and .system."""
    found = []
    for word in words[1:]:
        name, _, rest = word.text.strip().partition(" ")
        if rest and name in (".shell", ".system"):
            found.append(Inner(code=parts.with_text(word, rest.strip()), via=SHELL))
    return tuple(found)


def mysql(words: Sequence[Word]) -> tuple[Inner, ...]:
    """mysql and mariadb: `\\! command` and `system command` in -e; --pager."""
    spec = Spec(
        values="-e --execute -h --host -u --user -P --port -S --socket -D --database", attached="-p", operands=-1
    )
    own = scan(spec, words)
    found = [Inner(code=value, via=SHELL) for name, value in own.options if name == "--pager" and value is not None]
    for word in own.every("-e --execute"):
        text = word.text.strip()
        for start in ("\\!", "system "):
            if text.startswith(start):
                found.append(Inner(code=parts.with_text(word, text[len(start) :].strip().rstrip(";")), via=SHELL))
    return tuple(found)


UV = Spec(values=UV_VALUES, flags=UV_FLAGS, cwd="--directory", exact=True)
UV_RUN = Spec(
    values=UV_VALUES, flags=UV_FLAGS, cwd="--directory", exact=True, nothing="-h --help", split="-m --module -"
)


def uv(words: Sequence[Word]) -> tuple[Inner, ...]:
    """uv run: a program, a Python file, a module (-m) or Python code on standard input; uv tool run: a tool."""
    return each(UV, words, lambda outer: _uv(outer, words))


def _uv(outer: Scan, words: Sequence[Word]) -> list[Inner]:
    found: list[Inner] = []
    for start in outer.starts:
        name = words[start].text
        behind = words[start + 1].text if start + 1 < len(words) else ""
        if name in ("tool", "x") and (behind == "run" or name == "x"):
            found += read(UVX, words, start + 1 + (name == "tool"), level=below(top(words[0]), "run"))
        elif name == "run" or not words[start].known:
            found += each(UV_RUN, words, lambda own: _uv_run(own, words), start + 1, below(top(words[0]), "run"))
    where = context(UV, outer)
    return [within(one, where) if one.cwd is None else one for one in found]


def _uv_run(own: Scan, words: Sequence[Word]) -> list[Inner]:
    if own.has(UV_RUN.nothing):
        return []
    if own.has("-m --module"):
        module = own.value("-m --module")
        return [] if module is None else list(interpreters.run_module(module, words[own.last :]))
    if own.has("-"):
        return [Inner(stdin=True, language="python", via=INTERPRETER)]
    script = own.has("-s --script --gui-script")
    found = []
    for start in own.starts:
        rest = tuple(words[start:])
        if script or rest[0].text.endswith((".py", ".pyw")):
            found.append(Inner(file=rest[0], language="python", via=INTERPRETER, arguments=rest))
        else:
            found.append(Inner(words=rest))
    return found


def bun(words: Sequence[Word]) -> tuple[Inner, ...]:
    """bun: `x` and `exec` run a program and shell code, the rest is JavaScript."""
    if len(words) > 2 and words[1].text == "exec":
        return (Inner(code=words[2], via=SHELL),)
    if len(words) > 2 and words[1].text == "x":
        return read(
            Spec(values="-p --package", flags="--bun --verbose --silent --no-install", ends="@", exact=True), words, 2
        )
    return interpreters.run(interpreters.BUN, words)


def cargo(words: Sequence[Word]) -> tuple[Inner, ...]:
    """cargo +TOOLCHAIN WORDS; cargo watch -s CODE, -x CARGO WORDS; --config may name wrappers, which is not read."""
    if len(words) > 2 and words[1].text[:1] == "+":
        return (Inner(words=(words[0], *words[2:])),)
    if len(words) < 2 or words[1].text != "watch":
        return ()
    spec = Spec(
        values="-x --exec -d --delay -w --watch -i --ignore -E --env --features --use-shell",
        code="-s --shell",
        operands=-1,
        behind=True,
    )
    own = scan(spec, words, 2)
    found = [Inner(code=word, via=SHELL) for word in own.every(spec.code)]
    found += [Inner(words=(words[0], *parts.split(word))) for word in own.every("-x --exec")]
    return (*found, *[Inner(words=tuple(words[start:])) for start in own.starts])


def start_stop_daemon(words: Sequence[Word]) -> tuple[Inner, ...]:
    """start-stop-daemon --start --exec PROGRAM -- ARGUMENTS."""
    spec = Spec(
        values="-x --exec -a --startas -p --pidfile -n --name -u --user -g --group -s --signal -R --retry -N "
        "--nicelevel -P --procsched -I --iosched -k --umask -r --chroot -O --output --pid --ppid "
        "--notify-timeout",
        cwd="-d --chdir",
        flags="--start --stop --status",
        user="-c --chuid",
        operands=-1,
        behind=True,
    )
    own = scan(spec, words)
    program = own.value("-a --startas") or own.value("-x --exec")
    if program is None or own.has("-K --stop -T --status"):
        return ()
    return (
        Inner(
            words=(program, *words[own.last :]), cwd=own.value("-d --chdir"), user=parts.user(own.value("-c --chuid"))
        ),
    )


def capsh(words: Sequence[Word]) -> tuple[Inner, ...]:
    """capsh: behind `--` stand the words of a shell."""
    for at, word in enumerate(words):
        if word.text == "--":
            return shell((words[0], *words[at + 1 :]))
    return ()


KINDS: dict[str, Callable[[Sequence[Word]], tuple[Inner, ...]]] = {
    "rsync": options_only(RSYNC),
    **dict.fromkeys(("tar", "gtar", "bsdtar"), tar),
    "scp": scp,
    "sftp": scp,
    "socat": socat,
    **dict.fromkeys(("ncat", "nc", "netcat", "nc.traditional"), options_only(NCAT)),
    **dict.fromkeys(("vim", "vi", "nvim", "ex", "view", "vimdiff", "gvim", "mvim"), vim),
    "gdb": gdb,
    "lldb": options_only(Spec()),
    "man": options_only(
        Spec(
            values="-C --config-file -L --locale -m --systems -M --manpath -S -s --sections -e --extension -r "
            "--prompt -E --encoding -p --preprocessor -R --recode -O",
            code="-P --pager",
            attached="-H --html -T -X",
        )
    ),
    "psql": psql,
    **dict.fromkeys(("sqlite3", "sqlite", "litecli"), sqlite),
    **dict.fromkeys(("mysql", "mariadb"), mysql),
    **dict.fromkeys(("sed", "gsed"), sed),
    "uv": uv,
    "bun": bun,
    "cargo": cargo,
    "start-stop-daemon": start_stop_daemon,
    "nodemon": options_only(
        Spec(values="-e --ext -w --watch -i --ignore -d --delay --config --signal --cwd", code="-x --exec", exact=True)
    ),
    "zip": options_only(Spec(values="-b -i -x -t -tt -n -P -s -O", code="-TT --unzip-command", exact=True)),
    "capsh": capsh,
}
