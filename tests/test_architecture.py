"""What docs/architecture.md promises about the code itself, read from its source."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from dev import architecture_page
from rulez_py import analysis
from rulez_py.analysis import programs
from rulez_py.cli.tool_mapping import markdown
from rulez_py.platforms import PLATFORMS

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "rulez_py"
SOURCES = sorted(PACKAGE.rglob("*.py"))

# Who may import whom; a module belongs to the first row that names it or a package above it.
VALUES = (
    *("analysis.record", "analysis.addresses", "event", "verdict"),
    *("system.effects", "system.native", "system.jsontext", "system.files", "system.places", "system.git.values"),
)
WRITTEN = ("documents",)
PURE = ("model", "patterns", "facts", "matchers", "judging")
POLICY = (*PURE, "packs", "format", "store")
"""The folders of `policy/`, each a layer; the first of them touch nothing of the world."""
EDGES = ("system", "log", "trust")
BELOW_POLICY = ("values", "documents", "analysis", "edges", "platforms")
BELOW_DEFINITIONS = ("values", "analysis", "documents", "platforms", "renamed")
KINDS = tuple(sorted(place.parent.name for place in (PACKAGE / "definitions").glob("*/kind.py")))
"""The kinds of definitions, by their folders: none of them knows another."""
DEFINITIONS = ("output", "base", *KINDS, "project")
FOR_PEOPLE = ("install", "explain", "scenarios", "lint", "migrate", "history", "doctor", "suggest")
LAYERS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("values", VALUES, ("values", "analysis")),
    ("documents", WRITTEN, ("values", "analysis", "documents")),
    ("platforms", ("platforms",), ("values", "analysis", "platforms")),
    ("disabled_hooks", ("disabled_hooks",), ("values", "analysis", "documents", "platforms", "disabled_hooks")),
    ("output", ("definitions.output",), ("values", "documents", "platforms", "output")),
    ("base", ("definitions.base",), (*BELOW_DEFINITIONS, "output", "base")),
    *(
        (
            kind,
            (f"definitions.{kind}",),
            ("values", "analysis", "documents", "platforms", "output", "renamed", "base", kind),
        )
        for kind in KINDS
    ),
    ("project", ("definitions.project",), (*BELOW_POLICY, *POLICY, *DEFINITIONS)),
    ("definitions", ("definitions",), ()),
    ("renamed", ("renamed",), ()),
    (
        "old names",
        ("agents", "skills", "instructions", "slash_commands", "guards"),
        ("renamed", *DEFINITIONS, "integrations"),
    ),
    ("analysis", ("analysis",), ("values", "analysis")),
    ("model", ("policy.model",), ("model",)),
    ("patterns", ("policy.patterns",), ("values", "patterns")),
    ("facts", ("policy.facts",), ("values", "analysis", "platforms", "patterns", "facts")),
    (
        "matchers",
        ("policy.matchers",),
        ("values", "documents", "analysis", "platforms", "model", "patterns", "facts", "matchers"),
    ),
    ("judging", ("policy.judging",), ("values", "analysis", "platforms", *PURE)),
    ("edges", EDGES, ("values", "documents", "analysis", "patterns", "edges")),
    # What ships is checked when rulez is built.
    ("store", ("policy.store", "policy.packs.build"), (*BELOW_POLICY, *POLICY)),
    ("packs", ("policy.packs",), (*BELOW_POLICY, "packs")),
    ("format", ("policy.format",), (*BELOW_POLICY, *PURE, "packs", "format")),
    ("policy", ("policy",), ()),
    ("hook", ("hook",), (*BELOW_POLICY, "disabled_hooks", *POLICY, "hook")),
    ("install", ("install",), ("values", "edges", "documents", "platforms", "install")),
    ("explain", ("explain",), (*BELOW_POLICY, *POLICY, "hook", "explain")),
    ("scenarios", ("scenarios",), (*BELOW_POLICY, *POLICY, "hook", "explain", "scenarios")),
    ("lint", ("lint",), (*BELOW_POLICY, *POLICY, "lint")),
    ("migrate", ("migrate",), (*BELOW_POLICY, *POLICY, "install", "migrate")),
    ("suggest", ("suggest",), (*BELOW_POLICY, *POLICY, "suggest")),
    ("history", ("history",), (*BELOW_POLICY, *POLICY, "hook", "history")),
    ("integrations", ("integrations",), (*BELOW_POLICY, *POLICY, "hook", "integrations")),
    ("mcp_proxy", ("mcp_proxy",), ("values", "integrations", "mcp_proxy")),
    ("acp_proxy", ("acp_proxy",), ("values", "platforms", "integrations", "mcp_proxy", "acp_proxy")),
    ("doctor", ("doctor",), (*BELOW_POLICY, "disabled_hooks", *POLICY, "hook", *FOR_PEOPLE)),
    (
        "cli",
        ("cli",),
        (
            *BELOW_POLICY,
            *DEFINITIONS,
            "disabled_hooks",
            *POLICY,
            "hook",
            "integrations",
            "mcp_proxy",
            "acp_proxy",
            *FOR_PEOPLE,
            "cli",
        ),
    ),
    ("entry", ("__main__",), ("hook", "cli")),
)
ALLOWED = {layer: allowed for layer, _, allowed in LAYERS}

# Off the hook path: only these may load what costs milliseconds. What a call really loads, tests/test_imports.py sees.
SLOW = {
    *("typing", "re", "dataclasses", "inspect", "json", "pathlib", "enum", "functools", "collections", "contextlib"),
    *("click", "yaml", "ruamel", "subprocess", "threading", "logging", "datetime", "tempfile"),
    *("shutil", "hashlib", "uuid", "difflib", "shlex", "traceback", "warnings", "importlib", "asyncio", "socket"),
}
OFF_THE_HOOK_PATH = (
    *(
        "cli",
        "definitions",
        "renamed",
        "agents",
        "skills",
        "instructions",
        "slash_commands",
        "guards",
        "install",
        "explain",
        "scenarios",
        "lint",
        "migrate",
        "history",
        "doctor",
        "suggest",
        "integrations",
        "mcp_proxy",
        "acp_proxy",
        "documents.document",
        "platforms.agent_files",
        "platforms.opencode_agents",
        "platforms.skill_files",
        "platforms.instruction_files",
        "platforms.slash_command_files",
    ),
    *("log.shapes", "event.servers.build", "policy.packs.build", "policy.packs.platforms"),
    *(
        f"platforms.{platform}.{part}"
        for platform in PLATFORMS
        for part in ("agents", "instructions", "prompts", "skills", "slash_commands")
    ),
    *("analysis.programs.notation", "analysis.programs.trial", "analysis.programs.calls"),
)


class Import:
    """One `import` in a module; `lazy` where it is in a function."""

    def __init__(self, name: str, line: int, *, lazy: bool) -> None:
        self.name = name
        self.line = line
        self.lazy = lazy


def module_name(path: Path) -> str:
    """The module's name below the package: `policy.decide`, `` for the package itself."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").rstrip(".")


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports(node: ast.AST, *, lazy: bool = False, typed: bool = False) -> Iterator[Import]:
    """Every import that happens at run time, and with `typed` those for types; `from x import y` counts as `x` and as
    `x.y`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, child.lineno, lazy=lazy) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, "imports name the whole module"
            yield Import(child.module or "", child.lineno, lazy=lazy)
            yield from (Import(f"{child.module}.{alias.name}", child.lineno, lazy=lazy) for alias in child.names)
        elif is_type_checking(child) and not typed:
            assert isinstance(child, ast.If)
            for other in child.orelse:
                yield from imports(other, lazy=lazy)
        else:
            inside = lazy or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            yield from imports(child, lazy=inside, typed=typed)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


@cache
def imported(path: Path, *, typed: bool = False) -> tuple[Import, ...]:
    """Returns the imports of a whole module."""
    return tuple(imports(tree(path), typed=typed))


def layer_of(module: str) -> str | None:
    """The layer of one of our modules; None for names that are no module, and for the bare package."""
    for layer, members, _ in LAYERS:
        if any(module == member or module.startswith(member + ".") for member in members):
            return layer
    return None


def own(name: str) -> str | None:
    """The name below our package, None where it is somebody else's."""
    return name.removeprefix("rulez_py.") if name.startswith("rulez_py.") else None


relative = [str(path.relative_to(ROOT)) for path in SOURCES]


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_imports_point_down(path: Path) -> None:
    layer = layer_of(module_name(path))
    if layer is None:
        assert module_name(path) == ""
        return
    upward = [
        f"line {one.line}: {layer} imports {one.name} ({layer_of(target)})"
        for one in imported(path)
        if (target := own(one.name)) is not None
        and (PACKAGE / (target.replace(".", "/") + ".py")).exists()
        and layer_of(target) not in ALLOWED[layer]
    ]
    assert upward == []


def needed(path: Path) -> set[str]:
    """Our modules that a module imports, at run time or for its types, wherever in it: of `x` and `x.y` the module."""
    named = {target for one in imported(path, typed=True) if (target := own(one.name)) is not None}
    modules = {name for name in named if name in MODULES}
    packages = {
        name
        for name in modules
        if any(other.startswith(name + ".") and other in modules for other in named)
        and not takes_something_of_its_own(path, name)
    }
    return modules - packages - {module_name(path)}


def takes_something_of_its_own(path: Path, package: str) -> bool:
    """Whether something of the package itself is imported, and not one of its modules alone."""
    return any(
        own(node.module or "") == package and any(f"{package}.{alias.name}" not in MODULES for alias in node.names)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom)
    )


MODULES = {module_name(path): path for path in SOURCES}


@cache
def all_needed() -> dict[str, set[str]]:
    return {name: needed(path) for name, path in MODULES.items()}


# What is still to be opened; none may be added.
CIRCLES: dict[frozenset[str], str] = {}


def circles() -> set[frozenset[str]]:
    """The largest sets of modules of which each needs, by way of others, all of them."""
    needs = all_needed()
    reached: dict[str, set[str]] = {}
    for name in needs:
        found: set[str] = set()
        waiting = [name]
        while waiting:
            fresh = needs[waiting.pop()] - found
            found |= fresh
            waiting += fresh
        reached[name] = found
    return {
        frozenset(other for other in found if name in reached[other])
        for name, found in reached.items()
        if name in found
    }


def test_no_modules_need_one_another_not_even_for_types() -> None:
    assert {tuple(sorted(one)) for one in circles()} - {tuple(sorted(one)) for one in CIRCLES} == set()


def test_only_circles_that_are_there_are_excused() -> None:
    assert set(CIRCLES) - circles() == set()


DOOR = "analysis"
SECOND_DOOR = "analysis.programs"
"""For who describes programs, or builds the table of them."""
INSIDE = (PACKAGE / "analysis", ROOT / "tests" / "analysis")
# Who looks behind the door all the same, and why: the table of programs is no value that others can rest on.
BEHIND_THE_DOOR = {
    "dev/options.py": "it compares the table of programs with what `--help` of each says",
    "dev/runners.py": "it writes down which programs of the table run files, and which files they load",
    "tests/test_architecture.py": "it compares the names of agents with those of the platforms",
    "tests/meaning.py": "it writes the options of a line in other ways, so it has to know each option's spellings",
    "tests/policy/judging/test_index.py": "it makes up lines of programs that are known",
}
OUTSIDE = [
    path
    for folder in ("rulez_py", "tests", "benchmarks", "dev")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if not any(path.is_relative_to(inside) for inside in INSIDE)
]


def behind_the_door(path: Path) -> set[str]:
    """The modules of the analysis that a module imports, the doors aside."""
    named = {own(one.name) for one in imported(path, typed=True)} - {SECOND_DOOR}
    return {name for name in named if name in MODULES and name.startswith(DOOR + ".")}


def test_whoever_is_outside_imports_the_doors_of_the_analysis_and_nothing_behind_them() -> None:
    found = {str(path.relative_to(ROOT)) for path in OUTSIDE if behind_the_door(path)}
    assert found == set(BEHIND_THE_DOOR)


def test_the_analysis_imports_nothing_else_of_rulez_and_not_its_own_doors() -> None:
    assert {
        (name, other)
        for name, others in all_needed().items()
        for other in others
        if name.startswith(DOOR + ".") and (not other.startswith(DOOR + ".") or other == SECOND_DOOR)
    } == set()


def test_what_the_doors_name_is_there() -> None:
    assert {name for name in analysis.__all__ if not hasattr(analysis, name)} == set()
    assert {name for name in programs.__all__ if not hasattr(programs, name)} == set()
    assert not hasattr(analysis, "Machine")


@pytest.mark.parametrize("platform", PLATFORMS)
def test_platforms_do_not_import_each_other(platform: str) -> None:
    others = tuple(f"rulez_py.platforms.{name}." for name in PLATFORMS if name != platform)
    for source in (PACKAGE / "platforms" / platform).glob("*.py"):
        assert [one.name for one in imported(source) if f"{one.name}.".startswith(others)] == []


def test_nothing_outside_of_a_platforms_folder_imports_from_it() -> None:
    """They are found by their folders: see `rulez_py.platforms`."""
    folders = {platform: PACKAGE / "platforms" / platform for platform in PLATFORMS}
    for platform, folder in folders.items():
        within = f"rulez_py.platforms.{platform}."
        outside = [source for source in SOURCES if folder not in source.parents]
        named = {source: [f"{one.name}." for one in imported(source)] for source in outside}
        assert [source for source in outside if any(name.startswith(within) for name in named[source])] == []


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_the_hook_path_imports_nothing_slow_when_it_starts(path: Path) -> None:
    # cmd's own language is met on Windows alone, and read there as its documentation describes it.
    if module_name(path).startswith((*OFF_THE_HOOK_PATH, "analysis.bash.cmd")):
        return
    slow = [one.name for one in imported(path) if not one.lazy and one.name.partition(".")[0] in SLOW]
    assert slow == []


# Longer or with more ways through than these, a function of the analysis has a reason here.
LONGEST, MOST_WAYS = 60, 20
_FORMS = "one short case for each form there is"
LARGE = {
    **dict.fromkeys(("expand._elements", "expand._all", "expand._fill_variable", "expand._operated"), _FORMS),
    "builtins._declare": "what each letter of declare, export, local, ... makes of the same words",
    "builtins._fields": "one pass over a line, in which blanks part fields otherwise than other separators",
    "builtins._formatted": "one pass over a format, again and again while there are arguments",
    "expand._expanded": "one pass over a text with braces, quotes and commas in it",
    "found._by_grep": "grep and rg, in every way in which they print names",
    "sed._commands": "one pass over a script of sed, whose commands say themselves where they end",
    "shells.shell": "one pass over the words of a shell, whose letters may stand together and behind a plus",
    "grammar._redirection": "one operator with all that may stand around it",
    **dict.fromkeys(("syntax.primary", "members.static"), _FORMS),
    "tokens.run": "every character of every code goes through it: calls would cost more than they explain",
}


def ways(function: ast.AST) -> int:
    """McCabe's number: the ways through a function, those in it included."""
    found = 1
    for node in ast.walk(function):
        if isinstance(node, ast.comprehension):
            found += 1 + len(node.ifs)
        elif isinstance(node, ast.BoolOp):
            found += len(node.values) - 1
        elif isinstance(node, (ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.Assert, ast.match_case)):
            found += 1
    return found


def test_a_function_of_the_analysis_is_short_and_plain_or_says_why_not() -> None:
    large = {
        f"{path.stem}.{node.name}"
        for path in sorted((PACKAGE / "analysis").rglob("*.py"))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef)
        and ((node.end_lineno or 0) - node.lineno >= LONGEST or ways(node) > MOST_WAYS)
    }
    assert (large - LARGE.keys(), LARGE.keys() - large) == (set(), set())


# Nothing in the core may touch the world; these are the only parts of `os` that do not.
PURE_OS = {"os.path.join", "os.path.normpath", "os.path.isabs", "os.path.dirname", "os.path.basename", "os.sep"}
WORLDLY = {"open", "print", "input", "exec", "eval", "__import__"}


@pytest.mark.parametrize("name", [*(f"policy.{name}" for name in PURE), "verdict", "event", "platforms"])
def test_the_core_does_no_input_or_output(name: str) -> None:
    path = PACKAGE / name.replace(".", "/")
    for source in path.rglob("*.py") if path.is_dir() else [path.with_suffix(".py")]:
        # The platforms are found by their folders, and loaded by name; agent definitions are no part of a hook call.
        if source == PACKAGE / "platforms" / "__init__.py" or module_name(source).startswith(OFF_THE_HOOK_PATH):
            continue
        # A matcher is chosen by name.
        pure = {"__import__"} if source == PACKAGE / "policy" / "matchers" / "__init__.py" else set()
        found = [
            ast.unparse(node)
            for node in ast.walk(tree(source))
            if (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WORLDLY - pure)
            or (isinstance(node, ast.Attribute) and uses_os(node))
        ]
        outside = {"os", "rulez_py", "__future__", "unicodedata", "zlib"}
        foreign = [one.name for one in imported(source) if one.name.partition(".")[0] not in outside]
        assert (found, foreign) == ([], []), str(source)


def uses_os(node: ast.Attribute) -> bool:
    name = ast.unparse(node)
    return name.startswith("os.") and name != "os.path" and name not in PURE_OS


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_every_module_says_what_it_is(path: Path) -> None:
    if path.name == "__init__.py" and not path.read_text("utf-8"):
        return
    assert ast.get_docstring(tree(path))


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_every_module_postpones_its_annotations(path: Path) -> None:
    names = [one.name for one in imported(path)]
    assert "__future__.annotations" in names or len(tree(path).body) <= 2


def test_the_tables_of_the_page_are_current() -> None:
    assert architecture_page.PAGE.read_text("utf-8") == architecture_page.page(), "run `make architecture-page`"


def test_the_documentation_names_every_module_and_only_those() -> None:
    text = architecture_page.PAGE.read_text("utf-8")
    sections = re.findall(
        r"^### `(.+)/`\n\n(\|.*\n\|.*\n(?:\|.*\n)+)", text.partition("## Every module")[2], re.MULTILINE
    )
    named = {
        f"{folder.removeprefix('rulez_py')}/{name}".lstrip("/")
        for folder, table in sections
        for name in re.findall(r"^\| `(.+?)`", table, re.MULTILINE)
    }
    platforms = PACKAGE / "platforms"
    modules = {
        path.relative_to(PACKAGE).as_posix()
        for path in SOURCES
        if path.name != "__init__.py"
        and path.parent.parent != platforms
        and not path.relative_to(PACKAGE).as_posix().startswith(architecture_page.MADE)
    }
    assert named == modules
    shown = set(re.findall(r"`[\w/]*?(\w+\.py)`", text)) - {"NAME.py"}
    assert sorted(name for name in shown if not any(ROOT.glob(f"[!.b]*/**/{name}"))) == []


def test_the_page_shows_every_package_in_its_picture() -> None:
    text = architecture_page.PAGE.read_text("utf-8")
    picture = text.partition("## The house")[2].split("```")[1]
    old = set(next(names for layer, names, _ in LAYERS if layer == "old names"))
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - old - {"policy"}
    folders = {*packages, *POLICY, *DEFINITIONS}
    assert sorted(name for name in folders if name not in re.findall(r"\w+", picture)) == []


def test_a_line_of_the_page_can_be_read() -> None:
    lines = architecture_page.PAGE.read_text("utf-8").splitlines()
    assert [line for line in lines if len(line) > 200 and not line.startswith("|")] == []


def files_of_the_project() -> Iterator[tuple[Path, str]]:
    """Every text file that is part of the project, as git sees it."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.is_file():
            yield path, path.read_bytes().decode("utf-8", "replace")


# What these look for is written in pieces, so that this file does not hold it.


def test_the_project_names_no_package_registry() -> None:
    hosts = (
        "pypi." + "org",
        "python" + "hosted",
        "npmjs." + "org",
        "crates." + "io",
        "proxy." + "golang",
        "ruby" + "gems",
    )
    assert mentions(*hosts) == []


def test_the_project_names_no_place_of_the_machine_it_was_written_on() -> None:
    assert mentions("/work/" + "main", "/work/" + "shared", "/tmp/" + "x/v", "bash" + "_jobs", "brief" + ".md") == []


def mentions(*words: str) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}: {word}" for path, text in files_of_the_project() for word in words if word in text
    ]


def test_tool_mapping_is_what_the_tables_in_code_say() -> None:
    """`make tool-mapping` writes it."""
    assert (ROOT / "TOOL-MAPPING.md").read_text("utf-8") == markdown()


# A docstring that begins with one of these is a clause without a verb (CONTRIBUTING.md, "Words").
_CLAUSES = ("Whether ", "What ", "Where ", "Which ", "Who ", "How ", "Why ")


@pytest.mark.parametrize("folder", ["rulez_py", "dev", "benchmarks"])
def test_a_docstring_of_a_function_begins_with_a_verb(folder: str) -> None:
    found = [
        f"{path}:{node.lineno}"
        for path in sorted((PACKAGE.parent / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (ast.get_docstring(node) or "").startswith(_CLAUSES)
        # A property is what it says, and a command's docstring is its help.
        and not any(re.search("property|command|group", ast.unparse(one)) for one in node.decorator_list)
    ]
    assert found == []


def test_the_analysis_knows_the_programs_of_the_platforms() -> None:
    """The analysis may not import the platforms, so it has their names once more, in one place."""
    from rulez_py.analysis.programs.agents import AGENTS

    programs = [import_module(f"rulez_py.platforms.{name}.adapter").PROGRAMS for name in PLATFORMS]
    assert sorted(AGENTS) == sorted(names[0] for names in programs)


def test_the_help_of_install_names_every_platform() -> None:
    from rulez_py.cli.install import install

    said = " ".join((install.epilog or "").split())
    names = said.partition("PLATFORM is one of ")[2].partition(".")[0]
    assert sorted(names.split(", ")) == sorted(PLATFORMS)
