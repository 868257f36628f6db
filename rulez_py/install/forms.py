"""Edit single values of an agent's settings in place, whatever form these have: JSON, TOML or YAML.

Each form has a module with these functions. They take the whole text and give the whole text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulez_py.install import jsonc, tomlc, yamlc
from rulez_py.platforms.settings import JSON, TOML, YAML

if TYPE_CHECKING:
    from typing import Protocol

    from rulez_py.install.jsonc import Path

    class Form(Protocol):
        """A form of settings. Each function raises Unreadable where the text is not of this form, or is not to be
        changed there.
        """

        def value(self, text: str, /) -> Any:
            """Return what the settings say."""

        def span(self, text: str, path: Path, /) -> tuple[int, int] | None:
            """Return where the value at a path starts and ends; None where none is."""

        def written(self, text: str, path: Path, content: str | list[str], /) -> str:
            """Return the characters of another value at a path that is there."""

        def added_beside(self, text: str, path: Path, key: str, content: list[str], /) -> str:
            """Return the text with a further key beside the one at this path."""

        def removed(self, text: str, path: Path, /) -> str:
            """Return the text without the key at this path: what `added_beside` has put there goes to the last byte."""


FORMS: dict[str, Form] = {JSON: jsonc, TOML: tomlc, YAML: yamlc}
"""The module of each form."""
