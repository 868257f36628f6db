"""Cmdlets that change the state of an analysis, run something, or return a known value."""

from __future__ import annotations

from rulez_py.analysis.addresses import hosts_of_url
from rulez_py.analysis.powershell import cmdlets, dotnet, launch, places
from rulez_py.analysis.powershell.flow import (
    SPELLED,
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
"""Cmdlets that return their input."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.powershell.flow import Known
    from rulez_py.analysis.powershell.invocation import Invocation
    from rulez_py.analysis.powershell.invoker import Invoker, Special
    from rulez_py.analysis.powershell.session import Session


def _location(invoker: Invoker, call: Invocation) -> None:
    invoker.session.emit(call.noted())
    _go(invoker.session, call.bound.get("path", call.bound.get("literalpath", call.fed)))


def _push(invoker: Invoker, call: Invocation) -> None:
    session = invoker.session
    session.emit(call.noted())
    session.world.stack = (*session.world.stack, session.world.cwd)
    _go(session, call.bound.get("path", call.bound.get("literalpath", call.fed)))


def _pop(invoker: Invoker, call: Invocation) -> None:
    session = invoker.session
    session.emit(call.noted())
    session.world.cwd = session.world.stack[-1] if session.world.stack else None
    session.world.stack = session.world.stack[:-1]


def _go(session: Session, path: Known | None) -> None:
    if path is None:
        return
    text = text_of(path)
    place = places.resolve(text, session.world.cwd, session.home) if text and text not in ("-", "+") else None
    session.world.cwd = place[0] if place is not None and place[1] and len(place[0]) < 1024 else None


def _expression(invoker: Invoker, call: Invocation) -> Known | None:
    code = call.bound.get("command", call.fed)
    text = text_of(code)
    # INVARIANT: unknown code makes the command opaque; it is never read as no code.
    hidden = text is None or SPELLED in origins_of(code)
    opaque = (OUTPUT if only_output(code) else CODE,) if hidden else ()
    invoker.session.emit(call.noted(opaque=opaque, fed=origins_of(code)))
    return invoker.blocks.execute(code, SHELL) if text is not None else unknown(call.shown, code)


def _invoke(invoker: Invoker, call: Invocation) -> Known | None:
    session = invoker.session
    block = call.bound.get("scriptblock")
    remote = any(name in call.bound for name in ("computername", "hostname", "session", "vmname", "containerid"))
    far = remote or "connectionuri" in call.bound or "sshconnection" in call.bound
    opaque = (CODE,) if block is not None and not isinstance(block, Closure) else ()
    session.emit(call.noted(opaque=opaque, fed=origins_of(block), hosts=call.hosts))
    via, cwd = session.via, session.world.cwd
    session.via = reached(via, REMOTE if far else WRAPPER)
    arguments = [Argument("", one, ()) for one in parts_of(call.bound.get("argumentlist"))]
    found = invoker.blocks.block(block, arguments, call.fed, own=True) if isinstance(block, Closure) else None
    session.via, session.world.cwd = via, cwd
    return found if found is not None else unknown(call.shown, call.fed)


def _job(invoker: Invoker, call: Invocation) -> Known:
    session = invoker.session
    block = call.bound.get("scriptblock", call.bound.get("expression"))
    session.emit(call.noted(opaque=(CODE,) if isinstance(block, Flow) else ()))
    via, cwd = session.via, session.world.cwd
    session.via = reached(via, WRAPPER)
    arguments = [Argument("", one, ()) for one in parts_of(call.bound.get("argumentlist"))]
    for one in (call.bound.get("initializationscript"), block):
        if isinstance(one, Closure):
            invoker.blocks.block(one, arguments, call.fed, own=True)
    session.via, session.world.cwd = via, cwd
    return unknown(call.shown)


def _process(invoker: Invoker, call: Invocation) -> Known | None:
    session = invoker.session
    program = call.bound.get("filepath")
    text = text_of(program)
    session.emit(call.noted(opaque=() if text else (PROGRAM,), fed=origins_of(program), hosts=call.hosts))
    if not text:
        return unknown(call.shown)
    if "://" in text:
        return None
    given = call.bound.get("argumentlist")
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
    if (text_of(call.bound.get("verb")) or "").lower() == "runas":
        session.user = "root"
    invoker.external.program((Word(text=text), *rest), program_of(text), None)
    session.via, session.user = via, user
    return unknown(call.shown)


def _web(invoker: Invoker, call: Invocation) -> Known:
    session = invoker.session
    sent = tuple(File(path=path, access=(SEND,)) for path in files_of(call.fed))
    session.emit(call.noted(fed=origins_of(call.fed), files=(*call.files, *sent), hosts=call.hosts))
    result = Flow(shown=call.shown, origins=(DOWNLOAD,))
    session.remember(call.files, result)
    return result


def _transfer(invoker: Invoker, call: Invocation) -> None:
    session = invoker.session
    source, target = call.bound.get("source"), call.bound.get("destination")
    text = text_of(source) or ""
    if "://" in text or text_of(source) is None:
        touched = session.files(target, "wl")
        session.remember(touched, Flow(origins=(DOWNLOAD,)))
    else:
        touched = session.files(source, "rs")
    found = tuple(host for one in (source, target) for host in hosts_of_url(text_of(one) or ""))
    session.emit(call.noted(files=(*touched, *call.files), hosts=(*found, *call.hosts)))


def _for_each(invoker: Invoker, call: Invocation) -> Known | None:
    invoker.session.emit(call.noted())
    found: list[Known] = []
    blocks = [one for name in ("process", "parallel", "") for one in parts_of(call.bound.get(name))]
    for name in ("begin", "end"):
        if isinstance(call.bound.get(name), Closure):
            invoker.blocks.loop(call.bound[name], "")  # type: ignore[arg-type]
    for one in blocks:
        if isinstance(one, Closure):
            found.extend(parts_of(invoker.blocks.loop(one, call.fed)))
    member = (
        (text_of(call.bound.get("process")) or "").lower() if not isinstance(call.bound.get("process"), Closure) else ""
    )
    member = member or (text_of(call.bound.get("membername")) or "").lower()
    if member in dotnet.ON_ITEM:
        same = dotnet.on_item(call.fed, member, parts_of(call.bound.get("argumentlist", call.bound.get(""))))
        if same is not None:
            invoker.cmdlet(*same)
    elif member:
        return dotnet.property_of(call.fed, member, call.shown)
    return tuple(found) or unknown(call.shown)


def _passes(invoker: Invoker, call: Invocation) -> Known | None:
    invoker.session.emit(call.noted())
    for value in call.bound.values():
        for one in parts_of(value):
            if isinstance(one, Closure):
                invoker.blocks.loop(one, call.fed)
    if call.program == "write-output":
        given = tuple(part for key in ("inputobject", "") for part in parts_of(call.bound.get(key)))
        if given:
            return given[0] if len(given) == 1 else given
    if call.program == "select-object" and isinstance(call.fed, tuple):
        return unknown(call.shown, call.fed)
    return call.fed


def _content(invoker: Invoker, call: Invocation) -> Known:
    session = invoker.session
    session.emit(call.noted())
    origins = [origin for file in call.files for origin in session.world.written.get(file.path.lower(), ())]
    paths = tuple(file.path for file in call.files if READ in file.access)
    return Flow(shown=call.shown, files=paths, origins=tuple(dict.fromkeys(origins)))


def _store(invoker: Invoker, call: Invocation) -> None:
    session = invoker.session
    session.emit(call.noted(fed=origins_of(call.fed)))
    session.remember(call.files, call.fed, call.bound.get("value"), call.bound.get("inputobject"))


def _lists(invoker: Invoker, call: Invocation) -> Known:
    session = invoker.session
    session.emit(call.noted())
    named = [file for file in call.files if READ in file.access]
    if call.program in ("resolve-path", "convert-path"):
        named = list(session.files(call.bound.get("path", call.bound.get("literalpath", call.bound.get(""))), "r"))
    picks = text_of(call.bound.get("filter", call.bound.get("include", "")))
    below = call.program == "get-childitem"
    if below and picks and any(char in picks for char in "*?"):
        pattern = f"**/{picks}" if "recurse" in call.bound else picks
        named = [file.replace(path=f"{file.path}/{pattern}", glob=f"{file.path}/{pattern}") for file in named]
        return session.listing(named, call.shown, below=False, deep=False)
    return session.listing(named, call.shown, below=below, deep="recurse" in call.bound)


def _variable(invoker: Invoker, call: Invocation) -> Known:
    session = invoker.session
    session.emit(call.noted())
    target = (text_of(call.bound.get("name")) or "").lower()
    if call.program == "get-variable":
        return session.world.variables.get(target, Flow(shown=call.shown))
    session.world.variables[target] = call.bound.get("value", "")
    if "scope" in call.bound:
        session.outward.add(target)
    return ""


def _alias(invoker: Invoker, call: Invocation) -> None:
    session = invoker.session
    session.emit(call.noted(program="set-alias"))
    name, value = text_of(call.bound.get("name")), text_of(call.bound.get("value"))
    if name and value:
        target = session.world.aliases.get(program_of(value), program_of(value))
        session.world.aliases[name.lower()] = None if target is None else cmdlets.meant(target)


def _object(invoker: Invoker, call: Invocation) -> Known:
    session = invoker.session
    session.emit(call.noted())
    name = (text_of(call.bound.get("typename")) or "").lower().removeprefix("system.")
    given = parts_of(call.bound.get("argumentlist"))
    return Flow(shown=call.shown, type=name, paths=session.object_paths(name, given))


def _join_path(invoker: Invoker, call: Invocation) -> Known:
    session = invoker.session
    session.emit(call.noted())
    path = session.below(call.bound.get("path", call.fed), call.bound.get("childpath", ""))
    for more in parts_of(call.bound.get("additionalchildpath", call.bound.get(""))):
        path = session.below(path, more)
    return path


def _here(invoker: Invoker, call: Invocation) -> Known:
    session = invoker.session
    session.emit(call.noted())
    return session.world.cwd if session.world.cwd is not None else Flow(shown=call.shown)


SPECIAL: dict[str, Special] = {
    "set-location": _location,
    "push-location": _push,
    "pop-location": _pop,
    "get-location": _here,
    "invoke-expression": _expression,
    "invoke-command": _invoke,
    **dict.fromkeys(("start-job", "start-threadjob", "measure-command"), _job),
    "start-process": _process,
    **dict.fromkeys(cmdlets.WEB, _web),
    "start-bitstransfer": _transfer,
    "foreach-object": _for_each,
    **dict.fromkeys(PASSES, _passes),
    "get-content": _content,
    **dict.fromkeys(("set-content", "add-content", "out-file"), _store),
    **dict.fromkeys(("get-childitem", "get-item", "resolve-path", "convert-path"), _lists),
    **dict.fromkeys(("set-variable", "new-variable", "get-variable"), _variable),
    **dict.fromkeys(("set-alias", "new-alias"), _alias),
    "new-object": _object,
    "join-path": _join_path,
}
