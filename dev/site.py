"""Builds the documentation as a site (`make docs`): build/site/html, from the pages of the repository.

The pages are copied beside each other as they lie in the repository, so their links hold; a page for each agent is put
together from what the repository says of it elsewhere. Nothing is said twice, and what a link or an anchor names
that is not there ends the build.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parent.parent
BUILT = ROOT / "build" / "site"
PAGES = BUILT / "pages"
HTML = BUILT / "html"
SETTINGS = ROOT / "docs" / "mkdocs.yml"
SOURCES = (
    "README.md",
    "TOOL-MAPPING.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "hooks/README.md",
    "docs/*.md",
    "docs/contracts/*.md",
    "benchmarks/README.md",
    "tests/e2e/README.md",
)
ASSETS = ("docs/*.svg", "docs/*.js", "docs/pictures/*.svg", "docs/schema/*.json")
PLATFORMS = ROOT / "rulez_py" / "platforms"
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
_ELEMENT = re.compile(r"<(?:script|link|img|iframe|source|video|audio|object|embed)\b[^>]*>", re.IGNORECASE)
_LOADED = re.compile(r"""(?:src|srcset|href|data|poster)=["']?((?:https?:)?//[^"'\s>]+)""", re.IGNORECASE)
_STYLE = re.compile(r"""(?:url\(|@import\s)\s*["']?((?:https?:)?//[^"')\s]+)""", re.IGNORECASE)
_ITEM = re.compile(r" *([-*]|1\.) ")
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_FILE = re.compile(r"[\w./-]+\.md")
WHERE_NEXT = (
    ("docs/getting-started.md", "from nothing to a rule of your own"),
    ("docs/faq.md", "a call was stopped for nothing, a rule does not match, an agent cannot ask"),
    ("docs/policy.md", "what a rule may say"),
    ("docs/packs.md", "rules that are there already"),
    ("hooks/README.md", "your agent, and what it can be made to do"),
    ("docs/security.md", "what is stopped, and what is not"),
    ("docs/cli.md", "every command"),
)
"""The pages that the start page leads to, in the order in which a newcomer needs them."""
_FIRST_SECTION = "## What it stops by default\n"


def main() -> int:
    """Put the pages together and build the site; the exit code of mkdocs."""
    stage()
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(SETTINGS)]
    environ = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "RULEZ_SOURCE": source(), "RULEZ_FOOTER": footer()}
    ended = subprocess.run([*command, "--site-dir", str(HTML)], cwd=ROOT, env=environ, check=False).returncode
    if ended:
        return ended
    found = [
        f"{path.relative_to(HTML)}: {address} would be fetched while reading"
        for path in sorted(HTML.rglob("*"))
        if path.suffix in (".html", ".css")
        for address in outside(path.read_text(encoding="utf-8"))
    ]
    print("\n".join(found) if found else f"built {HTML.relative_to(ROOT)}/index.html")
    return int(bool(found))


def source() -> str:
    """Return the address of the repository, by pyproject.toml or the workflow that runs, else ""."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"].get("urls", {})
    host, repository = os.environ.get("GITHUB_SERVER_URL", ""), os.environ.get("GITHUB_REPOSITORY", "")
    return str(urls.get("Source", f"{host}/{repository}" if host and repository else ""))


def footer() -> str:
    """Return what every page ends with: which version it is about."""
    package = (ROOT / "rulez_py" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', package, re.MULTILINE)
    assert found, "rulez_py/__init__.py has no version"
    return f"rulez {found[1]} · MIT licence"


def outside(text: str) -> list[str]:
    """Return what a page or a style sheet loads from another host by itself.

    A link that somebody may follow does not count.
    """
    elements = (found[0] for found in _ELEMENT.finditer(text) if 'rel="canonical"' not in found[0])
    loaded = [found[1] for element in elements for found in _LOADED.finditer(element)]
    return [*loaded, *(found[1] for found in _STYLE.finditer(text))]


def stage() -> None:
    """Copy the pages and what they show to where mkdocs looks for them."""
    shutil.rmtree(PAGES, ignore_errors=True)
    for path in _files(ASSETS):
        _write(path, (ROOT / path).read_bytes())
    for path in _files(SOURCES):
        text = (ROOT / path).read_text(encoding="utf-8")
        page = start_page(text) if path.name == "README.md" and path.parent.name == "" else text
        _write(path, spaced(unescaped(linked(page, path))).encode())
    for platform in agents():
        _write(PurePosixPath("hooks", f"{platform}.md"), spaced(unescaped(agent_page(platform))).encode())


def start_page(readme: str) -> str:
    """Return README.md as the site's first page: below what it is and how to install it, where to go next."""
    before, first, rest = readme.partition(_FIRST_SECTION)
    assert first, f"README.md has no {_FIRST_SECTION}"
    pages = "".join(f"- [{title(path)}]({path}): {what}\n" for path, what in WHERE_NEXT)
    return f"---\ntitle: Start\n---\n{before}## Where next\n\n{pages}\n{first}{rest}"


def title(path: str) -> str:
    """Return the heading of a page of the repository."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return next(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))


def unescaped(text: str) -> str:
    """Return a page whose tables have `|` in code as it is.

    GitHub wants a backslash before it, which the site's Markdown would show.
    """
    lines = text.split("\n")
    return "\n".join(
        _CODE.sub(lambda found: found[0].replace("\\|", "|"), line) if line.startswith("|") else line for line in lines
    )


def agents() -> dict[str, str]:
    """Return the platforms -> the agents' names, as each platform's folder says it."""
    adapters = sorted(PLATFORMS.glob("*/adapter.py"))
    names = (re.search(r'^AGENT = "(.*)"$', path.read_text(encoding="utf-8"), re.MULTILINE) for path in adapters)
    return {path.parent.name: name[1] for path, name in zip(adapters, names, strict=True) if name}


def agent_page(platform: str) -> str:
    """Return one agent: what rulez can make it do, how to install it, and what is particular about it."""
    name = agents()[platform]
    contract = next(
        path.name for path in (ROOT / "docs" / "contracts").iterdir() if path.resolve().parent.name == platform
    )
    mapping = (ROOT / "TOOL-MAPPING.md").read_text(encoding="utf-8")
    hooks = (ROOT / "hooks" / "README.md").read_text(encoding="utf-8")
    title, known = next(one for one in sections(hooks, "##").items() if one[0].startswith(name))
    can = []
    for heading, text in sections(section(mapping, "What rulez can make each agent do"), "###").items():
        said = re.search(rf"^- \*\*{re.escape(name)}(?: \(unproven\))?\*\*: (.*(?:\n  .*)*)", text, re.MULTILINE)
        if said:
            can.append(f"| {heading} | {' '.join(said[1].split())} |")
    tables = sections(section(mapping, "Hook payloads: the agent's name -> the rule's name"), "###")
    tools = tables.get(name) or tables[f"{name} (unproven)"]
    option = "" if name in tables else " --unproven"
    return linked(
        f"""# {title}

```sh
rulez install {platform}{option}    # into your own settings; `--scope project` into this project's
rulez doctor {platform}     # tries a call that must be denied, through what was installed
```

[What `rulez install` does](../docs/cli.md#rulez-install), [what a repository can switch
off](README.md#what-a-repository-can-switch-off), and [everything known of this agent][contract].

[contract]: ../docs/contracts/{contract}

## What rulez can make it do

| outcome of a rule | what happens |
|---|---|
{chr(10).join(can)}

## Good to know

{known}

## Its tools

The name in a payload, and the name that rules use ([the others](../TOOL-MAPPING.md)).

{tools}
""",
        PurePosixPath("hooks", f"{platform}.md"),
    )


def section(text: str, heading: str, level: str = "##") -> str:
    """Return the text below a heading; KeyError where there is no such heading."""
    return sections(text, level)[heading]


def sections(text: str, level: str) -> dict[str, str]:
    """Headings of a level -> the text below each."""
    parts = re.split(rf"^{level} (.*)$", text, flags=re.MULTILINE)
    return {heading.strip(): body.strip() for heading, body in zip(parts[1::2], parts[2::2], strict=True)}


def linked(text: str, page: PurePosixPath) -> str:
    """Return a page's text, its links as the site has them: to a folder's README, and none to what is no page."""

    def link(found: re.Match[str]) -> str:
        shown, target = found[1], found[2]
        path, _, anchor = target.partition("#")
        if "://" in target or not path:
            return found[0]
        place = PurePosixPath(_resolved(page.parent / path))
        if (ROOT / place).is_dir() and (ROOT / place / "README.md").is_file():
            place, path = place / "README.md", f"{path.rstrip('/')}/README.md"
        if place not in _staged():
            return shown
        # A file's name says little on a site: the page's own title is shown.
        if _FILE.fullmatch(shown) and (ROOT / place).is_file():
            shown = title(str(place))
        return f"[{shown}]({path}{'#' * bool(anchor)}{anchor})"

    # Code is left alone: every other part is between two fences.
    parts = re.split(r"(^```[\s\S]*?^```)", text, flags=re.MULTILINE)
    return "".join(part if part.startswith("```") else _LINK.sub(link, part) for part in parts)


def spaced(text: str) -> str:
    """A page's text as the site's Markdown wants it: a blank line before a list, four spaces for what is in an item."""
    found: list[str] = []
    before = ""
    code = -1  # Spaces that a fence and its code are moved by; -1 outside.
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        moved = code if code >= 0 else 4 - indent if 0 < indent < 4 else 0
        if code < 0 and indent == 0 and _ITEM.match(line) and before.strip() and not before.startswith((" ", "-", "*")):
            found += [""] * (re.match(r"\d+\. ", before) is None)
        found.append(" " * moved + line if line else line)
        if line.lstrip().startswith("```"):
            code = moved if code < 0 else -1
        before = line
    return "\n".join(found)


def _resolved(path: PurePosixPath) -> str:
    found: list[str] = []
    for part in path.parts:
        if part == ".." and found:
            found.pop()
        elif part != ".":
            found.append(part)
    return "/".join(found)


def _staged() -> set[PurePosixPath]:
    return {*_files(SOURCES), *_files(ASSETS), *(PurePosixPath("hooks", f"{one}.md") for one in agents())}


def _files(patterns: tuple[str, ...]) -> list[PurePosixPath]:
    found = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
    return [PurePosixPath(path.relative_to(ROOT).as_posix()) for path in found]


def _write(path: PurePosixPath, content: bytes) -> None:
    place = PAGES / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)


if __name__ == "__main__":
    raise SystemExit(main())
