"""Lines of redis-cli on standard input: each is the command that it would be among its words."""

from __future__ import annotations

from rulez_py.analysis.languages.effects import Effects
from rulez_py.analysis.programs.parts import pieces
from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.values import Found

_DATA = frozenset(
    (
        *("get", "set", "mget", "mset", "setex", "setnx", "incr", "decr", "incrby", "append", "expire", "ttl"),
        *("hget", "hset", "hmset", "hgetall", "lpush", "rpush", "lrange", "sadd", "srem", "smembers", "zadd", "zrange"),
        *("xadd", "exists", "publish", "ping", "echo", "select", "auth", "multi", "exec", "type", "geoadd", "pfadd"),
    )
)
"""Commands that fill a database or look at it: a file has thousands of them."""


def find(text: str, _arguments: Sequence[Word] = ()) -> Found:
    """Return the commands in the lines of a text, without those that fill a database."""
    found = Effects()
    for line in text.split("\n"):
        first, _, _ = line.strip().partition(" ")
        if first.isalpha() and first.lower() not in _DATA:
            found.words(tuple(Word(text=one) for one in ("redis-cli", *pieces(line.strip()))))
    return found.found()
