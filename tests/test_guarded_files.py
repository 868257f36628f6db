"""Files that rules guard, by whatever way a command line reaches them: data/guarded.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.policy.judging.decide import decide
from rulez_py.verdict import NO_OPINION
from tests.test_packs import HOME, RECOMMENDED, ROOT, Machine, called, rules_of

TABLE: dict[str, dict[str, list[str]]] = YAML(typ="safe").load(Path(__file__).parent / "data" / "guarded.yaml")
HELD = {
    ROOT: [".claude", ".rulez", ".env", "src"],
    f"{ROOT}/.claude": ["settings.json", "skills"],
    f"{ROOT}/.rulez": ["rules.yaml"],
    f"{ROOT}/src": ["a.py"],
}


class Project(Machine):
    """One that holds what is guarded."""

    def names(self, directory: str) -> list[str]:
        return HELD.get(directory, [])


def verdict_of(line: str) -> Any:
    event = called("claude", "PreToolUse", "Bash", {"command": line})
    facts = Facts(event, Surroundings(root=ROOT, home=HOME, environ={"HOME": HOME}), Project())
    return decide(rules_of(*RECOMMENDED), facts).decision


def _rows(kind: str) -> list[Any]:
    return [
        pytest.param(line, id=f"{way}: {line.splitlines()[0]}") for way, lines in TABLE[kind].items() for line in lines
    ]


@pytest.mark.parametrize("line", _rows("stopped"))
def test_a_guarded_file_is_guarded_by_every_way(line: str) -> None:
    assert verdict_of(line) != NO_OPINION


@pytest.mark.parametrize("line", _rows("harmless"))
def test_what_reaches_no_guarded_file_passes(line: str) -> None:
    assert verdict_of(line) == NO_OPINION


GUARDED = (".claude/settings.json", ".rulez/rules.yaml")
DOES = ("rm -f {}", "sed -i s/a/b/ {}", "truncate -s 0 {}", "cp x.json {}", "tee {}")
FORMS = {
    "a pipe": "echo {path} | xargs -I@ {on_it}",
    "a pipe of lines": "printf '%s\\n' {path} | while read -r f; do {on_f}; done",
    "a list": "for f in {path}; do {on_f}; done",
    "a pattern": "for f in {directory}/*; do {on_f}; done",
    "a search": "find {directory} -type f | xargs -I@ {on_it}",
    "a search by name": "find . -name {name} -print0 | xargs -0 -I@ {on_it}",
    "a search that is read": "while IFS= read -r f; do {on_f}; done < <(find {directory} -type f)",
    "a search that is filtered": "find {directory} | grep -v x | sort -r | head -3 | xargs -I@ {on_it}",
    "a list of names": "f=$(ls {directory}/*); {on_f}",
    "an array": "mapfile -t a < <(find {directory} -type f); f=${{a[0]}}; {on_f}",
    "a computed name": "f=$(dirname {path})/$(basename {path}); {on_f}",
    "a real path": "f=$(realpath {path}); {on_f}",
    "a link": "ln -s {path} l; f=l; {on_f}",
    "a link to the directory": "ln -s {directory} l && f=l/{name} && {on_f}",
    "a wrapper": "sudo env A=b nice find {directory} -type f -exec {on_found} ;",
}


@pytest.mark.parametrize("path", GUARDED)
@pytest.mark.parametrize("does", DOES)
@pytest.mark.parametrize("form", FORMS)
def test_no_form_of_a_name_hides_it(form: str, does: str, path: str) -> None:
    directory, _, name = path.partition("/")
    line = FORMS[form].format(
        path=path,
        directory=directory,
        name=name,
        on_it=does.format("@"),
        on_f=does.format('"$f"'),
        on_found=does.format("'{}'"),
    )
    assert verdict_of(line.replace(" ;", r" \;") if form == "a wrapper" else line) != NO_OPINION
