"""The tests beside the cmdlets: a PowerShell line of one cmdlet, and what comes of it."""

from __future__ import annotations

from rulez_py.analysis.powershell import analyse, cmdlets
from rulez_py.analysis.programs.trial import option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.notation import Example
    from rulez_py.analysis.values import Command, File

ENVIRONMENT = {"TEMP": "C:\\Temp"}


def differences(test: Example) -> list[str]:
    """What is not as the test says, a line for each; empty where all is."""
    command, *others = analyse(test.line, cwd="/work", home="/home/me", environ=ENVIRONMENT)
    if others:
        return [f"a line of one cmdlet; this runs {others[0].program!r}, too"]
    expected = dict(test.expected)
    if "files" in expected or "hosts" in expected:
        expected = {"files": [], "hosts": [], **expected}
    found = _parts(command)
    return [
        f"{key} = {found[key]!r}, and not {sorted(wanted)!r}"
        for key, wanted in expected.items()
        if found[key] != (wanted if key == "operands" else sorted(wanted))
    ]


def _parts(command: Command) -> dict[str, list[str]]:
    reading = cmdlets.reading(command.program, command.words[1:])
    return {
        "options": sorted(map(option, reading.options)),
        "operands": [("?" if one.doubtful else "") + one.word.text for one in reading.operands],
        "files": sorted(map(_file, command.files)),
        "hosts": sorted(command.hosts),
    }


def _file(file: File) -> str:
    return f"{' '.join(file.access)}{' all' if file.deep else ''} {file.path}"
