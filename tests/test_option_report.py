"""What `make options` reads out of a help text (dev/options.py)."""

from __future__ import annotations

import pytest

from dev import options as report

NOTHING, ATTACHED, VALUE = "nothing", "an attached value", "a value"


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("  -a, --all                  do not ignore entries", {"-a": NOTHING, "--all": NOTHING}),
        ("  -f, --file=ARCHIVE         use archive file", {"-f": VALUE, "--file": VALUE}),
        ("  -Z, --context[=CTX]        like -Z", {"-Z": NOTHING, "--context": ATTACHED}),
        ("  -u, -U NUM, --unified[=NUM]  output NUM lines", {"-u": NOTHING, "-U": VALUE, "--unified": ATTACHED}),
        (
            "    -i INVENTORY, --inventory INVENTORY, --inventory-file INVENTORY",
            {"-i": VALUE, "--inventory": VALUE, "--inventory-file": VALUE},
        ),
        ("    -b, --branch <branch>  checkout <branch>", {"-b": VALUE, "--branch": VALUE}),
        ("    --[no-]progress       force progress reporting", {"--progress": NOTHING}),
        ("    -n, --namespace='':", {"-n": VALUE, "--namespace": VALUE}),
        ("    --all-namespaces=false:", {"--all-namespaces": NOTHING}),
        (
            "[-w|--workspace <name> [-w|--workspace <name> ...]] [--workspaces]",
            {"-w": VALUE, "--workspace": VALUE, "--workspaces": NOTHING},
        ),
        ("  --proxy [protocol://]host[:port]", {"--proxy": VALUE}),
        ("  -v    be verbose - as -vv", {"-v": NOTHING}),
        ("                       -x is for another day", {}),
        ("  a word and -x", {}),
    ],
)
def test_what_a_line_of_help_says(line: str, options: dict[str, str]) -> None:
    assert report.described(line) == options


def test_what_the_table_does_not_know_is_told_from_what_it_knows_otherwise() -> None:
    said = {"--one": VALUE, "--two": NOTHING, "--three": ATTACHED}
    table = {"--one": NOTHING, "--three": NOTHING}
    assert report.difference(said, table.get) == (1, {"--two": NOTHING}, {"--one": (VALUE, NOTHING)})


def test_the_table_is_asked_by_program_and_subcommand() -> None:
    table = report.in_table("git push")
    assert table is not None
    assert [table("--repo"), table("--force"), table("--no-force"), table("--zork")] == [VALUE, NOTHING, NOTHING, None]
    assert report.in_table("zork") is None
