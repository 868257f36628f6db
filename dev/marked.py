"""What a page has between two marks, which a command writes."""

from __future__ import annotations


def between(page: str, begin: str, end: str, text: str) -> str:
    """Return the page with `text` between its marks. Raises ValueError where it has none."""
    if begin not in page or end not in page:
        raise ValueError(f"there is no {begin.strip()}")
    before, _, rest = page.partition(begin)
    return before + begin + text + end + rest.partition(end)[2]
