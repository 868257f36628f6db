"""Writes the tables of folders and modules in docs/architecture.md, out of docstrings (`make architecture-page`)."""

from __future__ import annotations

import ast
from pathlib import Path

from dev.marked import between

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "rulez_py"
PAGE = ROOT / "docs" / "architecture.md"
FOLDERS = ("<!-- folders: make architecture-page -->\n", "<!-- end of folders -->")
MODULES = ("<!-- modules: make architecture-page -->\n", "<!-- end of modules -->")
MADE = ("event/servers/mcp_table.py", "log/secret_keywords.py", "log/secret_shapes.py", "analysis/languages/tables/")
"""Modules that are generated when rulez is built (dev/generated.py)."""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Return the page as it should be."""
    text = PAGE.read_text(encoding="utf-8")
    return between(between(text, *FOLDERS, f"\n{folders()}\n"), *MODULES, f"\n{modules()}\n")


def folders() -> str:
    """Return the table of packages, each with a link to its modules; those of single platforms are left out."""
    rows = [f"| {_linked(path)} | {concern(path / '__init__.py')} |" for path in packages()]
    return "\n".join(("| folder | concern |", "|---|---|", *rows, ""))


def modules() -> str:
    """Return the tables of modules, a section for each package that has some."""
    return "\n".join(section for path in (PACKAGE, *packages()) if (section := _section(path)))


def packages() -> list[Path]:
    """Return the packages in the order of their names."""
    return [
        path.parent
        for path in sorted(PACKAGE.rglob("__init__.py"))
        if path.parent != PACKAGE and path.parent.parent != PACKAGE / "platforms" and not _is_made(path)
    ]


def modules_of(package: Path) -> list[Path]:
    """Return the modules of one package, but the package itself and what is generated."""
    return [path for path in sorted(package.glob("*.py")) if path.stem != "__init__" and not _is_made(path)]


def concern(path: Path) -> str:
    """Return the first paragraph of a module's docstring as a cell of a table."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.partition("\n\n")[0].split()).replace("|", "\\|")


def _section(package: Path) -> str:
    rows = [f"| `{path.name}` | {concern(path)} |" for path in modules_of(package)]
    heading = f"### `{_name(package)}`\n\n| module | concern |\n|---|---|\n"
    return heading + "\n".join((*rows, "")) if rows else ""


def _linked(package: Path) -> str:
    name = _name(package)
    return f"[`{name}`](#{name.replace('/', '')})" if modules_of(package) else f"`{name}`"


def _name(package: Path) -> str:
    return f"{package.relative_to(PACKAGE if package != PACKAGE else ROOT).as_posix()}/"


def _is_made(path: Path) -> bool:
    return path.relative_to(PACKAGE).as_posix().startswith(MADE)


if __name__ == "__main__":
    main()
