"""The arguments of a tool call in canonical terms: argument names, files touched, text written.

Agents spell the same argument differently (`file_path`, `filePath`, `path`); rules use one name. The spellings come
from contracts/*.md ("Tools") and the recorded payloads.
"""

from __future__ import annotations

import os

from rulez_py.analysis import Value
from rulez_py.event import CANONICAL_TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# Canonical argument name -> every spelling seen, most telling first. INVARIANT: no spelling is in two rows.
ALIASES: dict[str, tuple[str, ...]] = {
    "command": ("command", "cmd", "script", "command_line", "commandLine"),
    "file_path": (
        "file_path",
        "filePath",
        "path",
        "notebook_path",
        "notebookPath",
        "absolute_path",
        "absolutePath",
        "fileName",
        "target_file",
        "directory_path",
        "directory_absolute_path",
    ),
    "content": ("content", "file_text", "fileText", "contents", "file_content"),
    "old_string": ("old_string", "oldString", "old_str", "oldStr", "old_text"),
    "new_string": (
        "new_string",
        "newString",
        "new_str",
        "newStr",
        "new_source",
        "newSource",
        "newText",
        "new_text",
        "newCode",
        "insert_text",
    ),
    "replace_all": ("replace_all", "replaceAll", "allow_multiple"),
    "url": ("url", "uri"),
    "glob": ("glob", "include", "include_pattern", "includePattern", "glob_pattern", "files_include_glob_pattern"),
    "subagent_type": ("subagent_type", "agent_name", "agentName"),
    "workdir": ("workdir", "dir_path", "dirPath"),
    "patch": ("patch", "patchText", "patch_text"),
}

# Names that mean different things to different tools: they count only for the canonical tool named here.
TOOL_ALIASES: dict[str, dict[str, tuple[str, ...]]] = {
    "Bash": {
        "command": ("code", "input"),
        "workdir": ("cwd", "directory", "working_directory", "workingDirectory"),
    },
    "Edit": {"new_string": ("code",), "patch": ("input",)},
    "Glob": {"file_path": ("folder",)},
    "Task": {"subagent_type": ("agent_type", "agentType")},
}

READ, WRITE, DELETE, SEND = "read", "write", "delete", "send"
ACCESSES: tuple[str, ...] = (READ, WRITE, DELETE, SEND)
_ANYTHING = (READ, WRITE, DELETE)

_ACCESS_OF_TOOL: dict[str, tuple[str, ...]] = {
    "Read": (READ,),
    "Glob": (READ,),
    "Grep": (READ,),
    "LS": (READ,),
    "Write": (WRITE,),
    "Edit": (WRITE,),
}

# Other names for the words or lines of a command, and for the working directory, in any case and with any separators.
_COMMAND_LISTS = ("commands", "cmds")
_COMMAND_WORDS = frozenset(
    ("command", "cmd", "script", "commandline", "shellcommand", "argv", "chars", *_COMMAND_LISTS)
)
_DIRECTORY_WORDS = frozenset(("workdir", "dirpath", "cwd", "directory", "workingdirectory", "workingdir"))
_TYPED = {"Bash": ("input", "chars")}
"""Of a canonical tool, the arguments that are typed into a shell that runs; of those not named `chars` alone."""
_PROGRAM_KEYS = ("program", "executable")
_ARGUMENT_LISTS = ("args", "arguments", "argv")
_WITHOUT_COMMANDS = ("Edit", "Workflow")
"""Tools whose `command` or `script` is no shell command: a patch, an editor's action, a program in JavaScript."""
_CODE_WORDS = frozenset(
    (
        *("code", "source", "newsource", "snippet", "javascript", "python", "ruby", "expression", "function", "cell"),
        *("cellsource", "newcode", "sourcecode", "statement", "evaluate", "repl", "stdin", "keys"),
    )
)
"""Arguments that may hold code in an unnamed language, of a tool that is no file tool."""
_CODE_ENDS = ("code", "snippet")
_COMMAND_ENDS_OF_NAMES = ("command", "commands", "commandline", "cmd", "commandtext", "commandstring")
"""Endings of argument names that hold such code, of an unknown tool."""
_NOTEBOOK_KEYS = ("notebook_path", "notebookPath")
_MAY_RUN = {"Bash": (*_NOTEBOOK_KEYS, "code")}
"""Of a canonical tool, the arguments that say that it may run code; of those not named the notebook's."""
_PLAIN_CHARACTERS = frozenset("_./:=,@%+-")

_EDIT_LISTS = ("edits", "replacements")
_PATH_LISTS = ("paths", "file_paths", "filePaths")

PATCH_START = "*** Begin Patch"
_PATCH_KEYS = ("patch", "patchText", "patch_text", "tool_input", "input", "command")
_PATCH_HEADERS: tuple[tuple[str, str], ...] = (
    ("*** Add File:", WRITE),
    ("*** Update File:", WRITE),
    ("*** Move to:", WRITE),
    ("*** Delete File:", DELETE),
)

# A tool we have no table for names its files somewhere: under a key that speaks of files, or plainly as a path.
_FILE_WORDS = ("path", "file", "dir", "folder", "source", "dest", "target")
_PLAIN_PATHS = ("/", "~", "./", "../")
_THIS_MACHINE = ("localhost", "127.0.0.1")
"""Hosts that programs accept in a `file:` URL."""
_LONGEST_PATH = 4096
_READING = frozenset(
    ("read", "get", "list", "search", "view", "show", "info", "find", "fetch", "stat", "describe", "query", "check")
)
_CHANGING = frozenset(
    (
        *("write", "edit", "create", "delete", "remove", "move", "rename", "copy", "put", "set", "update", "append"),
        *("save", "replace", "patch", "insert", "upload", "touch", "make", "mkdir", "execute", "run", "exec", "apply"),
        *("add", "send", "post"),
    )
)


class FileAccess(Value):
    """One file a call touches, as the agent spelled it; `access` holds every way it may be touched."""

    path: str
    access: tuple[str, ...]


def spellings(name: str, tool_name: str | None) -> tuple[str, ...]:
    """Return every spelling of a canonical argument name for one tool, most telling first."""
    extra = TOOL_ALIASES.get(tool_name or "", {}).get(name, ())
    return (*ALIASES.get(name, (name,)), *extra)


def canonical_name(spelling: str, tool_name: str | None) -> str:
    """Return the canonical name of an argument that one tool spells so; the spelling itself where none is known."""
    names = {**ALIASES, **TOOL_ALIASES.get(tool_name or "", {})}
    if spelling in names:
        return spelling
    return next((name for name in names if spelling in spellings(name, tool_name)), spelling)


def canonicalise(arguments: Mapping[str, object], tool_name: str | None) -> dict[str, object]:
    """`arguments` plus, beside each known spelling, its canonical name; what is already there is never replaced.

    A raw patch (an `apply_patch` whose input is text, or is in `command` or `input`) also gains `patch`,
    `file_path` (the first file) and `file_paths` (all of them).
    """
    result = dict(arguments)
    for name in {**ALIASES, **TOOL_ALIASES.get(tool_name or "", {})}:
        if name in result:
            continue
        for spelling in spellings(name, tool_name):
            if spelling in arguments:
                result[name] = arguments[spelling]
                break
    # A shell command stays one: what it may patch is seen by `file_accesses` alone.
    for patch in () if tool_name == "Bash" else patch_texts(tool_name, result)[:1]:
        result.setdefault("patch", patch)
        paths = [access.path for access in patch_accesses(patch)]
        if paths:
            result.setdefault("file_path", paths[0])
            result.setdefault("file_paths", paths)
    return result


def readings(
    tool_name: str | None, tool_input: Mapping[str, object], own_input: object
) -> Iterator[Mapping[str, object]]:
    """`tool_input` in every way it can be read: where an argument has several spellings, its name means each in turn.

    First as it is. Which of the spellings the tool obeys is for the tool to know.
    """
    several: list[tuple[str, list[object]]] = []
    if isinstance(own_input, dict):
        for name in {**ALIASES, **TOOL_ALIASES.get(tool_name or "", {})}:
            values: list[object] = []
            for spelling in spellings(name, tool_name):
                if spelling in own_input and own_input[spelling] not in values:
                    values.append(own_input[spelling])
            if len(values) > 1:
                several.append((name, values))
    return _with_each_of(several, tool_input)


def _with_each_of(
    several: list[tuple[str, list[object]]], tool_input: Mapping[str, object]
) -> Iterator[Mapping[str, object]]:
    if not several:
        yield tool_input
        return
    (name, values), *rest = several
    for value in values:
        yield from _with_each_of(rest, {**tool_input, name: value})


def command_lines(
    tool_name: str | None, tool_input: Mapping[str, object], own_input: object = None, *, known: bool = False
) -> tuple[str, ...]:
    """Return every command line that a call may run, each once; of the shell's own tool the one it runs comes first.

    Under every spelling, because which of them counts is for the tool to know. A list is the line with these words, and
    where it cannot be one, or is called a list of commands, each of its texts is a line. A program with its arguments
    beside it counts with and without them. A tool that the platform is not `known` to have may have its command at any
    depth.
    """
    if tool_name in _WITHOUT_COMMANDS:
        return ()
    found: dict[str, None] = {}
    given = tool_input.get("command")
    if isinstance(given, str):
        found[given] = None
    for arguments in _argument_lists(tool_name, tool_input, own_input, known):
        found.update(dict.fromkeys(_lines_in(tool_name, arguments, anything=not _is_known(tool_name, known))))
    found.update(dict.fromkeys(_typed_lines(tool_name, tool_input, own_input, tuple(found), known)))
    return tuple(found)


def _typed_lines(
    tool_name: str | None, tool_input: Mapping[str, object], own_input: object, lines: tuple[str, ...], known: bool
) -> Iterator[str]:
    """Yield the command lines of texts that are typed: with keys into a terminal, into a notebook's cell."""
    arguments = own_input if isinstance(own_input, dict) else tool_input
    texts = tuple(_strings_under(_TYPED.get(tool_name or "", ("chars",)), None, arguments))
    if not _is_known(tool_name, known):
        texts = lines
    if tool_name not in CANONICAL_TOOLS:
        cell = codes(tool_name, tool_input, own_input, known=known)
        sent = () if known else tuple(strings_in(arguments))
        if any("%%" in text for text in cell) or any("erminal" in text for text in sent):
            from rulez_py.event.typed import cells, sends_to_terminal

            yield from cells(cell)
            texts = (*texts, *sent) if sends_to_terminal(sent) else texts
    yield from typed_lines(texts)


def typed_lines(texts: Iterable[str]) -> Iterator[str]:
    """Yield the command lines of texts that are typed into a terminal; keys among the letters are named."""
    for text in texts:
        # A quick no for most.
        if "{" in text or "<" in text or not text.isprintable():
            from rulez_py.event.typed import typed

            yield typed(text)
        else:
            yield text


def codes(
    tool_name: str | None, tool_input: Mapping[str, object], own_input: object = None, *, known: bool = False
) -> tuple[str, ...]:
    """Every text that a call may run as code, in whatever language: of a notebook's cell, of a tool that evaluates."""
    found: dict[str, None] = {}
    if tool_name in CANONICAL_TOOLS and not any(
        key in tool_input for key in _MAY_RUN.get(tool_name or "", _NOTEBOOK_KEYS)
    ):
        return ()
    for arguments in _argument_lists(tool_name, tool_input, own_input, known):
        for key, value in arguments.items():
            word = _plain_key(key)
            if word in _CODE_WORDS or (not _is_known(tool_name, known) and word.endswith(_CODE_ENDS)):
                found.update(dict.fromkeys(text for text in _strings(value) if " " in text.strip()))
    return tuple(found)


def of_any_language(
    tool_name: str | None, tool_input: Mapping[str, object], own_input: object = None, *, known: bool = False
) -> frozenset[str]:
    """The command lines that need not be a shell's: a `script` of a tool we do not know may be a browser's as well."""
    if _is_known(tool_name, known):
        return frozenset()
    scripts: set[str] = set()
    others: set[str] = set()
    for arguments in _argument_lists(tool_name, tool_input, own_input, known):
        for key, value in arguments.items():
            if isinstance(value, str) and _plain_key(key) in _COMMAND_WORDS:
                (scripts if _plain_key(key) == "script" else others).add(value)
    return frozenset(scripts - others)


def working_directories(
    tool_name: str | None, tool_input: Mapping[str, object], own_input: object = None, *, known: bool = False
) -> tuple[str, ...]:
    """Return every directory that a call asks to run its command in, as spelled."""
    found = dict.fromkeys(_strings(tool_input.get("workdir")))
    for arguments in _argument_lists(tool_name, tool_input, own_input, known):
        for key, value in arguments.items():
            if _plain_key(key) in _DIRECTORY_WORDS:
                found.update(dict.fromkeys(_strings(value)))
    return tuple(directory for directory in found if directory)


def _is_known(tool_name: str | None, known: bool) -> bool:
    return known or not tool_name or tool_name in CANONICAL_TOOLS


def _argument_lists(
    tool_name: str | None, tool_input: Mapping[str, object], own_input: object, known: bool
) -> Iterator[Mapping[str, object]]:
    """Yield a tool's arguments; of one we do not know, also those inside of them."""
    arguments = own_input if isinstance(own_input, dict) else tool_input
    if _is_known(tool_name, known):
        yield arguments
        return
    stack: list[object] = [arguments]
    while stack:
        item = stack.pop()
        if isinstance(item, (list, tuple)):
            stack.extend(reversed(item))
        elif isinstance(item, dict):
            yield item
            stack.extend(reversed(list(item.values())))


def _lines_in(tool_name: str | None, arguments: Mapping[str, object], *, anything: bool) -> Iterator[str]:
    behind = [line for key in _ARGUMENT_LISTS for line in _whole_line(arguments.get(key))]
    more = TOOL_ALIASES.get(tool_name or "", {}).get("command", ())
    for key, value in arguments.items():
        word = _plain_key(key)
        if word in _COMMAND_WORDS or key in more or (anything and word.endswith(_COMMAND_ENDS_OF_NAMES)):
            for line in _lines_of(value, each=word.endswith(_COMMAND_LISTS)):
                yield line
                if word != "argv":
                    yield from (f"{line} {words}" for words in behind)
        elif behind and key in _PROGRAM_KEYS and isinstance(value, str):
            yield from (f"{quoted(value)} {words}" for words in behind)


def _plain_key(key: object) -> str:
    return key.lower().replace("_", "").replace("-", "") if isinstance(key, str) else ""


def _lines_of(value: object, *, each: bool) -> Iterator[str]:
    yield from _whole_line(value)
    if isinstance(value, (list, tuple)):
        texts = [item for item in value if isinstance(item, str)]
        # No program has blanks in its name, so these are lines.
        if each or len(value) == 1 or (texts[:1] and " " in texts[0].strip()):
            yield from texts
            yield from (line for item in value if not isinstance(item, str) for line in _whole_line(item))


def _whole_line(value: object) -> Iterator[str]:
    """Yield a text as it is, a list as the line with these words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        words = [quoted(str(item)) for item in value if isinstance(item, (str, int, float))]
        if words:
            yield " ".join(words)


def quoted(word: str) -> str:
    """Return a word as a shell would have to be given it."""
    if word and all(character.isalnum() or character in _PLAIN_CHARACTERS for character in word) and word.isascii():
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"


def patch_texts(tool_name: str | None, arguments: Mapping[str, object]) -> tuple[str, ...]:
    """Return every `apply_patch` text among a tool's arguments, under any key.

    A shell command is no patch, unless it calls `apply_patch` or `applypatch`: Codex CLI carries that out itself, and
    calls its hook for the shell alone (contracts/codex.md section 2).
    """
    values: Iterable[object] = (arguments.get(key) for key in _PATCH_KEYS)
    if tool_name == "Bash":
        values = (line for line in command_lines(tool_name, arguments) if _places_of_patches(line))
    # Agents skip what comes before the first line of the patch, so it may be anywhere.
    return tuple(dict.fromkeys(value for value in values if isinstance(value, str) and PATCH_START in value))


def _places_of_patches(command: str) -> tuple[str, ...]:
    if PATCH_START not in command:
        return ()
    from rulez_py.event.patch_places import patch_places

    return patch_places(command)


def patch_accesses(patch: str) -> tuple[FileAccess, ...]:
    """Return the files an `apply_patch` text touches, in order: each Add, Update, Delete and Move header.

    Headers are read as leniently as any agent reads them: indented, without the blank after the colon or with more
    than one before the word, with CRLF.
    """
    found: list[FileAccess] = []
    for line in patch.split("\n"):
        line = line.strip().lstrip("\ufeff").lstrip()
        if line.startswith("***"):
            line = "*** " + line[3:].lstrip()
        for header, access in _PATCH_HEADERS:
            # JavaScript's `trim`, which the agents use, also takes off a byte order mark.
            path = line[len(header) :].strip().strip("\ufeff").strip()
            if path and line.startswith(header):
                if header == "*** Move to:" and found:
                    # A move takes the old file away.
                    found[-1] = found[-1].replace(access=(WRITE, DELETE))
                found.append(FileAccess(path=path, access=(access,)))
    return tuple(found)


def file_accesses(
    tool_name: str | None,
    tool_input: Mapping[str, object],
    own_input: object = None,
    *,
    known: bool = False,
    access: tuple[str, ...] = (),
) -> tuple[FileAccess, ...]:
    """Return every file or directory a non-shell call names, as spelled, with how it is touched.

    Every spelling of a path counts, not the canonical one alone: which of two the tool obeys is for the tool to know.
    A tool that is not `known` (an MCP server's) may name its files anywhere; without a word on its `access` it may do
    anything with them, unless its name says that it reads. A path that is touched in several ways may stand in several
    entries. Of a shell command only the files of a patch are seen, each from where the command starts and from every
    directory it may have gone to.
    """
    if tool_name == "Bash":
        found = (
            file.replace(path=os.path.join(place, file.path))
            for line in command_lines(tool_name, tool_input, own_input, known=known)
            for place in _places_of_patches(line)
            for file in patch_accesses(line)
        )
        return tuple(dict.fromkeys(found))
    patched = [touched for patch in patch_texts(tool_name, tool_input) for touched in patch_accesses(patch)]
    paths = _strings_under(("file_path", "workdir"), tool_name, tool_input)
    for key in _PATH_LISTS:
        paths.extend(_strings(tool_input.get(key)))
    if tool_name not in CANONICAL_TOOLS:
        # For a search these are filters; `read_many_files` reads them.
        included = tool_input.get("include")
        paths.extend(_strings(included) if isinstance(included, (list, tuple)) else ())
    if tool_name == "Glob":
        paths.extend(pattern for key in ("pattern", "patterns") for pattern in _strings(tool_input.get(key)))
    if tool_name == "Grep":
        # The argument may be a directory, whose files are searched.
        filters = _strings_under(("glob",), tool_name, tool_input) or (["*"] if paths else [])
        paths.extend(f"{place}/{only}" for place in (tuple(paths) or (".",)) for only in filters)
    if not _is_known(tool_name, known):
        # Only in what the tool itself was given: the payload's other keys are no arguments.
        paths.extend(_paths_anywhere(own_input if isinstance(own_input, dict) else tool_input))
    for item in _edit_items(tool_input):
        paths.extend(_strings_under(("file_path",), tool_name, item))
    access = _ACCESS_OF_TOOL.get(tool_name or "") or access or _access_by_name(tool_name or "")
    named = (FileAccess(path=plain_path(path), access=access) for path in paths if path)
    return tuple(dict.fromkeys((*patched, *named)))


def _access_by_name(tool_name: str) -> tuple[str, ...]:
    """Return what a tool we do not know does with a file: it reads where its name says so and nothing else, else
    anything.
    """
    spaced = "".join(f" {letter}" if letter.isupper() else letter if letter.isalnum() else " " for letter in tool_name)
    words = set(spaced.lower().split())
    return (READ,) if words & _READING and not words & _CHANGING else _ANYTHING


def _paths_anywhere(arguments: Mapping[str, object]) -> Iterator[str]:
    """Yield every text, at any depth, under a key that names files, or that looks like a path."""
    stack: list[tuple[str, object]] = [(str(key).lower(), value) for key, value in arguments.items()]
    while stack:
        key, value = stack.pop()
        if isinstance(value, dict):
            stack.extend((str(inner).lower(), item) for inner, item in value.items())
        elif isinstance(value, (list, tuple)):
            stack.extend((key, item) for item in value)
        elif isinstance(value, str) and _may_be_a_path(key, value):
            yield value


def _may_be_a_path(key: str, value: str) -> bool:
    if len(value) > _LONGEST_PATH or "\n" in value:
        return False
    plainly = value.startswith(_PLAIN_PATHS) or value[:5].lower() == "file:"
    return plainly or any(word in key for word in _FILE_WORDS)


def plain_path(path: str) -> str:
    """Return a `file:` URL as the path it means; any other text as it is."""
    if not path.lower().startswith("file:"):
        return path
    rest = path[5:]
    host, slash, below = rest[2:].partition("/")
    if rest.startswith("//") and slash and host.lower() in _THIS_MACHINE:
        rest = "/" + below
    from rulez_py.analysis import percent_decoded

    return percent_decoded("/" + rest.lstrip("/") if rest.startswith("/") else rest)


def written_texts(tool_name: str | None, tool_input: Mapping[str, object]) -> tuple[str, ...]:
    """Every piece of text a call would write: new content, replacement text, the added lines of a patch or diff."""
    texts = [_added_lines(patch) for patch in patch_texts(tool_name, tool_input)]
    texts.extend(_added_lines(diff) for diff in _strings(tool_input.get("diff")))
    for item in (tool_input, *_edit_items(tool_input)):
        texts.extend(_strings_under(("content", "new_string"), tool_name, item))
    return tuple(dict.fromkeys(texts))


_TEXT_KEYS = frozenset(
    (
        *("content", "contents", "text", "body", "data", "value", "markdown", "html", "code", "source", "message"),
        *("newtext", "newstring", "newstr", "newcontent", "filetext", "inserttext", "replacement", "patch", "diff"),
    )
)
"""Names of arguments that hold text to store, as tools of MCP servers have them, without `_`, `-` and capitals."""


def plain_key(name: str) -> str:
    """Return a name of a tool or argument in one spelling: `resourceType`, `resource_type`, `resource-type` agree."""
    return name.lower().replace("_", "").replace("-", "")


def texts_to_store(own_input: object) -> tuple[str, ...]:
    """Return the texts of a tool that is not known which it may store: those under such a name, at any depth."""
    found: dict[str, None] = {}
    waiting: list[tuple[object, bool]] = [(own_input, False)]
    while waiting:
        item, named = waiting.pop()
        if isinstance(item, str):
            if named:
                found[item] = None
        elif isinstance(item, dict):
            waiting += [(value, named or plain_key(str(key)) in _TEXT_KEYS) for key, value in reversed(item.items())]
        elif isinstance(item, (list, tuple)):
            waiting += [(one, named) for one in reversed(item)]
    return tuple(found)


def changes_parts(tool_name: str | None, tool_input: Mapping[str, object]) -> bool:
    """Tell whether a call names parts of files that become others, and leaves the rest."""
    return bool(
        patch_texts(tool_name, tool_input)
        or _strings_under(("old_string", "new_string"), tool_name, tool_input)
        or any(True for _ in _edit_items(tool_input))
    )


def growth(tool_name: str | None, tool_input: Mapping[str, object]) -> int:
    """Return by how many bytes an edit makes its file longer: new texts less old ones, each once; lines of patches."""
    added, removed = [], []
    for patch in patch_texts(tool_name, tool_input):
        added.append(_added_lines(patch))
        removed.append("\n".join(line[1:] for line in patch.split("\n") if line[:1] == "-" and line[:3] != "---"))
    for item in (tool_input, *_edit_items(tool_input)):
        added += _strings_under(("new_string",), tool_name, item)
        removed += _strings_under(("old_string",), tool_name, item)
    return sum(map(byte_length, added)) - sum(map(byte_length, removed))


def byte_length(text: str) -> int:
    """Return how many bytes a text has in UTF-8, whatever an agent has sent for one."""
    return len(text.encode("utf-8", "surrogatepass"))


def written_files(tool_name: str | None, tool_input: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Return the same by file: the path as the call spells it, and a text that it would write there."""
    found = [file for patch in patch_texts(tool_name, tool_input) for file in _patched(patch)]
    places = _strings_under(("file_path",), tool_name, tool_input)
    for item in (tool_input, *_edit_items(tool_input)):
        texts = _strings_under(("content", "new_string"), tool_name, item)
        own = _strings_under(("file_path",), tool_name, item) or places
        found.extend((place, text) for place in own for text in texts)
    return tuple(dict.fromkeys(found))


def _patched(patch: str) -> Iterator[tuple[str, str]]:
    """Yield the files of a patch, each with the lines that are added to it."""
    place, added = "", [""]
    for line in (*patch.split("\n"), "*** End Patch"):
        header = next((one for one, _ in _PATCH_HEADERS if line.strip().startswith(one)), "")
        if header or line.strip() == "*** End Patch":
            if place and len(added) > 1:
                yield place, "\n".join(added[1:])
            if header != "*** Move to:":
                added = [""]
            place = line.strip()[len(header) :].strip() if header else ""
        elif line.startswith("+"):
            added.append(line[1:])


def _added_lines(changes: str) -> str:
    return "\n".join(line[1:] for line in changes.split("\n") if line.startswith("+"))


def field(value: object, path: object) -> object:
    """Return the value at a dotted path (`a.b.0.c`) in nested objects and lists; None without one."""
    if not isinstance(path, str):
        return None
    for segment in path.split("."):
        if isinstance(value, list):
            if not segment.isdecimal() or not segment.isascii() or int(segment) >= len(value):
                return None
            value = value[int(segment)]
        elif hasattr(value, "get") and segment in value:  # type: ignore[operator]
            value = value[segment]  # type: ignore[index]
        else:
            return None
    return value


def strings_in(value: object) -> Iterator[str]:
    """Yield every string anywhere in a JSON value (keys excluded), depth first, without recursion."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            stack.extend(reversed(list(item.values())))
        elif isinstance(item, (list, tuple)):
            stack.extend(reversed(item))


def rewritten(
    own_input: object, tool_name: str | None, changes: Mapping[str, object], *, known: bool = False
) -> dict[str, object] | None:
    """Return the tool's whole new input: `changes` (canonical names) applied under the names the agent itself used.

    Where the agent used several spellings of one argument, all of them change. None where that is not all there is to
    change: the input is not an object, or has the argument elsewhere too, inside of others or as a list.
    """
    if not isinstance(own_input, dict):
        return None
    result: dict[str, object] = dict(own_input)
    for name, value in changes.items():
        used = [spelling for spelling in spellings(name, tool_name) if spelling in own_input]
        for spelling in used or [name]:
            result[spelling] = value
    elsewhere = (_stands_elsewhere(name, value, tool_name, result, known) for name, value in changes.items())
    return None if any(elsewhere) else result


def _stands_elsewhere(
    name: str, value: object, tool_name: str | None, arguments: Mapping[str, object], known: bool
) -> bool:
    """Tell whether an argument that has been given a value also has others: inside of other arguments, or as a list."""
    if name == "command" and any(line != value for line in command_lines(tool_name, arguments, known=known)):
        return True
    if name == "file_path" and any(_strings(arguments.get(key)) for key in _PATH_LISTS):
        return True
    spelled = spellings(name, tool_name)
    stack = list(arguments.values())
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if any(spelling in item for spelling in spelled):
                return True
            stack.extend(item.values())
        elif isinstance(item, (list, tuple)):
            stack.extend(item)
    return False


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, (list, tuple)):
        return [item for item in value if isinstance(item, str)]
    return []


def _edit_items(tool_input: Mapping[str, object]) -> Iterator[dict[str, object]]:
    for key in _EDIT_LISTS:
        items = tool_input.get(key)
        if isinstance(items, (list, tuple)):
            yield from (item for item in items if isinstance(item, dict))


def _strings_under(names: tuple[str, ...], tool_name: str | None, arguments: Mapping[str, object]) -> list[str]:
    """Return the strings under any spelling of these canonical names, in lists too."""
    return [
        text for name in names for spelling in spellings(name, tool_name) for text in _strings(arguments.get(spelling))
    ]
