"""Text that a tool types into a shell that already runs, or into a notebook's cell: the command lines that it is worth.

Keys that are not letters are named in brackets (`{enter}`, Copilot's `write_bash`) or are what a terminal sends.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ENTER, _EARLIER, _BACK, _WORD, _CANCEL = "\n", '\n"$typed_before" ', "back", "word", "cancel"
"""What a key does. One that brings back an earlier line, or moves in this one, is worth a command that is not known."""
_CONTROLS = {
    **dict.fromkeys("\r\n", _ENTER),
    **dict.fromkeys("\x7f\x08", _BACK),
    **dict.fromkeys("\x03\x15", _CANCEL),
    "\x17": _WORD,
    **dict.fromkeys("\x04\x0b\x0c\x1a", ""),
    **dict.fromkeys("\x01\x02\x05\x06\x0e\x0f\x10\x11\x12\x13", _EARLIER),
    **dict.fromkeys("\x14\x16\x18\x19\x1c\x1d\x1e\x1f", _EARLIER),
}
"""A control character -> what it does at readline's prompt (its manual, "Commands for Moving", "Killing")."""
_NOISE = "\0\x07"
"""Control characters that no key of the prompt sends."""
_KEYS: dict[str, str] = {
    **dict.fromkeys(("enter", "return", "cr", "newline"), _ENTER),
    **dict.fromkeys(("up", "down", "arrowup", "arrowdown", "uparrow", "downarrow", "pageup", "pagedown"), _EARLIER),
    **dict.fromkeys(("left", "right", "home", "end", "delete", "del", "arrowleft", "arrowright"), _EARLIER),
    **dict.fromkeys(("backspace", "bs", "bspace"), _BACK),
    **dict.fromkeys(("space", "tab"), " "),
    **dict.fromkeys(("esc", "escape", "insert"), ""),
    # The small letter of a control character is 96 further on; `C-x` is short for it.
    **{f"c{letter}": _CONTROLS[chr(ord(letter) & 31)] for letter in "chjmnpuw"},
    **{
        f"{name}{chr(ord(sent) + 96)}": does
        for name in ("ctrl", "control")
        for sent, does in _CONTROLS.items()
        if sent <= "\x1a"
    },
}
"""The name of a key, in small letters alone -> what it does."""
_PASTED = ("\x1b[200~", "\x1b[201~")
"""What a terminal sends around a text that is pasted."""
_BRACKETS = {"{": "}", "<": ">"}
_LONGEST = 16
_SHELLS = ("bash", "sh", "zsh", "system", "!")
"""First words of cells that a shell runs as a whole."""
_SENDS = ("terminal.sendsequence", "terminal.sendtext", "terminal.runcommand")
"""Endings of commands of an editor that type a text into its terminal."""


def typed(text: str) -> str:
    """Return the command lines that a text with keys in it types."""
    out: list[str] = []
    at = 0
    while at < len(text):
        key, at = _key(text, at)
        if key == _BACK:
            if out and out[-1] not in (_ENTER, _EARLIER):
                del out[-1]
        elif key == _WORD:
            while out and out[-1] == " ":
                del out[-1]
            while out and out[-1] not in (" ", _ENTER, _EARLIER):
                del out[-1]
        elif key == _CANCEL:
            while out and out[-1] != _ENTER:
                del out[-1]
        elif key:
            out.append(key)
    return "".join(out)


def _key(text: str, at: int) -> tuple[str, int]:
    """Return what the key at an index does, or the letter there; and the index after it."""
    letter = text[at]
    if letter in _BRACKETS:
        end = text.find(_BRACKETS[letter], at, at + _LONGEST)
        name = "".join(filter(str.isalpha, text[at:end].lower())) if end > 0 else ""
        if name in _KEYS:
            return _KEYS[name], end + 1
        if name.startswith(("ctrl", "control", "alt", "meta")) and len(name.removeprefix("control")) <= 5:
            return _EARLIER, end + 1
    elif letter == "\x1b":
        end = at + 2
        while end < len(text) and text[at + 1 : at + 2] in ("[", "O") and not text[end].isalpha() and text[end] != "~":
            end += 1
        alone = end >= len(text) or text[at + 1 : at + 2] == letter
        return ("" if alone or text[at : end + 1] in _PASTED else _EARLIER), end + 1
    return "" if letter in _NOISE else _CONTROLS.get(letter, letter), at + 1


def cells(texts: Iterable[str]) -> Iterator[str]:
    """Yield the command lines of a notebook's cells that are for a shell."""
    for text in texts:
        head, _, code = text.lstrip().partition("\n")
        words = head.removeprefix("%%").split()
        if head.startswith("%%") and words and (words[0] in _SHELLS or _is_script(words)):
            yield code


def _is_script(words: list[str]) -> bool:
    return words[0] == "script" and any(word.rpartition("/")[2].endswith("sh") for word in words[1:])


def sends_to_terminal(texts: Iterable[str]) -> bool:
    """Tell if one of these texts is an editor's command that types into its terminal."""
    return any(text.lower().endswith(_SENDS) for text in texts)
