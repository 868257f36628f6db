"""What talks to other machines: curl, wget, netcat, socat, mail."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.read import cut
from rulez_py.analysis.programs.runs import texts
from rulez_py.analysis.programs.touches import HERE
from rulez_py.analysis.values import DOWNLOAD, INTERPRETER, SHELL, TRANSFER, WRITE, Inner, Touch, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.read import Entry
    from rulez_py.analysis.programs.runs import Own
    from rulez_py.analysis.programs.touches import Touching


def curl_effects(command: Touching) -> None:
    directory = command.value("--output-dir")
    for option, entry in command.options:
        if entry is not None and option.value is not None:
            _curl_value(command, entry, option.value, directory)
    urls = [
        *command.operands,
        *(
            one.value
            for one, entry in command.options
            if entry is not None and entry.names[-1] == "--url" and one.value
        ),
    ]
    for word in command.operands:
        command.url(word)
    if command.has("--remote-name", "--remote-name-all"):
        for word in urls:
            _named_by(command, word, directory)


def _curl_value(command: Touching, entry: Entry, value: Word, directory: Word | None) -> None:
    """Touch what the value of an option of curl names."""
    name = entry.names[-1]
    if name == "--output":
        command.touch(value, "w", base=directory)
    elif name in ("--data-urlencode", "--url-query"):
        place = value.text.find("@")
        equals = value.text.find("=")
        if place >= 0 and (equals < 0 or place < equals):
            command.data(value, place + 1)
    elif name in ("--header", "--proxy-header") and value.text[:1] == "@":
        command.data(value, 1)
    elif name == "--variable" and "@" in value.text:
        command.data(value, value.text.index("@") + 1)
    elif name == "--write-out" and value.text[:1] == "@":
        command.touch(cut(value, 1), "r")
    elif name == "--cookie" and "=" not in value.text:
        command.touch(value, "r")
    elif name in ("--proxy", "--preproxy", "--socks5", "--socks5-hostname", "--socks4", "--socks4a", "--doh-url"):
        command.host(value)
    elif name == "--upload-file" and value.text in ("-", "."):
        command.sends = True
    else:
        command.role(value, entry.role)


def _named_by(command: Touching, url: Word, directory: Word | None) -> None:
    """Write a download under the last name of its URL."""
    start = url.text.find("://")
    path = parts.until(parts.until(url, "#"), "?")
    slash = path.text.rfind("/")
    if slash > start + 2 and slash + 1 < len(path.text):
        name = cut(path, slash + 1)
        command.touches.append(Touch(path=name, access=(WRITE,), base=directory))


def wget_effects(command: Touching) -> None:
    command.by_options()
    for word in command.operands:
        command.url(word)
    if not command.has("-O", "--output-document", "--spider"):
        directory = command.value("-P", "--directory-prefix")
        for word in command.operands:
            _named_by(command, word, directory)
    if command.hosts:
        command.origin = DOWNLOAD


def aria_effects(command: Touching) -> None:
    directory = command.value("-d", "--dir")
    command.by_options()
    for word in command.operands:
        command.url(word)
    out = command.value("-o", "--out")
    if out is not None:
        command.touch(out, "w", base=directory)
    else:
        for word in command.operands:
            _named_by(command, word, directory)


_METHODS = ("get", "head", "post", "put", "patch", "delete", "options")
"""xh and newer httpie take them in any case."""


def httpie_effects(command: Touching) -> None:
    command.by_options()
    words = command.operands
    if len(words) > 1 and (words[0].text.isupper() or words[0].text.lower() in _METHODS) and words[0].text.isalpha():
        words = words[1:]
    if not words:
        return
    command.host(words[0].replace(text="localhost", known=True) if words[0].text[:1] in (":", "/") else words[0])
    for word in words[1:]:
        for operator in (":=@", "=@", "@"):
            place = word.text.find(operator)
            if place > 0 and "=" not in word.text[:place]:
                command.touch(parts.until(cut(word, place + len(operator)), ";"), "rs")
                break
    command.sends = not command.has("-I", "--ignore-stdin")
    command.origin = DOWNLOAD


def netcat_effects(command: Touching) -> None:
    command.by_options()
    if not command.has("-l", "--listen", "-U", "--unixsock") and command.operands:
        command.host(command.operands[0])
    if command.has("-z"):
        return
    command.sends = True
    command.origin = DOWNLOAD


_SOCKETS = ("tcp", "udp", "ssl", "openssl", "sctp", "dtls", "proxy", "socks", "ip", "dccp", "vsock")
_FILES = ("open", "file", "gopen", "create", "creat")


def socat_effects(command: Touching) -> None:
    command.by_options()
    ends = [_end(word) for word in command.operands[:2]]
    remote = any(kind == "socket" for kind, _ in ends)
    for kind, word in ends:
        if kind == "socket" and word is not None:
            command.host(word)
    for place, (kind, word) in enumerate(ends):
        if kind != "file" or word is None:
            continue
        one_way = command.has("-u") or command.has("-U")
        reads = not one_way or place == (0 if command.has("-u") else 1)
        writes = not one_way or not reads
        command.touch(word, ("r" if reads else "") + ("w" if writes else "") + ("s" if reads and remote else ""))
    if remote:
        command.origin = DOWNLOAD
        command.sends = any(kind == "stream" for kind, _ in ends)


def _end(address: Word) -> tuple[str, Word | None]:
    """Return what one of socat's two addresses is: "file", "stream", or a "socket" with the host it connects to."""
    kind, colon, _ = address.text.partition(":")
    kind = kind.lower()
    if kind.startswith(_SOCKETS) and colon:
        waits = "listen" in kind or kind.endswith(("-l", "recv", "recvfrom"))
        return "socket", None if waits else parts.until(cut(address, len(kind) + 1), ",")
    if kind in _FILES and colon:
        return "file", parts.until(cut(address, len(kind) + 1), ",")
    if "/" in kind or (not colon and address.text.startswith(".")):
        return "file", parts.until(address, ",")
    is_stream = kind.partition(",")[0] in ("-", "stdio", "stdin", "fd", "stdin-") or kind.isdigit()
    return "stream" if is_stream else "", None


def keygen_effects(command: Touching) -> None:
    file = command.value("-f")
    if file is not None:
        reads = command.has("-y", "-l", "-B", "-e", "-F", "-L")
        command.touch(file, "r" if reads else "w")


def server_effects(command: Touching) -> None:
    """Send the directory (`python -m http.server`) to all that reach this machine, unless it is bound to loopback."""
    command.by_options()
    bound = command.value("-b", "--bind")
    here = bound is not None and bound.text in ("localhost", "127.0.0.1", "::1")
    if not here and command.value("-d", "--directory") is None:
        command.touch(HERE, "rs", deep=True)


def mail_effects(command: Touching) -> None:
    for option, _ in command.options:
        if option.value is not None and not {"-a", "-A", "-i", "--attach"}.isdisjoint(option.names):
            command.touch(option.value, "rs")
    for word in command.operands:
        if "@" in word.text:
            command.host(word)
    command.sends = True


_PUTS = ("put", "mput", "send", "mirror", "append", "reput")


def transfer_effects(command: Touching) -> None:
    """Touch the files of lftp, smbclient: what the commands among their words put there."""
    command.by_options()
    command.by_operands()
    for option, _ in command.options:
        if option.value is None or {"-c", "-e", "--command"}.isdisjoint(option.names):
            continue
        for part in option.value.text.split(";")[: parts.MANY]:
            name, *rest = part.split() or [""]
            for text in rest if name in _PUTS else ():
                if not text.startswith("-"):
                    command.touch(option.value.replace(text=text.strip("\"'"), glob=""), "rs", deep=name == "mirror")


def transfer_runs(own: Own) -> list[Inner]:
    """Return the commands of lftp, smbclient, ftp, tftp: texts, files of them, and those on standard input."""
    return [*(one for one in texts(own) if not one.stdin), *console_runs(own)]


def console_runs(own: Own) -> list[Inner]:
    """Return the lines of a console that moves files: in the files that options name, or on standard input."""
    files = [Inner(file=file, language=TRANSFER, via=INTERPRETER) for file in own.valued("runs file")]
    return files or [Inner(stdin=True, language=TRANSFER, via=INTERPRETER)]


SOCAT = {"exec": False, "system": True, "shell": True}


def socat_runs(own: Own) -> tuple[Inner, ...]:
    """Return what `socat` runs: the addresses EXEC:, SYSTEM: and SHELL:, up to the comma before their options.

    SHELL alone is the shell of the environment, fed by the other address (socat 1.8).
    """
    found: list[Inner] = []
    for word in own.words[1:]:
        start = 0
        for address in word.text.split("!!")[: parts.MANY]:
            kind, colon, rest = address.partition(":")
            if address.partition(",")[0].lower() == "shell":
                found.append(Inner(code=parts.with_text(word, "sh -i"), via=SHELL))
            if colon and kind.lower() in SOCAT:
                begin = start + len(kind) + 1
                end = rest.find(",")
                found.append(
                    Inner(code=parts.cut(word, begin, begin + end if end >= 0 else start + len(address)), via=SHELL)
                )
            start += len(address) + 2
    return tuple(found)


_WEBSOCAT_RUNS = ("cmd:", "sh-c:", "exec:")


def websocat_runs(own: Own) -> list[Inner]:
    """Return what `websocat` runs: an address may be a command."""
    return [
        Inner(code=parts.cut(word, len(start)), via=SHELL)
        for word in own.operands
        for start in _WEBSOCAT_RUNS
        if word.text.startswith(start)
    ]
