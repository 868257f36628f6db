"""Programs that search and edit text: grep, sed, awk, perl, jq."""

from __future__ import annotations

from rulez_py.analysis.programs.doubt import quoted
from rulez_py.analysis.programs.touches import HERE
from rulez_py.analysis.values import Inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.runs import Own
    from rulez_py.analysis.programs.touches import Touching


def grep_effects(command: Touching) -> None:
    command.by_options()
    words = command.operands
    if not command.has("-e", "--regexp", "-f", "--file", "--files"):
        words = words[1:]
    recursive = command.has("-r", "-R", "--recursive", "--dereference-recursive")
    if command.key == "rg":
        hidden = command.has("--hidden", "-.", "-u", "--unrestricted")
        if not command.has("--files", "--type-list"):
            for word in words:
                command.touch(word, "r", deep=hidden or word.text not in (".", "./"))
            if hidden and not words:
                command.touch(HERE, "r", deep=True)
    else:
        for word in words:
            command.touch(word, "r", deep=recursive)
        if recursive and not words:
            command.touch(HERE, "r", deep=True)
    command.silent = command.has(
        "-q", "--quiet", "-c", "--count", "-l", "--files-with-matches", "-L", "--files-without-match", "--files"
    )


def sed_effects(command: Touching) -> None:
    command.by_options()
    words = command.operands
    if not command.has("-e", "--expression", "-f", "--file"):
        words = words[1:]
    for word in words:
        command.touch(word, "rw" if command.has("-i", "--in-place") else "r")
    from rulez_py.analysis.programs.special import sed

    for letter, word in sed.files(command.words):
        command.touch(word, letter)


def awk_effects(command: Touching) -> None:
    """Touch the files of awk: gawk's extension `inplace` writes what it reads."""
    inplace = False
    for option, entry in command.options:
        if entry is not None and option.value is not None:
            if option.value.text in ("inplace", "inplace.awk"):
                inplace = True
            else:
                command.role(option.value, entry.role)
    words = command.operands if command.has("-f", "--file", "-E", "--exec") else command.operands[1:]
    for word in words:
        name, equals, _ = word.text.partition("=")
        if not (equals and name.isidentifier()):
            command.touch(word, "rw" if inplace else "r")


def perl_effects(command: Touching) -> None:
    """Touch files that a script goes over, in place with `-i`."""
    if command.has("-i", "-n", "-p"):
        for word in command.operands if command.has("-e", "-E") else command.operands[1:]:
            command.touch(word, "rw" if command.has("-i") else "r")


def jq_effects(command: Touching) -> None:
    command.by_options()
    words = command.operands
    if command.key == "yq" and words and words[0].text in ("eval", "e", "eval-all", "ea"):
        words = words[1:]
    if command.key == "yq" and words and "load" in words[0].text:
        command.suppose(*quoted(words[0]))
    if not (command.has("-f", "--from-file") and command.key == "jq"):
        command.texts.update(map(id, words[:1]))  # a program of jq's runs no other
        words = words[1:]
    if not command.has("--args", "--jsonargs"):
        for word in words:
            command.touch(word, "rw" if command.has("-i", "--inplace", "--in-place") else "r")


def sed_runs(own: Own) -> list[Inner]:
    """Return what a sed script runs."""
    from rulez_py.analysis.programs.special import sed

    return sed.runs(own)
