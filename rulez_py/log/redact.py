"""Take secrets out of text that is kept or displayed.

What they look like is the table of `secret_shapes`. Most texts hold none: that costs a substring search for each of its
keywords, and the table and the regex engine are loaded only where one is found. What only looks like a secret (a
reference to a variable, a path, a word for "nothing") stays, because an unreadable log protects no one.
"""

from __future__ import annotations

try:
    from rulez_py.log.secret_keywords import KEYWORDS
except ImportError:  # a source tree in which nothing was built
    from rulez_py.log.shapes import table

    KEYWORDS, _ = table()

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    Shape = tuple[str, tuple[str, ...], str, str, tuple[tuple[str, ...], ...]]

MARK = "[redacted:"
"""What begins the mark in a secret's place; its name and a bracket follow."""
_LONG_RUN = 24
"""Letters and digits in a row, without which there is no secret of the shapes that have no keyword."""
_APART = {code: " " for code in range(128) if not chr(code).isalnum()}

# Where one secret is taken away, another that was glued to it can be seen.
_PASSES = 4

_BETWEEN = "\n\x1f\n"
"""The separator of texts that are searched together. No shape begins, ends or goes on in it, but some that
go on to the end of a text: redacting never makes one, so the number of them says whether a secret went over it."""

_WORDS = (
    "-",
    "true",
    "false",
    "null",
    "none",
    "nil",
    "yes",
    "no",
    "undefined",
    "required",
    "optional",
    "string",
    "str",
)
_REFERENCES = ("os.environ", "os.getenv", "process.env", "secrets.", "~/", "./", "../")


def redact(text: str) -> str:
    """`text` with every secret as `[redacted:NAME]`. Linear in the text; a second pass changes nothing."""
    return _redacted(text) if _may_hold_secrets(text) else text


def redact_each(texts: Sequence[str], kinds: Container[str] | None = None) -> list[str]:
    """Return each text redacted, for the price of one: they are looked through together.

    With `kinds`, only secrets of these names are.

    INVARIANT: where a secret is not within one text (a private key has no end), or a text holds the separator
    them, they are looked through one by one.
    """
    together = _BETWEEN.join(texts)
    if not _may_hold_secrets(together):
        return list(texts)
    redacted = _redacted(together, kinds).split(_BETWEEN) if together.count(_BETWEEN) == len(texts) - 1 else []
    if len(redacted) == len(texts):
        return redacted
    return [_redacted(text, kinds) if _may_hold_secrets(text) else text for text in texts]


def _redacted(text: str, kinds: Container[str] | None = None) -> str:
    for _ in range(_PASSES):
        redacted = _one_pass(text, kinds)
        if redacted == text:
            break
        text = redacted
    return text


def _may_hold_secrets(text: str) -> bool:
    lower = text.lower()
    for keyword in KEYWORDS:
        if keyword in lower:
            return True
    return _has_long_run(lower)


def _has_long_run(text: str) -> bool:
    return max(map(len, text.translate(_APART).split()), default=0) >= _LONG_RUN


def _one_pass(text: str, kinds: Container[str] | None) -> str:
    lower = text.lower()
    runs = _has_long_run(lower)
    table = (shape for shape in _shapes() if kinds is None or shape[0] in kinds)
    shapes = [shape for shape in table if _may_be_in(shape, lower, runs)]
    if not shapes:
        return text
    data = text.encode("utf-8", "replace")
    # Where two shapes find the same secret, the earlier one of the table names it.
    spans = sorted((start, order, end) for order, shape in enumerate(shapes) for start, end in _spans(shape, data))
    if not spans:
        return text
    pieces: list[bytes] = []
    at = 0
    for start, order, end in spans:
        if start >= at:
            pieces += (data[at:start], f"{MARK}{shapes[order][0]}]".encode())
        at = max(at, end)
    return b"".join((*pieces, data[at:])).decode("utf-8", "replace")


def _may_be_in(shape: Shape, lower: str, runs: bool) -> bool:
    """Tell whether a text may hold such a secret. `lower` is its lower case; `runs` tells if it has a long run."""
    keywords, needed = shape[1], shape[4]
    if not (any(map(lower.__contains__, keywords)) if keywords else runs):
        return False
    # RE2 takes longer to compile a pattern than a text like most is long.
    return len(lower) > _WORTH_A_LOOK or all(any(map(lower.__contains__, texts)) for texts in needed)


_WORTH_A_LOOK = 10_000
"""Characters of a text: in a longer one searching takes longer than compiling."""


def _shapes() -> Sequence[Shape]:
    try:
        from rulez_py.log.secret_shapes import SHAPES
    except ImportError:
        from rulez_py.log.shapes import table

        return table()[1]
    return SHAPES


def _spans(shape: Shape, data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where in `data` the secrets of this shape are."""
    from rulez_py.policy.patterns.regex import match_from

    _name, _keywords, pattern, characters, _needed = shape
    at = 0
    while at <= len(data) and (found := match_from(pattern, data, at, groups=True)) is not None:
        (start, end), *groups = found
        start, end = next((group for group in groups if group[0] >= 0), (start, end))
        secret = data[start:end].decode("utf-8", "replace")
        if not _is_harmless(secret) and _has(characters, secret):
            yield start, end
        at = max(end, at + 1)


def _has(characters: str, secret: str) -> bool:
    """Tell if it has the characters that a shape asks for: a digit, for "mixed" also a small and a capital letter."""
    if not characters:
        return True
    kinds = (str.isdigit, str.islower, str.isupper) if characters == "mixed" else (str.isdigit,)
    return all(any(map(kind, secret)) for kind in kinds)


def _is_harmless(value: str) -> bool:
    """Tell if a value in a secret's place is no secret: redacted, a reference, a path, an option, a word, filler."""
    if value.startswith(MARK) and value.find("]") == len(value) - 1:
        return True
    if value.startswith("$"):
        name = value[1:]
        return not name or name[0] in "{(" or (name.isupper() and name.replace("_", "").isalnum())
    if value.startswith("/"):
        return value.count("/") > 1 and not any(character in value for character in "+=")
    if value.startswith("--"):
        return value[2:3].isalpha()
    return value.lower() in _WORDS or value.startswith(_REFERENCES) or len(set(value)) == 1
