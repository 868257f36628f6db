"""What a model reads where rules redact a result: beside it, in its place, or as a warning."""

from __future__ import annotations

from rulez_py.system import jsontext
from rulez_py.verdict import in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.verdict import Redacted

_KEPT_KEYS = frozenset(
    ("type", "resultType", "result_type", "mode", "status", "role", "kind", "mimeType", "media_type")
)
"""Keys whose texts say the form of a result and nothing of its content."""
_LONGEST_KEPT = 40
_DEEPEST = 100


def beside(result: Redacted) -> str:
    """Return what the model reads beside a result in which the secrets are marks, or that is withheld."""
    if result.withheld:
        return withheld(result)
    return _sentence(
        f"rulez redacted {in_words(result.found)} in this result", result, "Do not get the values in another way."
    )


def withheld(result: Redacted) -> str:
    """Return what takes the place of a result that must not be read."""
    advice = "Tell the person." if result.failed else "Get it in smaller parts."
    return _sentence(f"[withheld by rulez] {result.withheld}", result, advice)


def instead(result: Redacted, own: object) -> str:
    """Return the text for an agent that takes nothing but a text in a result's place; `own` is the redacted result."""
    return withheld(result) if result.withheld else f"{text_of(own)}\n\n[{beside(result)}]"


def warning(result: Redacted) -> str:
    """Return what the model reads where the result stays as it is."""
    if result.withheld:
        said = f"{result.withheld}: if it holds secrets, do not use, repeat or store them"
        return _sentence(said, result, "")
    said = f"This result holds secrets ({in_words(result.found)}): do not use, repeat or store them"
    return _sentence(said, result, "")


def _sentence(said: str, result: Redacted, advice: str) -> str:
    by = f" (rule {', '.join(result.rules)})" if result.rules else ""
    first = said[:1].upper() + said[1:] if not said.startswith(("rulez", "[")) else said
    return " ".join(part for part in (f"{first.rstrip('.')}{by}.", result.why, advice) if part)


def text_of(value: object) -> str:
    """Return the text of a result as its model would have read it: of Gemini's and MCP's forms their texts alone."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        for key in ("llmContent", "content", "text", "output"):
            inner = value.get(key)
            if isinstance(inner, str) or (isinstance(inner, (list, dict)) and inner):
                return text_of(inner)
    if isinstance(value, list):
        return "\n".join(text_of(one) for one in value)
    return jsontext.dumps(value)


def left_of(result: Redacted, own: object) -> object:
    """Return what may be read of a result, in the form of `own`, which is the result itself."""
    if not result.withheld:
        return result.value
    return withheld(result) if own is None else blanked(own, withheld(result))


def blanked(value: object, said: str, depth: int = 0) -> object:
    """Return a result of the same form in which every text is `said`, but for words that name the form."""
    if isinstance(value, str) or depth > _DEEPEST:
        return said
    if isinstance(value, dict):
        return {
            key: item
            if key in _KEPT_KEYS and isinstance(item, str) and len(item) <= _LONGEST_KEPT
            else blanked(item, said, depth + 1)
            for key, item in value.items()
        }
    if isinstance(value, list):
        first = next((blank for item in value if (blank := blanked(item, said, depth + 1)) != item), None)
        return [] if first is None else [first]
    return value
