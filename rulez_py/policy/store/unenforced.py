"""Files whose rules stop nothing, and why, in sentences for the person."""

from __future__ import annotations

from rulez_py.policy.format.overrides import ENFORCE, WARN
from rulez_py.verdict import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulez_py.policy.store.file import PolicyFile


def unenforced(files: Iterable[PolicyFile]) -> Iterator[str]:
    """Yield a sentence for each file all of whose rules only log or warn, where settings or `overrides` say so.

    Single rules that do, and rules that say so themselves, are nothing to tell.
    """
    for file in files:
        places = dict.fromkeys(rule["changed_by"][-1] for rule in file.rules if rule.get("changed_by"))
        if places and all(rule["mode"] != ENFORCE for rule in file.rules):
            warns = any(rule["mode"] == WARN for rule in file.rules)
            does = "warn" if warns else "log"
            does += "" if len(file.rules) > 1 else "s"
            rules = counted(len(file.rules), "rule")
            yield f"nothing of {file.shown} is enforced: its {rules} only {does} ({', '.join(places)})"
