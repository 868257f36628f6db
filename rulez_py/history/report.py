"""A log as one page that a browser shows without a network.

INVARIANT: what the log says is text in the page, never markup or script: it is in a block of data in which `<` and
`&` are written as escapes, and a policy in the page lets nothing run but the page's own script.
"""

from __future__ import annotations

import base64
import hashlib
import html
from typing import TYPE_CHECKING

from rulez_py.history.page import BODY, SCRIPT, STYLE
from rulez_py.history.reading import stopped_more
from rulez_py.log.audit import as_json
from rulez_py.verdict import counted, visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulez_py.history.reading import Entry

STOPPED = 2000
"""Calls that the page lists; of more the latest."""
_FIELDS = ("time", "verdict", "platform", "tool", "input", "rule", "reason", "user", "host")


def page(summary: Mapping[str, object], stopped: Sequence[Entry], period: str, made: str) -> str:
    """Return the page of a summary (as `rulez log --summary --json` has it) and of the calls that were stopped."""
    listed = [{name: str(one.get(name) or "") for name in _FIELDS} for one in stopped[-STOPPED:]][::-1]
    stricter = summary.get("enforced")
    said = stopped_more(stricter) if isinstance(stricter, dict) else ""
    data = as_json(_seen({**summary, "stopped": listed, "enforced_said": said}))
    escaped = data.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    policy = (
        f"default-src 'none'; script-src {_hash(SCRIPT)}; style-src {_hash(STYLE)}; base-uri 'none'; form-action 'none'"
    )
    calls = counted(len(listed), "call that was", "calls that were")
    more = "The latest " if len(stopped) > STOPPED else ""
    body = BODY.format(
        period=html.escape(visible(period)),
        stopped=html.escape(f"{more}{calls} denied or asked about, the latest first."),
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>rulez report</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}"
        f"<p>Made {html.escape(made)}; times are UTC.</p>\n"
        f'<script type="application/json" id="data">{escaped}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n'
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _seen(value: object) -> object:
    """Return a value in whose texts everything can be seen."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible(str(key)): _seen(item) for key, item in value.items()}
    return [_seen(item) for item in value] if isinstance(value, (list, tuple)) else value
