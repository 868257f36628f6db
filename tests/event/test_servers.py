"""What calls of MCP servers' tools are worth: every example of the table, and what must hold of any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev import mcp_page
from rulez_py.event.servers import build, told
from rulez_py.event.servers.lines import ANY, rendered
from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.verdict import DENY, NO_OPINION
from tests.test_packs import HOME, ROOT, Machine, called, rules_of, said

TOOLS = build.tools()


def facts_of(server: str, tool: str, given: object) -> Facts:
    event = called("claude", "PreToolUse", f"mcp__{server}__{tool}", given)
    return Facts(event, Surroundings(root=ROOT, home=HOME), Machine())


def server_of(tool: build.Tool) -> str:
    return "my-" + tool.servers[0].strip(ANY) if tool.name != ANY else "nobody-knows"


EXAMPLES = [
    pytest.param(tool, example, id=f"{tool.servers[0]}.{tool.name}-{number}")
    for tool in TOOLS
    for number, example in enumerate(tool.examples)
]


@pytest.mark.parametrize("tool", [pytest.param(tool, id=f"{tool.servers[0]}.{tool.name}") for tool in TOOLS])
def test_every_entry_has_an_example_and_says_where_its_names_are_from(tool: build.Tool) -> None:
    assert tool.examples
    assert tool.source


@pytest.mark.parametrize(("tool", "example"), EXAMPLES)
def test_a_call_is_worth_what_the_table_says(tool: build.Tool, example: Mapping[str, Any]) -> None:
    for name in (tool.name, *tool.also) if tool.name != ANY else ("anything",):
        found = facts_of(server_of(tool), name, example["given"])
        assert found.told is not None
        assert [*found.told.lines, *found.told.supposed] == example.get("lines", [])
        if "files" in example:
            named = [f"{' '.join(file.access)} {file.path}" for file in found._named_by_arguments()]
            assert named == example["files"]
        assert list(found.told.texts) == example.get("texts", [])
        assert set(example.get("hosts", ())) <= set(found.hosts)


@pytest.mark.parametrize(
    ("server", "tool", "lines"),
    [
        ("postgres", "query", True),
        ("my_postgres_prod", "query", True),
        ("plugin_db_pg", "Query", True),
        ("search", "execute-sql", True),
        ("search", "executeSql", True),
        ("github", "get_file_contents", False),
    ],
)
def test_an_entry_is_found_by_the_server_or_by_a_name_that_tells_enough(server: str, tool: str, lines: bool) -> None:
    assert bool(told([(server, tool)], {"sql": "drop table a", "path": "x"}).lines) is lines
    assert told([(server, tool)], {}).known is True


@pytest.mark.parametrize("tool", ["search_web", "find", "askDocs"])
def test_what_searches_is_asked_a_question_and_no_statement(tool: str) -> None:
    assert told([("x", tool)], {"query": "delete from cache"}).supposed == ()
    assert told([("x", tool)], {"sql": "delete from cache"}).supposed == ("psql '--command=delete from cache'",)
    assert told([("x", "look")], {"query": "delete from cache"}).supposed == ("psql '--command=delete from cache'",)


def test_a_filter_that_is_too_deep_says_nothing() -> None:
    deep: dict[str, Any] = {}
    inner = deep
    for _ in range(20_000):
        inner["a"] = inner = {}
    lines = told([("mongo", "delete-many")], {"collection": "c", "filter": deep}).lines
    assert lines == ("mongosh --eval 'db.getCollection(\"c\").deleteMany({})'",)


@pytest.mark.parametrize(
    ("text", "runs"), [("git push", True), ("$X a", False), ("os.system('git push')", True), ("f(x) + g(y)", False)]
)
def test_of_a_text_in_any_language_nothing_counts_that_is_not_known(text: str, runs: bool) -> None:
    found = facts_of("desktop-commander", "interact_with_process", {"pid": 1, "input": text}).commands
    assert ("git" in [command.program for command in found]) is runs
    assert all(set(command.opaque) <= {"arguments"} for command in found)


def test_what_an_entry_tells_is_no_supposition() -> None:
    given = {"resourceType": "pod", "name": "a", "command": "ls"}
    parts = facts_of("k8s", "kubectl_delete", given).parts
    assert {(part.command.program, part.supposed) for part in parts if part.command} == {
        ("kubectl", False),
        ("ls", True),
    }


def test_git_is_no_part_of_another_name() -> None:
    assert not told([("digital", "git_reset")], {}).known
    assert told([("git-main", "git_reset")], {}).known


def test_a_tool_of_an_agent_of_one_s_own_is_found_by_its_name_alone() -> None:
    event = called("claude", "PreToolUse", "execute_sql", {"sql": "DROP TABLE a"})
    assert Facts(event, Surroundings(root=ROOT, home=HOME), Machine()).lines == ("psql '--command=DROP TABLE a'",)


@pytest.mark.parametrize(
    "platform_call", [("opencode", "tool.execute.before", "db_query"), ("copilot", "preToolUse", "db-query")]
)
def test_every_way_to_read_a_name_counts(platform_call: tuple[str, str, str]) -> None:
    event = called(*platform_call, {"sql": "DROP TABLE a"})
    found = Facts(event, Surroundings(root=ROOT, home=HOME), Machine())
    assert "psql '--command=DROP TABLE a'" in found.lines


def test_two_spellings_of_an_argument_both_count() -> None:
    given = {"resourceType": "pod", "name": "a", "resource_type": "ns"}
    assert told([("k8s", "kubectl_delete")], given).lines == ("kubectl delete pod a", "kubectl delete ns a")


def test_what_an_entry_does_not_speak_of_is_read_as_of_anybody() -> None:
    found = facts_of("github", "get_file_contents", {"path": "a", "target": "~/.netrc"})
    assert [file.path for file in found._named_by_arguments()] == ["~/.netrc"]
    found = facts_of("filesystem", "read_file", {"path": {"deep": "/etc/x"}})
    assert [file.path for file in found._named_by_arguments()] == ["/etc/x"]


def test_where_no_line_fits_every_argument_is_read_as_of_anybody() -> None:
    found = facts_of("git", "git_add", {"repo_path": "/p", "files": [{"path": "/q"}]})
    assert {file.path for file in found._named_by_arguments()} == {"/p", "/q"}


@given(st.text(), st.text(min_size=1))
@pytest.mark.hypothesis
def test_a_value_stays_one_word(owner: str, repo: str) -> None:
    import shlex

    lines = rendered("gh repo delete {owner}/{repo} --yes", {"owner": owner, "repo": repo})
    if not owner:
        assert lines == ()
        return
    assert shlex.split(lines[0]) == ["gh", "repo", "delete", f"{owner}/{repo}", "--yes"]
    assert len(lines) == (2 if owner.startswith("-") else 1)


@pytest.mark.parametrize(
    ("sets", "server", "tool", "given", "decision"),
    [
        ("databases", "mongodb", "drop-collection", {"database": "d", "collection": "c"}, DENY),
        ("databases", "mongodb", "delete-many", {"database": "d", "collection": "c", "filter": {}}, DENY),
        ("databases", "mongodb", "delete-many", {"database": "d", "collection": "c", "filter": {"a": 1}}, NO_OPINION),
        ("databases", "redis", "flushall", {}, DENY),
        ("databases", "supabase", "apply_migration", {"name": "m", "query": "drop schema public"}, DENY),
        ("containers", "docker", "remove_volume", {"volume_name": "pgdata"}, DENY),
        ("cloud-aws", "aws", "call_aws", {"cli_command": ["aws s3 ls", "aws s3 rb s3://b --force"]}, DENY),
        ("cloud-gcp", "gcloud", "run_gcloud_command", {"args": ["projects", "delete", "x"]}, DENY),
        ("cloud-azure", "azure", "extension_az", {"command": "group delete --name x --yes"}, DENY),
        ("ci-cd", "github", "delete_repository", {"owner": "o", "repo": "r"}, DENY),
        ("ci-cd", "github", "create_issue", {"owner": "o", "repo": "r", "title": "gh repo delete o/r"}, NO_OPINION),
        ("ci-cd", "cloudflare", "r2_bucket_delete", {"name": "b"}, DENY),
        ("essentials", "desktop-commander", "interact_with_process", {"pid": 1, "input": "rm -rf ~"}, DENY),
        (
            "essentials",
            "win-cli",
            "execute_command",
            {"shell": "powershell", "command": "Remove-Item -Recurse ~"},
            DENY,
        ),
        ("terraform", "terraform", "ExecuteTerraformCommand", {"command": "destroy"}, DENY),
        ("terraform", "terraform", "ExecuteTerraformCommand", {"command": "validate"}, NO_OPINION),
        ("essentials", "filesystem", "delete_directory", {"path": "~"}, DENY),
        ("essentials", "playwright", "browser_click", {"element": "delete", "target": "~/.ssh/id_rsa"}, NO_OPINION),
        ("databases", "postgres", "query", {"sql": "DROP TABLE users"}, DENY),
        ("databases", "postgres", "query", {"sql": "-- x\nDROP TABLE users"}, DENY),
        ("databases", "postgres", "query", {"sql": "select 1"}, NO_OPINION),
        ("databases", "anything", "run", {"options": {"sql": "DELETE FROM users"}}, DENY),
        ("databases", "search", "find", {"query": "why does drop table users fail"}, NO_OPINION),
        ("kubernetes", "k8s", "kubectl_delete", {"resourceType": "namespace", "name": "prod"}, DENY),
        ("kubernetes", "k8s", "kubectl_get", {"resourceType": "pods"}, NO_OPINION),
        ("essentials", "git", "git_push", {"path": ".", "force": True, "remote": "origin", "branch": "main"}, DENY),
        ("essentials", "git", "git_status", {"repo_path": "."}, NO_OPINION),
    ],
)
def test_the_rules_judge_it_as_the_command_line(
    sets: str, server: str, tool: str, given: dict[str, Any], decision: str
) -> None:
    event = called("claude", "PreToolUse", f"mcp__{server}__{tool}", given)
    assert said(rules_of(sets), event).decision == decision


def test_a_rewrite_finds_no_line_to_replace() -> None:
    from rulez_py.policy.judging.rewriting import objection

    found = facts_of("k8s", "kubectl_delete", {"resourceType": "pod", "name": "a"})
    match = {"command": [{"program": ["kubectl"]}]}
    assert "no command line of its own" in objection(match, found, "kubectl get pod a")


def test_the_page_is_what_the_table_says() -> None:
    assert mcp_page.PAGE.read_text("utf-8") == mcp_page.page(), "run `make mcp-page`"
