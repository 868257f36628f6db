"""`paths: {many: ...}`: whether a call is about one file or about more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulez_py.policy.facts.facts import Facts
from rulez_py.policy.judging.decide import decide
from rulez_py.policy.judging.index import pack
from tests.policy.judging.test_commands import compiled, event
from tests.policy.judging.test_decide import AROUND, ROOT, World

if TYPE_CHECKING:
    from rulez_py.policy.model.rule import Rule

MANY, ONE, NEITHER = "many", "one", "neither"
FILES = ("notes.txt", "docs/a.txt", "docs/b.txt", "other/b.txt")


def rule(many: str, globs: str = "**") -> Rule:
    paths = f"{{globs: ['{globs}'], access: [delete], many: {many}}}"
    made: Rule = compiled(f"matchers: {{paths: {paths}}}\nactions: {{block: true}}")
    return made


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("rm notes.txt", ONE),
        ("rm -f notes.txt", ONE),
        ("rm -r notes.txt", ONE),  # The disk says that it is a file.
        ("mv notes.txt old.txt", ONE),
        ("rm gone.txt", ONE),
        ("rm -r docs", MANY),
        ("rm -r gone", MANY),
        ("mv docs old", MANY),
        ("rm docs/*", MANY),
        ("rm docs/?.txt", MANY),
        ("rm docs/a.txt docs/b.txt", MANY),
        ("rm docs/a.txt other/b.txt", ONE),
        ("rm -r $X", MANY),
        ("find docs -delete", MANY),
        ("find docs -type f -exec rm {} +", MANY),
        ("find docs -type f | xargs rm", MANY),
        ("find docs -name '*.bak' -delete", NEITHER),
        ("find docs -mtime +7 -delete", NEITHER),
        ("find docs -mtime +7 | xargs rm", NEITHER),
        ("rmdir docs", NEITHER),  # It deletes what is empty.
        ("rmdir /s /q docs", MANY),
        ("cmd /c 'rd /s /q docs'", MANY),
        ("cmd /c 'del docs\\*.txt'", MANY),
        ("cmd /c 'del notes.txt'", ONE),
        ("pwsh -c 'Remove-Item -Recurse docs'", MANY),
        ("pwsh -c 'Remove-Item notes.txt'", ONE),
        ("robocopy empty docs /MIR", MANY),
        ("robocopy empty docs /MIR /L", NEITHER),
        ("python3 -c 'import shutil; shutil.rmtree(\"docs\")'", MANY),
        ("python3 -c 'import os; os.remove(\"notes.txt\")'", ONE),
        ("cat docs/*", NEITHER),
    ],
)
def test_one_file_or_more(line: str, said: str) -> None:
    facts = Facts(event(line), AROUND, World(files={f"{ROOT}/{name}": "x" for name in FILES}))
    found = [name for name, many in ((MANY, "true"), (ONE, "false")) if decide([rule(many)], facts).decision]
    assert found == ([] if said == NEITHER else [said])


@pytest.mark.parametrize("glob", ["C:/**", "?:/**", "D:/data/**", "/**", "~/**"])
def test_a_rule_about_a_drive_is_filed_as_any_other(glob: str) -> None:
    assert pack([rule("true", glob)]).data
