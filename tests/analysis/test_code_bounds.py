"""Where code is cut off by a bound, it is opaque or the text is unknown: nothing is left out in silence."""

from __future__ import annotations

import pytest

from rulez_py.analysis.languages import LONGEST, find
from rulez_py.analysis.values import CODE, LIMIT

JS = 'const c = require("child_process"); '
NESTED: dict[str, tuple[str, str, str, str, str]] = {
    "Python: parentheses": ("python", "import os; ", "(", 'os.system("w z")', ")"),
    "Python: calls": ("python", "import os; ", "f(", 'os.system("w z")', ")"),
    "Python: lists": ("python", "import os; x = ", "[", 'os.system("w z")', "]"),
    "Python: dicts": ("python", "import os; x = ", "{'a': ", 'os.system("w z")', "}"),
    "Python: functions": ("python", "import os; x = ", "lambda a: ", 'os.system("w z")', ""),
    "Python: fields of texts": ("python", "import os; ", "f'''{", 'os.system("w z")', "}'''"),
    "Python: a field in parentheses": ("python", "import os; ", "(", "f\"{os.system('w z')}\"", ")"),
    "JavaScript: objects": ("javascript", JS + "x = ", "{a: ", 'c.execSync("w z")', "}"),
    "JavaScript: objects in an argument": ("javascript", JS + "f(", "{a: ", 'c.execSync("w z")', "}"),
    "JavaScript: blocks": ("javascript", JS, "if (a) {", 'c.execSync("w z")', "}"),
    "JavaScript: functions": ("javascript", JS, "f(() => {", 'c.execSync("w z")', "})"),
    "JavaScript: templates": ("javascript", JS, "`${", 'c.execSync("w z")', "}`"),
    "Ruby: parentheses": ("ruby", "", "f(", 'system("w z")', ")"),
    "Ruby: fields of texts": ("ruby", "", '"#{', 'system("w z")', '}"'),
    "Ruby: a here-document in fields": ("ruby", "", '"#{', 'x(<<A)\n#{system("w z")}\nA\n', '}"'),
    "Ruby: fields in a here-document": ("ruby", "x(<<A)\n#{", '"#{', 'system("w z")', '}"'),
    "Perl: parentheses": ("perl", "", "f(", 'system("w z")', ")"),
    "Perl: fields of texts": ("perl", "", '"@{[', 'system("w z")', ']}"'),
    "Perl: a key in fields": ("perl", "", '"@{[', "\"$x{system('w z')}\"", ']}"'),
    "Perl: replacements": ("perl", "", "s{a}{", 'system("w z")', "}e"),
    "PHP: parentheses": ("php", "<?php ", "f(", 'system("w z")', ")"),
    "Lua: parentheses": ("lua", "", "f(", 'os.execute("w z")', ")"),
    "Lua: tables": ("lua", "x = ", "{", 'os.execute("w z")', "}"),
    "R: parentheses": ("r", "", "f(", 'system("w z")', ")"),
    "awk: parentheses": ("awk", "BEGIN { x = ", "(", 'system("w z")', ") }"),
    "Tcl: blocks": ("tcl", "", "if a {", "exec w z", "}"),
}
"""The language, the text before, a repeated opening, a call that runs something, a repeated closing."""


@pytest.mark.parametrize("construct", NESTED)
@pytest.mark.parametrize("depth", [1, 7, 8, 9, 11, 12, 13, 14, 19, 20, 45, 200])
def test_a_call_however_deep_leaves_a_command_or_is_opaque(construct: str, depth: int) -> None:
    language, before, opening, call, closing = NESTED[construct]
    found = find(language, before + opening * depth + call + closing * depth)
    assert found.inner or found.opaque == LIMIT


@pytest.mark.parametrize("construct", NESTED)
def test_a_call_that_is_not_deep_is_read(construct: str) -> None:
    language, before, opening, call, closing = NESTED[construct]
    found = find(language, before + opening * 3 + call + closing * 3)
    assert (bool(found.inner), found.opaque) == (True, "")


LONG: dict[str, tuple[str, str]] = {
    "Python: a text": ("python", "import os; os.system('" + "a" * 5_000 + "' + 'w z')"),
    "Python: a list": ("python", "import os; os.system(' '.join([" + "'a', " * 2_500 + "]))"),
    "Python: a list of short texts": ("python", "import os; os.system(''.join([" + "'', " * 2_500 + "'w z']))"),
    "Python: many values in a text": (
        *("python", "import os; os.system('w ' + (" + " or ".join(f"'{at}'" for at in range(6)) + "))"),
    ),
    "Python: many values": ("python", "import os; os.system(" + " or ".join(f"'{at}'" for at in range(40)) + ")"),
    "awk": ("awk", "BEGIN { system(" + '"a" ' * 300 + '"w z") }'),
    "awk: a pipe": ("awk", 'BEGIN { print "x" | ' + '"a" ' * 300 + '"w z" }'),
    "AppleScript": ("applescript", "do shell script " + '"a" & ' * 300 + '"w z"'),
}
"""Code that runs a text which is too long to be followed, or has too many values."""


@pytest.mark.parametrize("construct", LONG)
def test_a_text_that_is_cut_off_is_unknown(construct: str) -> None:
    found = find(*LONG[construct])
    assert any(inner.code is not None and not inner.code.known for inner in found.inner)


BEYOND: dict[str, tuple[str, str]] = {
    "a text": ("python", "#" * LONGEST + "\nimport os; os.system('w z')"),
    "tokens": ("python", "a;" * 60_000),
    "commands": ("python", "import os\n" + "".join(f"os.system('w {at}')\n" for at in range(600))),
    "files": ("python", "import os\n" + "".join(f"os.remove('{at}')\n" for at in range(600))),
    "hosts": ("python", "import requests\n" + "".join(f"requests.get('https://h{at}.example')\n" for at in range(600))),
    "callbacks": ("python", "import os\n" + f"list(map(os.remove, {list(range(90))}))\n" * 60),
    "functions bound to arguments": (
        *("python", "import functools, os\nf = os.system\n" + "f = functools.partial(f)\n" * 60 + "f('w z')"),
    ),
    "code in texts": ("javascript", "eval('" + "a;" * 40_000 + "')"),
    "code in texts of code": ("javascript", "x = 'eval(x);' + y; eval('x = \"' + 'eval(x)' + '\"; eval(x)')"),
}
"""Code with more than a bound allows."""


@pytest.mark.parametrize("construct", BEYOND)
def test_code_beyond_a_bound_is_opaque(construct: str) -> None:
    assert find(*BEYOND[construct]).opaque == LIMIT


def test_words_with_values_that_are_not_all_followed_are_unknown() -> None:
    several = ", ".join("'a' if x else 'b'" for _ in range(3))
    (inner,) = find("python", f"import subprocess; subprocess.run(['w', {several}])").inner
    assert [word.known for word in inner.words] == [True, False, False, False]


@pytest.mark.parametrize(
    ("code", "commands"),
    [("eval(f())", 0), ("eval(requests.get('https://h.example').text)", 1), ("exec(input())", 0)],
    ids=["a call", "a download", "input"],
)
def test_unknown_code_is_opaque(code: str, commands: int) -> None:
    found = find("python", f"import requests; {code}")
    assert (len(found.inner), found.opaque) == (commands, CODE)


def test_the_content_of_a_file_is_code_of_that_file() -> None:
    (inner,) = find("python", "eval(open('x').read())").inner
    assert inner.file is not None
    assert (inner.file.text, inner.language) == ("x", "python")
