"""A call that runs something leaves a command or is opaque, whatever it is given: nothing is left out in silence."""

from __future__ import annotations

import importlib

import pytest

from rulez_py.analysis.languages import LANGUAGES, find
from rulez_py.analysis.languages.actions import parted

FORMS: dict[str, dict[str, str]] = {
    "python": {
        "text": "'w z'",
        "list": "['w', 'z']",
        "unknown name": "x",
        "empty list": "[]",
        "conditional": "'w z' if x else y",
        "conditional list": "(['w', 'z'] if x else ['w'])",
        "index": "['w z', 'w'][1]",
        "index by a name": "['w z', 'w'][x]",
        "table": "{'a': 'w z'}[x]",
        "method chain": "x.y().z.strip()",
        "f-string": "f'{x}w'",
        "spread": "*x",
        "spread of a list": "*['w', 'z']",
        "spread of keywords": "**x",
        "slice": "['z', 'w'][1:]",
        "generator": "[a for a in x]",
        "map": "map(str, x)",
        "map by a function": "map(lambda a: a, ['w z'])",
        "filter": "filter(lambda a: a, ['w z'])",
        "filter, first": "list(filter(lambda a: a, ['w z']))[0]",
        "reduce": "functools.reduce(lambda a, b: a + b, ['w', 'z'])",
        "max": "max(['w z'], key=lambda a: a)",
        "next": "next(filter(None, ['w z']))",
        "call": "f(x)",
        "await": "await x",
        "walrus": "(y := 'w z')",
        "bytes": "b'w z'",
        "joined": "' '.join(x)",
    },
    "javascript": {
        "text": "'w z'",
        "list": "['w', 'z']",
        "unknown name": "x",
        "empty list": "[]",
        "conditional": "x ? 'w z' : y",
        "conditional list": "x ? ['w', 'z'] : ['w']",
        "either": "x || ['w z']",
        "index": "['w z', 'w'][1]",
        "table": "({a: 'w z'})[x]",
        "method chain": "x.y().z.trim()",
        "template": "`w ${x}`",
        "spread": "...x",
        "spread of a list": "...['w', 'z']",
        **{
            name: f"['w z'].{name}(c => c)"
            for name in ("map", "find", "findLast", "flatMap", "filter", "some", "every", "forEach", "findIndex", "at")
        },
        "filter, first": "['w z'].filter(c => c)[0]",
        "filter by a name": "['w z'].filter(Boolean).pop()",
        "reduce": "['w', 'z'].reduce((a, b) => a + b)",
        "reduceRight": "['w', 'z'].reduceRight((a, b) => a + b, '')",
        "sort": "['w z'].sort((a, b) => a)",
        "values": "Object.values({a: 'w z'})",
        "call": "f(x)",
        "await": "await x",
        "shift": "x.shift()",
    },
    "ruby": {
        "text": "'w z'",
        "list": "['w', 'z']",
        "unknown name": "x",
        "empty list": "[]",
        "conditional": "x ? 'w z' : y",
        "index": "['w z', 'w'][1]",
        "method chain": "x.y().z.strip",
        "text with a hole": '"w #{x}"',
        "spread": "*x",
        "spread of a list": "*['w', 'z']",
        **{
            name: f"['w z'].{name} {{ |c| c }}"
            for name in ("map", "find", "detect", "flat_map", "select", "inject", "reduce", "max_by", "filter_map")
        },
        "a method": "['w', 'z'].inject(:+)",
        "a method by a sign": "['w z'].map(&:strip)",
        "join": "['w', x].join(' ')",
        "call": "f(x)",
        "first": "['w z'].first",
    },
    "perl": {
        "text": "'w z'",
        "list": "('w', 'z')",
        "reference": "['w', 'z']",
        "unknown name": "$x",
        "unknown list": "@x",
        "conditional": "$x ? 'w z' : $y",
        "index": "('w z', 'w')[1]",
        "method chain": "$x->y()->z",
        "text with a hole": '"w $x"',
        "map": "map { $_ } 'w z'",
        "grep": "grep { $_ } 'w z'",
        "first": "first { $_ } 'w z'",
        "reduce": "reduce { $a . $b } 'w', 'z'",
        "sort": "sort 'w z'",
        "call": "f($x)",
        "join": "join(' ', @x)",
        "dereferenced": "@$x",
        "dereferenced by braces": "@{$x}",
    },
    "php": {
        "text": "'w z'",
        "list": "['w', 'z']",
        "unknown name": "$x",
        "empty list": "[]",
        "conditional": "$x ? 'w z' : $y",
        "index": "['w z', 'w'][1]",
        "method chain": "$x->y()->z",
        "text with a hole": '"w $x"',
        "spread": "...$x",
        "array_map": "array_map(fn($c) => $c, ['w z'])",
        "array_map by a name": "array_map('trim', ['w z'])",
        "array_filter": "array_filter(['w z'], fn($c) => $c)",
        "array_reduce": "array_reduce(['w', 'z'], fn($a, $b) => $a . $b, '')",
        "current": "current(['w z'])",
        "implode": "implode(' ', $x)",
        "call": "f($x)",
        "match": "match($x) { 1 => 'w z' }",
    },
    "lua": {
        "text": "'w z'",
        "table": "{'w', 'z'}",
        "unknown name": "x",
        "conditional": "x and 'w z' or y",
        "index": "({'w z'})[1]",
        "method chain": "x:y():z()",
        "joined": "'w ' .. x",
        "call": "f(x)",
        "unpacked": "table.unpack({'w', 'z'})",
        "concat": "table.concat(x, ' ')",
    },
    "r": {
        "text": "'w z'",
        "list": "c('w', 'z')",
        "unknown name": "x",
        "conditional": "if (x) 'w z' else y",
        "index": "c('w z', 'w')[1]",
        "index of a list": "list('w z')[[1]]",
        "method chain": "x$y()$z",
        "paste": "paste('w', x)",
        **{
            name: f"{name}({order})"
            for name, order in (
                ("sapply", "c('w z'), function(a) a"),
                ("lapply", "list('w z'), function(a) a"),
                ("Filter", "function(a) TRUE, c('w z')"),
                ("Map", "function(a) a, c('w z')"),
                ("Find", "function(a) TRUE, c('w z')"),
                ("Reduce", "function(a, b) paste(a, b), c('w', 'z')"),
            )
        },
        "call": "f(x)",
    },
}
"""Forms of an argument, by language: what is given to a call that runs something."""
RUNNING = ("runs shell", "runs list", "runs process", "runs program", "runs shell if one", "runs shell there")
INSIDE = ("runs code", "runs file")
CODE = {
    "python": '__import__("os").system("w")',
    "javascript": 'require("child_process").execSync("w")',
    "ruby": 'system("w")',
    "perl": 'system("w")',
    "php": 'system("w");',
    "r": 'system("w")',
}
"""Code that runs something, for the calls whose argument is code."""


def running(language: str) -> dict[str, tuple[str, str]]:
    """The calls of a language that run something: the verb, and what it takes."""
    calls = importlib.import_module(f"rulez_py.analysis.languages.{language}").CALLS
    found: dict[str, tuple[str, str]] = {}
    for name, lines in calls.items():
        for action in lines.split(";"):
            verb, where = parted(action.split())
            if verb in (*RUNNING, *INSIDE) and where and where[0][0].isdecimal():
                found.setdefault(name, (verb, where[0]))
    return found


def spelled(language: str, name: str) -> str:
    """The name of a call as code writes it."""
    if language == "perl":
        return name.replace(".", "::")
    if language == "php":
        return name.replace(".", "::", 1).replace(".", "('')->")
    module, _, rest = name.partition(".")
    return (
        f"require('{module}').{rest}"
        if ("-" in module or "@" in module) and rest
        else f"require('{name}')"
        if "-" in name
        else name
    )


def written(language: str, name: str, verb: str, where: str, form: str) -> str:
    """A call by this name with the form in the place that is run."""
    before = int(where.partition("|")[0].rstrip("+"))
    if verb == "runs code":
        form = form.replace("'w z'", "'w'").replace("'w'", f"'{CODE[language]}'")
    return f"{spelled(language, name)}({', '.join([*['0'] * before, form])})"


LISTED = [
    (language, name, verb, where)
    for language in FORMS
    for name, (verb, where) in running(language).items()
    if "*" not in name
]


@pytest.mark.parametrize(("language", "name", "verb", "where"), LISTED, ids=[f"{row[0]}: {row[1]}" for row in LISTED])
def test_what_runs_something_leaves_a_command_or_is_opaque(language: str, name: str, verb: str, where: str) -> None:
    silent = {
        form
        for form, text in FORMS[language].items()
        if not (found := find(language, written(language, name, verb, where, text))).inner and not found.opaque
    }
    assert silent == set()


WITHIN = [
    (language, owner, method)
    for language in FORMS
    for owner, methods in getattr(
        importlib.import_module(f"rulez_py.analysis.languages.{language}"), "WITHIN", {}
    ).items()
    for method in methods
]


@pytest.mark.parametrize(("language", "owner", "method"), WITHIN, ids=[" ".join(row) for row in WITHIN])
def test_a_method_of_what_a_library_makes_leaves_a_command(language: str, owner: str, method: str) -> None:
    walked = importlib.import_module("rulez_py.analysis.languages.parts").actions_of
    module = importlib.import_module(f"rulez_py.analysis.languages.{language}")
    assert walked(module.WITHIN, f"{owner}.{method}") == module.WITHIN[owner][method]
    silent = {
        form
        for form, text in FORMS[language].items()
        if not find(
            language,
            f"{spelled(language, owner)}{_dot(language)}x(){_dot(language)}"
            f"{method.replace('.', '()' + _dot(language))}({text})",
        ).inner
    }
    assert silent == set()


def _dot(language: str) -> str:
    return "->" if language in ("perl", "php") else "."


def test_every_language_with_a_table_of_calls_has_its_forms() -> None:
    modules = {name: importlib.import_module(f"rulez_py.analysis.languages.{name}") for name in LANGUAGES.values()}
    assert {name for name, module in modules.items() if hasattr(module, "CALLS")} == set(FORMS)
