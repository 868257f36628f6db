"""Claude Code's permissions as a policy: what is written, what is told, and that what they stop is stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.documents.diagnostics import errors
from rulez_py.migrate import CLAUDE, RULEZ, claude, rendered, sources
from rulez_py.migrate.values import LOST, CannotRead
from rulez_py.policy.format.check import check
from tests.migrate.questions import rules_of, verdict

CASES = YAML(typ="safe").load(Path(__file__).parent / "claude.yaml")
HEADER = "\nextends: [builtin:essentials]\n\n"


def of(**permissions: object) -> bytes:
    return json.dumps({"permissions": permissions}).encode()


def policy(**permissions: object) -> str:
    found = claude.migrated(of(**permissions), "settings.json")
    assert not any(one.kind == LOST for one in found.messages), found.messages
    return found.policy


@pytest.mark.parametrize("case", CASES, ids=[case["title"] for case in CASES])
def test_what_is_written_and_told(case: dict[str, str]) -> None:
    found = claude.migrated(case["source"].encode(), "settings.json")
    assert found.policy.partition(HEADER)[2] == case["policy"]
    assert "\n".join(rendered.text(found, "settings.json", lambda _kind, text: text)) + "\n" == case["report"]
    assert errors(check(found.policy.encode(), "policy").problems) == ()


def call(tool: str, **arguments: str) -> dict[str, str]:
    return {"tool": tool, **arguments}


EDIT = {"old_string": "a", "new_string": "b"}


@pytest.mark.parametrize(
    ("entry", "stopped", "passes"),
    [
        (
            "Bash(npm run deploy:*)",
            [
                "npm run deploy",
                "npm run deploy --prod",
                "timeout 5 npm run deploy",
                "cd x && npm run deploy",
                "CI=1 npm run deploy",
            ],
            ["npm run deployed", "npm run test", "echo npm run deploy"],
        ),
        (
            "Bash(npm publish)",
            ["npm publish", "npm  publish", "nice npm publish", "(npm publish)"],
            ["npm publish --dry-run", "npm publisher"],
        ),
        (
            "Bash(git * main)",
            ["git checkout main", "git push -u origin main; ls"],
            ["git checkout maint", "git status"],
        ),
        ("Bash(* --nuke)", ["tool --nuke", "ls | tool -x --nuke"], ["tool --nuked"]),
        ("Bash(fetch * | sh)", ["fetch example.com | sh"], ["fetch example.com", "sh"]),
        ("Bash(frob -x y *)", ["frob -x y", "frob -x y z"], ["frob -x z"]),
        ("Bash", ["ls"], [call("Read", file_path="a")]),
        ("Bash(run_in_background:true)", [{"tool": "Bash", "command": "ls", "run_in_background": True}], ["ls"]),
        (
            "PowerShell(Get-Thing *)",
            [call("PowerShell", command="get-thing x")],
            [call("PowerShell", command="get-other")],
        ),
        (
            "Read(.env)",
            [
                call("Read", file_path=".env"),
                call("Read", file_path="a/.env"),
                "cat .env",
                call("Edit", file_path=".env", **EDIT),
            ],
            [call("Read", file_path=".env.example"), call("Write", file_path=".env", content="")],
        ),
        (
            "Read(/keys/**)",
            [call("Read", file_path="keys/a/b")],
            [call("Read", file_path="/keys/a"), call("Read", file_path="x/keys/a")],
        ),
        ("Read(//keys/**)", [call("Read", file_path="/keys/a/b")], [call("Read", file_path="keys/a")]),
        ("Read(~/keys/)", [call("Read", file_path="/home/user/keys/a")], [call("Read", file_path="keys/a")]),
        (
            "Edit(gen/{a}.py)",
            [call("Write", file_path="gen/{a}.py", content="")],
            [call("Write", file_path="gen/a.py", content="")],
        ),
        (
            "Edit(dist/)",
            [call("Edit", file_path="web/dist/a", **EDIT), "rm dist/a"],
            [call("Read", file_path="dist/a"), "cat dist/a"],
        ),
        (
            "WebFetch(domain:example.com)",
            [call("WebFetch", url="https://example.com/a")],
            [call("WebFetch", url="https://example.org")],
        ),
        (
            "WebFetch(domain:*.example.com)",
            [call("WebFetch", url="https://a.b.example.com")],
            [call("WebFetch", url="https://example.com")],
        ),
        ("mcp__a", [call("mcp__a__b")], [call("mcp__c__b")]),
        ("mcp__a__get_*", [call("mcp__a__get_b")], [call("mcp__a__set_b")]),
        ("mcp__*", [call("mcp__a__get_b")], ["ls"]),
        ("Agent(Explore)", [call("Agent", subagent_type="Explore")], [call("Agent", subagent_type="Plan")]),
        (
            "Agent(model:op*)",
            [call("Agent", subagent_type="Plan", model="opus")],
            [call("Agent", subagent_type="Plan")],
        ),
        ("Skill(deploy *)", [call("Skill", skill="deploy", args="x")], [call("Skill", skill="review")]),
        ("*", ["ls", call("Read", file_path="a")], []),
    ],
)
def test_what_an_entry_denies(entry: str, stopped: list[object], passes: list[object]) -> None:
    denying, asking = rules_of(policy(deny=[entry])), rules_of(policy(ask=[entry]))
    assert {str(one): verdict(denying, one) for one in stopped} == {str(one): "deny" for one in stopped}
    assert {str(one): verdict(denying, one) for one in passes} == {str(one): "" for one in passes}
    edits = [one for one in stopped if isinstance(one, dict) and entry.startswith("Read(") and one["tool"] == "Edit"]
    assert {str(one): verdict(asking, one) for one in stopped if one not in edits} == {
        str(one): "ask" for one in stopped if one not in edits
    }


@pytest.mark.parametrize(
    ("entry", "approved", "not_approved"),
    [
        (
            "Bash(npm run test:*)",
            ["npm run test", "npm run test -- a/b.js", "npm run test -t 'x y'"],
            [
                "npm run tests",
                "npm run test && ls",
                "npm run test > a",
                "npm run test $(ls)",
                "npm run test\nls",
                "cd x; npm run test",
                call("PowerShell", command="npm run test"),
            ],
        ),
        ("Bash(git status)", ["git status"], ["git status -s", "git -C x status", "git\nstatus"]),
        ("Bash(ls*)", ["ls", "ls -la", "lsof"], ["ls | sh", "ls `x`"]),
        (
            "Read(~/docs/**)",
            [call("Read", file_path="/home/user/docs/a")],
            [call("Read", file_path="docs/a"), "cat ~/docs/a"],
        ),
        (
            "Edit(src/**)",
            [call("Edit", file_path="src/a", **EDIT), call("Write", file_path="src/b/c", content="")],
            [call("Write", file_path="a", content=""), call("Write", file_path="src/../a", content=""), "touch src/a"],
        ),
        (
            "Edit(**)",
            [call("Write", file_path="a", content="")],
            [call("Write", file_path=".git/hooks/x", content=""), call("Write", file_path="/a", content="")],
        ),
        (
            "WebFetch(domain:docs.rs)",
            [call("WebFetch", url="https://docs.rs/a")],
            [call("WebFetch", url="https://docs.rs.io"), "curl https://docs.rs"],
        ),
        ("mcp__a__get_*", [call("mcp__a__get_b")], [call("mcp__a__set_b")]),
        ("WebSearch", [call("WebSearch", query="x")], ["ls"]),
        ("Bash", ["ls", "ls | wc"], [call("PowerShell", command="ls")]),
        (
            "PowerShell(Get-Thing *)",
            [call("PowerShell", command="get-thing x")],
            ["get-thing x", call("PowerShell", command="get-thing { x }"), call("PowerShell", command="get-thing; x")],
        ),
        ("Skill(review)", [call("Skill", skill="review")], [call("Skill", skill="other")]),
    ],
)
def test_what_an_entry_approves(entry: str, approved: list[object], not_approved: list[object]) -> None:
    rules = rules_of(policy(allow=[entry]))
    assert {str(one): verdict(rules, one) for one in approved} == {str(one): "allow" for one in approved}
    assert {str(one): verdict(rules, one) for one in not_approved} == {str(one): "" for one in not_approved}


def test_deny_comes_before_ask_and_ask_before_allow() -> None:
    rules = rules_of(policy(allow=["Bash(git:*)"], ask=["Bash(git push:*)"], deny=["Bash(git push --mirror:*)"]))
    assert [verdict(rules, one) for one in ("git log", "git push", "git push --mirror")] == ["allow", "ask", "deny"]


def test_a_slash_in_a_persons_own_settings_is_their_claude_directory() -> None:
    found = claude.migrated(of(deny=["Read(/keys/**)"]), "settings.json", user=True)
    assert "'~/.claude/keys/**'  # Read(/keys/**)" in found.policy


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (b"", "settings.json:1:1: error: no JSON value"),
        (b"[]", "settings.json:1:1: error: there are no `permissions` in it, so there is nothing to carry over"),
        (b'{"hooks": {}}', "settings.json:1:1: error: there are no `permissions` in it"),
        (b'{\n "permissions": []}', "settings.json:2:17: error: `permissions` is no object"),
        (b'{"permissions": {"deny": [}', "settings.json:1:27: error: "),
        (b'{\n"a": "\xff"}', "settings.json:2:7: error: this is not UTF-8"),
        (b"[" * 1000, "settings.json:1:202: error: more than 200 values inside one another"),
    ],
)
def test_what_is_no_settings_file_is_refused_with_its_place(source: bytes, told: str) -> None:
    with pytest.raises(CannotRead) as refused:
        claude.migrated(source, "settings.json")
    assert str(refused.value).startswith(told) or (source == b"" and "settings.json:1:1: error: " in str(refused.value))


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("hooks.yaml", b"rules: []", RULEZ),
        ("-", b"rules: []", RULEZ),
        ("-", b'{"permissions": {}}', CLAUDE),
        ("-", b'\xef\xbb\xbf// mine\n{"permissions": {},}', CLAUDE),
        ("-", b'{"version": "1.0", "rules": []}', RULEZ),
        ("-", b'{"permissions": {}, "rules": []}', None),
        ("-", b"{", None),
        ("settings.json", b"{", CLAUDE),
        ("settings.json", b"", CLAUDE),
        ("settings.json", b'{"hooks": {}}', CLAUDE),
    ],
)
def test_which_product_a_file_is_of(name: str, content: bytes, kind: str | None) -> None:
    assert sources.kind(name, content) == kind


# Whatever is in a file.

TOOLS = (
    "Bash",
    "PowerShell",
    "Read",
    "Edit",
    "Write",
    "Grep",
    "WebFetch",
    "Agent",
    "Skill",
    "mcp__a__b",
    "Frob",
    "*",
    "Cd",
)
INSIDE = st.text("ab.-/*:~!{}[]()\\ \"'$|&;=\n\0é\U0001f600", max_size=12) | st.text(max_size=8)
ENTRIES = st.one_of(
    st.tuples(st.sampled_from(TOOLS), INSIDE).map(lambda two: f"{two[0]}({two[1]})"),
    st.tuples(INSIDE).map(lambda one: f"WebFetch(domain:{one[0]})"),
    st.sampled_from(TOOLS),
    st.text(max_size=10),
    st.integers() | st.none() | st.just(["x"]),
)
LISTS = st.dictionaries(
    st.sampled_from(["deny", "ask", "allow", "defaultMode", "more"]), st.lists(ENTRIES, max_size=4) | ENTRIES
)


@given(LISTS)
def test_every_policy_is_valid_and_the_same_each_time(permissions: dict[str, Any]) -> None:
    found = claude.migrated(of(**permissions), "settings.json")
    assert errors(check(found.policy.encode(), "policy").problems) == (), found.policy
    assert claude.migrated(of(**permissions), "settings.json") == found
    assert all(one.at[0] == 1 and one.at[1] > 1 for one in found.messages)


@given(st.binary(max_size=40) | st.text('{}[]":,permissionsdny', max_size=30).map(str.encode))
def test_bytes_of_any_kind_are_read_or_refused(source: bytes) -> None:
    try:
        claude.migrated(source, "settings.json")
    except CannotRead as error:
        assert str(error).startswith("settings.json:")


WORDS = st.lists(st.text("abcdefgh", min_size=2, max_size=5), min_size=1, max_size=3).map(" ".join)
BEFORE = st.sampled_from(["", "timeout 5 ", "cd zz && ", "nice ", "zz | ", "(", "nohup "])


@given(WORDS, st.sampled_from([":*", " *", "*", "", " * z:*"]), WORDS, BEFORE)
def test_a_command_that_an_entry_denies_is_denied(words: str, end: str, more: str, before: str) -> None:
    line = {"": words, "*": f"{words}{more}", " * z:*": f"{words} {more} z"}.get(end, f"{words} {more}")
    found = claude.migrated(of(deny=[f"Bash({words}{end})"]), "settings.json")
    assert verdict(rules_of(found.policy), before + line + (")" if before == "(" else "")) == "deny", found.policy


def test_the_page_shows_what_is_written() -> None:
    page = (Path(__file__).parent.parent.parent / "docs/claude-permissions.md").read_text("utf-8")
    source, written = (page.partition(f"```{language}\n")[2].partition("```")[0] for language in ("json", "yaml"))
    found = claude.migrated(source.encode(), ".claude/settings.json").policy
    for rule in written.partition("rules:\n")[2].rstrip().split("\n\n"):
        assert rule in found
    assert errors(check(written.encode(), "page").problems) == ()
