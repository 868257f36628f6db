"""Copies between machines, and to services that store."""

from __future__ import annotations

from rulez_py.analysis.programs.special.remote import ssh_options
from rulez_py.analysis.programs.touches import copied, is_away
from rulez_py.analysis.values import DOWNLOAD, Inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.runs import Own
    from rulez_py.analysis.programs.touches import Touching


def scp_effects(command: Touching) -> None:
    command.by_options()
    copied(command, "r", deep=command.has("-r"))


def sftp_effects(command: Touching) -> None:
    scp_effects(command)


def rsync_effects(command: Touching) -> None:
    if command.has("--dry-run", "--list-only"):
        for word in command.operands:
            if is_away(word.text):
                command.host(word)
        return
    command.by_options()
    deep = command.has("-r", "--recursive", "-a", "--archive", "-d", "--dirs", "--files-from")
    removed = "d" if command.has("--remove-source-files") else ""
    copied(command, "r" + removed, deep=deep)
    deletes = any(name.startswith("--del") for name in command.names)
    if deletes and len(command.operands) > 1 and not is_away(command.operands[-1].text):
        command.touch(command.operands[-1], "d", deep=True)


def unison_effects(command: Touching) -> None:
    """Touch the files of unison: two directories become alike; with -force, as the one that it names."""
    forced = command.value("-force")
    for word in command.operands:
        if is_away(word.text):
            command.host(word)
            continue
        command.touch(word, "r", deep=True)
        if forced is None:
            command.touch(word, "w/")
        elif forced.text != word.text:
            command.touch(word, "wd", deep=True)


def cloud_copy_effects(command: Touching) -> None:
    """Touch copies to and from a storage service; local files are paths, the service's are URLs or `name:path`."""
    command.by_options()
    words = command.operands
    if len(words) < 2:
        return
    deep = "sync" in command.key or command.has("--recursive", "-r", "-R") or command.key.startswith("rclone")
    moves = command.key.endswith((" mv", " move"))
    *sources, last = words
    for word in sources:
        if is_away(word.text):
            command.origin = DOWNLOAD
        elif is_away(last.text):
            if word.text == "-":
                command.sends = True
            command.touch(word, "rds" if moves else "rs", deep=deep)
        else:
            command.touch(word, "rd" if moves else "r", deep=deep)
    if not is_away(last.text):
        command.touch(last, "w/" if deep else "w")
        if deep is False:
            for word in sources:
                command.into(last, word)
        if command.has("--delete", "-d", "--delete-unmatched-destination-objects") or command.key == "rclone sync":
            command.touch(last, "d", deep=True)
    command.hosts = {}


def scp_runs(own: Own) -> tuple[Inner, ...]:
    """Return what scp and sftp run: -S names the program to connect with, -o may hold a command as with ssh."""
    return (*[Inner(words=(word,)) for word in own.every("-S")], *ssh_options(own.every("-o")))


def sftp_runs(own: Own) -> tuple[Inner, ...]:
    """Return what sftp runs: what scp does, and the lines of its console."""
    from rulez_py.analysis.programs.special.network import console_runs

    return (*scp_runs(own), *console_runs(own))
