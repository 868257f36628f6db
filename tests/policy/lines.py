"""A shell for tests: it knows plain words, `;`, a few programs, and says what they would do as `shell.analyse` does."""

from __future__ import annotations

from collections.abc import Mapping

from rulez_py.analysis import DELETE, READ, SEND, WRITE, Command, File, Word, hosts_in

ACCESS = {"cat": (READ,), "grep": (READ,), "rm": (DELETE,), "tee": (WRITE,), "send": (READ, SEND)}
GIVEN = ("frob", "nib")
"""Programs of which nobody knows what they do with the files that they name."""
WRAPPERS = ("sudo", "timeout")


def analyse(
    text: str, *, cwd: str, home: str, environ: Mapping[str, str], dialect: str = "sh", **_more: object
) -> tuple[Command, ...]:
    """A line's commands. `$X` is not known; `sudo` runs what follows as root; `-r` is deep; `ssh:` runs elsewhere;
    `leak A B` lets A go to B."""
    found: list[Command] = []
    at = 0
    for line in text.split(";"):
        words = []
        place = at
        for written in line.split():
            place = text.index(written, place)
            end = place + len(written)
            words.append(
                Word(
                    text=written,
                    known="$" not in written,
                    glob=written if "*" in written or "?" in written else "",
                    at=(place, end),
                )
            )
            place = end
        found += _commands(words, home)
        at += len(line) + 1
    return tuple(found)


def _commands(words: list[Word], home: str) -> list[Command]:
    found: list[Command] = []
    via: tuple[str, ...] = ()
    user = ""
    while words:
        program = words[0].text.rpartition("/")[2].lower() if words[0].known else ""
        opaque = ("program",) if not program else ("arguments",) if not all(word.known for word in words) else ()
        paths = [word for word in words[1:] if not word.text.startswith("-")]
        deep = any(word.text.startswith("-") and "r" in word.text for word in words)
        touched = tuple(
            File(
                path=_at_home(word.text, home),
                access=ACCESS.get(program, (READ, WRITE)),
                deep=deep and program in ACCESS,
                glob=_at_home(word.glob, home),
                known=word.known,
                at=word.at,
            )
            for word in paths
            if "remote" not in via
        )
        found.append(
            Command(
                words=tuple(words),
                program=program,
                via=via,
                user=user,
                opaque=opaque,
                files=touched if program in ACCESS else (),
                named=touched if program in GIVEN else (),
                hosts=hosts_in(*(word.text for word in words)),
                fed=("download",) if "remote" in via else (),
                flows=((words[1].text, words[2].text),) if program == "leak" else (),
            )
        )
        if program == "ssh:":
            via = (*via, "remote")
        elif program in WRAPPERS:
            via, user = (*via, "wrapper"), "root" if program == "sudo" else user
        else:
            break
        words = words[1:]
    return found


def _at_home(path: str, home: str) -> str:
    return home + path[1:] if path.startswith("~") else path
