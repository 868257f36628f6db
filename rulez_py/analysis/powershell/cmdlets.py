"""Descriptions of cmdlets from `programs/data/powershell.toml` (docs/programs.md), and the reading of their words."""

from __future__ import annotations

from rulez_py.analysis.programs import store
from rulez_py.analysis.record import Value
from rulez_py.analysis.values import Operand, Option, Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.values import Word


class Parameter(Value):
    """One parameter. `names` has the canonical name first, without dashes; `position` is -1 if it needs its name.

    `roles`: `r`, `w`, `d`, `s` names files that are read, written, deleted or sent; `l` such a name is no pattern; `+`
    files below it count with -Recurse, `*` always; `u` is an address, `h` a computer; `b` is the body of a request,
    whose files are sent.
    """

    names: tuple[str, ...]
    switch: bool = False
    position: int = -1
    roles: str = ""


_ROLES = {
    "read": "r",
    "write": "w",
    "delete": "d",
    "send": "s",
    "literal": "l",
    "recursive": "+",
    "all": "*",
    "url": "u",
    "host": "h",
    "data": "b",
}
_DIALECT = "powershell"
WEB = ("invoke-webrequest", "invoke-restmethod")


class Cmdlet(Value):
    """A row of the table; without `parameters`, only the aliases are known."""

    name: str
    programs: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()


def _cmdlet(row: str) -> Cmdlet:
    name, _, *lines = row.split("\n")
    said: dict[str, list[str]] = {}
    found: list[Parameter] = []
    for line in lines:
        key, *values = line.split("\t")
        if len(key) > 1:
            said[key] = values
            continue
        positions = said.get("operands", [])
        roles = "".join(_ROLES[verb] for verb in values[0].split())
        for spelled in values[1:]:
            first, *others = spelled.split(" ")
            found.append(
                Parameter(
                    names=tuple(spelling[1:] for spelling in (first, *others)),
                    switch=key == ".",
                    position=positions.index(first) if first in positions else -1,
                    roles=roles,
                )
            )
    return Cmdlet(name=name, programs=tuple(said.get("programs", ())), parameters=tuple(found))


_cmdlets: dict[str, Cmdlet] = {}
_parameters: dict[str, dict[str, Parameter]] = {}


def _find(name: str) -> Cmdlet:
    """Return the cmdlet of this name or alias, in lower case; one without parameters where it is not described."""
    if name not in _cmdlets:
        row = store.rows().get(name, _DIALECT)
        _cmdlets[name] = Cmdlet(name=name) if row is None else _cmdlet(row)
    return _cmdlets[name]


def forget() -> None:
    """Forget every row, after the table has changed."""
    _cmdlets.clear()
    _parameters.clear()


def meant(name: str) -> str:
    """Return the cmdlet of an alias, both in lower case; any other name is returned as it is."""
    return _find(name).name.lower()


def is_program(name: str) -> bool:
    """Tell if an alias of a cmdlet is a program too, which runs for options that the cmdlet lacks."""
    return name in _find(name).programs


def parameters(program: str) -> dict[str, Parameter]:
    """Return every name of each of a cmdlet's parameters, lower case.

    The common ones for a cmdlet that is not described.
    """
    if program not in _parameters:
        own = _find(program).parameters if described(program) else ()
        described_ones = (*own, *_find("*").parameters)
        _parameters[program] = {name.lower(): one for one in described_ones for name in one.names}
    return _parameters[program]


def described(program: str) -> bool:
    """Tell if the parameters of a program (lower case) are described."""
    found = _find(program)
    return bool(found.parameters) and found.name.lower() == program


def canonical(program: str) -> str:
    """Return the documented spelling of a cmdlet, for a program in lower case."""
    return _find(program).name if described(program) else program


def candidates(program: str, name: str) -> tuple[Parameter, ...]:
    """Return the parameters with this name, without its dash, or this abbreviation: none, one or several."""
    known = parameters(program)
    name = name.lower()
    if name in known:
        return (known[name],)
    found: list[Parameter] = []
    for other, one in known.items():
        if other.startswith(name) and other == one.names[0].lower() and one not in found:
            found.append(one)
    return tuple(found)


def spellings(one: Parameter) -> tuple[str, ...]:
    """Return the names of a parameter with a dash, as documented and in lower case."""
    return tuple(dict.fromkeys(spelling for name in one.names for spelling in (f"-{name}", f"-{name.lower()}")))


def split(text: str) -> tuple[str, str | None]:
    """Return name and value of `-Name:value` (None without a colon); an empty name for any other word."""
    if len(text) < 2 or text[0] not in "-\u2013\u2014\u2015" or not (text[1].isalpha() or text[1] in "_?"):
        return "", None
    name, colon, value = text[1:].partition(":")
    return name, value if colon else None


def reading(program: str, words: Sequence[Word]) -> Reading:
    """Return the words after a cmdlet's name as options and operands, with its abbreviations and in any case.

    An option's names are those of every parameter it may mean, as documented and in lower case. Of a program that is
    not described, any `-Name` is an option that may take the next word.
    """
    known = described(program)
    options: list[Option] = []
    operands: list[Operand] = []
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        name, attached = split(word.text)
        if not name:
            operands.append(Operand(word=word))
            continue
        found = candidates(program, name)
        names = tuple(spelling for one in found for spelling in spellings(one)) or tuple(
            dict.fromkeys((f"-{name}", f"-{name.lower()}"))
        )
        certain = len(found) == 1
        following = words[place] if place < len(words) and not split(words[place].text)[0] else None
        value: Word | None = None
        if certain and found[0].switch:
            if (attached or "").lower() in ("$false", "false", "0"):
                continue
        elif attached:
            value = word.replace(text=attached)
        elif certain or attached is not None:
            value = following
            place += following is not None
        elif following is not None and not all(one.switch for one in found or (Parameter(names=("",)),)):
            options.append(Option(names=names, word=word, value=following, certain=False))
            operands.append(Operand(word=following, doubtful=True))
            place += 1
            continue
        options.append(Option(names=names, word=word, value=value, certain=certain or not known))
    return Reading(options=tuple(options), operands=tuple(operands))
