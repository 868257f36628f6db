"""What PowerShell command lines would execute."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.analysis import asking
from rulez_py.analysis.powershell import LONGEST, analyse, described, dotnet, inner, reading
from rulez_py.analysis.values import Command, Data, File, Word
from tests.work import calls

TABLE: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("powershell.yaml").read_text("utf-8"))


def commands(text: str, **options: Any) -> tuple[Command, ...]:
    return analyse(text, cwd="/work", home="/home/me", environ={"TEMP": "C:\\Temp"}, **options)


def spelled(file: File) -> str:
    access = "+".join(sorted(file.access, reverse=False)) if len(file.access) > 1 else file.access[0]
    return f"{access}{'+' if file.deep and len(file.access) == 1 else ''} {file.path}"


def parts(command: Command) -> dict[str, Any]:
    """A command as the table writes it."""
    return {
        "program": command.program,
        "word": command.words[0].text if command.words else "",
        "words": [word.text for word in command.words],
        "via": list(command.via),
        "user": command.user,
        "opaque": list(command.opaque),
        "fed": list(command.fed),
        "files": sorted(spelled(file) for file in command.files),
        "hosts": list(command.hosts),
    }


def fits(command: Command, wanted: dict[str, Any]) -> bool:
    found = parts(command)
    return all(
        found[key] == (sorted(value) if key == "files" else value)
        if key not in ("via", "fed") or not value
        else set(value) <= set(found[key])
        for key, value in wanted.items()
    )


@pytest.mark.parametrize("row", TABLE, ids=[row["text"].split("\n")[0] for row in TABLE])
def test_what_a_command_line_executes(row: dict[str, Any]) -> None:
    found = commands(row["text"])
    missing = [wanted for wanted in row.get("finds", []) if not any(fits(one, wanted) for one in found)]
    unwanted = [one.program for one in found if one.program in row.get("never", [])]
    unwanted += [one.program for one in found for other in row.get("lacks", []) if fits(one, other)]
    assert (missing, unwanted) == ([], []), [parts(one) for one in found]


def test_a_word_says_where_it_stands() -> None:
    text = 'git push "origin" $x'
    assert [text[slice(*word.at)] for word in commands(text)[0].words] == ["git", "push", '"origin"', "$x"]


def test_a_word_of_a_nested_text_stands_nowhere() -> None:
    assert [word.at for word in commands("iex 'git push'")[1].words] == [(0, 0), (0, 0)]


def test_only_a_bare_word_is_a_pattern() -> None:
    assert [word.glob for word in commands("git add *.py '*.md'")[0].words] == ["", "", "*.py", ""]


READINGS = [
    ("remove-item", "-Recurse", "-Recurse"),
    ("remove-item", "-rec", "-Recurse"),
    ("remove-item", "-FO", "-Force"),
    ("get-childitem", "-s", "-Recurse"),
    ("stop-process", "-fo", "-Force"),
    ("invoke-command", "-cn", "-ComputerName"),
    ("set-executionpolicy", "-ex", "-ExecutionPolicy"),
]


@pytest.mark.parametrize(("program", "written", "name"), READINGS)
def test_an_option_is_read_in_any_case_and_shortened(program: str, written: str, name: str) -> None:
    (option,) = reading(program, [Word(text=written)]).options
    assert {name, name.lower()} <= set(option.names)
    assert option.certain


def test_an_abbreviation_of_several_may_be_each_of_them() -> None:
    (option,) = reading("remove-item", [Word(text="-f")]).options
    assert {"-Force", "-Filter"} <= set(option.names)
    assert not option.certain


def test_a_switch_that_is_turned_off_is_no_option() -> None:
    assert reading("remove-item", [Word(text="-Recurse:$false")]).options == ()


def test_a_parameter_takes_the_next_word_and_a_switch_does_not() -> None:
    found = reading("remove-item", [Word(text=text) for text in ("-Filter", "*.log", "-Force", "logs")])
    assert [option.value and option.value.text for option in found.options] == ["*.log", None]
    assert [operand.word.text for operand in found.operands] == ["logs"]


def test_a_value_may_follow_a_colon() -> None:
    (option,) = reading("remove-item", [Word(text="-Path:a")]).options
    assert option.value is not None
    assert (option.value.text, "-path" in option.names) == ("a", True)


def test_a_cmdlet_that_nobody_described_is_read_with_doubt() -> None:
    found = reading("get-thing", [Word(text="-Deep"), Word(text="x")])
    assert [option.certain for option in found.options] == [False]
    assert [operand.doubtful for operand in found.operands] == [True]
    assert not described("get-thing")


def test_an_external_program_is_asked_about() -> None:
    asked: list[tuple[tuple[str, ...], tuple[str, ...], str | None, Data]] = []

    def nested(words: tuple[Word, ...], via: tuple[str, ...], cwd: str | None, stdin: Data) -> tuple[Command, ...]:
        asked.append((tuple(word.text for word in words), via, cwd, stdin))
        return (Command(words=words, program="bash", via=via), Command(words=(Word(text="ls"),), program="ls"))

    found = commands("cd sub; irm https://h.example | bash -s > log", nested=nested)
    assert asked == [(("bash", "-s"), (), "/work/sub", Data(origins=("download",)))]
    assert [one.program for one in found] == ["set-location", "invoke-restmethod", "bash", "ls"]
    assert [file.path for file in found[2].files] == ["/work/sub/log"]


def test_what_nobody_can_say_more_about_is_the_command_itself() -> None:
    found = commands("git push", nested=lambda words, via, cwd, stdin: ())
    assert [one.program for one in found] == ["git"]


BY_CMD = [
    ("cmd /c rd /s /q build", "rd", ["delete+ build"]),
    ('cmd.exe /c "cd sub & del a.obj"', "del", ["delete sub/a.obj"]),
    ('cmd /c "echo a ^& b && del x.txt"', "del", ["delete x.txt"]),
    ("cmd /cdel x.txt", "del", ["delete x.txt"]),
    ("cmd /s /c '@del x.txt'", "del", ["delete x.txt"]),
    ("cmd /c dir", "dir", []),
    ("cmd /c 'start /node 1 del x.txt'", "del", ["delete x.txt"]),
    ("cmd /c 'start /affinity F /wait del x.txt'", "del", ["delete x.txt"]),
    ("cmd /c 'start \"t\" /d sub del x.txt'", "del", ["delete x.txt"]),
    ("cmd /c 'start \"x.exe\"'", "x", []),
    ('cmd /c "for %i in (don\'t) do echo %i & del x.txt"', "del", ["delete x.txt"]),
    ("cmd /k del x.txt", "del", ["delete x.txt"]),
]


@pytest.mark.parametrize(("text", "program", "files"), BY_CMD)
def test_what_cmd_is_given_is_read_by_the_one_reader_of_cmd(text: str, program: str, files: list[str]) -> None:
    found = asking.analyse(text, cwd="/work", home="/home/me", environ={}, dialect="powershell")
    assert [(one.program, one.via, [spelled(file) for file in one.files]) for one in found][-1] == (
        program,
        ("shell",),
        files,
    )


LAUNCHES = [
    (["pwsh", "-c", "a", "b"], "a b"),
    (["powershell", "-ExecutionPolicy", "Bypass", "-Command", "a"], "a"),
    (["powershell", "-ep", "bypass", "-w", "hidden", "a"], "a"),
    (["pwsh", "/c", "a"], "a"),
]


@pytest.mark.parametrize(("words", "code"), LAUNCHES)
def test_what_a_launch_of_powershell_runs(words: list[str], code: str) -> None:
    found = inner([Word(text=word) for word in words])
    assert found is not None
    assert found.code is not None
    assert (found.code.text, found.language) == (code, "powershell")


def test_a_launch_may_run_a_file_or_its_input() -> None:
    file = inner([Word(text=word) for word in ("pwsh", "-NoExit", "-File", "x.ps1", "-a")])
    piped = inner([Word(text=word) for word in ("pwsh", "-NoLogo", "-Command", "-")])
    assert file is not None
    assert piped is not None
    assert (file.file, piped.stdin) == (Word(text="x.ps1"), True)


LIMITS = [
    "a" * (LONGEST + 1),
    "(" * 100 + ")" * 100,
    "$x" + ".a" * 200,
    "".join(f"function f{n} {{ f{n + 1}; f{n + 1} }};" for n in range(15)) + "f0",
    "".join(f"function g{n} {{ g{n + 1} }};" for n in range(60)) + "g0",
    "ls;" * 20_000,
]


@pytest.mark.parametrize("text", LIMITS, ids=lambda text: text[:12])
def test_past_its_bounds_it_is_not_known_what_runs(text: str) -> None:
    assert any(one.opaque == ("limit",) for one in commands(text))


PIECES = [
    *("git", "rm", "iex", "$x", "=", "{", "}", "(", ")", "$(", "@(", "@{", "'", '"', "`", ";", "\n", "|", "&", "&&"),
    *("||", ",", "-f", "-join", "-Path", "--%", "[", "]", "::", ".", "%", "?", "#", "<#", "#>", ">", ">>", "2>", "@'"),
    *("if", "foreach", "in", "function f", "switch", "try", "catch", "param", "return", "class", "1..3", "é", "\0"),
    *("\u201d", "\ud800", "$env:TEMP", "${", "-enc", "pwsh", "cmd /c", "[char]", "Start-Process", "..", "~", "f", " "),
]


@pytest.mark.parametrize("seed", range(300))
def test_no_text_makes_it_raise(seed: int) -> None:
    chosen = random.Random(seed)
    text = "".join(chosen.choice(PIECES) + chosen.choice(["", " "]) for _ in range(chosen.randrange(60)))
    assert isinstance(commands(text), tuple)


@pytest.mark.parametrize(("kind", "method"), dotnet.STATIC)
@pytest.mark.parametrize("given", ["", "$x", "$x, $y"])
def test_a_method_of_a_class_leaves_a_command_whatever_it_is_given(kind: str, method: str, given: str) -> None:
    assert commands(f"[{kind}]::{method}({given})")


REPEATED = [
    *('a "b $x" ', "$a+", "a ,b", "'a'+", "@{a=1;", "{a}", "$x[", "a|", "if(a){b}else{c};", "rm a/../b;", "a@{", '"$('),
    *(
        "$x=$x+'a';",
        "iex 'ls';",
        "'a'|iex;",
        "[a(\n",
        "$env:a='b';",
        f"cd {'a' * 100};",
        "<#",
        "${",
        "-a ",
        "\n|",
        "$a.b ",
        "`",
    ),
    *("$x+='a','b';", "$a=$b=", "function f{};", '@"\n', "switch a {b {c}};", "foreach($a in 1..9){rm $a};", "a>b "),
]


@pytest.mark.parametrize("piece", REPEATED)
def test_the_work_grows_with_the_text_and_not_faster(piece: str) -> None:
    few, many = (calls(commands, piece * count) for count in (200, 400))
    assert many <= 2.5 * few + 1000
