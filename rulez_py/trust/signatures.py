"""Check a policy's signature, which lies beside it (`rules.yaml.sig`), as `ssh-keygen -Y sign` makes it.

What is signed is a short text with the policy's name and digest (`message`), so the signature covers all that trust
covers: the file, the files that it extends, and the scripts that they name. `ssh-keygen` is started once for each
signature; what it found is kept in `signed.json` in the state directory, and counts while the digest, the signature
and the allowed signers are the same.

INVARIANT: who may sign is said by the person's own file or the machine's policy, never by the project.
"""

from __future__ import annotations

import os
import time

from rulez_py.analysis import Value
from rulez_py.system import jsontext
from rulez_py.system.files import NO_SYMLINK, private_directory, read_pieces, replace, why_not_private
from rulez_py.trust.digests import SIGNATURE, content_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulez_py.system.places import Places

NAMESPACE = "rulez-policy"
SIGNERS = "allowed_signers"
"""The name of the person's file of those who may sign, beside their own policy; its form is that of ssh-keygen(1)."""
FILE_NAME = "signed.json"

PROGRAMS = (
    *(f"{directory}/ssh-keygen" for directory in ("/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin")),
    "C:\\Windows\\System32\\OpenSSH\\ssh-keygen.exe",
)
"""The paths of ssh-keygen. INVARIANT: never searched for on PATH, which an agent's files may change."""

_VERSION = 1
_LARGEST_SIGNATURE = 64 * 1024
_LARGEST_SIGNERS = 1024 * 1024
_LARGEST_KEPT = 4 * 1024 * 1024
_MOST_KEPT = 500
_SECONDS = 2.0
"""For each start of ssh-keygen."""
_MOST_NAMES = 2
_WITH_BOUNDS = 3600.0
"""Seconds after which it is asked again where the list of signers has times, or certificates, which have their own."""
_AFTER_A_FAILURE = 60.0
_FOREVER = 10.0**11


class Checked(Value):
    """The outcome for one signature: who has signed, "" where it does not count; `why` then says so, if there is one.

    `at` and `until` bound the time in which the outcome holds, in seconds since the epoch.
    """

    signer: str = ""
    why: str = ""
    at: float = 0.0
    until: float = 0.0


class _Unusable(Exception):
    """The check cannot be made; the message says why. `passing` says that this may be otherwise soon."""

    def __init__(self, why: str, *, passing: bool = False) -> None:
        super().__init__(why)
        self.passing = passing


def message(path: str, digest: str) -> bytes:
    """Return the text that is signed for the policy at `path` with this digest."""
    return f"rulez policy 1\n{_name(path)}\nsha256:{digest}\n".encode("utf-8", "surrogatepass")


def _name(path: str) -> str:
    """Return the policy's name in its project: `.rulez/rules.d/team.yaml`."""
    parts = os.path.abspath(path).split(os.sep)
    starts = [number for number, part in enumerate(parts[:-1]) if part in (".rulez", ".claude")]
    return "/".join(parts[starts[-1] if starts else -1 :])


def own_signers(places: Places) -> str:
    """Return the path of the person's own list of those who may sign."""
    return os.path.join(os.path.dirname(places.user_policy), SIGNERS)


def checked(places: Places, path: str, digest: str, signers: str) -> Checked:
    """Return who has signed the policy at `path` with this digest, of those that the file `signers` allows.

    Raises nothing.
    """
    try:
        return _checked(places, path, digest, signers)
    except _Unusable as problem:
        return Checked(why=str(problem))
    except (OSError, ValueError) as error:
        return Checked(why=f"it cannot be checked: {getattr(error, 'strerror', None) or error}")


def _checked(places: Places, path: str, digest: str, signers: str) -> Checked:
    try:
        signature = b"".join(read_pieces(path + SIGNATURE, _LARGEST_SIGNATURE + 1, os.O_RDONLY | NO_SYMLINK))
    except FileNotFoundError:
        return Checked()
    if len(signature) > _LARGEST_SIGNATURE:
        raise _Unusable("it is larger than any signature")
    allowed = _signers(signers)
    now = time.time()
    about = [digest, content_digest(signature), content_digest(allowed)]
    place = f"{os.path.abspath(path)}\n{signers}"
    kept = _load(places)
    entry = kept.get(place)
    if entry is not None and entry["about"] == about and entry["at"] <= now < entry["until"]:
        return Checked(signer=entry["signer"], why=entry["why"], at=entry["at"], until=entry["until"])
    try:
        signer, why = _verified(places, message(path, digest), signature, allowed)
        until = _until(allowed, now)
    except _Unusable as problem:
        if not problem.passing:
            raise
        signer, why, until = "", str(problem), now + _AFTER_A_FAILURE
    found = Checked(signer=signer, why=why, at=now, until=until)
    _keep(places, {**kept, place: {"about": about, "signer": signer, "why": why, "at": now, "until": until}})
    return found


def _signers(path: str) -> bytes:
    """Return the list of those who may sign. Raises _Unusable where others may have written it."""
    try:
        status = os.stat(path)
        content = b"".join(read_pieces(path, _LARGEST_SIGNERS + 1))
    except OSError as error:
        raise _Unusable(f"who may sign is not known: {path}: {(error.strerror or str(error)).lower()}") from None
    if hasattr(os, "geteuid"):
        why = "" if status.st_uid == 0 and not status.st_mode & 0o022 else why_not_private(status)
        if why:
            raise _Unusable(f"who may sign is not certain: {path} {why}")
    if len(content) > _LARGEST_SIGNERS:
        raise _Unusable(f"{path} is larger than {_LARGEST_SIGNERS} bytes")
    return content


# Asking ssh-keygen.


def program() -> str:
    """Return the path of ssh-keygen, "" where there is none that is root's alone to change."""
    return next((path for path in PROGRAMS if _is_the_systems(path)), "")


def _is_the_systems(path: str) -> bool:
    try:
        found = os.stat(path)
    except OSError:
        return False
    return os.path.isfile(path) and (os.name == "nt" or (found.st_uid == 0 and not found.st_mode & 0o022))


def _verified(places: Places, text: bytes, signature: bytes, allowed: bytes) -> tuple[str, str]:
    """Return who has signed the text, else "" and why it does not count. Raises _Unusable and OSError."""
    ssh_keygen = program()
    if not ssh_keygen:
        raise _Unusable("ssh-keygen is not installed, so it cannot be checked (OpenSSH's client has it)")
    private_directory(places.state)
    why = why_not_private(os.stat(places.state))
    if why:
        raise _Unusable(f"it cannot be checked: {places.state} {why}")
    base = os.path.join(places.state, f"signature.{os.urandom(8).hex()}")
    files = (f"{base}.sig", f"{base}.signers")
    try:
        # INVARIANT: what is asked about are the bytes that were read here, whatever becomes of the files.
        for file, content in zip(files, (signature, allowed), strict=True):
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_SYMLINK, 0o600)
            with open(descriptor, "wb") as writing:
                writing.write(content)
        asked = ("-s", files[0], "-f", files[1])
        code, names = _run(ssh_keygen, ("-Y", "find-principals", *asked), b"")
        if code != 0:
            return "", "it is of no signer in the list"
        for name in _first_names(names):
            code, _ = _run(ssh_keygen, ("-Y", "verify", "-n", NAMESPACE, "-I", name, *asked), text)
            if code == 0:
                return name, ""
        return "", "it is for other content, or for another purpose"
    finally:
        for file in files:
            if os.path.lexists(file):
                os.unlink(file)


def _first_names(output: bytes) -> list[str]:
    """Return names that ssh-keygen has printed: a line for each entry, and each line holds patterns."""
    lines = output.decode("utf-8", "replace").splitlines()
    names = (next((one for one in line.split(",") if one and one[0] not in "!-"), "") for line in lines)
    return [name for name in names if name][:_MOST_NAMES]


def _run(ssh_keygen: str, arguments: tuple[str, ...], data: bytes) -> tuple[int | None, bytes]:
    """Return the exit code and the output. Raises _Unusable."""
    from rulez_py.system.process import CannotStart, run_process

    environ = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    command = (ssh_keygen, *arguments)
    try:
        ended = run_process(command, program=ssh_keygen, cwd=os.sep, environ=environ, data=data, seconds=_SECONDS)
    except CannotStart as error:
        raise _Unusable(f"{ssh_keygen} cannot be started: {error}", passing=True) from None
    if ended.exit_code is None:
        raise _Unusable(f"{ssh_keygen} gave no answer: {ended.error}", passing=True)
    return ended.exit_code, ended.stdout


def _until(allowed: bytes, now: float) -> float:
    """Return when the outcome has to be asked for again: at the next bound of time, and where there are any, soon."""
    text = allowed.lower()
    if b"valid-" not in text and b"cert-authority" not in text:
        return now + _FOREVER
    bounds = [now + _WITH_BOUNDS]
    for piece in text.split(b"valid-")[1:]:
        bound = _time(piece.partition(b"=")[2].lstrip(b'"'))
        if bound is not None and bound > now:
            bounds.append(bound)
    return min(bounds)


def _time(text: bytes) -> float | None:
    """Return a time that begins a text: YYYYMMDD[HHMM[SS]], with a Z behind it where it is UTC."""
    end = next((at for at, one in enumerate(text[:14]) if not 48 <= one <= 57), 14)
    digits = text[:end].decode("ascii", "replace")
    if len(digits) not in (8, 12, 14):
        return None
    filled = digits.ljust(14, "0")
    numbers = [int(filled[:4]), *(int(filled[at : at + 2]) for at in range(4, 14, 2))]
    try:
        local = time.mktime((*numbers, 0, 0, -1))  # type: ignore[arg-type]
        offset = time.localtime(local).tm_gmtoff if text[len(digits) : len(digits) + 1] == b"z" else 0
        return local + offset
    except (ValueError, OverflowError, OSError):
        return None


# What was found before.


def _load(places: Places) -> dict[str, Any]:
    """Return what is kept; nothing where that is damaged, or another user may write it."""
    path = os.path.join(places.state, FILE_NAME)
    try:
        if why_not_private(os.stat(places.state)) or why_not_private(os.lstat(path)):
            return {}
        kept: Any = jsontext.loads(b"".join(read_pieces(path, _LARGEST_KEPT, os.O_RDONLY | NO_SYMLINK)))
        if kept["version"] != _VERSION:
            return {}
        return {place: entry for place, entry in kept["signed"].items() if _is_whole(entry)}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def _is_whole(entry: Any) -> bool:
    texts, numbers = (entry["signer"], entry["why"]), (entry["at"], entry["until"])
    return all(isinstance(one, str) for one in texts) and all(isinstance(one, (int, float)) for one in numbers)


def _keep(places: Places, kept: dict[str, Any]) -> None:
    """Write it whole, or not at all: without it ssh-keygen is asked again."""
    path = os.path.join(places.state, FILE_NAME)
    newest = sorted(kept, key=lambda place: -float(kept[place]["at"]))[:_MOST_KEPT]
    text = jsontext.dumps({"version": _VERSION, "signed": {place: kept[place] for place in newest}})
    try:
        replace(path, text.encode() + b"\n")
    except OSError:
        return
