"""Which options of the programs that are installed our table does not know, or knows otherwise: their help is asked.

Only what dev/options.toml lists is run, with nothing but the words that ask for help; manual pages are read as well.
`make options` prints the report, `make options ARGS='git curl'` that of some programs with every option.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rulez_py.analysis.programs import read

SOURCE = Path(__file__).with_name("options.toml")
KEPT = ("PYENV_ROOT", "RUSTUP_HOME", "CARGO_HOME", "GOROOT", "MANPATH")
"""Variables by which a program finds itself; it gets a home directory of its own."""
ENOUGH = 30
"""Seconds a program has to say what it takes."""

NOTHING, VALUE, ATTACHED = "nothing", "a value", "an attached value"
"""What an option takes: a value in the same word or the next, or in the same word only."""
MOST_SPELLINGS = 6
"""Of one option, on one line."""
WEAKEST_FIRST = (NOTHING, ATTACHED, VALUE)


class Difference(NamedTuple):
    """What a program says of its options and the table does not."""

    known: int
    unknown: dict[str, str]
    otherwise: dict[str, tuple[str, str]]


def in_table(program: str) -> Callable[[str], str | None] | None:
    """Return what the table says of the options of a program or subcommand (`git push`).

    None where it describes none.
    """
    words = program.split()
    level = read.level(read.family(words[0]))
    for word in words[1:]:
        level = None if level is None else read.below(level, word)
    return None if level is None else partial(_takes_by, level)


def _takes_by(level: read.Level, name: str) -> str | None:
    entry = level.names.get(name)
    if entry is None and "negations" in level.flags and name.startswith("--"):
        # `--no-x` where `--x` is listed, or the other way round.
        plain = name.removeprefix("--no-")
        return NOTHING if ("--no-" + name[2:] if plain == name else "--" + plain) in level.names else None
    if entry is None or entry.takes == read.UNSURE:
        return None
    return {read.VALUE: VALUE, read.UNTIL: VALUE, read.ATTACHED: ATTACHED}.get(entry.takes, NOTHING)


# An option and what is written behind it: `-o`, `--output=FILE`, `-n <num>`, `--color[=WHEN]`, `--[no-]quiet`.
_SPELLING = re.compile(
    r"(?P<name>--?(?:\[no-?\])?[A-Za-z0-9@#?][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*)"
    r"(?P<value>\[=?[^\]]*\]|=\S+|[ ]?<[^>]*>\S*|[ ]\[[^\]]*\]\S*|[ ]\((?:string|integer|list|map)\)"
    r"|[ ](?!or[ ])[^\s,|/(-][^\s,|]*)?"
)


def described(text: str, deepest: int = 10, single: bool = False) -> dict[str, str]:
    """Return the options that a help text or a manual page lists, and what each takes."""
    found: dict[str, str] = {}
    for line in text.expandtabs().splitlines():
        if len(line) - len(line.lstrip()) > deepest or not line.lstrip().startswith(("-", "[-")):
            continue
        # A synopsis: `[-w|--workspace <name>] [--workspaces]`.
        synopsis = line.lstrip().startswith("[-")
        for part in re.split(r"(?:^|\s)\[(?=-)", line)[1:] if synopsis else [line]:
            for name, takes in _line(part.strip().removesuffix("]") if synopsis else part.strip(), single=single):
                if found.get(name, NOTHING) == NOTHING:
                    found[name] = takes
    return found


def _line(line: str, *, single: bool) -> Iterator[tuple[str, str]]:
    """Yield the options of one line; what one spelling takes the others take as well."""
    head = re.split(r"\s{2,}|(?<=\S): |\s-\s|\s\.\.\.", line.replace("│", "  "))[0].removesuffix(":")
    written: list[tuple[str, str]] = []
    place = 0
    while match := _SPELLING.match(head, place):
        name, value = match["name"], match["value"] or ""
        place = match.end()
        if not single and re.match(r"-[A-Za-z]{2,}", name) and not value and not written:
            return
        written.append((re.sub(r"\[no-?\]", "", name), _takes(value)))
        separator = re.match(r",?\s*(?:or\s+|\||/)?\s*(?=-)", head[place:])
        if separator is None:
            break
        place += separator.end()
    rest = head[place:].strip()
    most = max((takes for _, takes in written), key=WEAKEST_FIRST.index, default=NOTHING)
    if " " in rest and most == VALUE and not re.match(r"[<\[({.|=A-Z]", rest):
        # It is a sentence that begins with an option.
        return
    if len(written) > MOST_SPELLINGS:
        # It is a list of options that are described elsewhere.
        return
    # `-f, --file=FILE`: what is written behind one is meant for all; not so in `-Z, --context[=CTX]` and `-u, -U NUM`.
    valued = [name for name, takes in written if takes == VALUE]
    for name, takes in written:
        shared = len(valued) == 1 and takes == NOTHING and not (len(name) == 2 and len(valued[0]) == 2)
        yield name, VALUE if shared else takes


def _takes(value: str) -> str:
    # kubectl writes what holds without the option: `--all=false`.
    if not value.strip() or value in ("=false", "=true"):
        return NOTHING
    return ATTACHED if value.startswith("[") else VALUE


def asked(program: str, row: Mapping[str, object], own: Path) -> dict[str, str] | None:
    """Return what a program says of itself; None where it is not installed."""
    words = program.split()
    if shutil.which(words[0]) is None:
        return None
    found: dict[str, str] = {}
    texts = [_said([*(words if one[:1] != "=" else []), *one.lstrip("=").split()], own) for one in _texts(row, "help")]
    if len(words) > 1:
        # What is not there (a plugin of docker) answers with the help of the whole program.
        whole = _said([words[0], "--help"], own)
        texts = [text for text in texts if text != whole]
    texts += [_said(["man", "-P", "cat", one], own) for one in _texts(row, "man")] if shutil.which("man") else []
    single = bool(row.get("single"))
    for text in texts:
        for name, takes in described(text, int(str(row.get("deepest", 10))), single=single).items():
            if found.get(name, NOTHING) == NOTHING:
                found[name] = takes
    return found


def _texts(row: Mapping[str, object], name: str) -> list[str]:
    given = row.get(name, ["--help"] if name == "help" else [])
    return [given] if isinstance(given, str) else list(given) if isinstance(given, list) else []


def _said(words: list[str], own: Path) -> str:
    surroundings = {"PATH": os.environ["PATH"], "HOME": str(own), "LC_ALL": "C.UTF-8", "MANWIDTH": "200"}
    surroundings |= {"COLUMNS": "200", "PAGER": "cat", "MANPAGER": "cat", "NO_COLOR": "1", "TERM": "dumb"}
    surroundings |= {name: os.environ[name] for name in KEPT if name in os.environ}
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=ENOUGH, cwd=own, env=surroundings, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    text = (done.stdout + b"\n" + done.stderr).decode("utf-8", "replace")
    return re.sub(r".\x08|\x1b\[[0-9;]*m", "", text)


def difference(said: Mapping[str, str], table: Callable[[str], str | None]) -> Difference:
    """Return what a program says that the table does not; `nothing` and an attached value are not told apart."""
    known = {name: ours for name in said if (ours := table(name)) is not None}
    unknown = {name: takes for name, takes in said.items() if name not in known}
    otherwise = {name: (said[name], ours) for name, ours in known.items() if (said[name] == VALUE) != (ours == VALUE)}
    return Difference(len(known) - len(otherwise), unknown, otherwise)


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="*", help="programs to report with every option; all in short without any")
    only = parser.parse_args().program
    rows = tomllib.loads(SOURCE.read_text("utf-8"))
    missing: list[str] = []
    print("| program | known | not known | otherwise |\n|---|---:|---:|---:|")
    details: list[str] = []
    with tempfile.TemporaryDirectory() as own:
        if shutil.which("git") is not None:
            # Some of its subcommands say what they take in a repository only.
            _said(["git", "init", "--quiet"], Path(own))
        for program, row in rows.items():
            if only and program not in only and program.split()[0] not in only:
                continue
            said = asked(program, row, Path(own))
            if not said:
                missing.append(program)
                continue
            table = in_table(program)
            if table is None:
                print(f"| {program} | not described | {len(said)} | |")
                continue
            found = difference(said, table)
            print(f"| {program} | {found.known} | {len(found.unknown)} | {len(found.otherwise)} |")
            details += [f"{program} {name}: takes {takes}, not known" for name, takes in found.unknown.items()]
            details += [
                f"{program} {name}: takes {takes}, the table says {ours}"
                for name, (takes, ours) in found.otherwise.items()
            ]
    if missing:
        print(f"\nNot installed, or says nothing: {', '.join(missing)}", file=sys.stderr)
    if only:
        print("\n" + "\n".join(details))


if __name__ == "__main__":
    main()
