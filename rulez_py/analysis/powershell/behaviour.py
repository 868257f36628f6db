"""The cmdlets that change the state of an analysis, run something, or return what can be known."""

from __future__ import annotations

from rulez_py.analysis.addresses import hosts_of_url
from rulez_py.analysis.powershell import cmdlets, launch, places
from rulez_py.analysis.powershell.flow import (
    Argument,
    Closure,
    Flow,
    files_of,
    only_output,
    origins_of,
    parts_of,
    program_of,
    reached,
    shown_of,
    text_of,
    unknown,
)
from rulez_py.analysis.values import CODE, DOWNLOAD, OUTPUT, PROGRAM, READ, REMOTE, SEND, SHELL, WRAPPER, File, Word

PASSES = ("sort-object", "out-string", "tee-object", "write-output", "select-object", "where-object", "get-unique")
"""Cmdlets that return what they are given."""
WEB = ("invoke-webrequest", "invoke-restmethod")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rulez_py.analysis.powershell.flow import Known
    from rulez_py.analysis.powershell.session import Session

    Words = tuple[Word, ...]
    Bound = dict[str, Known]
    Files = tuple[File, ...]
    Hosts = tuple[str, ...]
    Special = Callable[[Session, Words, Bound, Known | None, Files, Hosts, str], Known | None]


def _location(
    session: Session, words: Words, bound: Bound, fed: Known | None, files: Files, _h: Hosts, _s: str
) -> None:
    session.emit(words, "set-location", files=files)
    _go(session, bound.get("path", bound.get("literalpath", fed)))


def _push(session: Session, words: Words, bound: Bound, fed: Known | None, files: Files, _h: Hosts, _s: str) -> None:
    session.emit(words, "push-location", files=files)
    session.world.stack = (*session.world.stack, session.world.cwd)
    _go(session, bound.get("path", bound.get("literalpath", fed)))


def _pop(session: Session, words: Words, _b: Bound, _f: Known | None, files: Files, _h: Hosts, _s: str) -> None:
    session.emit(words, "pop-location", files=files)
    session.world.cwd = session.world.stack[-1] if session.world.stack else None
    session.world.stack = session.world.stack[:-1]


def _go(session: Session, path: Known | None) -> None:
    if path is None:
        return
    text = text_of(path)
    place = places.resolve(text, session.world.cwd, session.home) if text and text not in ("-", "+") else None
    session.world.cwd = place[0] if place is not None and place[1] and len(place[0]) < 1024 else None


def _expression(
    session: Session, words: Words, bound: Bound, fed: Known | None, files: Files, _h: Hosts, shown: str
) -> Known | None:
    code = bound.get("command", fed)
    text = text_of(code)
    opaque = () if text is not None else (OUTPUT if only_output(code) else CODE,)
    session.emit(words, "invoke-expression", opaque=opaque, fed=origins_of(code), files=files)
    return session.execute(code, SHELL) if text is not None else unknown(shown, code)


def _invoke(
    session: Session, words: Words, bound: Bound, fed: Known | None, files: Files, hosts: Hosts, shown: str
) -> Known | None:
    program = "invoke-command"
    block = bound.get("scriptblock")
    remote = any(name in bound for name in ("computername", "hostname", "session", "vmname", "containerid"))
    far = remote or "connectionuri" in bound or "sshconnection" in bound
    opaque = (CODE,) if block is not None and not isinstance(block, Closure) else ()
    session.emit(words, program, opaque=opaque, fed=origins_of(block), files=files, hosts=hosts)
    via, cwd = session.via, session.world.cwd
    session.via = reached(via, REMOTE if far else WRAPPER)
    arguments = [Argument("", one, ()) for one in parts_of(bound.get("argumentlist"))]
    found = session.block(block, arguments, fed, own=True) if isinstance(block, Closure) else None
    session.via, session.world.cwd = via, cwd
    return found if found is not None else unknown(shown, fed)


def _job(name: str) -> Special:
    def job(
        session: Session, words: Words, bound: Bound, fed: Known | None, files: Files, _h: Hosts, shown: str
    ) -> Known:
        block = bound.get("scriptblock", bound.get("expression"))
        session.emit(words, name, opaque=(CODE,) if isinstance(block, Flow) else (), files=files)
        via, cwd = session.via, session.world.cwd
        session.via = reached(via, WRAPPER)
        arguments = [Argument("", one, ()) for one in parts_of(bound.get("argumentlist"))]
        for one in (bound.get("initializationscript"), block):
            if isinstance(one, Closure):
                session.block(one, arguments, fed, own=True)
        session.via, session.world.cwd = via, cwd
        return unknown(shown)

    return job


def _process(
    session: Session, words: Words, bound: Bound, _f: Known | None, files: Files, hosts: Hosts, shown: str
) -> Known | None:
    program = bound.get("filepath")
    text = text_of(program)
    session.emit(
        words, "start-process", opaque=() if text else (PROGRAM,), fed=origins_of(program), files=files, hosts=hosts
    )
    if not text:
        return unknown(shown)
    if "://" in text:
        return None
    given = bound.get("argumentlist")
    rest: list[Word] = []
    for one in parts_of(given):
        part = text_of(one)
        if part is None:
            rest.append(Word(text=shown_of(one), known=False))
        elif isinstance(given, tuple) and not any(char in part for char in '" '):
            rest.append(Word(text=part))
        elif isinstance(given, tuple):
            rest.append(Word(text=part.strip('"')))
        else:
            rest.extend(Word(text=piece) for piece in launch.vector(part))
    via, user = session.via, session.user
    session.via = reached(via, WRAPPER)
    if (text_of(bound.get("verb")) or "").lower() == "runas":
        session.user = "root"
    session.program((Word(text=text), *rest), program_of(text), None)
    session.via, session.user = via, user
    return unknown(shown)


def _web(name: str) -> Special:
    def web(
        session: Session, words: Words, bound: Bound, fed: Known | None, files: Files, hosts: Hosts, shown: str
    ) -> Known:
        sent = tuple(File(path=path, access=(SEND,)) for path in files_of(fed))
        session.emit(words, name, fed=origins_of(fed), files=(*files, *sent), hosts=hosts)
        result = Flow(shown=shown, origins=(DOWNLOAD,))
        session.remember(files, result)
        return result

    return web


def _transfer(
    session: Session, words: Words, bound: Bound, _f: Known | None, files: Files, hosts: Hosts, _s: str
) -> None:
    source, target = bound.get("source"), bound.get("destination")
    text = text_of(source) or ""
    if "://" in text or text_of(source) is None:
        touched = session.files(target, "wl")
        session.remember(touched, Flow(origins=(DOWNLOAD,)))
    else:
        touched = session.files(source, "rs")
    found = tuple(host for one in (source, target) for host in hosts_of_url(text_of(one) or ""))
    session.emit(words, "start-bitstransfer", files=(*touched, *files), hosts=(*found, *hosts))


def _for_each(
    session: Session, words: Words, bound: Bound, fed: Known | None, files: Files, _h: Hosts, shown: str
) -> Known | None:
    session.emit(words, "foreach-object", files=files)
    found: list[Known] = []
    blocks = [one for name in ("process", "parallel", "") for one in parts_of(bound.get(name))]
    for name in ("begin", "end"):
        if isinstance(bound.get(name), Closure):
            session.loop(bound[name], "")  # type: ignore[arg-type]
    for one in blocks:
        if isinstance(one, Closure):
            found.extend(parts_of(session.loop(one, fed)))
    member = (text_of(bound.get("process")) or "").lower() if not isinstance(bound.get("process"), Closure) else ""
    member = member or (text_of(bound.get("membername")) or "").lower()
    if member in ("delete", "kill", "moveto", "copyto"):
        session.on_item(fed, member, parts_of(bound.get("argumentlist", bound.get(""))))
    elif member:
        return session.property(fed, member, shown)
    return tuple(found) or unknown(shown)


def _passes(name: str) -> Special:
    def passes(
        session: Session, words: Words, bound: Bound, fed: Known | None, files: Files, _h: Hosts, shown: str
    ) -> Known | None:
        session.emit(words, name, files=files)
        for value in bound.values():
            for one in parts_of(value):
                if isinstance(one, Closure):
                    session.loop(one, fed)
        if name == "write-output":
            given = tuple(part for key in ("inputobject", "") for part in parts_of(bound.get(key)))
            if given:
                return given[0] if len(given) == 1 else given
        if name == "select-object" and isinstance(fed, tuple):
            return unknown(shown, fed)
        return fed

    return passes


def _content(
    session: Session, words: Words, bound: Bound, _f: Known | None, files: Files, _h: Hosts, shown: str
) -> Known:
    session.emit(words, "get-content", files=files)
    origins = [origin for file in files for origin in session.world.written.get(file.path.lower(), ())]
    paths = tuple(file.path for file in files if READ in file.access)
    return Flow(shown=shown, files=paths, origins=tuple(dict.fromkeys(origins)))


def _store(name: str) -> Special:
    def store(
        session: Session, words: Words, bound: Bound, fed: Known | None, files: Files, _h: Hosts, shown: str
    ) -> None:
        session.emit(words, name, fed=origins_of(fed), files=files)
        session.remember(files, fed, bound.get("value"), bound.get("inputobject"))

    return store


def _lists(name: str) -> Special:
    def lists(
        session: Session, words: Words, bound: Bound, _f: Known | None, files: Files, _h: Hosts, shown: str
    ) -> Known:
        session.emit(words, name, files=files)
        named = [file for file in files if READ in file.access]
        if name in ("resolve-path", "convert-path"):
            named = list(session.files(bound.get("path", bound.get("literalpath", bound.get(""))), "r"))
        picks = text_of(bound.get("filter", bound.get("include", "")))
        below = name == "get-childitem"
        if below and picks and any(char in picks for char in "*?"):
            pattern = f"**/{picks}" if "recurse" in bound else picks
            named = [file.replace(path=f"{file.path}/{pattern}", glob=f"{file.path}/{pattern}") for file in named]
            return session.listing(named, shown, below=False, deep=False)
        return session.listing(named, shown, below=below, deep="recurse" in bound)

    return lists


def _variable(name: str) -> Special:
    def variable(
        session: Session, words: Words, bound: Bound, _f: Known | None, files: Files, _h: Hosts, shown: str
    ) -> Known:
        session.emit(words, name, files=files)
        target = (text_of(bound.get("name")) or "").lower()
        if name == "get-variable":
            return session.world.variables.get(target, Flow(shown=shown))
        session.world.variables[target] = bound.get("value", "")
        if "scope" in bound:
            session.outward.add(target)
        return ""

    return variable


def _alias(session: Session, words: Words, bound: Bound, _f: Known | None, files: Files, _h: Hosts, _s: str) -> None:
    session.emit(words, "set-alias", files=files)
    name, value = text_of(bound.get("name")), text_of(bound.get("value"))
    if name and value:
        target = session.world.aliases.get(program_of(value), program_of(value))
        session.world.aliases[name.lower()] = None if target is None else cmdlets.meant(target)


def _object(
    session: Session, words: Words, bound: Bound, _f: Known | None, files: Files, _h: Hosts, shown: str
) -> Known:
    session.emit(words, "new-object", files=files)
    name = (text_of(bound.get("typename")) or "").lower().removeprefix("system.")
    given = parts_of(bound.get("argumentlist"))
    return Flow(shown=shown, type=name, paths=session.object_paths(name, given))


def _join_path(
    session: Session, words: Words, bound: Bound, fed: Known | None, files: Files, _h: Hosts, _s: str
) -> Known:
    session.emit(words, "join-path", files=files)
    path = session.below(bound.get("path", fed), bound.get("childpath", ""))
    for more in parts_of(bound.get("additionalchildpath", bound.get(""))):
        path = session.below(path, more)
    return path


def _here(session: Session, words: Words, _b: Bound, _f: Known | None, files: Files, _h: Hosts, shown: str) -> Known:
    session.emit(words, "get-location", files=files)
    return session.world.cwd if session.world.cwd is not None else Flow(shown=shown)


SPECIAL: dict[str, Special] = {
    "set-location": _location,
    "push-location": _push,
    "pop-location": _pop,
    "get-location": _here,
    "invoke-expression": _expression,
    "invoke-command": _invoke,
    **{name: _job(name) for name in ("start-job", "start-threadjob", "measure-command")},
    "start-process": _process,
    **{name: _web(name) for name in WEB},
    "start-bitstransfer": _transfer,
    "foreach-object": _for_each,
    **{name: _passes(name) for name in PASSES},
    "get-content": _content,
    **{name: _store(name) for name in ("set-content", "add-content", "out-file")},
    **{name: _lists(name) for name in ("get-childitem", "get-item", "resolve-path", "convert-path")},
    **{name: _variable(name) for name in ("set-variable", "new-variable", "get-variable")},
    **dict.fromkeys(("set-alias", "new-alias"), _alias),
    "new-object": _object,
    "join-path": _join_path,
}
