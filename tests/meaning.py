"""Ways of saying the same to a shell: each turns a command line into another that does what it does, or only quotes it.

A way is a function of a `Line` and a source of chance; it gives None where it does not apply.
"""

from __future__ import annotations

import base64
import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from rulez_py.analysis import Reading, Word
from rulez_py.analysis.programs import read as options

UNPLAIN = frozenset("|&;<>()$`*?[]{}~#!^\n\\")
"""What may mean something to a shell outside of quotes."""
NO_PROGRAMS = frozenset(
    (
        *("cd", "eval", "exec", "export", "declare", "typeset", "local", "readonly", "source", ".", "trap", "set"),
        *("unset", "alias", "unalias", "hash", "history", "ulimit", "umask", "shopt", "builtin", "command", "enable"),
        *("coproc", "time", "if", "for", "while", "until", "case", "function", "select", "exit", "return", "let"),
        *("pushd", "popd", "dirs", "bind", "complete", "mapfile", "read", "fc", "jobs", "bg", "fg", "disown"),
        *("logout", "suspend", "wait", "type", "getopts", "shift", "times", "caller", "compgen", "noglob", "nocorrect"),
    )
)
"""First words that no program can run for a shell."""
APPLETS = frozenset(
    (
        *("rm", "dd", "cp", "mv", "find", "chmod", "chown", "tar", "wget", "kill", "killall", "reboot", "poweroff"),
        *("halt", "mkswap", "tee", "sed", "xargs", "crontab", "cat", "truncate", "shred", "nc", "ln", "swapoff"),
    )
)


@dataclass(frozen=True)
class Line:
    """A command line; `words` where it is one command of words without expansions."""

    text: str
    words: tuple[str, ...] = ()

    @property
    def program(self) -> str:
        """The name of the program that is its first word; "" where there is none."""
        if not self.words or self.words[0] in NO_PROGRAMS or "=" in self.words[0] or self.words[0].startswith("-"):
            return ""
        return self.words[0]


Way = Callable[[Line, Random], "Line | None"]
Carrier = Callable[[str], str]
"""From a text to a command line that has it as data."""


def line(text: str) -> Line:
    """A line as it was written by somebody."""
    if UNPLAIN & set(text):
        return Line(text)
    try:
        return Line(text, tuple(shlex.split(text)))
    except ValueError:
        return Line(text)


def of(words: Sequence[str]) -> Line:
    return Line(shlex.join(words), tuple(words))


# Other words for the same command.


def _read(words: Sequence[str]) -> tuple[tuple[options.Level, ...], Reading, list[Word]] | None:
    """How the program takes its words; None where that is not certain."""
    program = words[0].rpartition("/")[2].lower()
    given = [Word(text=word, at=(number, number)) for number, word in enumerate(words)][1:]
    reading = options.read(program, given)
    _, levels, _ = options.levels(program, reading.operands)
    if not levels or "--" in words or any(operand.doubtful for operand in reading.operands):
        return None
    if not all(option.certain for option in reading.options):
        return None
    return levels, reading, given


_RIGID = frozenset(("expression", "letters-first", "one-dash"))


def _is_rigid(level: options.Level) -> bool:
    """Whether it matters where an option is."""
    return bool(level.flags & _RIGID) or bool(level.stops) or "runs" in level.fields


def options_elsewhere(said: Line, chance: Random) -> Line | None:
    """Options before, between and behind the operands, each kind in the order it had."""
    known = _read(said.words) if said.program else None
    if known is None:
        return None
    levels, reading, _ = known
    if any(map(_is_rigid, levels)):
        return None
    listed = {name for level in levels for name in level.names}
    if not all(listed.intersection(option.names) for option in reading.options):
        return None
    _, _, depth = options.levels(said.program.rpartition("/")[2].lower(), reading.operands)
    begin = 1
    if depth:
        begin = reading.operands[depth - 1].word.at[0] + 1
    values = {option.value.at[0] for option in reading.options if option.value is not None and option.value.text}
    starts = [option.word.at[0] for option in reading.options]
    written: list[list[str]] = []
    operands: list[list[str]] = []
    place = begin
    while place < len(said.words):
        if place in starts:
            unit = [said.words[place]]
            takes = [one.value for one in reading.options if one.word.at[0] == place and one.value is not None]
            if any(value.at[0] == place + 1 for value in takes):
                place += 1
                unit.append(said.words[place])
            written.append(unit)
        elif place in values:
            return None
        else:
            operands.append([said.words[place]])
        place += 1
    if not written or not operands:
        return None
    mixed: list[str] = []
    while written or operands:
        here = written if written and (not operands or chance.random() < 0.5) else operands
        mixed += here.pop(0)
    return of((*said.words[:begin], *mixed))


def _bare(levels: Sequence[options.Level], letters: str) -> bool:
    return all(
        (entry := levels[0].names.get("-" + letter)) is not None and entry.takes == options.NONE for letter in letters
    )


def letters_apart(said: Line, chance: Random) -> Line | None:
    known = _read(said.words) if said.program else None
    if known is None or any(level.flags & {"one-dash", "letters-first"} for level in known[0]):
        return None
    levels, reading, _ = known
    found: list[str] = []
    options_at = {option.word.at[0] for option in reading.options}
    for place, word in enumerate(said.words):
        if place in options_at and len(word) > 2 and word[1] != "-" and _bare(levels, word[1:]):
            found += ["-" + letter for letter in word[1:]]
        else:
            found.append(word)
    return of(found) if tuple(found) != said.words else None


def letters_together(said: Line, chance: Random) -> Line | None:
    known = _read(said.words) if said.program else None
    if known is None or any(level.flags & {"one-dash", "letters-first"} for level in known[0]):
        return None
    levels, reading, _ = known
    options_at = {option.word.at[0] for option in reading.options}
    found: list[str] = []
    joins = False
    for place, word in enumerate(said.words):
        bare = place in options_at and len(word) > 1 and word[1] != "-" and _bare(levels, word[1:])
        if bare and joins:
            found[-1] += word[1:]
        else:
            found.append(word)
        joins = bare
    return of(found) if tuple(found) != said.words else None


def other_equals(said: Line, chance: Random) -> Line | None:
    """`--opt value` and `--opt=value`."""
    known = _read(said.words) if said.program else None
    if known is None or any(level.flags & {"one-dash"} for level in known[0]):
        return None
    levels, reading, _ = known
    takers = {
        option.word.at[0]: option.value
        for option in reading.options
        if option.word.text.startswith("--")
        and option.value is not None
        and any(
            (entry := level.names.get(option.word.text.partition("=")[0])) is not None and entry.takes == options.VALUE
            for level in levels
        )
    }
    found: list[str] = []
    skip = -1
    for place, word in enumerate(said.words):
        value = takers.get(place)
        if place == skip:
            continue
        if value is None:
            found.append(word)
        elif "=" in word:
            found += [*word.partition("=")[::2]]
        elif value.at[0] == place + 1:
            found.append(f"{word}={said.words[place + 1]}")
            skip = place + 1
        else:
            found.append(word)
    return of(found) if tuple(found) != said.words else None


def abbreviated(said: Line, chance: Random) -> Line | None:
    known = _read(said.words) if said.program else None
    if known is None:
        return None
    levels, reading, _ = known
    level = levels[0]
    if not level.flags & {"abbreviations"} or level.flags & {"one-dash"}:
        return None
    found = list(said.words)
    for option in reading.options:
        name, sign, value = option.word.text.partition("=")
        if not name.startswith("--") or name not in level.names:
            continue
        for length in range(3, len(name)):
            entries = {id(entry) for _, entry in level.starting(name[:length])}
            if len(entries) == 1:
                found[option.word.at[0]] = name[: chance.randint(length, len(name))] + sign + value
                break
    return of(found) if tuple(found) != said.words else None


def by_its_path(said: Line, chance: Random) -> Line | None:
    if not said.program or "/" in said.program:
        return None
    return of((chance.choice(("/bin/", "/usr/bin/", "/usr/local/bin/")) + said.program, *said.words[1:]))


def _wrapped(*before: str) -> Way:
    def way(said: Line, chance: Random) -> Line | None:
        return of((*before, *said.words)) if said.program else None

    return way


def as_an_applet(said: Line, chance: Random) -> Line | None:
    return of(("busybox", *said.words)) if said.program in APPLETS else None


WORDS: dict[str, Way] = {
    "options elsewhere": options_elsewhere,
    "letters apart": letters_apart,
    "letters together": letters_together,
    "value in the other way": other_equals,
    "abbreviated": abbreviated,
    "by its path": by_its_path,
    "an applet": as_an_applet,
    **{
        " ".join(before): _wrapped(*before)
        for before in (
            *(("sudo",), ("sudo", "-u", "root", "--"), ("sudo", "-E", "A=b"), ("doas",), ("env", "A=b"), ("env", "-i")),
            *(("nohup",), ("timeout", "5"), ("timeout", "-k", "1", "5s"), ("nice", "-n", "5"), ("nice",)),
            *(("stdbuf", "-oL"), ("time", "-p"), ("command",), ("exec",), ("exec", "-a", "x"), ("setsid",)),
            *(("ionice", "-c3"), ("flock", "/tmp/lock"), ("watch",), ("watch", "-n", "1"), ("xargs",), ("chronic",)),
            *(("unbuffer",), ("strace", "-f"), ("taskset", "1"), ("chrt", "1"), ("env", "nice", "sudo")),
            ("A=b",),
        )
    },
}


# The same words, written in another way.


def _ansi(text: str) -> str:
    return "$'" + "".join(f"\\x{ord(sign):02x}" if sign.isascii() else sign for sign in text) + "'"


def _octal(text: str) -> str:
    return "$'" + "".join(f"\\{ord(sign):03o}" if sign.isascii() else sign for sign in text) + "'"


def _double(text: str) -> str:
    return '"' + "".join("\\" + sign if sign in '"\\$`' else sign for sign in text) + '"'


def _single(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _escaped(text: str) -> str:
    return "".join(sign if sign == "\n" or not sign.isascii() else "\\" + sign for sign in text).replace("\n", "'\n'")


def _broken(text: str) -> str:
    """Empty quotes in the middle."""
    middle = len(text) // 2
    return shlex.quote(text[:middle]) + "''" + shlex.quote(text[middle:]) if len(text) > 1 else shlex.quote(text)


def _by_half(text: str) -> str:
    middle = len(text) // 2
    return (shlex.quote(text[:middle]) if middle else "") + _double(text[middle:])


def _continued(text: str) -> str:
    middle = len(text) // 2
    if middle and not set(text) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.,"):
        return text[:middle] + "\\\n" + text[middle:]
    return shlex.quote(text)


_QUOTINGS = (shlex.quote, _single, _double, _ansi, _octal, _escaped, _broken, _by_half, _continued)


def _is_assignment(word: str) -> bool:
    return word.partition("=")[0].isidentifier() and "=" in word


def _parts(said: Line) -> tuple[list[str], list[str]]:
    """Assignments that stand before the program, as they must be written, and the words behind."""
    words = list(said.words)
    before = []
    while words and _is_assignment(words[0]):
        name, _, value = words.pop(0).partition("=")
        before.append(f"{name}={shlex.quote(value)}")
    return before, words


def quoted(said: Line, chance: Random) -> Line | None:
    before, words = _parts(said)
    if not words or words[0] in NO_PROGRAMS:
        return None
    return Line(" ".join((*before, *(chance.choice(_QUOTINGS)(word) for word in words))))


def all_quoted(quoting: Callable[[str], str]) -> Way:
    def way(said: Line, chance: Random) -> Line | None:
        before, words = _parts(said)
        if not words or words[0] in NO_PROGRAMS:
            return None
        return Line(" ".join((*before, *map(quoting, words))))

    return way


def spread(said: Line, chance: Random) -> Line | None:
    if not said.words:
        return None
    blanks = (" ", "  ", "\t", " \\\n  ", " \\\n")
    text = "".join(chance.choice(blanks) + shlex.quote(word) for word in said.words[1:])
    first = said.words[0]
    return Line(chance.choice(("", " ", "\t", "\n")) + (first if "=" in first else shlex.quote(first)) + text + "  ")


def held_in_variables(said: Line, chance: Random) -> Line | None:
    before, words = _parts(said)
    if not words or words[0] in NO_PROGRAMS:
        return None
    names = [f"v{number}" for number in range(len(words))]
    sets = [f"{name}={shlex.quote(word)}" for name, word in zip(names, words, strict=True)]
    held = [chance.random() < 0.6 for _ in words]
    written = [
        f'"${{{name}}}"' if here else shlex.quote(word) for name, word, here in zip(names, words, held, strict=True)
    ]
    return Line("; ".join(sets) + "; " + " ".join((*before, *written)))


def held_by_half(said: Line, chance: Random) -> Line | None:
    before, words = _parts(said)
    if not words or words[0] in NO_PROGRAMS or len(words[0]) < 2:
        return None
    middle = chance.randint(1, len(words[0]) - 1)
    start, end = shlex.quote(words[0][:middle]), shlex.quote(words[0][middle:])
    return Line(f"a={start} b={end}; " + " ".join((*before, '"$a$b"', *map(shlex.quote, words[1:]))))


def held_in_an_array(said: Line, chance: Random) -> Line | None:
    before, words = _parts(said)
    if not words or words[0] in NO_PROGRAMS:
        return None
    return Line(f"all=({shlex.join(words)}); " + " ".join((*before, '"${all[@]}"')))


def held_as_one(said: Line, chance: Random) -> Line | None:
    before, words = _parts(said)
    if not words or words[0] in NO_PROGRAMS or any(set(word) & set(" \t\n'\"\\") or not word for word in words):
        return None
    return Line(f"line='{' '.join(words)}'; " + " ".join((*before, "$line")))


def given_to_a_function(said: Line, chance: Random) -> Line | None:
    return Line(f'run() {{ "$@"; }}; run {shlex.join(said.words)}') if said.program else None


def set_as_arguments(said: Line, chance: Random) -> Line | None:
    return Line(f'set -- {shlex.join(said.words)}; "$@"') if said.program else None


def by_xargs(said: Line, chance: Random) -> Line | None:
    if not said.program or len(said.words) < 2 or any(set(word) & set(" \t\n'\"\\") or not word for word in said.words):
        return None
    at = chance.randint(1, len(said.words) - 1)
    rest = said.words[at:]
    if rest[0].startswith("-"):
        return Line(f"printf '%s\\n' {shlex.join(rest)} | xargs {shlex.join(said.words[:at])}")
    return Line(f"echo {shlex.join(rest)} | xargs {shlex.join(said.words[:at])}")


def by_xargs_in_place(said: Line, chance: Random) -> Line | None:
    if not said.program or len(said.words) < 2 or any(set(word) & set(" \t\n'\"\\") or not word for word in said.words):
        return None
    *first, last = said.words
    return Line(f"echo {shlex.quote(last)} | xargs -I% {shlex.join(first)} %") if last[0] != "-" else None


def by_a_substitution(said: Line, chance: Random) -> Line | None:
    before, words = _parts(said)
    if not words or words[0] in NO_PROGRAMS:
        return None
    at = chance.randrange(len(words))
    if set(words[at]) & set("\n'\"\\%") or words[at].startswith("-"):
        return None
    written = [shlex.quote(word) for word in words]
    written[at] = f'"$({chance.choice(("echo", "printf %s"))} {written[at]})"'
    return Line(" ".join((*before, *written)))


def aliased(said: Line, chance: Random) -> Line | None:
    return Line(f"shopt -s expand_aliases\nalias x={shlex.quote(said.text)}\nx") if said.program else None


WRITINGS: dict[str, Way] = {
    "quoted": quoted,
    "in '": all_quoted(_single),
    'in "': all_quoted(_double),
    "in $'": all_quoted(_ansi),
    "escaped": all_quoted(_escaped),
    "with quotes inside": all_quoted(_broken),
    "spread": spread,
    "in variables": held_in_variables,
    "by half in variables": held_by_half,
    "in an array": held_in_an_array,
    "in one variable": held_as_one,
    "by a function's arguments": given_to_a_function,
    "by set": set_as_arguments,
    "by xargs": by_xargs,
    "by xargs -I": by_xargs_in_place,
    "by a substitution": by_a_substitution,
    "aliased": aliased,
}


# The same line in something that runs it.


def _fills(form: str) -> Way:
    def way(said: Line, chance: Random) -> Line | None:
        if "TEXT" in form and "\nEND" in said.text:
            return None
        # These put a name in the place of `{}`, wherever it is: it would be another line.
        if form.startswith(("find ", "parallel ")) and "{}" in said.text:
            return None
        encoded = base64.b64encode(said.text.encode()).decode()
        text = form.replace("B64", encoded).replace("QUOTED", shlex.quote(said.text))
        return Line(text.replace("TEXT", said.text))

    return way


def _given(*before: str) -> Way:
    def way(said: Line, chance: Random) -> Line | None:
        return of((*before, said.text))

    return way


def _one_line(way: Way) -> Way:
    """For what takes each line of a text apart."""
    return lambda said, chance: None if "\n" in said.text else way(said, chance)


def in_backticks(said: Line, chance: Random) -> Line | None:
    inside = "".join("\\" + sign if sign in "`\\$" else sign for sign in said.text)
    return Line(f"x=`{inside}`")


SURROUNDINGS: dict[str, Way] = {
    **{
        " ".join(before): _given(*before)
        for before in (
            *(("sh", "-c"), ("bash", "-c"), ("bash", "-lc"), ("zsh", "-c"), ("dash", "-ec"), ("eval",)),
            *(("sudo", "sh", "-c"), ("env", "A=b", "bash", "-c"), ("su", "-c"), ("watch",), ("script", "-qc")),
            *(
                ("flock", "/tmp/lock", "-c"),
                ("busybox", "sh", "-c"),
                ("nohup", "bash", "-c"),
                ("timeout", "9", "sh", "-c"),
            ),
        )
    },
    **{
        form.replace("\n", " "): _fills(form)
        for form in (
            "(\nTEXT\n)",
            "{\nTEXT\n}",
            "if true; then\nTEXT\nfi",
            "if ! true; then :; else\nTEXT\nfi",
            "if\nTEXT\nthen :; fi",
            "for i in 1 2; do\nTEXT\ndone",
            "while true; do\nTEXT\nbreak; done",
            "until\nTEXT\ndo sleep 1; done",
            "for ((i = 0; i < 2; i++)); do\nTEXT\ndone",
            "case x in x)\nTEXT\n;; esac",
            "f() {\nTEXT\n}; f",
            "function f {\nTEXT\n}\nf >/dev/null 2>&1",
            "true && {\nTEXT\n}",
            "false || {\nTEXT\n}",
            "ls; TEXT",
            "ls\nTEXT\nls",
            "! {\nTEXT\n}",
            "time TEXT",
            "{\nTEXT\n} | cat",
            "ls | {\nTEXT\n}",
            "{\nTEXT\n} > log 2>&1",
            "{\nTEXT\n} &\nwait",
            "x=$(\nTEXT\n)",
            'echo "$(\nTEXT\n)"',
            "cat <(\nTEXT\n)",
            "ls > >(\nTEXT\n)",
            "coproc {\nTEXT\n}",
            "trap QUOTED EXIT",
            "bash <<'END'\nTEXT\nEND",
            "cat <<'END' | sh\nTEXT\nEND",
            "bash -s <<< QUOTED",
            "echo QUOTED | bash",
            "printf '%s\\n' QUOTED | sh -s",
            "echo B64 | base64 -d | sh",
            "base64 --decode <<< B64 | bash",
            'eval "$(echo B64 | base64 -d)"',
            'bash -c "$(echo B64 | base64 -d)"',
            "source <(echo QUOTED)",
            "cat > s.sh <<'END'\nTEXT\nEND\nbash s.sh",
            "cat > s.sh <<'END'\nTEXT\nEND\nchmod +x s.sh && ./s.sh",
            "printf '%s\\n' QUOTED > /tmp/s; . /tmp/s",
            "echo QUOTED | tee s.sh; sh < s.sh",
            'held=QUOTED; eval "$held"',
            'held=QUOTED; bash -c "$held"',
            "export HELD=QUOTED; sh -c 'eval \"$HELD\"'",
            "echo x | xargs -IZZZ sh -c QUOTED",
            "find . -maxdepth 0 -execdir sh -c QUOTED \\;",
            "cd . && TEXT",
            "set -e; TEXT",
            # Text that is evaluated again.
            'held=QUOTED; p=\'$(eval "$held")\'; echo "${p@P}"',
            "held=QUOTED; PS4='$(eval \"$held\")'; set -x; ls",
            "held=QUOTED; x='a[$(eval \"$held\")]'; echo $((x))",
            "held=QUOTED; test -v 'a[$(eval \"$held\")]'",
            "held=QUOTED; printf -v 'a[$(eval \"$held\")]' x",
            "held=QUOTED; read 'a[$(eval \"$held\")]' <<< x",
            "held=QUOTED; unset 'a[$(eval \"$held\")]'",
            "held=QUOTED; declare 'a[$(eval \"$held\")]=1'",
            "f() {\nTEXT\n}; mapfile -c 1 -C f lines < notes.txt",
            "command_not_found_handle() {\nTEXT\n}; no-such-program",
            "printf '%s\\n' QUOTED > /tmp/e; BASH_ENV=/tmp/e bash -c ls",
            "printf '%s\\n' QUOTED > /tmp/e; bash --rcfile /tmp/e -i",
            "ln -s /tmp/e e; printf '%s\\n' QUOTED > e; sh /tmp/e",
            # Given to other programs.
            "parallel ::: QUOTED",
            "find . -name x -exec sh -c QUOTED _ {} \\;",
            "git -c alias.x='!'QUOTED x",
            "awk 'BEGIN { system(ARGV[1]) }' QUOTED",
            "python3 -c 'import os, sys; os.system(sys.argv[1])' QUOTED",
            "perl -e 'system $ARGV[0]' QUOTED",
            "ruby -e 'system ARGV[0]' QUOTED",
            "node -e 'require(\"child_process\").execSync(process.argv[1])' QUOTED",
            "tmux new-session -d QUOTED",
            "screen -dm sh -c QUOTED",
            "systemd-run --user sh -c QUOTED",
            "at now <<< QUOTED",
            "ssh-agent sh -c QUOTED",
            "setpriv --no-new-privs bash -c QUOTED",
        )
    },
    "in backticks": in_backticks,
    **{
        form: _one_line(_fills(form))
        for form in (
            "printf '%s\\n' QUOTED | while IFS= read -r l; do eval \"$l\"; done",
            'echo QUOTED > /tmp/e; while read -r l; do eval "$l"; done < /tmp/e',
            "echo QUOTED | parallel",
        )
    },
}
ELSEWHERE: dict[str, Way] = {
    " ".join(before): _given(*before)
    for before in (
        *(("ssh", "host"), ("ssh", "-t", "-p", "22", "me@host"), ("docker", "exec", "c", "sh", "-c")),
        *(("docker", "compose", "exec", "-T", "c", "bash", "-c"), ("kubectl", "exec", "p", "--", "sh", "-c")),
        ("ssh", "host", "sudo", "--", "sh", "-c"),
    )
}
"""On another machine or in a container."""


# A text that nobody runs.


def _python(text: str) -> str:
    return shlex.quote(f"print({text!r})")


CARRIERS: dict[str, Carrier] = {
    form.replace("\n", " "): lambda text, form=form: (  # type: ignore[misc]
        form.replace("QUOTED", shlex.quote(text)).replace("TEXT", text)
    )
    for form in (
        "echo QUOTED",
        "printf '%s\\n' QUOTED",
        "echo note: QUOTED >> notes.txt",
        "printf '%s' QUOTED > todo.md",
        "echo QUOTED | tee -a notes.txt",
        "echo QUOTED | wc -c",
        "echo QUOTED | grep -c x",
        "git commit -m QUOTED",
        "git commit -am QUOTED --no-edit",
        "git commit -m title -m QUOTED && git push",
        "git tag -a v1 -m QUOTED",
        "git stash push -m QUOTED",
        "git log --oneline --grep=QUOTED",
        "git log -S QUOTED",
        "git notes add -m QUOTED",
        "git grep -n -F -e QUOTED",
        "grep -Fn -e QUOTED notes.txt",
        "grep -rn -- QUOTED src",
        "rg -F -e QUOTED src",
        "ag -Q -- QUOTED src",
        "sed -n 5p notes.txt; : QUOTED",
        "true QUOTED",
        "test QUOTED = x",
        "[ QUOTED = x ] && ls",
        "[[ $x == QUOTED ]] || ls",
        "case $x in QUOTED) ls;; esac",
        "NOTE=QUOTED",
        'NOTE=QUOTED; echo "$NOTE"',
        "export NOTE=QUOTED",
        'local_note=(QUOTED x); echo "${#local_note[@]}"',
        "declare -r NOTE=QUOTED",
        "read -r x <<< QUOTED",
        "cat <<< QUOTED",
        "wc -c <<< QUOTED",
        "gh pr create --title x --body QUOTED",
        "gh pr comment 1 -b QUOTED",
        "gh issue create --title QUOTED --body x",
        "gh issue comment 3 --body QUOTED",
        "glab mr note 3 -m QUOTED",
        "jq -n --arg v QUOTED '$v'",
        "jq --arg v QUOTED '.a = $v' a.json > b.json",
        "awk -v note=QUOTED 'BEGIN { print note }'",
        "logger QUOTED",
        "notify-send build QUOTED",
        "date +%s; # the end\necho QUOTED",
        "kubectl annotate pod x note=QUOTED",
        "npm version patch -m QUOTED",
        "docker build --label note=QUOTED .",
        "x=$(printf %s QUOTED)",
        "diff <(echo QUOTED) notes.txt",
        'for note in QUOTED; do echo "$note"; done',
        "basename QUOTED",
        "f() { echo QUOTED; }; f",
        "python3 script.py --note QUOTED",
        "pytest -k QUOTED tests",
    )
}
DOCUMENTS: dict[str, Carrier] = {
    form.replace("\n", " "): lambda text, form=form: form.replace("TEXT", text)  # type: ignore[misc]
    for form in (
        "cat > notes.md <<'END'\nTEXT\nEND",
        "cat >> scripts/clean.sh <<'END'\n#!/bin/sh\nTEXT\nEND",
        "cat <<'END' > docs/a.md && git add docs/a.md\nTEXT\nEND",
        "tee Makefile <<'END' > /dev/null\nall:\n\tTEXT\nEND",
        "cat <<'END'\nTEXT\nEND",
        "grep -c x <<'END'\nTEXT\nEND",
        "git commit -F - <<'END'\nTEXT\nEND",
        "git commit -m \"$(cat <<'END'\nTEXT\nEND\n)\"",
        "gh pr create --title x --body \"$(cat <<'END'\nTEXT\nEND\n)\"",
        "gh issue create --title x -F - <<'END'\nTEXT\nEND",
        "NOTE=$(cat <<'END'\nTEXT\nEND\n)",
        "cat > a.sh <<'END'\nTEXT\nEND\nchmod +x a.sh && ls -l a.sh",
    )
}
"""Here-documents; the text must not end them."""


def _comment(text: str) -> str:
    return "ls # " + text.replace("\n", " ")


def _function(text: str) -> str:
    return f"never() {{\n{text}\n}}; ls"


def _substituted(text: str) -> str:
    plain = "".join("\\" + sign if sign in "|&\\" else sign for sign in text.replace("\n", " "))
    return f"sed {shlex.quote(f's|x|{plain}|')} notes.txt"


CODE: dict[str, Carrier] = {
    "a comment": _comment,
    "a function that is never called": _function,
    "sed's text": _substituted,
    "python's text": lambda text: f"python3 -c {_python(text)}",
    "python's document": lambda text: f"python3 - <<'END'\nprint({text!r})\nEND",
    "node's text": lambda text: f"node -e {shlex.quote(f'console.log({json.dumps(text)})')}",
    "ruby's text": lambda text: f"ruby -e {shlex.quote('puts ' + _ruby(text))}",
    "perl's text": lambda text: f"perl -e {shlex.quote('print ' + _ruby(text))}",
    "awk's text": lambda text: f"awk {shlex.quote('BEGIN { print ' + _awk(text) + ' }')}",
    "python's data": lambda text: "python3 -c " + shlex.quote("data = {'note': " + repr(text) + "}; print(len(data))"),
    "python writes": lambda text: "python3 -c " + shlex.quote("open('notes.md', 'w').write(" + repr(text) + ")"),
}


def _ruby(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _awk(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


RARE = frozenset(("letters together", "abbreviated", "an applet", "value in the other way", "letters apart"))
"""Ways that apply to few lines."""
ABOUT_CODE = frozenset(
    (
        *("ask-before-code-that-deletes-elsewhere", "rulez-trust-is-for-people-and-code"),
        *("rulez-stays-set-up-by-code", "rulez-hook-is-for-hooks-and-code"),
    )
)
"""Rules about what is in code anywhere."""
ABOUT_TEXT = frozenset(("ask-before-tokens-in-addresses",))
"""Rules about what is in a call anywhere."""
ABOUT_OUTPUT = frozenset(("ask-before-printing-credentials", "ask-before-showing-the-environment"))
"""Rules about what a command shows, and ways in which nobody sees it."""
UNSEEN = frozenset(
    (
        *("coproc { TEXT }", "function f { TEXT } f >/dev/null 2>&1", "at now <<< QUOTED"),
        *("x=$( TEXT )", "in backticks"),
        *(name for name in SURROUNDINGS if "'a[$(eval" in name),
        # What a prompt of the trace prints is not followed to the output.
        *(name for name in SURROUNDINGS if "PS4=" in name),
    )
)


def applied(said: Line, ways: Sequence[tuple[str, Way, int]]) -> Iterator[tuple[str, Line]]:
    """The line after each of the ways that apply, with the way's name."""
    for name, way, seed in ways:
        changed = way(said, Random(seed))
        if changed is not None:
            said = changed
            yield name, said
