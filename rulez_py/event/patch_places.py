"""Find where a shell command applies a patch: the directories it may have gone to before it calls `apply_patch`.

A small reader of its own, and not the analysis, for two reasons. It is asked while a payload is read: it is unknown
home and environment yet. And it says of each `cd` alone what would be so if the others failed or ended with a subshell,
where the analysis follows the likely worlds. Only a command with a patch in it loads this.
"""

from __future__ import annotations

import os

_LONGEST_PATH = 4096
_PATCH_PROGRAMS = ("apply_patch", "applypatch")
# The separators of shell commands, and the words that may precede a program's name in one.
_COMMAND_ENDS = ";&|(){}`"
_BEFORE_PROGRAMS = frozenset(
    (
        *("command", "builtin", "exec", "eval", "env", "sudo", "doas", "nohup", "nice", "time", "timeout", "setsid"),
        *("xargs", "sh", "bash", "zsh", "dash", "if", "then", "else", "elif", "while", "until", "do", "!"),
    )
)
_WORDS_TO_PROGRAM = 8
_CHANGES_OF_DIRECTORY = ("cd", "pushd")
_DIRECTORY_CHANGES_SEEN = 4
_QUOTING = dict.fromkeys(map(ord, "\"'\\"))


def patch_places(command: str) -> tuple[str, ...]:
    """Return the directories in which a shell command may apply a patch, as it spells them; none where it applies none.

    "" is the directory it starts in, and always the first. Every `cd` before the last call counts, of many the last
    few, alone and after the others: which of them succeed, and which end with their subshell, is for the shell to know.
    Quotes are not looked at to find where a command begins, so a text that has the name there counts as a call.
    """
    text = command.replace("\\\n", "")
    parts = text
    for end in _COMMAND_ENDS:
        parts = parts.replace(end, "\n")
    changes: list[int] = []
    changes_before_call: list[int] | None = None
    start = 0
    for part in parts.split("\n"):
        end_of_part = start + len(part)
        # Each of the names has one of these letters: a quick no for most of a long text.
        program, behind = _program(part) if "d" in part or "p" in part else ("", "")
        if program in _PATCH_PROGRAMS:
            changes_before_call = changes[-_DIRECTORY_CHANGES_SEEN:]
        elif program:
            changes.append(end_of_part - len(behind))
        start = end_of_part + 1
    if changes_before_call is None:
        return ()
    places = [""]
    for at in changes_before_call:
        directory = _directory_named(text[at : at + _LONGEST_PATH])
        places.extend(_place_below(place, directory) for place in tuple(places))
    return tuple(dict.fromkeys(places))


def _place_below(place: str, directory: str) -> str:
    return directory if directory.startswith("~") else os.path.join(place, directory)


def _program(command: str) -> tuple[str, str]:
    """Return which of `cd` and `apply_patch` (and their other names) one command runs, and the text behind that name.

    ("", "") where it runs anything else.
    """
    behind = command
    for count in range(_WORDS_TO_PROGRAM):
        word, behind = (*behind.split(None, 1), "", "")[:2]
        name = word.partition("<")[0].translate(_QUOTING).rpartition("/")[2]
        if name in _PATCH_PROGRAMS or name in _CHANGES_OF_DIRECTORY:
            return name, behind
        if count == 0 and not (name in _BEFORE_PROGRAMS or "=" in word or word.startswith(("<", ">"))):
            break
    return "", ""


def _directory_named(text: str) -> str:
    """Return the directory that the text behind a `cd` names: its first word that is no option, without the quotes."""
    text = text.lstrip(" \t")
    while text.startswith("-"):
        text = (*text.split(None, 1), "")[1]
    word = quote = ""
    escaped = False
    for character in text:
        if escaped:
            word += character
            escaped = False
        elif character == "\\" and quote != "'":
            escaped = True
        elif character == quote:
            quote = ""
        elif not quote and character in "\"'":
            quote = character
        elif not quote and (character.isspace() or character in ";&|()<>`"):
            break
        else:
            word += character
    for home in ("$HOME", "${HOME}"):
        if word.startswith(home):
            word = "~" + word[len(home) :]
    return word or "~"
