"""Effects of known functions, each described by a line of text.

A line holds actions, separated by `;`: a verb and its arguments. docs/programs.md ("Calls of languages") lists all
verbs; most are also verbs of programs. An argument is an index, a keyword's name, either (`0|path`), all arguments
from an index on (`1+`), or `self`, the value that the method belongs to.
"""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import (
    UNKNOWN,
    Call,
    Function,
    Made,
    Ref,
    Table,
    choices,
    decoded,
    either,
    environment,
    few,
    gathered,
    items,
    joined,
    mapped,
    number,
    pattern,
    text_of,
    truthy,
)
from rulez_py.analysis.languages.effects import content, derived, under
from rulez_py.analysis.languages.search import found_below, sought
from rulez_py.analysis.values import (
    DELETE,
    DOWNLOAD,
    READ,
    REMOTE,
    SEND,
    WRITE,
    Data,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk
    from rulez_py.analysis.languages.effects import Effects

    Verb = Callable[[Walk, str, Call, Abstract, list[str]], Abstract]


def picked(call: Call, receiver: Abstract, where: str) -> Abstract:
    """Return the argument that `where` names; None where the call has none."""
    if where.endswith("+"):
        return tuple(one for argument in call.arguments[int(where[:-1]) :] for one in items(argument))
    names = where.split("|")
    for name in names:
        if name == "self":
            return receiver.call.arguments[0] if isinstance(receiver, Made) and receiver.call.arguments else receiver
        if name.isdecimal():
            if int(name) < len(call.arguments):
                given = call.arguments[int(name)]
                named = [one for one in names if one in call.keywords] if isinstance(given, Table) else []
                return call.keywords[named[0]] if named else given
        elif name in call.keywords:
            return call.keywords[name]
    return None


def _runs_shell(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[0])
    if value is not None:
        walk.effects.shell(value, call)
    return UNKNOWN


def _runs_shell_there(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[0])
    if value is not None:
        walk.effects.shell(value, call, via=REMOTE)
    return UNKNOWN


def _runs_behind(*before: str) -> Verb:
    """Return a verb that runs known words followed by a list: `runs list`, `runs module`, `runs rulez`."""
    words = tuple(Word(text=word) for word in before)

    def runs(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
        value = picked(call, on, where[0])
        if value is not None:
            walk.effects.words((*words, value), call)
        return UNKNOWN

    return runs


def _runs_command(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    """Run a command whose words are written out; those in braces are made of the call."""
    where = grouped(where)
    used = {name for one in where if "{" in one for name in one.strip("{}").partition("?")[0].split("|")}
    options = {name: value for name, value in call.keywords.items() if name not in used}
    words: list[Abstract] = []
    for one in where:
        before, brace, rest = one.partition("{")
        inside, _, after = rest.partition("}")
        if one == "{--}":
            words += options_of(options)
        elif brace and not before and not after:
            words += _words_of_call(call, on, inside)
        elif brace:
            (given,) = _words_of_call(call, on, inside)[:1] or [UNKNOWN]
            written = Word(text="{_: 0}" if given.items else "{}") if isinstance(given, Table) else given
            words.append(joined(joined(Word(text=before), written), Word(text=after)))
        else:
            words.append(Word(text=one))
    walk.effects.words(tuple(words), call)
    return UNKNOWN


def grouped(words: list[str]) -> list[str]:
    """Return the words of a command; those between two `'` are one word."""
    found: list[str] = []
    opened = False
    for one in words:
        if opened:
            found[-1] += " " + one.rstrip("'")
        else:
            found.append(one.strip("'"))
        opened = (opened or one.startswith("'")) and not one.endswith("'")
    return found


def _words_of_call(call: Call, on: Abstract, where: str) -> list[Abstract]:
    """Return words of a command.

    `0|name` is an argument, `of` the last text that `on` was made with, `force?--force` a word where a keyword is on.
    """
    if where == "of":
        texts = [one for one in (on.call.arguments if isinstance(on, Made) else ()) if isinstance(one, Word)]
        return [texts[-1] if texts else UNKNOWN]
    name, condition, word = where.partition("?")
    if condition:
        return [Word(text=word)] if truthy(picked(call, on, name)) else []
    given = picked(call, on, name)
    return [] if given is None else [text_of(one) if isinstance(one, Ref) else one for one in items(given)]


def options_of(keywords: Mapping[str, Abstract]) -> list[Abstract]:
    """Return the options of a program that is called as a function: `force=True, n=3` is `--force -n 3`."""
    given: list[Abstract] = []
    for name, value in keywords.items():
        if name.startswith("_") or not truthy(value):
            continue
        given.append(Word(text=("-" if len(name) == 1 else "--") + name.replace("_", "-")))
        given += [] if isinstance(value, Ref) and value.name == "True" else [value]
    return given


def _runs_process(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[0])
    if value is None:
        return UNKNOWN
    shell = truthy(call.keywords.get("shell"))
    for one in choices(value):
        if isinstance(one, tuple):
            if shell:
                walk.effects.shell(one[0] if one else None, call)
            else:
                walk.effects.words(one, call)
        elif isinstance(one, Word) and one.known and not shell and not any(c.isspace() for c in one.text):
            walk.effects.words((one,), call)
        else:
            walk.effects.shell(one, call)
    return UNKNOWN


def _runs_shell_if_one(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[0])
    rest = tuple(one for one in items(value) if not isinstance(one, Table))
    if len(rest) == 1 and any(isinstance(one, tuple) for one in choices(rest[0])):
        for one in choices(rest[0]):
            _runs_shell_if_one(walk, _name, Call([one], call.keywords), on, ["0"])
    elif len(rest) == 1:
        walk.effects.shell(rest[0], call)
    else:
        walk.effects.words(rest, call)
    return UNKNOWN


def _runs_program(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    program, rest = picked(call, on, where[0]), picked(call, on, where[1])
    if program is None:
        return UNKNOWN
    rest = () if isinstance(rest, (Table, type(None))) else rest
    if truthy(call.keywords.get("shell")):
        line: Abstract = program
        for one in items(rest):
            line = joined(line, one, " ")
        walk.effects.shell(line, call)
    else:
        walk.effects.words((program, rest), call)
    return UNKNOWN


def _runs_code(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    """Walk through code in a text. A block or a function is skipped: its body has been walked through."""
    for one in choices(picked(call, on, where[0])):
        for each in _any_of(one):
            if each is not None and not isinstance(each, (Table, Function)):
                walk.nested(text_of(each))
    return UNKNOWN


def _any_of(value: Abstract) -> tuple[Abstract, ...]:
    """Return the elements of a list, any of which may be used; UNKNOWN for an empty list."""
    return few(either(items(value))) if isinstance(value, tuple) else (value,)


def _runs_file(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    for one in choices(picked(call, on, where[0])):
        for each in _any_of(one):
            if each is not None and not isinstance(each, (Table, Function)):
                walk.effects.file(text_of(each), walk.language)
    return UNKNOWN


def _toucher(*access: str, deep: bool = False) -> Verb:
    def verb(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
        value = picked(call, on, where[0])
        if value is not None:
            walk.effects.touch(value, *access, deep=deep)
        return UNKNOWN

    return verb


def _delete_recursive(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[0])
    if value is not None:
        walk.effects.touch(value, DELETE, deep=truthy(call.keywords.get(where[1])))
    return UNKNOWN


def _content(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[0])
    if value is None:
        return UNKNOWN
    if "://" in text_of(value).text:
        walk.effects.contact(text_of(value), call)
        return UNKNOWN.replace(data=Data(origins=(DOWNLOAD,)))
    walk.effects.touch(value, READ)
    return either([content(one) for one in choices(value)])


def _open(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value, mode = picked(call, on, where[0]), picked(call, on, where[1])
    if value is None or isinstance(value, tuple):
        return UNKNOWN
    return opened(walk.effects, value, mode)


def opened(found: Effects, value: Abstract, mode: Abstract) -> Abstract:
    """Add the effects of opening a file in this mode, "r" where it is None. Return the content."""
    for one in choices(mode):
        if one is not None and not (isinstance(one, Word) and one.known):
            found.touch(value, READ, WRITE)
            continue
        text = one.text if isinstance(one, Word) else "r"
        access = [READ] if "r" in text or "<" in text else []
        if any(mark in text for mark in "wax+c>"):
            access.append(WRITE)
        found.touch(value, *(access or [READ]))
    return either([content(one) for one in choices(value)])


def _cwd(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[0])
    if value is not None:
        walk.effects.go(value)
    return UNKNOWN


def _url(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[0])
    for one in items(value):
        for each in choices(one):
            walk.effects.contact(text_of(each), call)
    return UNKNOWN.replace(data=Data(origins=(DOWNLOAD,)))


def _host(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    for at in where:
        value = picked(call, on, at)
        if isinstance(value, tuple) and value:
            value = value[0]
        for one in choices(value):
            if isinstance(one, Word):
                walk.effects.address(one, call)
    return UNKNOWN.replace(data=Data(origins=(DOWNLOAD,)))


def _runs_pipe(walk: Walk, name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    """Open a file or a pipe: `open "| cmd"`, `open "cmd |"`, `open ">file"`, `open "file", "w"`."""
    value, second = picked(call, on, where[0]), picked(call, on, where[1]) if len(where) > 1 else None
    result: Abstract = UNKNOWN
    for one in choices(value):
        word = text_of(one)
        text = word.text.strip()
        if text.startswith("|") or (text.endswith("|") and word.text != "|"):
            walk.effects.shell(word.replace(text=text.strip("|").strip()))
        elif "://" in text:
            walk.effects.contact(word, call)
            result = UNKNOWN.replace(data=Data(origins=(DOWNLOAD,)))
        elif text.startswith((">", "+", "<")):
            mode = text[: len(text) - len(text.lstrip("+<>"))]
            result = opened(walk.effects, word.replace(text=text[len(mode) :].strip()), Word(text=mode))
        elif one is not None:
            result = opened(walk.effects, one, second if isinstance(second, Word) else None)
    return result


def _made(walk: Walk, name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    """Return an object of another name, whose argument is the result of a verb; a list of them for a list."""
    value = _act(walk, name, where[1:], call, on)
    if isinstance(value, tuple):
        return tuple(Made(where[0], Call([one], {})) for one in value)
    return either([Made(where[0], Call([one], {})) for one in choices(value)])


def _make(_walk: Walk, name: str, call: Call, _on: Abstract, _where: list[str]) -> Abstract:
    return Made(name, call)


def _same(_walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[0])
    return UNKNOWN if value is None else value


def _list(_walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    return picked(call, on, where[0]) or ()


def _join(walk: Walk, name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    parts = [one for at in where for one in items(picked(call, on, at)) if one is not None]
    path: Abstract = parts[0] if parts else UNKNOWN
    for part in parts[1:]:
        path = under(path, part)
    return path


def _name(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[0])
    if isinstance(value, Word) and value.known:
        return walk.scope.named(walk.scope.canonical(value.text))
    return Ref("?")


def _home(_walk: Walk, _name: str, _call: Call, _on: Abstract, _where: list[str]) -> Abstract:
    return environment("HOME")


def _here(walk: Walk, _name: str, _call: Call, _on: Abstract, _where: list[str]) -> Abstract:
    """Return the current directory of the code."""
    base = walk.effects.base
    return environment("PWD") if base is None else under(environment("PWD"), base)


def _expand(_walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    """Replace `~` at the start by the home directory."""
    return either(
        [
            one.replace(text="$HOME" + one.text[1:], known=False)
            if isinstance(one, Word) and (one.text == "~" or one.text.startswith("~/"))
            else one
            for one in choices(picked(call, on, where[0]))
        ]
    )


def _getenv(_walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[0])
    return environment(value.text) if isinstance(value, Word) and value.known else UNKNOWN


def _glob(_walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = _join(_walk, _name, call, on, where)
    return tuple(pattern(one) for listed in choices(value) for one in items(listed))


def _found(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[0])
    asked = picked(call, on, where[1]) if len(where) > 1 else None
    directories = [one for listed in choices(value) for one in items(listed)] or [Word(text=".")]
    patterns = sought(walk.here.tokens) if asked is None else (text_of(asked).text.rpartition("/")[2],)
    return tuple(one for directory in directories for one in found_below(directory, patterns))


def _links(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    """Add the effects of a link: its name is written, and names the source."""
    source, name = (picked(call, on, at) for at in where)
    if name is not None:
        walk.effects.touch(name, WRITE)
    if isinstance(text_of(source), Word) and name is not None:
        walk.effects.links.append((text_of(source), text_of(name)))
    return UNKNOWN


def _under(_walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[0])
    return (under(Word(text=".") if value is None else value, Word(text="$_", known=False)),)


def _prints_decoded(_walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[1])
    return either([decoded(one, where[0]) for one in choices(value)])


def _change(how: Callable[[str], str]) -> Verb:
    def verb(_walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
        return mapped(picked(call, on, where[0]), how)

    return verb


def _reverse(_walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    value = picked(call, on, where[0])
    return value[::-1] if isinstance(value, tuple) else mapped(value, lambda text: text[::-1])


def _chars(_walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    """Return the text with these character codes."""
    codes = [number(one) for one in items(picked(call, on, where[0]))]
    return Word(text="".join(chr(code) for code in codes if code)) if codes and all(codes) else UNKNOWN


def _data(walk: Walk, _name: str, call: Call, on: Abstract, where: list[str]) -> Abstract:
    data = gathered((picked(call, on, where[0]),))
    for file in data.files if data is not None else ():
        walk.effects.touch(Word(text=file), SEND)
    return UNKNOWN


VERBS: dict[str, Verb] = {
    "runs shell": _runs_shell,
    "runs shell there": _runs_shell_there,
    "runs shell if one": _runs_shell_if_one,
    "runs program": _runs_program,
    "runs list": _runs_behind(),
    "runs module": _runs_behind("python", "-m"),
    "runs rulez": _runs_behind("rulez"),
    "runs command": _runs_command,
    "runs process": _runs_process,
    "runs pipe": _runs_pipe,
    "runs code": _runs_code,
    "runs file": _runs_file,
    "read": _toucher(READ),
    "write": _toucher(WRITE),
    "delete": _toucher(DELETE),
    "delete all": _toucher(DELETE, deep=True),
    "delete recursive": _delete_recursive,
    "send": _toucher(SEND),
    "cwd": _cwd,
    "url": _url,
    "host": _host,
    "data": _data,
    "prints decoded": _prints_decoded,
    "content": _content,
    "open": _open,
    "make": _make,
    "made": _made,
    "same": _same,
    "list": _list,
    "join": _join,
    "name": _name,
    "home": _home,
    "here": _here,
    "expand": _expand,
    "getenv": _getenv,
    "glob": _glob,
    "under": _under,
    "found": _found,
    "links": _links,
    "strip": _change(str.strip),
    "lower": _change(str.lower),
    "reverse": _reverse,
    "parent": _change(lambda text: text.rpartition("/")[0]),
    "chars": _chars,
}


def perform(walk: Walk, name: str, lines: str, call: Call, on: Abstract) -> Abstract:
    """Perform the actions of a known function. Return the value of the call."""
    result: Abstract = UNKNOWN
    for action in lines.split(";"):
        value = _act(walk, name, action.split(), call, on)
        if value is not UNKNOWN:
            result = value
    if result is UNKNOWN:
        return derived(call, on)
    return result


def parted(words: list[str]) -> tuple[str, list[str]]:
    """Return an action's verb, which may have several words, and its arguments."""
    for size in (4, 3, 2):
        if (verb := " ".join(words[:size])) in VERBS:
            return verb, words[size:]
    return words[0], words[1:]


def _act(walk: Walk, name: str, words: list[str], call: Call, on: Abstract) -> Abstract:
    verb, where = parted(words)
    return VERBS[verb](walk, name, call, on, where)
