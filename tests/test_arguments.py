"""What a tool call was given: canonical argument names, files touched, text written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulez_py.event.arguments import (
    ACCESSES,
    ALIASES,
    TOOL_ALIASES,
    canonicalise,
    codes,
    command_lines,
    file_accesses,
    patch_accesses,
    readings,
    rewritten,
    spellings,
    strings_in,
    written_texts,
)
from rulez_py.event.typed import typed

UNTIMED = settings(deadline=None)

PATCH = """\
*** Begin Patch
*** Add File: new.txt
+hello
*** Update File: src/old.py
*** Move to: src/young.py
@@ def f():
-    return 1
+    return 2
+++ counter
*** Delete File: gone.txt
*** End Patch
"""
TOUCHED = [
    ("new.txt", ("write",)),
    ("src/old.py", ("write", "delete")),
    ("src/young.py", ("write",)),
    ("gone.txt", ("delete",)),
]

SPELLINGS = sorted({spelling for row in ALIASES.values() for spelling in row} | {"code", "input", "agent_type"})
TOOL_NAMES = ["Bash", "Write", "Edit", "Read", "Glob", "Grep", "Task", "mcp__a__b", None]
values = st.none() | st.booleans() | st.integers() | st.text() | st.just(PATCH) | st.lists(st.text(), max_size=2)
keys = st.sampled_from(
    [*SPELLINGS, "paths", "file_paths", "edits", "replacements", "tool_input", "diff", "pattern"]
) | st.text(max_size=3)
arguments = st.dictionaries(keys, values | st.lists(st.dictionaries(keys, values, max_size=3), max_size=2))
tool_names = st.sampled_from(TOOL_NAMES)


def touched(tool: str | None, given: dict[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    """The files of a call as the matchers see them: from the canonicalised arguments."""
    return [(access.path, access.access) for access in file_accesses(tool, canonicalise(given, tool))]


def written(tool: str | None, given: dict[str, Any]) -> list[str]:
    return list(written_texts(tool, canonicalise(given, tool)))


# --- canonical names ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "given", "added"),
    [
        pytest.param("Write", {"filePath": "a"}, {"file_path": "a"}, id="camelCase path"),
        pytest.param("Read", {"path": "a"}, {"file_path": "a"}, id="bare path"),
        pytest.param("NotebookEdit", {"notebook_path": "a"}, {"file_path": "a"}, id="notebook"),
        pytest.param("Write", {"file_text": "x"}, {"content": "x"}, id="copilot's content"),
        pytest.param(
            "Edit", {"oldString": "x", "newString": "y"}, {"old_string": "x", "new_string": "y"}, id="opencode's edit"
        ),
        pytest.param(
            "Edit", {"old_str": "x", "new_str": "y"}, {"old_string": "x", "new_string": "y"}, id="copilot's edit"
        ),
        pytest.param("Edit", {"replaceAll": True}, {"replace_all": True}, id="replace all"),
        pytest.param("Edit", {"code": "x"}, {"new_string": "x"}, id="code of an editor"),
        pytest.param("Bash", {"code": "x"}, {"command": "x"}, id="code of a shell"),
        pytest.param("execute", {"code": "x"}, {}, id="code of anything else"),
        pytest.param("mcp__a__b", {"script": "x"}, {"command": "x"}, id="script"),
        pytest.param("Grep", {"include": "*.py"}, {"glob": "*.py"}, id="include"),
        pytest.param("Grep", {"include_pattern": "*.py"}, {"glob": "*.py"}, id="include_pattern"),
        pytest.param("Task", {"agent_name": "x"}, {"subagent_type": "x"}, id="gemini's subagent"),
        pytest.param("Task", {"agent_type": "x"}, {"subagent_type": "x"}, id="copilot's subagent"),
        pytest.param("Bash", {"agent_type": "x"}, {}, id="who calls is not whom"),
        pytest.param("Bash", {"dir_path": "src"}, {"workdir": "src"}, id="working directory"),
        pytest.param("Bash", {"cwd": "src"}, {"workdir": "src"}, id="working directory of a shell"),
        pytest.param("mcp__a__b", {"cwd": "src"}, {}, id="cwd of anything else"),
        pytest.param("Write", {"filePath": "a", "file_path": "b"}, {}, id="what is there stays"),
        pytest.param("Write", {"filePath": "a", "file_path": None}, {}, id="even null"),
        pytest.param("custom", {"x": 1}, {}, id="nothing known"),
        pytest.param("Bash", {"command": PATCH}, {}, id="a patch in a shell command is the shell's"),
        pytest.param("Bash", {"command": f"apply_patch <<'EOF'\n{PATCH}EOF"}, {}, id="even one that is applied"),
        pytest.param("Bash", {"command": "ls", "input": PATCH}, {}, id="or that is typed into it"),
    ],
)
def test_canonical_names(tool: str, given: dict[str, Any], added: dict[str, Any]) -> None:
    assert canonicalise(given, tool) == {**given, **added}


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        pytest.param("Edit", {"tool_input": PATCH}, id="raw text"),
        pytest.param("Edit", {"patchText": PATCH}, id="opencode"),
        pytest.param("Edit", {"input": PATCH}, id="vs code"),
        pytest.param("Edit", {"command": PATCH}, id="codex"),
        pytest.param("apply_patch", {"command": PATCH}, id="codex, by the tool's own name"),
    ],
)
def test_a_patch_names_its_files(tool: str, given: dict[str, Any]) -> None:
    expected = {"patch": PATCH, "file_path": "new.txt", "file_paths": [path for path, _ in TOUCHED]}
    assert canonicalise(given, tool) == {**given, **expected}


def test_no_spelling_means_two_things() -> None:
    everywhere = [spelling for row in ALIASES.values() for spelling in row]
    assert len(everywhere) == len(set(everywhere))
    for rows in TOOL_ALIASES.values():
        here = everywhere + [spelling for row in rows.values() for spelling in row]
        assert len(here) == len(set(here))


def test_a_canonical_name_is_its_own_first_spelling() -> None:
    for name in ALIASES:
        assert spellings(name, None)[0] == name


@UNTIMED
@given(arguments, tool_names)
def test_canonical_names_replace_nothing(given: dict[str, Any], tool: str | None) -> None:
    result = canonicalise(given, tool)
    assert {key: result[key] for key in given} == given


@UNTIMED
@given(arguments, tool_names)
def test_canonical_names_of_canonical_names_are_the_same(given: dict[str, Any], tool: str | None) -> None:
    once = canonicalise(given, tool)
    assert canonicalise(once, tool) == once


@UNTIMED
@given(arguments, tool_names)
def test_no_argument_is_too_odd_to_look_at(given: dict[str, Any], tool: str | None) -> None:
    result = canonicalise(given, tool)
    assert all(access.path and set(access.access) <= set(ACCESSES) for access in file_accesses(tool, result))
    assert all(isinstance(text, str) for text in written_texts(tool, result))


# --- several spellings ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "given", "lines"),
    [
        ("Bash", {"command": "a"}, ["a"]),
        ("Bash", {"command": ""}, [""]),
        ("Bash", {"command": 5}, []),
        ("Bash", {"cmd": "b", "command": "a"}, ["a", "b"]),
        ("Bash", {"code": "a", "input": "b"}, ["a", "b"]),
        ("mcp__x__y", {"code": "a", "input": "b"}, []),
        ("mcp__x__y", {"command": ["a", "b c", "it's", 5]}, ["a 'b c' 'it'\"'\"'s' 5"]),
        ("mcp__x__y", {"command": ["a b"]}, ["'a b'", "a b"]),
        ("mcp__x__y", {"command": []}, []),
        ("mcp__x__y", {"command": "a", "args": ["b", "c d"]}, ["a", "a b 'c d'"]),
        ("mcp__x__y", {"executable": "/a b/c", "args": ["d"]}, ["'/a b/c' d"]),
        ("mcp__x__y", {"argv": ["a", "b"]}, ["a b"]),
        ("mcp__x__y", {"shell_command": "a b", "cliCommand": "c d"}, ["a b", "c d"]),
        ("mcp__x__y", {"setup_commands": ["a b", "c"]}, ["'a b' c", "a b", "c"]),
        ("mcp__x__y", {"command_id": "a b"}, []),
        ("Task", {"shell_command": "a"}, ["a"]),
        ("Task", {"cliCommand": "a"}, []),
        ("mcp__x__y", {"deep": [{"er": {"cmd": "a"}}], "command": "b"}, ["b", "a"]),
        ("write_stdin", {"session_id": 1, "chars": "a b\n"}, ["a b\n"]),
        # Keys among what is typed into a shell are named in braces, or are a terminal's own.
        ("Bash", {"input": "a b{enter}"}, ["a b{enter}", "a b\n"]),
        ("Bash", {"input": "a c{backspace}b{Enter}{ENTER}"}, ["a c{backspace}b{Enter}{ENTER}", "a b\n\n"]),
        ("Bash", {"input": "{up}{enter}"}, ["{up}{enter}", '\n"$typed_before" \n']),
        ("Bash", {"input": "\x1b[A\r"}, ["\x1b[A\r", '\n"$typed_before" \n']),
        ("Bash", {"input": "a{home}ls {enter}"}, ["a{home}ls {enter}", 'a\n"$typed_before" ls \n']),
        ("Bash", {"input": "a\x01ls \n"}, ["a\x01ls \n", 'a\n"$typed_before" ls \n']),
        ("Bash", {"input": "echo \x17ls a\n"}, ["echo \x17ls a\n", "ls a\n"]),
        ("Bash", {"input": "echo {ctrl+w}ls\x0b{enter}"}, ["echo {ctrl+w}ls\x0b{enter}", "ls\n"]),
        ("Bash", {"input": "{ctrl+y}{enter}"}, ["{ctrl+y}{enter}", '\n"$typed_before" \n']),
        ("Bash", {"input": "ls{enter}{backspace}{backspace}"}, ["ls{enter}{backspace}{backspace}", "ls\n"]),
        ("Bash", {"input": "\x1b[200~ls\x1b[201~\n"}, ["\x1b[200~ls\x1b[201~\n", "ls\n"]),
        ("Bash", {"input": "x{ctrl+c}a b{ctrl+m}"}, ["x{ctrl+c}a b{ctrl+m}", "a b\n"]),
        ("Bash", {"input": "a {b,c}"}, ["a {b,c}"]),
        ("Bash", {"command": "a {enter}"}, ["a {enter}"]),
        ("write_stdin", {"chars": "a b\r"}, ["a b\r", "a b\n"]),
        (
            "run_vscode_command",
            {"commandId": "workbench.action.terminal.sendSequence", "args": [{"text": "a b\r"}]},
            ["workbench.action.terminal.sendSequence", "a b\n"],
        ),
        ("run_vscode_command", {"commandId": "editor.action.x", "args": [{"text": "a b\n"}]}, []),
        # The cell of a notebook may be a shell's as a whole.
        ("NotebookEdit", {"notebook_path": "x", "new_source": "%%bash\na b"}, ["a b"]),
        ("NotebookEdit", {"notebook_path": "x", "new_source": "%%script --bg /bin/sh\na b"}, ["a b"]),
        ("NotebookEdit", {"notebook_path": "x", "new_source": "%%time\na b"}, []),
        ("Task", {"deep": {"command": "a"}}, []),
        ("Edit", {"command": "create"}, []),
        (None, {"command": "a"}, ["a"]),
        (None, {}, []),
    ],
)
def test_command_lines(tool: str | None, given: dict[str, Any], lines: list[str]) -> None:
    assert list(command_lines(tool, canonicalise(given, tool), given)) == lines


@UNTIMED
@given(arguments, tool_names)
def test_every_spelling_of_a_command_is_a_line(given: dict[str, Any], tool: str | None) -> None:
    lines = command_lines(tool, canonicalise(given, tool), given)
    sent = [given[spelling] for spelling in spellings("command", tool) if spelling in given]
    assert set(lines) >= {text for text in sent if isinstance(text, str)} or tool == "Edit"


@pytest.mark.parametrize(
    ("tool", "own", "values"),
    [
        ("Bash", {"command": "a", "x": 1}, [("a", None)]),
        ("Bash", {"command": "a", "cmd": "a"}, [("a", None)]),
        ("Bash", {"command": "a", "cmd": "b"}, [("a", None), ("b", None)]),
        ("Bash", {"command": None, "cmd": "b"}, [(None, None), ("b", None)]),
        (
            "Bash",
            {"command": "a", "cmd": "b", "workdir": "c", "dir_path": "d"},
            [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")],
        ),
        ("Bash", "a", [(None, None)]),
    ],
)
def test_arguments_are_read_in_every_spelling(tool: str, own: Any, values: list[Any]) -> None:
    tool_input = canonicalise(own, tool) if isinstance(own, dict) else {"tool_input": own}
    found = list(readings(tool, tool_input, own))
    assert found[0] == tool_input
    assert [(one.get("command"), one.get("workdir")) for one in found] == values


# --- files ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "given", "files"),
    [
        pytest.param("Read", {"file_path": "a"}, [("a", ("read",))], id="read"),
        pytest.param("Write", {"filePath": "a"}, [("a", ("write",))], id="write"),
        pytest.param("Edit", {"path": "a", "old_str": "x"}, [("a", ("write",))], id="edit"),
        pytest.param("Glob", {"pattern": "**/*.py"}, [("**/*.py", ("read",))], id="glob"),
        pytest.param(
            "Glob", {"pattern": "*", "path": "src"}, [("src", ("read",)), ("*", ("read",))], id="glob in a path"
        ),
        pytest.param(
            "Grep", {"pattern": "x", "paths": "src"}, [("src", ("read",)), ("src/*", ("read",))], id="copilot's grep"
        ),
        pytest.param(
            "Grep", {"pattern": "x", "dir_path": "src"}, [("src", ("read",)), ("src/*", ("read",))], id="gemini's grep"
        ),
        pytest.param("Read", {"paths": ["a", 7, "b"]}, [("a", ("read",)), ("b", ("read",))], id="list of paths"),
        pytest.param(
            "read_many_files", {"include": ["a", "b/*"]}, [("a", ("read",)), ("b/*", ("read",))], id="included"
        ),
        pytest.param("mcp__x__search", {"include": "*.py"}, [], id="a filter"),
        pytest.param("list_directory", {"dir_path": "src"}, [("src", ("read",))], id="listing"),
        pytest.param("mcp__x__y", {"path": "a"}, [("a", ("read", "write", "delete"))], id="unknown tool"),
        pytest.param("Bash", {"path": "a", "command": "rm a"}, [], id="a shell's files are not ours to see"),
        pytest.param("Bash", {"command": PATCH}, [], id="nor is a patch in a shell command"),
        pytest.param("Bash", {"command": f"apply_patch <<'EOF'\n{PATCH}EOF"}, TOUCHED, id="unless it is applied"),
        pytest.param("WebFetch", {"url": "https://x"}, [], id="no file"),
        pytest.param("Write", {"file_path": 7}, [], id="no text"),
        pytest.param("Write", {"file_path": ""}, [], id="empty"),
        pytest.param(
            "Edit",
            {"edits": [{"file_path": "a"}, {"filePath": "b"}, "noise", {"old_string": "x"}]},
            [("a", ("write",)), ("b", ("write",))],
            id="several edits",
        ),
        pytest.param(
            "Edit",
            {"explanation": "e", "replacements": [{"filePath": "a", "newString": "x"}, {"filePath": "b"}]},
            [("a", ("write",)), ("b", ("write",))],
            id="vs code's replacements",
        ),
        pytest.param(
            "Read", {"filePath": "a", "file_path": "b"}, [("b", ("read",)), ("a", ("read",))], id="two spellings"
        ),
        pytest.param("Read", {"file_path": None, "path": "a"}, [("a", ("read",))], id="null beside a path"),
        pytest.param(
            "Write",
            {"filePath": "real", "patchText": "*** Begin Patch\n*** Update File: decoy"},
            [("decoy", ("write",)), ("real", ("write",))],
            id="a patch hides no path",
        ),
        pytest.param(
            "Read",
            {"filePath": "a", "patchText": "*** Begin Patch\n*** Update File: a"},
            [("a", ("write",)), ("a", ("read",))],
            id="nor what is done to it",
        ),
        pytest.param(
            "Edit",
            {"patch": "*** Begin Patch\n*** Add File: decoy", "patchText": "*** Begin Patch\n*** Add File: real"},
            [("decoy", ("write",)), ("real", ("write",))],
            id="nor does another patch",
        ),
    ],
)
def test_files(tool: str, given: dict[str, Any], files: list[Any]) -> None:
    assert touched(tool, given) == files


@pytest.mark.parametrize("key", ["tool_input", "patchText", "input", "command"])
def test_files_of_a_patch(key: str) -> None:
    # What a patch takes away counts as written too.
    assert touched("Edit", {key: PATCH}) == [*TOUCHED, ("src/old.py", ("write",)), ("gone.txt", ("write",))]


@pytest.mark.parametrize(
    ("patch", "files"),
    [
        pytest.param(PATCH, TOUCHED, id="every header"),
        pytest.param(PATCH.replace("\n", "\r\n"), TOUCHED, id="CRLF"),
        pytest.param(PATCH.replace("File: ", "File:").replace("to: ", "to:"), TOUCHED, id="no blank after the colon"),
        pytest.param("  " + PATCH.replace("\n*** ", "\n  *** "), TOUCHED, id="indented"),
        pytest.param("cat <<'EOF'\n" + PATCH + "EOF\n", TOUCHED, id="in a here-document"),
        pytest.param("*** Begin Patch\n*** Add File: a b.txt  \n", [("a b.txt", ("write",))], id="blanks in the name"),
        pytest.param("*** Begin Patch\n*** Add File: a\u2028b\n", [("a\u2028b", ("write",))], id="odd line separator"),
        pytest.param("*** Begin Patch\n*** Add File: \n*** Move to: a\n", [("a", ("write",))], id="no name"),
        pytest.param("*** Begin Patch\n+*** Delete File: a\n*** End Patch", [], id="a header as text"),
        pytest.param("*** Begin Patch\n*** Rename File: a\n", [], id="unknown header"),
        pytest.param("", [], id="empty"),
    ],
)
def test_patch_headers(patch: str, files: list[Any]) -> None:
    assert [(access.path, access.access) for access in patch_accesses(patch)] == files


@UNTIMED
@given(st.text())
def test_any_text_can_be_read_as_a_patch(text: str) -> None:
    for access in patch_accesses(text):
        assert access.path in text


@UNTIMED
@given(st.lists(st.text("abc/.", min_size=1), min_size=1), st.sampled_from(["\n", "\r\n"]))
def test_every_file_of_a_patch_is_seen(paths: list[str], ending: str) -> None:
    patch = ending.join(["*** Begin Patch", *(f"*** Update File: {path}{ending}+x" for path in paths), "*** End Patch"])
    assert [access.path for access in patch_accesses(patch)] == paths


EDIT = "*** Begin Patch\n*** Update File: f\n+x\n*** End Patch\n"
HERE = f"<<'EOF'\n{EDIT}EOF"


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(f"apply_patch {HERE}", id="here-document"),
        pytest.param(f"apply_patch<<'EOF'\n{EDIT}EOF", id="no blank before it"),
        pytest.param(f"<<'EOF' apply_patch\n{EDIT}EOF", id="behind it"),
        pytest.param(f"apply_patch '{EDIT}'", id="argument"),
        pytest.param(f"applypatch {HERE}", id="the other name"),
        pytest.param(f'"apply_patch" {HERE}', id="quoted"),
        pytest.param(f"apply''_patch {HERE}", id="quoted in the middle"),
        pytest.param(f"\\apply_patch {HERE}", id="after a backslash"),
        pytest.param(f"apply\\\n_patch {HERE}", id="over two lines"),
        pytest.param(f"ls\n  apply_patch {HERE}", id="on a later line"),
        pytest.param(f"ls\r\napply_patch {HERE}", id="after CRLF"),
        *(pytest.param(f"true{sign}apply_patch {HERE}", id=f"after {sign}") for sign in (";", " && ", "|", "&")),
        *(pytest.param(f"{sign}apply_patch {HERE}", id=f"after {sign}") for sign in ("(", "{ ", "`", "x=$(")),
        pytest.param(f"/x/apply_patch {HERE}", id="with its path"),
        pytest.param(f"command apply_patch {HERE}", id="command"),
        pytest.param(f"env A=1 apply_patch {HERE}", id="env"),
        pytest.param(f"A=1 apply_patch {HERE}", id="variable"),
        pytest.param(f"sudo -u me apply_patch {HERE}", id="sudo"),
        pytest.param(f"timeout 5 apply_patch {HERE}", id="timeout"),
        pytest.param(f"if true; then apply_patch {HERE}", id="then"),
        pytest.param(f'bash -lc "apply_patch {HERE}"', id="another shell"),
        pytest.param(f"printf '%s' '{EDIT}' | apply_patch", id="through a pipe"),
    ],
)
def test_a_shell_command_that_applies_a_patch_names_its_files(command: str) -> None:
    assert touched("Bash", {"command": command}) == [("f", ("write",))]
    assert written("Bash", {"command": command}) == ["x"]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(f"git commit -m 'Explain apply_patch, as in\n{EDIT}'", id="commit message"),
        pytest.param(f"cat > notes.md <<'EOF'\nWith apply_patch one writes\n{EDIT}EOF", id="notes"),
        pytest.param(f"cat > notes.md <<'EOF'\n- apply_patch takes\n{EDIT}EOF", id="list"),
        pytest.param(f"echo apply_patch {HERE}", id="echo"),
        pytest.param(f"my_apply_patch {HERE}", id="longer name before"),
        pytest.param(f"apply_patch_test {HERE}", id="longer name behind"),
        pytest.param("apply_patch <<'EOF'\n*** Update File: f\nEOF", id="no patch"),
    ],
)
def test_a_shell_command_that_only_mentions_a_patch_names_no_file(command: str) -> None:
    assert touched("Bash", {"command": command}) == []
    assert written("Bash", {"command": command}) == []


@pytest.mark.parametrize(
    ("before", "paths"),
    [
        pytest.param("cd d && ", ["f", "d/f"], id="bare"),
        pytest.param('cd "a b" && ', ["f", "a b/f"], id="double quotes"),
        pytest.param("cd 'a && b' && ", ["f", "a && b/f"], id="single quotes"),
        pytest.param("cd a\\ b && ", ["f", "a b/f"], id="backslash"),
        pytest.param('cd "$HOME"/.codex && ', ["f", "~/.codex/f"], id="home by its variable"),
        pytest.param("cd ${HOME}/.codex && ", ["f", "~/.codex/f"], id="home in braces"),
        pytest.param("cd ~/.codex && ", ["f", "~/.codex/f"], id="home"),
        pytest.param("cd && ", ["f", "~/f"], id="home by no word"),
        pytest.param("cd /a/ && ", ["f", "/a/f"], id="absolute"),
        pytest.param("cd -- d && ", ["f", "d/f"], id="end of the options"),
        pytest.param("cd -P d && ", ["f", "d/f"], id="option"),
        pytest.param("cd d; ", ["f", "d/f"], id="semicolon"),
        pytest.param("cd d\n", ["f", "d/f"], id="line"),
        pytest.param("cd d&&", ["f", "d/f"], id="no blank"),
        pytest.param("pushd d && ", ["f", "d/f"], id="pushd"),
        pytest.param("command cd d && ", ["f", "d/f"], id="command"),
        pytest.param("(cd d && ", ["f", "d/f"], id="subshell"),
        pytest.param("cd a && cd b && ", ["f", "a/f", "b/f", "a/b/f"], id="two"),
        pytest.param("cd a && cd /b && ", ["f", "a/f", "/b/f"], id="the second absolute"),
        pytest.param(
            "cd a && cd .. && cd b && ", ["f", "a/f", "../f", "a/../f", "b/f", "a/b/f", "../b/f", "a/../b/f"], id="back"
        ),
        pytest.param("echo cd d && ", ["f"], id="no call of cd"),
        pytest.param("cd-ish d && ", ["f"], id="another program"),
    ],
)
def test_a_patch_in_a_shell_command_is_read_where_the_command_went(before: str, paths: list[str]) -> None:
    assert [path for path, _ in touched("Bash", {"command": f"{before}apply_patch {HERE}"})] == paths


def test_where_a_command_went_changes_no_absolute_path() -> None:
    command = f"cd d && apply_patch {HERE}".replace("File: f", "File: /f")
    assert touched("Bash", {"command": command}) == [("/f", ("write",))]


def test_where_a_command_goes_after_a_patch_changes_nothing() -> None:
    assert touched("Bash", {"command": f"apply_patch {HERE}\ncd d"}) == [("f", ("write",))]


def test_a_move_in_a_shell_commands_patch_takes_the_file_away_wherever_it_is() -> None:
    moved = touched("Bash", {"command": f"cd d && apply_patch <<'EOF'\n{PATCH}EOF"})
    assert moved == [*TOUCHED, *((f"d/{path}", access) for path, access in TOUCHED)]


@pytest.mark.parametrize("part", [";", "cd d;", "cd 'd;", "apply_patch ", "apply_patch;", "x", "env "])
def test_no_shell_command_makes_more_readings_than_a_few(part: str) -> None:
    command = f"{part * (200_000 // len(part))}\napply_patch {HERE}"
    assert 1 <= len(touched("Bash", {"command": command})) <= 16


# --- text written ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "given", "texts"),
    [
        pytest.param("Write", {"content": "x"}, ["x"], id="content"),
        pytest.param("Write", {"file_text": "x"}, ["x"], id="copilot's content"),
        pytest.param("Edit", {"old_string": "x", "new_string": "y"}, ["y"], id="only the new text"),
        pytest.param("Edit", {"filePath": "a", "code": "x"}, ["x"], id="vs code's insert"),
        pytest.param("NotebookEdit", {"new_source": "x"}, ["x"], id="cell"),
        pytest.param("Edit", {"edits": [{"new_string": "x"}, {"new_string": "y"}]}, ["x", "y"], id="several edits"),
        pytest.param("Edit", {"replacements": [{"newString": "x"}]}, ["x"], id="vs code's replacements"),
        pytest.param("Edit", {"patchText": PATCH}, ["hello\n    return 2\n++ counter"], id="added lines of a patch"),
        pytest.param("Edit", {"diff": "+++ b/a\n@@\n-old\n+new"}, ["++ b/a\nnew"], id="added lines of a diff"),
        pytest.param("Write", {"content": "x", "contents": "y"}, ["x", "y"], id="two spellings"),
        pytest.param(
            "Write", {"content": "x", "patchText": PATCH}, ["hello\n    return 2\n++ counter", "x"], id="both"
        ),
        pytest.param("Bash", {"command": "echo x > a"}, [], id="a shell's text is not ours to see"),
        pytest.param(
            "Bash",
            {"command": f"apply_patch <<'EOF'\n{PATCH}EOF"},
            ["hello\n    return 2\n++ counter"],
            id="unless it applies a patch",
        ),
    ],
)
def test_written_texts(tool: str, given: dict[str, Any], texts: list[str]) -> None:
    assert written(tool, given) == texts


def test_strings_come_in_order_and_from_any_depth() -> None:
    deep: Any = "bottom"
    for _ in range(100_000):
        deep = [deep]
    assert list(strings_in({"a": ["x", {"b": "y"}], "c": 7, "d": deep})) == ["x", "y", "bottom"]


# --- rewriting ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "own", "changes", "result"),
    [
        pytest.param(
            "Bash", {"command": "x", "timeout": 5}, {"command": "y"}, {"command": "y", "timeout": 5}, id="plain"
        ),
        pytest.param("Edit", {"newString": "x"}, {"new_string": "y"}, {"newString": "y"}, id="the agent's spelling"),
        pytest.param("Bash", {"code": "x"}, {"command": "y"}, {"code": "y"}, id="the tool's own spelling"),
        pytest.param("Bash", {"command": "x"}, {"timeout": 5}, {"command": "x", "timeout": 5}, id="a new argument"),
        pytest.param(
            "Write",
            {"file_path": "a", "filePath": "b"},
            {"file_path": "c"},
            {"file_path": "c", "filePath": "c"},
            id="both",
        ),
        pytest.param("Bash", {}, {}, {}, id="nothing"),
        pytest.param(
            "Bash",
            {"workdir": "a", "dir_path": "b", "command": "c", "cmd": "d"},
            {"workdir": "x", "command": "y"},
            {"workdir": "x", "dir_path": "x", "command": "y", "cmd": "y"},
            id="each of several",
        ),
        pytest.param("mcp__a__b", {"command": "c", "args": ["d"]}, {"command": "y"}, None, id="arguments elsewhere"),
        pytest.param("mcp__a__b", {"command": "c", "commands": ["d"]}, {"command": "y"}, None, id="more commands"),
        pytest.param("mcp__a__b", {"params": {"command": "c"}}, {"command": "y"}, None, id="inside of another"),
        pytest.param("mcp__a__b", {"params": [{"cmd": "c"}]}, {"command": "y"}, None, id="inside of a list"),
        pytest.param("mcp__a__b", {"a": [{"b": {"cmd": "c"}}]}, {"command": "y"}, None, id="deep inside"),
        pytest.param("Edit", {"edits": [{"new_string": "c"}]}, {"new_string": "y"}, None, id="one of several edits"),
        pytest.param("Grep", {"paths": ["a"]}, {"file_path": "y"}, None, id="one of several paths"),
        pytest.param("mcp__a__b", {"a": [{"b": {"path": "c"}}]}, {"file_path": "y"}, None, id="a path deep inside"),
        pytest.param("Edit", PATCH, {"patch": "x"}, None, id="raw text"),
        pytest.param("Edit", None, {"patch": "x"}, None, id="no input"),
        pytest.param("Edit", ["x"], {"patch": "x"}, None, id="list"),
    ],
)
def test_rewritten(tool: str, own: object, changes: dict[str, Any], result: object) -> None:
    assert rewritten(own, tool, changes) == result


@UNTIMED
@given(arguments, st.dictionaries(st.sampled_from([*ALIASES, "timeout"]), st.text()), tool_names)
def test_what_was_rewritten_reads_as_the_rule_says(
    own: dict[str, Any], changes: dict[str, str], tool: str | None
) -> None:
    before = dict(own)
    result = rewritten(own, tool, changes)
    assert own == before
    if result is None:
        # It is elsewhere, too, in a list; or it has keys in it, so that it reads as another line besides.
        has_keys = typed(changes.get("command", "")) != changes.get("command", "")
        assert has_keys or any(isinstance(one, list) for one in own.values()) or {"paths", "file_paths"} & own.keys()
        return
    for canonical in readings(tool, canonicalise(result, tool), result):
        assert {name: canonical[name] for name in changes} == changes
    assert "command" not in changes or set(command_lines(tool, result)) <= {changes["command"]}


ANY = ("read", "write", "delete")


@pytest.mark.parametrize(
    ("tool", "given", "files"),
    [
        ("mcp__fs__write_file", {"relative_path": "a"}, [("a", ANY)]),
        ("mcp__fs__edit", {"edits": [{"file": "a"}]}, [("a", ANY)]),
        ("mcp__fs__do", {"operations": [{"path": "a"}]}, [("a", ANY)]),
        ("SendUserFile", {"files": ["a", "b"]}, [("b", ANY), ("a", ANY)]),
        ("mcp__b__navigate", {"url": "file:///home/u/.ssh/id%5Frsa"}, [("/home/u/.ssh/id_rsa", ANY)]),
        ("mcp__b__navigate", {"url": "file://localhost/home/u/.ssh/id_rsa"}, [("/home/u/.ssh/id_rsa", ANY)]),
        ("mcp__b__navigate", {"url": "FILE://LocalHost//home/u/.ssh/id_rsa"}, [("/home/u/.ssh/id_rsa", ANY)]),
        ("mcp__b__navigate", {"url": "file://127.0.0.1/etc/shadow"}, [("/etc/shadow", ANY)]),
        ("mcp__b__navigate", {"url": "file://localhost"}, [("/localhost", ANY)]),
        ("mcp__b__navigate", {"url": "file:/etc/shadow"}, [("/etc/shadow", ANY)]),
        ("mcp__x__y", {"deep": {"anything": "~/.netrc"}}, [("~/.netrc", ANY)]),
        ("mcp__x__y", {"text": "see ~/.netrc"}, []),
        ("mcp__x__y", {"text": "/one\nline"}, []),
        ("mcp__fs__read_file", {"path": "a"}, [("a", ("read",))]),
        ("mcp__fs__getFileInfo", {"path": "a"}, [("a", ("read",))]),
        ("mcp__fs__read_and_delete", {"path": "a"}, [("a", ANY)]),
        ("Task", {"prompt": "~/.netrc"}, []),
        ("Grep", {"path": "~", "glob": "id_rsa"}, [("~", ("read",)), ("~/id_rsa", ("read",))]),
        ("Grep", {"pattern": "x", "include": ".env"}, [("./.env", ("read",))]),
    ],
)
def test_files_of_tools_and_filters_without_a_table(
    tool: str, given: dict[str, Any], files: list[tuple[str, tuple[str, ...]]]
) -> None:
    found = [(file.path, file.access) for file in file_accesses(tool, canonicalise(given, tool), given)]
    assert sorted(set(found)) == sorted(files)


def test_a_payloads_own_keys_are_no_arguments_of_a_tool_we_do_not_know() -> None:
    flat = {"text": "x", "mcp_server": {"source": "~/.netrc"}}
    assert file_accesses("mcp__a__b", flat, {"text": "x"}) == ()


def test_a_byte_order_mark_hides_no_file_of_a_patch() -> None:
    patch = "*** Begin Patch\n*** Add File: \ufeff.rulez/rules.yaml\n+x\n*** End Patch"
    assert [file.path for file in patch_accesses(patch)] == [".rulez/rules.yaml"]


@pytest.mark.parametrize(
    ("tool", "given", "texts"),
    [
        ("mcp__lab__evaluate", {"code": "a b"}, ("a b",)),
        ("mcp__lab__run", {"cells": [{"source": "a b"}, {"source": ["c d"]}]}, ("a b", "c d")),
        ("mcp__web__evaluate", {"expression": "f()"}, ()),
        ("mcp__x__y", {"python_code": "a b", "countryCode": "DE"}, ("a b",)),
        ("Task", {"python_code": "a b"}, ()),
        ("Edit", {"notebook_path": "x.ipynb", "new_source": "!a b"}, ("!a b",)),
        ("Edit", {"file_path": "x.py", "new_string": "a b", "code": "a b"}, ()),
        ("Write", {"file_path": "x", "content": "a b"}, ()),
        ("Bash", {"code": "a b"}, ("a b",)),
        ("Bash", {"command": "a b"}, ()),
    ],
)
def test_texts_that_a_call_may_run_as_code(tool: str, given: dict[str, Any], texts: tuple[str, ...]) -> None:
    assert codes(tool, given, given) == texts
