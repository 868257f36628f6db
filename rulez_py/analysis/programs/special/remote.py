"""Programs that run a command elsewhere: on another machine, in a container. And terminals kept by a server."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.read import level
from rulez_py.analysis.programs.runs import plainly, texts, ways, within_level
from rulez_py.analysis.values import DOWNLOAD, REMOTE, SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.programs.runs import Own
    from rulez_py.analysis.programs.touches import Touching

# Options of ssh whose value is a command: whether it runs on the other side.
SSH_COMMANDS = {"proxycommand": False, "localcommand": False, "knownhostscommand": False, "remotecommand": True}


def ssh_options(values: Sequence[Word]) -> list[Inner]:
    """Return the commands in values of ssh's -o: `ProxyCommand=code`, `RemoteCommand code`, `Match exec "code"`."""
    found: list[Inner] = []
    for word in values:
        end = next((place for place, char in enumerate(word.text) if char in "= \t"), 0)
        there = SSH_COMMANDS.get(word.text[:end].lower())
        if there is not None:
            start = end + len(word.text[end:]) - len(word.text[end:].lstrip("= \t"))
            if word.text[start:].lower() != "none":
                found.append(Inner(code=parts.cut(word, start), via=REMOTE if there else SHELL))
        elif word.text[:end].lower() == "match" and (place := word.text.lower().find("exec ")) >= 0:
            code = word.text[place + 5 :].strip()
            quote = code[:1] if code[:1] in ("'", '"') else ""
            closing = code.find(quote, 1) if quote else -1
            found.append(Inner(code=parts.with_text(word, code[1:closing] if closing > 0 else code), via=SHELL))
    return found


def ssh_runs(own: Own) -> list[Inner]:
    """Return the commands of ssh [options] destination [options] [code]; without code, standard input is it."""
    found = ssh_options(own.every("-o"))
    if own.is_idle or not own.operands:
        return found
    login = own.value("-l")
    who = "" if login is None else parts.user(login)
    if not who and "@" in own.operands[0].text:
        who = parts.user(own.operands[0])
    if own.start is not None:
        found += [Inner(code=code, via=REMOTE, user=who) for code in parts.readings(own.behind)]
    elif not any(one.via == REMOTE for one in found):
        found.append(Inner(stdin=True, via=REMOTE, user=who))
    return found


def mounts(words: Sequence[Word]) -> list[tuple[str, Word, bool]]:
    """Return the mounts of `docker run`: the place in the container, that of this machine, and if it is read-only.

    Volumes with a name are not listed.
    """
    found = []
    owns, _ = ways(level("docker"), words)
    own = owns[0]
    for word in own.every("-v", "--volume"):
        text = word.text
        start = 2 if text[:1].isalpha() and text[1:3] in (":\\", ":/") else 0
        end = text.find(":", start)
        if end > 0 and (start or text.startswith(("/", ".", "~", "$"))):
            place, _, options = text[end + 1 :].partition(":")
            only_read = not {"ro", "readonly"}.isdisjoint(options.split(","))
            found.append((place, parts.with_text(word, text[:end]), only_read))
    for word in own.every("--mount"):
        fields = {part.partition("=")[0]: part.partition("=")[2] for part in word.text.split(",")}
        source = fields.get("source") or fields.get("src")
        place = fields.get("target") or fields.get("destination") or fields.get("dst") or ""
        if source and fields.get("type") == "bind":
            only_read = any(fields.get(name, "false") in ("", "true", "1") for name in ("ro", "readonly"))
            found.append((place, parts.with_text(word, source), only_read))
    return found


def named_runs(own: Own) -> tuple[Inner, ...]:
    """Return a subcommand that is a program of its own: `minikube kubectl -- get pods`."""
    if own.branch is None:
        return ()
    program, *rest = own.words[own.branch :]
    if rest and rest[0].text == "--":
        rest = rest[1:]
    return (Inner(words=(program, *rest)),)


TMUX_KEYS = {"Enter": "\n", "C-m": "\n", "C-j": "\n", "KPEnter": "\n", "Space": " ", "Tab": "\t"}
TMUX_OTHER_KEYS = (
    "C-",
    "M-",
    "S-",
    "Escape",
    "Up",
    "Down",
    "Left",
    "Right",
    "Home",
    "End",
    "BSpace",
    "DC",
    "PageUp",
    "F1",
)
TMUX_SEND = ("send-keys", "send")


def tmux_runs(own: Own) -> list[Inner]:
    """Return the commands of tmux's windows, of keys typed into a shell and of run-shell; `;` separates its own."""
    found = texts(own)
    command: list[Word] = []
    first = own.last if own.branch is None else own.branch
    for word in [*own.words[first:], None]:
        ends = word is None or word.text.endswith(";")
        if word is not None and word.text != ";":
            command.append(parts.cut(word, 0, -1) if ends else word)
        if ends and command:
            found += _tmux(command)
            command = []
    return found


def _tmux(words: Sequence[Word]) -> tuple[Inner, ...]:
    """Return one command of tmux: described as `tmux NAME`."""
    if words[0].text not in TMUX_SEND:
        return within_level(f"tmux {words[0].text}", words)
    own = ways(level("tmux send-keys"), words)[0][0]
    typed = list(own.behind)
    if not own.has("-l"):
        typed = [parts.with_text(word, TMUX_KEYS.get(word.text, word.text)) for word in typed if not _key(word)]
    return (Inner(code=parts.join(typed, ""), via=SHELL),) if typed else ()


def _key(word: Word) -> bool:
    text = word.text
    return text not in TMUX_KEYS and text.startswith(TMUX_OTHER_KEYS) and len(text) < 8 and " " not in text


def machinectl_runs(own: Own) -> list[Inner]:
    """Return the command of `machinectl shell USER@.host COMMAND`: `.host`, or no name, is this machine."""
    named = own.operands[0].text if own.operands else ""
    user, at, machine = named.rpartition("@")
    if machine not in ("", ".host"):
        return plainly(own)
    return [one.replace(via=SHELL, user=(user if at else "") or "root") for one in plainly(own)]


def screen_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of screen WORDS, and `-X stuff TEXT`, which types into a shell."""
    rest = own.behind
    if own.is_idle:
        return ()
    if not own.has("-X"):
        return (Inner(words=rest),) if own.start is not None else ()
    if len(rest) > 1 and rest[0].text == "stuff":
        return (Inner(code=parts.join(rest[1:]), via=SHELL),)
    if len(rest) > 1 and rest[0].text in ("exec", "screen"):
        return (Inner(words=rest[1:]),)
    return ()


def ssh_effects(command: Touching) -> None:
    command.by_options()
    if command.operands:
        command.host(command.operands[0])
    jump = command.value("-J")
    if jump is not None:
        for one in jump.text.split(","):
            command.host(jump.replace(text=one))
    command.sends = True
    command.origin = DOWNLOAD
