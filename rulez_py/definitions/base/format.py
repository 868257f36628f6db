"""Declare the parts that the formats of several kinds have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulez_py.analysis import Value
from rulez_py.definitions.base.composing import VARIABLE_NAME
from rulez_py.definitions.base.tool import ALIASES, FURTHER, Platform, Tool, UnknownTool, parse_tool
from rulez_py.documents.types import ListOf, MapOf, Refusal, text

if TYPE_CHECKING:
    from rulez_py.documents.types import Kind, Path

PLATFORMS = [platform.value for platform in Platform]


def _check_tool(value: str) -> None:
    if "," in value:
        words = ", ".join(word.strip() for word in value.split(","))
        raise Refusal(f'holds "{value}", which is several', f"write a list: [{words}]")
    try:
        parse_tool(value)
    except UnknownTool as unknown:
        raise Refusal(f'holds "{value}", which is no tool', unknown.help) from None


def _check_platform(value: str) -> None:
    if value not in PLATFORMS:
        raise Refusal(f'names "{value}", for which no agent files are written', choices=PLATFORMS)


class PerPlatform(Value):
    """One value for every platform, or a map with a value for each that needs one."""

    item: Kind

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        return (self._map if isinstance(value, dict) else self.item).read(value, path, refusals)

    def json(self) -> dict[str, Any]:
        return {"anyOf": [self.item.json(), self._map.json()]}

    @property
    def _map(self) -> MapOf:
        return MapOf(key=PLATFORM, item=self.item)


PLATFORM = text(_check_platform, enum=PLATFORMS)

_NAMES = [*(tool.value for tool in Tool), *FURTHER, *ALIASES]

_TOOL = text(_check_tool, anyOf=[{"enum": _NAMES}, {"pattern": "^Custom:."}])

TOOLS = ListOf(item=_TOOL, alone=True, no_map="write a list of its tools, like [Read, Shell]")


def _check_variable(value: str) -> None:
    if not VARIABLE_NAME.fullmatch(value):
        raise Refusal(f'has the name "{value}": write letters, digits, - and _')


VARIABLES = MapOf(key=text(_check_variable), item=text())
