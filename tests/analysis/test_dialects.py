"""Code of other shells, written as bash would have it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.analysis.bash.dialects import translated
from rulez_py.analysis.values import DIALECTS
from tests.work import calls

HERE = '"$(dirname "$batch_file")"/'
NAMED = '"$(basename "$f")" "$(dirname "$f")"/ "$batch"'


@pytest.mark.parametrize(
    ("language", "text", "bash"),
    [
        ("cmd", r"rd /s /q %USERPROFILE%\x", 'rd /s /q "$HOME"/x'),
        ("cmd", r"type a\b.txt > nul 2>&1 && del x", "cat a/b.txt > /dev/null 2>&1 && del x"),
        (
            "cmd",
            r"if exist out (rd /s /q out) else (echo none & b)",
            "if [ -e out ]; then { rd /s /q out ; } ; else { echo none ; b ; } ; fi",
        ),
        ("cmd", "if /i not %A%==b del x", 'if ! [ -n "$batch" ]; then del x ; fi'),
        ("cmd", "for %f in (*.txt) do del %f", 'for f in *.txt; do del "$f" ; done'),
        (
            "cmd",
            "for /f \"tokens=2\" %%i in ('git ls-files') do del %%~fi",
            "for i in $(git ls-files); do del ${i} ; done",
        ),
        ("cmd", "for /r src %f in (*.c) do type %f", "for f in $(find src -name '*.c'); do cat \"$f\" ; done"),
        ("cmd", "g^it pu^sh -f", "git push -f"),
        ("cmd", 'git commit -m "a & b"', "git commit -m 'a & b'"),
        ("cmd", r"set X=D:\data& rd /s /q !X! & echo %X%", 'X=D:/data ; rd /s /q ${X//\\\\//} ; echo "$X_before"'),
        ("cmd", 'start "" /wait git push -f', "git push -f"),
        ("cmd", "call x.bat a", "x.bat a"),
        ("cmd", "call :there", 'eval "$batch"'),
        (
            "cmd",
            "@echo off\nrem x\n:top\ndel a\ngoto top",
            'echo off; :; :; del a; { while [ -n "$batch" ]; do del a; : ; done ; }',
        ),
        ("cmd", "set X=a b\ngit %X% %X:~0,1% %X:~-1%x", "X='a b'; git ${X} ${X: 0:1} ${X: -1}x"),
        ("cmd", "set X=a\ngit !X:a=B! %X:*a=%", "X=a; git ${X//[aA]/B} ${X#*[aA]}"),
        ("cmd", "git %X:*a=b% %TEMP:~1%", 'git ${X_before} "$TEMP_before"'),
        ("cmd", "set TEMP=C:\\d\nrd %TEMP%", "TEMP=C:/d; rd ${TEMP//\\\\//}"),
        ("cmd", 'set X="a b"\ngit %X% "%X%"', 'X=\'a b\'; git "$X" "$X"'),
        ("cmd", 'set "X=a&b"\ngit %X%\ngit "%X%"', 'X=\'a&b\'; eval "$batch" ; git ${X}; git "$X"'),
        ("cmd", "call git %%X%% & call set Y=a %%X:~1%%", "git ${X} ; Y='a '\"${X: 1}\""),
        (
            "cmd",
            "call :a b\ngoto:eof\n:a\ngit %1 %~1 %~dp0",
            f'batch_file="$0"; :a() {{ git "$1" ${{1}} {HERE} ; }}; :a b; :',
        ),
        ("cmd", "goto b\n:a\nx\nexit /b\n:b\ny\ngoto a", "{ y; { x; : ; } ; }"),
        ("cmd", "goto %X%", 'eval "$batch"'),
        ("cmd", "goto nowhere", ":"),
        ("cmd", 'if "%1"=="" git push', 'if [ -n "$batch" ]; then git push ; fi'),
        ("cmd", 'if %1 =="" git push', 'if [ -n "$batch" ]; then git push ; fi'),
        ("cmd", "for %F in (a) do git %F", 'for F_each in a; do git "$F_each" ; done'),
        ("cmd", "for %f in (a.c) do cl %~nxf %~dpf %~nf", f"for f in a.c; do cl {NAMED} ; done"),
        ("cmd", "for /l %i in (1,1,3) do git %i", 'for i in 1 2 3; do git "$i" ; done'),
        ("cmd", 'for /f "tokens=2 delims=," %i in ("a,b") do git %i', 'for i in a,b "$batch"; do git ${i} ; done'),
        ("cmd", 'for /f "usebackq" %i in ("a.txt") do %i', "for i in $(cat a.txt); do ${i} ; done"),
        ("cmd", "set /a A=1,B+=2", "read A B"),
        ("cmd", r"reg add HKCU\Software\x /v y", r"reg add 'HKCU\Software\x' /v y"),
        ("cmd", r"D: & cd /d D:\x & cd..", "cd D:/ ; cd D:/x ; cd .."),
        ("cmd", r"copy /y a.dll C:\Windows & copy x", "cp a.dll C:/Windows ; cp x ."),
        ("cmd", "set | more & set TOKEN", "env | cat ; printenv TOKEN"),
        ("cmd", 'python -c "print(1)"', "python -c 'print(1)'"),
        ("fish", "a (b c); and d", "a $(b c); d"),
        ("fish", r"a \x2db", r"a $'\U0000002d'b"),
        ("fish", "begin; a; end", ":; a; :"),
        ("fish", "set -l x 'a b'", "set-variable x 'a b'"),
        ("csh", "set x = (a b); c", "set-variable x a b; c"),
        ("csh", "if ($x == 1) a", " a"),
        ("nu", "if $x { ^a b }", "$x \na b \n"),
        ("nu", "let x = a", "set-variable x a"),
        ("elvish", "e:a b", "a b"),
        ("xonsh", "x = $[a b]", "x = \na b\n"),
        ("xonsh", "for x in f(1): a", "\n a"),
        ("zsh", "for x (a b) c $x", "set-variable x a b\nc $x"),
        ("zsh", "for x in a b; do c; done", "for x in a b; do c; done"),
        ("zsh", "a *(e:'b c':)", "a * $(b c)"),
        ("zsh", "a 'for x (y)' # for x (y)", "a 'for x (y)' "),
    ],
)
def test_code_is_written_as_bash_has_it(language: str, text: str, bash: str) -> None:
    assert translated(language, text) == bash


@given(language=st.sampled_from(DIALECTS), text=st.text("ab{}()[]|;&'\"\\$!^#=:@ \n", max_size=60))
def test_any_text_is_read_to_its_end(language: str, text: str) -> None:
    assert isinstance(translated(language, text), str)


@pytest.mark.parametrize("language", DIALECTS)
@pytest.mark.parametrize("part", ["a(", "{", "![", "for ", "(e:", "'", "set x = (", "if (", "{|", "\\x41", "for x:"])
def test_the_work_grows_with_the_text_and_not_faster(language: str, part: str) -> None:
    few, many = (calls(translated, language, part * count) for count in (1_000, 2_000))
    assert many <= 2.5 * few + 1_000
