"""Our hooks in the agents' settings: what is there (`found`), what should be there, and the way from one to the other.

What is known of an agent is in its folder: `HOOKS` in `platforms/NAME/settings.py` names the files, `hooks/` has what
belongs into them. `entries` and `merge` are pure; `places` and `files` touch the disk; `plan` brings them together.
"""

from __future__ import annotations

from rulez_py.install.installed import Found, found, not_read_for
from rulez_py.install.places import MANAGED, PROJECT, SCOPES, USER, Machine

__all__ = ["MANAGED", "PROJECT", "SCOPES", "USER", "Found", "Machine", "found", "not_read_for"]
