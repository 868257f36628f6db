"""The table of programs: its notation, the tests beside its entries, the form in which calls read it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.analysis.programs import calls, notation, parts, special, store
from rulez_py.analysis.programs import compile as compiling
from rulez_py.analysis.programs.notation import Described, Example
from rulez_py.analysis.programs.trial import differences

ROOT = Path(__file__).parents[2]
ENTRIES, TESTS = compiling.load(store.sources())
NAMES = [name for entry in ENTRIES if not entry.dialect for name in entry.names]
ROWS = store.Rows(store.compiled(ENTRIES))


@pytest.mark.parametrize("test", [pytest.param(test, id=f"{test.file}:{test.line}") for test in TESTS])
def test_what_stands_beside_a_program_is_so(test: Example) -> None:
    assert differences(test) == []


def test_every_name_leads_to_its_entry() -> None:
    assert sorted(ROWS.names()) == sorted(NAMES)
    for entry in ENTRIES:
        for name in entry.names:
            is_group = name.startswith("* ")
            assert (ROWS.get(name, entry.dialect) or "").partition("\n")[0] == ("" if is_group else entry.name)


def test_no_name_of_a_program_leads_to_a_cmdlet() -> None:
    assert ROWS.get("remove-item", "powershell") is not None
    assert [ROWS.get(name) for name in ("remove-item", store.key("remove-item", "powershell"))] == [None, None]


@given(st.text(max_size=8) | st.sampled_from(NAMES).map(lambda name: name + "\t") | st.sampled_from(["ls\n", "\ud800"]))
def test_another_name_leads_nowhere(name: str) -> None:
    assert name in NAMES or ROWS.get(name) is None


def test_a_program_is_described_once() -> None:
    """INVARIANT: there is one table of programs. Lists of options, in whatever notation, stand in no other place."""
    listing = re.compile(r"(?:\s--?[a-zA-Z][\w-]*){6}")
    elsewhere = [
        path for path in (ROOT / "rulez_py" / "analysis").rglob("*.py") if listing.search(path.read_text("utf-8"))
    ]
    assert [path.name for path in elsewhere] == []


@pytest.mark.parametrize("code", sorted({entry.text("code") for entry in ENTRIES if entry.text("code")}))
def test_a_function_that_an_entry_names_is_there(code: str) -> None:
    assert special.find(code, "runs") is not None or special.find(code, "effects") is not None


def test_no_function_of_special_programs_is_left_over() -> None:
    named = {entry.text("code") for entry in ENTRIES}
    folder = Path(special.__file__).parent
    found = {
        f"{path.stem}.{name}"
        for path in folder.glob("*.py")
        for name in re.findall(r"^def ([a-z]\w*)_(?:runs|effects)\(", path.read_text("utf-8"), re.M)
    }
    assert found <= named


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("x = 1\n[a]\n", 1, "outside of any program"),
        ("[a]\nflag = []\n", 2, "'flag' is no key"),
        ('[a]\nflags = "-x"\n', 2, "a list of texts"),
        ('[a]\nflags = ["x"]\n', 2, "write its dashes"),
        ('[a]\nflags = ["-x"]\nvalues = ["-x --xy"]\n', 2, "described twice"),
        ('[a.options]\n"-o" = "wriet"\n', 2, "'wriet' is no verb of an option; there are: delete"),
        ('[a]\noperands = ["raed *"]\n', 2, "'raed' is no verb of an operand"),
        ('[a]\noperands = ["read *", "write *"]\n', 2, "only one"),
        ('[a]\nruns = "word"\n', 2, "`runs` is one of: words"),
        ("[a]\nabbreviations = false\n", 2, "is `true`"),
        ("[a]\nstops = true\n", 2, "`stops` is the number"),
        ('[a]\ntraits = ["odd"]\n', 2, "none of the traits: chooses"),
        ('[a.environment]\nX = "shell"\n', 2, "no verb of a variable"),
        ('["a  b"]\n', 1, "no name of a program"),
        ("[a\n", 1, "no TOML"),
        ('[a]\n\n[[tests]]\nlin = "a"\n', 3, "a test has no 'lin'"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_what_would_be_right(text: str, line: int, said: str) -> None:
    _, _, (mistake, *_) = notation.parse(text, "own.toml")
    assert said in mistake.text
    assert str(mistake).startswith(f"own.toml:{line}: ")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "`dialect` is one of: powershell"),
        ("[A-B]\npairs = []\n", 3, "'pairs' is no key"),
        ('[A-B]\nwith = ["risk"]\n', 3, "'risk' is no group of this file"),
        ('["*"]\nflags = ["-Debug -db"]\n[A-B]\nvalues = ["-Depth -DB"]\n', 5, "-DB is described twice"),
        ('[A-B]\nflags = ["-Force"]\noperands = ["-Force"]\n', 4, "'-Force' is no parameter of A-B with a value"),
        ('[A-B.options]\n"-Path" = "runs shell"\n', 3, "'runs shell' is no verb of a parameter"),
        ('[A-B]\n\n[[tests]]\nline = "a"\nruns = []\n', 4, "a test has no 'runs'"),
    ],
)
def test_a_mistake_in_a_cmdlet_is_told_with_its_line(text: str, line: int, said: str) -> None:
    _, _, (mistake, *_) = notation.parse(f'dialect = "{"powershell" if text else "perl"}"\n{text}', "own.toml")
    assert said in mistake.text
    assert str(mistake).startswith(f"own.toml:{line}: ")


def described(**changes: object) -> Described:
    return Described(**{"name": "a", "file": "own.toml", **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([described(), described(name="b", also=("a",))], "described twice"),
        ([described(dialect="powershell"), described(name="A", dialect="powershell")], "described twice"),
        ([described(name="a b")], "write `[a]` with `subcommands = true`"),
        ([described(), described(name="a b")], "write `subcommands = true` into the entry of 'a'"),
    ],
)
def test_a_mistake_between_entries_is_told(entries: list[Described], said: str) -> None:
    (mistake,) = notation.together([entries])
    assert said in mistake.text


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a compiled table may lie, for this test alone."""
    monkeypatch.setattr(store, "COMPILED", str(tmp_path / "programs.compiled"))
    monkeypatch.setattr(store, "_rows", [])
    return tmp_path / "programs.compiled"


def test_a_table_that_is_missing_is_compiled_in_memory(table: Path) -> None:
    assert (store.rows().get("ls") or "").startswith("ls\n")
    assert not table.exists()


@pytest.mark.parametrize("content", [b"", b"rulez programs 1 x -\n", b"rulez programs 1 3 00000000\n", b"\xff\n"])
def test_a_table_that_is_old_or_broken_is_not_read(table: Path, content: bytes) -> None:
    table.write_bytes(content)
    assert (store.rows().get("ls") or "").startswith("ls\n")


def test_a_table_is_compared_with_its_data_where_somebody_may_change_them(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = store.compiled([described(name="of-then")])
    table.write_bytes(built.replace(store.summed().encode(), b"00000000", 1))
    assert store.rows().get("of-then") is None
    monkeypatch.setattr(store, "_rows", [])
    monkeypatch.setattr(store, "_SOURCE_TREE", str(table.parent / "pyproject.toml"))
    assert store.rows().get("of-then") is not None


def test_calls_do_not_load_what_compiles() -> None:
    code = "import sys, rulez_py.analysis.programs.read as read; read.read('git', []); print('tomllib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


EXAMPLES = re.findall(r"^```toml\n(.*?)^```$", (ROOT / "docs/programs.md").read_text("utf-8"), re.M | re.S)


@pytest.mark.parametrize("example", [one for one in EXAMPLES if one.startswith("language =")])
def test_what_the_page_shows_of_calls_is_a_table(example: str) -> None:
    table, mistakes = calls.parse(example, "programs.md")
    assert (table is not None, mistakes) == (True, [])


@pytest.mark.parametrize("example", [one for one in EXAMPLES if not one.startswith("language =")])
def test_what_the_page_shows_is_an_entry(example: str) -> None:
    if example.startswith("language = "):
        assert calls.parse(example, "programs.md")[1] == []
        return
    entries, tests, mistakes = notation.parse(example, "programs.md")
    assert mistakes == []
    known = {entry.name: entry for entry in entries}
    others = [entry for entry in ENTRIES if entry.name not in known]
    assert notation.together([others, entries]) == []
    assert [differences(test) for test in tests] == [[]] * len(tests)


def test_the_page_names_every_key_and_verb() -> None:
    page = (ROOT / "docs/programs.md").read_text("utf-8")
    verbs = (*notation.FILE_VERBS, *notation.HOW_DEEP, *notation.VALUE_VERBS, *parts.OPTION_VERBS, *notation.TRAITS)
    words = (*notation.KEYS, *notation.CMDLET_KEYS, *verbs, *notation.CMDLET_VERBS, *notation.TEST_KEYS)
    assert [word for word in words if f"`{word}" not in page and f" {word}`" not in page] == []
