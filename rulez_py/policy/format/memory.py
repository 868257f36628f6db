"""What rules remember of a session, as a policy file says it: `remember`, `requires`, `remembered`, `at_most`."""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.documents import types
from rulez_py.documents.types import Map, Refusal, Short, check_not_blank, text, whole_number
from rulez_py.platforms.results import FAILURE, SUCCESS
from rulez_py.policy.matchers import matchers_of
from rulez_py.policy.matchers.schema_parts import one_of, one_or_many
from rulez_py.system.effects import PERIODS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulez_py.documents.types import Kind, Path
    from rulez_py.policy.model.rule import AtMost, Remember

ANY = "any"
RULE, TOOL, HOST = "rule", "tool", "host"
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
LONGEST = 86400
MOST_TIMES = 1000


def seconds(duration: str) -> float:
    """Return the seconds of a duration like `30m`, 0 for any other text."""
    number, unit = duration[:-1], duration[-1:]
    return float(int(number) * _SECONDS[unit]) if number.isascii() and number.isdigit() and unit in _SECONDS else 0.0


def _check_duration(value: str) -> None:
    if not seconds(value):
        raise Refusal(f'is "{value}", which is no duration', "write a number with s, m, h or d behind it, like 30m")
    if seconds(value) > LONGEST:
        raise Refusal(f'is "{value}", and nothing is remembered for more than a day', "write 1d or less")


def _check_times(value: int) -> None:
    if not 1 <= value <= MOST_TIMES:
        raise Refusal(f"must be from 1 to {MOST_TIMES}, not {value}")


def _check_key(value: str) -> None:
    if not all(letter.isalnum() or letter in "-_." for letter in value):
        raise Refusal(f'is "{value}", and a key has letters, digits, - _ and .')


KEY = text(check_not_blank, _check_key, pattern=r"\S")
KEYS = one_or_many(KEY)
_DURATION = text(_check_duration, pattern="^[0-9]+[smhd]$")


def remember(matchers: Kind) -> Short:
    """Return the kind of `remember`, whose `until` has these matchers."""
    whole = Map(
        name="Remember",
        about="What is remembered of the session where the rule matches.",
        needs=("key",),
        fields={
            "key": (KEY, "The name under which the rules of this file ask for it."),
            "for": (_DURATION, "How long: 30m, 2h; a day at most. Without it, as long as the session."),
            "until": (matchers, "Matchers; a later call of the session that fits one of these maps has it forgotten."),
            "result": (
                one_of((SUCCESS, FAILURE, ANY)),
                "Of a call that has been made: only where it had this result. Default success.",
            ),
        },
    )
    return Short(key="key", whole=whole)


AT_MOST = Map(
    name="AtMost",
    about="How many calls the rule lets pass before it objects.",
    needs=("times",),
    fields={
        "times": (whole_number(_check_times, minimum=1, maximum=MOST_TIMES), "So many calls pass."),
        "per": (one_of(tuple(PERIODS)), "In the session (default), in an hour or in a day."),
        "of": (one_of((RULE, TOOL, HOST)), "All calls together (`rule`, default), or each tool's or host's apart."),
    },
)


class AtMostKind(Value):
    """The kind of a bound: a map, or in short `20`, `20 per hour`."""

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        if type(value) is int:
            value = {"times": value}
        elif isinstance(value, str):
            words = value.split()
            if not words or not words[0].isascii() or not words[0].isdigit() or words[1:2] not in ([], ["per"]):
                raise Refusal(f'is "{value}"', "write it like 20 per hour")
            value = {"times": int(words[0]), **({"per": " ".join(words[2:])} if words[1:] else {})}
        if not isinstance(value, dict):
            raise types.unwanted(value, "a number, text or a map")
        return AT_MOST.read(value, path, refusals)

    def json(self) -> dict[str, Any]:
        short = {"pattern": f"^[0-9]+( per ({'|'.join(PERIODS)}))?$", "type": "string"}
        return {"anyOf": [{"maximum": MOST_TIMES, "minimum": 1, "type": "integer"}, short, AT_MOST.json()]}


def remembering(data: dict[str, Any]) -> dict[str, str]:
    """Return each key that a file's rules remember, with the rules that do, in words."""
    found: dict[str, list[str]] = {}
    for rule in data.get("rules") or ():
        said = (rule.get("actions") or {}).get("remember")
        if said and (rule.get("metadata") or {}).get("enabled", True):
            about = (rule.get("description") or "").strip().rstrip(".")
            found.setdefault(said["key"], []).append(f'"{rule["name"]}"{f" ({about})" if about else ""}')
    return {key: " or ".join(rules) for key, rules in found.items()}


def remembered(said: dict[str, Any]) -> Remember:
    """Return a checked `remember`, compiled."""
    until = said.get("until") or ()
    return {
        "key": said["key"],
        "seconds": seconds(said.get("for", "")),
        "until": [matchers_of(one) for one in until],
        "result": said.get("result", SUCCESS),
    }


def bound(said: dict[str, Any]) -> AtMost:
    """Return a checked `at_most`, compiled."""
    return {"times": said["times"], "seconds": PERIODS[said.get("per", "session")][0], "of": said.get("of", RULE)}
