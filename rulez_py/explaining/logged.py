"""Calls that the decision log remembers."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from rulez_py.log.audit import DENIED_NAME, FILE_NAME, KEPT, OWN_SESSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.system.places import Places


def stopped(places: Places, number: int) -> dict[str, Any] | None:
    """The call that was stopped last, for 1, or the one so many before it; None where there is none."""
    found = (entry for entry in _newest_first(places, DENIED_NAME) if entry.get("session") != OWN_SESSION)
    return next((entry for at, entry in enumerate(found, start=1) if at == number), None)


def by_id(places: Places, wanted: str) -> dict[str, Any] | None:
    """The call whose log line has an id, or the only one whose id begins so."""
    found = [entry for entry in _newest_first(places, FILE_NAME) if str(entry.get("id") or "").startswith(wanted)]
    exact = [entry for entry in found if entry.get("id") == wanted]
    return exact[0] if exact else found[0] if len({entry["id"] for entry in found}) == 1 else None


def _newest_first(places: Places, name: str) -> Iterator[dict[str, Any]]:
    """The entries of a log, those of rotated files behind the others; lines that cannot be read are left out."""
    for suffix in ("", *(f".{number}" for number in range(1, KEPT + 1))):
        try:
            with open(os.path.join(places.state, name + suffix), "rb") as file:
                lines = file.read().splitlines()
        except OSError:
            continue
        for line in reversed(lines):
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict):
                yield entry
