"""What the machine's policy says of trusted projects: `settings: {trust: {paths, digests, signers}}`."""

from __future__ import annotations

import os

from rulez_py.policy.model.layers import MANAGED
from rulez_py.policy.store.file import Trusting
from rulez_py.trust.digests import PREFIX, SIGNATURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from rulez_py.policy.store.file import PolicyFile
    from rulez_py.policy.store.programs import Trusted
    from rulez_py.system.places import Places


def said_in(settings: Any) -> Trusting:
    """Return what the setting `trust` of one file says, in the schema's shape."""
    said, people = settings.get("trust"), people_in(settings) is True
    if not isinstance(said, dict):
        return Trusting(people=people)
    signers = said.get("signers")
    return Trusting(
        only=said.get("only") is True,
        people=people,
        paths=tuple(said.get("paths") or ()),
        digests=tuple(one.removeprefix(PREFIX) for one in said.get("digests") or ()),
        signers=(signers,) if signers else (),
    )


def people_in(settings: Any) -> bool | str:
    """Return what the setting `trust` says of `rulez trust`: true, false, or by which password."""
    said: Any = settings.get("trust", True)
    if not isinstance(said, dict):
        return said if isinstance(said, str) else said is True
    if said.get("only") is True:
        return False
    people: bool | str = said.get("people", True)
    return people


def of_machine(files: Iterable[PolicyFile]) -> Trusting | None:
    """Return what all managed files say together, None where they say nothing."""
    each = [one.trusting for one in files if one.source.layer == MANAGED and one.trusting is not None]
    if not each:
        return None
    return Trusting(
        only=any(one.only for one in each),
        people=all(one.people for one in each),
        paths=tuple(dict.fromkeys(path for one in each for path in one.paths)),
        digests=tuple(dict.fromkeys(digest for one in each for digest in one.digests)),
        signers=tuple(dict.fromkeys(signers for one in each for signers in one.signers)),
    )


class Believing:
    """Which policies are trusted: those that `trusted` says, as far as the machine lets people, and the machine's."""

    def __init__(self, said: Trusting, trusted: Trusted, places: Places) -> None:
        self._said = said
        self._trusted = trusted
        self._places = places

    def __call__(self, path: str, digest: str) -> bool:
        return self.by_bytes(path, digest) or bool(_fitting(self._said.paths, self._places, path))

    def by_bytes(self, path: str, digest: str) -> bool:
        """Tell if it is trusted as it is, byte for byte: by more than its place."""
        if _by_bytes(self._said, self._places, path, digest):
            return True
        if self._said.only or not self._trusted(path, digest):
            return False
        return self._said.people or not os.path.lexists(path + SIGNATURE) or _listed(self._places, path, digest)


def _listed(places: Places, path: str, digest: str) -> bool:
    from rulez_py.trust.store import entry_for

    return entry_for(places, path, digest) is not None


def why(said: Trusting | None, places: Places, path: str, digest: str) -> str:
    """Return by what part of the machine's word the policy at `path` with this digest is trusted, "" where by none."""
    if said is None:
        return ""
    found = _by_bytes(said, places, path, digest)
    fitting = "" if found else _fitting(said.paths, places, path)
    return f"this machine's policy (its place, {fitting})" if fitting else found


def _by_bytes(said: Trusting, places: Places, path: str, digest: str) -> str:
    if digest in said.digests:
        return "this machine's policy (its digest)"
    for signers in said.signers:
        from rulez_py.trust.signatures import checked

        signer = checked(places, path, digest, signers).signer
        if signer:
            return f"this machine's policy (signed by {signer})"
    return ""


def by_whom(said: Trusting | None, places: Places, path: str, digest: str) -> str:
    """Return by whom or what a project's policy with this digest is trusted, "" where it is not."""
    machine = why(said, places, path, digest)
    if machine or (said is not None and said.only):
        return machine
    from rulez_py.trust.store import entry_for

    entry = entry_for(places, path, digest)
    if entry is not None:
        return "you, everywhere" if entry.everywhere else "you"
    if said is not None and not said.people:
        return ""
    from rulez_py.trust.signatures import checked, own_signers

    signer = checked(places, path, digest, own_signers(places)).signer
    return f"you (signed by {signer})" if signer else ""


def signature_problems(said: Trusting | None, places: Places, path: str, digest: str) -> tuple[str, ...]:
    """Return why the signature beside a policy does not count: a reason for each list of signers, () without one."""
    from rulez_py.trust.signatures import checked, own_signers

    lists = () if said is None else said.signers
    mine = () if said is not None and (said.only or not said.people) else (own_signers(places),)
    found = (checked(places, path, digest, signers) for signers in (*lists, *mine))
    return tuple(dict.fromkeys(one.why for one in found if one.why))


def _fitting(paths: tuple[str, ...], places: Places, path: str) -> str:
    """Return the first glob that the directory of the file's project fits, "" where none does.

    INVARIANT: the place is the real one, and a file there that belongs to another user does not count.
    """
    if not paths:
        return ""
    from rulez_py.policy.patterns import globs
    from rulez_py.policy.store.search import other_owner, real_path, root_of

    if other_owner(path, places.owners) is not None:
        return ""
    root = real_path(root_of(path))
    for pattern in paths:
        whole = places.home + pattern[1:] if pattern[:2] == "~/" else pattern
        if globs.fits(globs.segments(whole), root):
            return pattern
    return ""
