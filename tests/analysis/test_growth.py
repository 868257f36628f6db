"""The work of an analysis grows with the text and not faster, whatever is repeated in it."""

from __future__ import annotations

import pytest

from rulez_py.analysis import follow
from rulez_py.analysis.values import LIMIT
from tests.work import calls

REPEATED: dict[str, tuple[str, str, str]] = {
    "find -exec": ("find . ", r"-exec rm -rf {} \; ", ""),
    "find -exec with +": ("find . ", "-exec rm -rf {} + ", ""),
    "find -exec of a shell": ("find . ", r"-exec sh -c 'rm $1' _ {} \; ", ""),
    "find -execdir": ("find a ", r"-execdir rm {} \; ", ""),
    "find by names": ("find . ", "-name '*.N' -o ", "-name x -delete"),
    "find by all of several names": ("find . ", "-name '*.N' ", "-delete"),
    "find in brackets": ("find . ", r"\( -name 'N' -print \) ", "-delete"),
    "code for make": ("make ", "--eval='x := $(shell rm -rf N)' ", ""),
    "the same code for make": ("make ", "--eval='$(shell rm -rf x)' ", ""),
    "commands for vim": ("vim ", "-c '!rm -rf N' ", ""),
    "commands for gdb": ("gdb ", "-ex 'shell rm -rf N' ", ""),
    "commands for sqlite3": ("sqlite3 db ", "'.shell rm N' ", ""),
    "statements for psql": ("psql ", "-c 'drop table aN' ", ""),
    "shells for rsync": ("rsync ", "-e 'ssh -x N' ", "a b:c"),
    "settings for ssh": ("ssh ", "-o ProxyCommand='rm N' ", "host ls"),
    "settings for git": ("git ", "-c alias.aN='!rm N' ", "a1"),
    "directories for tar": ("tar cf x.tar ", "-C d fN ", ""),
    "commands for sed": ("sed ", "-e 's/a/N/' ", "f"),
    "files for rm": ("rm -rf ", "dN ", ""),
    "one long path": ("cat ", "a/", ""),
    "a way up again and again": ("cat ", "a/../", ""),
    "copies of copies": ("echo 'rm x' > f; ", "cp f gN; sh gN; ", ""),
    "pipes": ("", "cat N | ", "sh"),
    "loops": ("", "for a in x N; do rm $a; done; ", ""),
    "choices": ("", "if a; then rm N; else rm y; fi; ", ""),
    "functions": ("", "fN() { rm $1; }; ", "f1 x"),
    "here-documents": ("", "sh <<E\nrm N\nE\n", ""),
    "code in quotes": ("", "sh -c 'rm N'; ", ""),
    "substitutions": ("echo ", "$(ls N) ", ""),
    "assignments": ("", "aN=b; ", "rm $a1"),
    "patches": ("git apply <<'E'\n", "--- a/fN\n+++ b/fN\n@@ -1 +1 @@\n-a\n+b\n", "E\n"),
    "cmd": ("cmd /c '", "del N & ", "'"),
    "PowerShell": ("pwsh -c '", "Remove-Item N;", "'"),
    "Python": ("python3 -c 'import os\n", 'os.system("rm N")\n', "'"),
    "JavaScript": ("node -e '", 'require("child_process").execSync("rm N");', "'"),
    "Ruby": ("ruby -e '", 'system("rm N");', "'"),
    "attributes in Ruby": ("ruby -e '", "a.b", "'"),
    "attributes in Python": ("python3 -c '", "a.b", "'"),
    "attributes in JavaScript": ("node -e '", "a.b", "'"),
    "variables of one command": ("", "AN=b ", "ls"),
    "redirections of one command": ("ls ", "> fN ", ""),
    "directories of a container": ("docker run ", "-v /aN:/b ", "x rm -rf /b"),
    "moves of moves": ("echo 'rm x' > f; ", "mv f gN; mv gN f; ", "sh f"),
    "awk": ("awk '{", 'system("rm N");', "}'"),
}
"""What is repeated: the text before it, the text that is repeated, whose N is a number of its own, the text behind."""
FEW, MANY = 200, 400


def of(construct: str, count: int) -> str:
    before, piece, behind = REPEATED[construct]
    return before + "".join(piece.replace("N", str(100 + number)) for number in range(count)) + behind


def calls_of(text: str) -> int:
    """How many functions are called to follow a text."""
    return calls(follow, text, cwd="/home/user/project", home="/home/user", environ={})


@pytest.mark.parametrize("construct", REPEATED)
def test_twice_the_text_is_about_twice_the_work(construct: str) -> None:
    calls_of(of(construct, 2))  # What is loaded once is loaded.
    assert calls_of(of(construct, MANY)) <= 2.5 * calls_of(of(construct, FEW)) + 1000


@pytest.mark.parametrize("construct", ["find -exec", "commands for vim", "commands for gdb", "shells for rsync"])
def test_what_is_too_much_is_said(construct: str) -> None:
    found = follow(of(construct, 8_000), cwd="/", home="/home/user", environ={})
    assert any(LIMIT in command.opaque for command in found.commands)
