"""Everything that is wrong with one policy file, in sentences that say where and what would be right."""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.documents import types
from rulez_py.documents.diagnostics import (
    ERROR,
    WARNING,
    Diagnostic,
    choice_help,
    closest,
    diagnostic,
    errors,
    in_order,
)
from rulez_py.documents.document import Document, parse
from rulez_py.platforms import PLATFORMS, adapter, tool_table
from rulez_py.policy import packs
from rulez_py.policy.format import circumstances, prerequisites, schema, variables
from rulez_py.policy.format.compile import DECISIONS
from rulez_py.policy.format.overrides import (
    CHANGING,
    CHECKPOINT,
    INSTEAD_OF,
    LOG,
    OF_PERSONS_ALONE,
    concerned,
)
from rulez_py.policy.matchers.schema_parts import names_in
from rulez_py.policy.model.layers import PROJECT, USER
from rulez_py.policy.patterns import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from rulez_py.documents.document import Path
    from rulez_py.documents.types import Refusal

LONGEST_INLINE_SCRIPT = 10_000
"""Bytes an inline script may have before we suggest a file (RuleZ's limit)."""

_MATCHES_ALL = 'write "matchers: {}" if that is meant'


class Beside(Value):
    """What a file's own data does not say of the files that belong to it (`store.included`).

    `rules` are the names of rules that it reaches through files that it extends -> the file; `sets` the rule sets that
    those extend; `variables` the lists of all files that belong together. `part` says that another file extends it.
    """

    rules: dict[str, str]
    sets: tuple[str, ...] = ()
    variables: dict[str, list[str]]
    part: bool = False


class Checked(Value):
    """One file, checked.

    `data` is the file in the one shape `schema.read` gives it, None where anything is wrong with it; `rule_lines` holds
    the line of each of its rules, `setting_lines` each of its settings with its line, `override_lines` each key of
    `overrides`. `raw` is what was written, None where it is not even YAML. `notices` are those of the problems that a
    person hears of where a session begins.
    """

    data: dict[str, Any] | None
    rule_lines: tuple[int, ...] = ()
    setting_lines: tuple[tuple[str, int], ...] = ()
    override_lines: tuple[tuple[str, int], ...] = ()
    raw: object = None
    problems: tuple[Diagnostic, ...] = ()
    notices: tuple[Diagnostic, ...] = ()


def read_document(content: bytes, path: str) -> Document:
    """Return the document in a policy file's bytes."""
    return parse(content, path, if_empty='write version: "1.0" and a list of rules, or delete it')


def check(content: bytes, path: str, *, layer: str = "", root: str = "", file: str = "") -> Checked:
    """Check a file's bytes. `path` is its name in the problems; `layer` is the layer of its place, "" where it has none
    yet.

    `root` is what its scripts are relative to, "" where they are not to be looked for; `file` is its path where `path`
    does not say it.
    """
    return check_document(read_document(content, path), path, layer=layer, root=root, file=file)


def check_document(
    document: Document, path: str, *, layer: str = "", root: str = "", file: str = "", beside: Beside | None = None
) -> Checked:
    """Return the same for what has been read already.

    Without `beside`, files that it extends were not read: what they might say is taken for said.
    """
    raw = document.data
    named = variables.own(raw) if beside is None else beside.variables
    document = variables.Filled(document, named) if named else document
    report = _Report(document, path)
    shared = _is_shared_place(file or path)
    if shared and is_of_another_tool(document):
        report.add((1, 1), _OF_ANOTHER_TOOL, _OWN_PLACE, severity=WARNING)
        told = (report.problems[-1],)
        return Checked(data={"version": "1.0"}, raw=document.data, problems=told, notices=told)
    written, notices = _without_older_keys(document, report) if shared else (document.data, ())
    data: dict[str, Any] = {}
    if written is not None:
        data, refusals = schema.read(written)
        for refusal in refusals:
            report.refusal(refusal)
        if isinstance(written, dict):
            _check_rules(written, report, root)
            unread = beside is None and any(packs.is_file(entry) for _, entry in _entries(written.get("extends"), ()))
            _check_extension(written, report, beside, unread=unread)
            if not unread:
                _check_overrides(written, report, layer, beside)
            _check_settings(written, report, layer, part=beside is not None and beside.part)
            _check_instead_of(written, report, beside)
            if not unread:
                _check_variables(written, report, beside)
    valid = document.data is not None and not any(one.severity == ERROR for one in report.problems)
    count = len(data.get("rules") or ()) if valid else 0
    return Checked(
        data=data if valid else None,
        rule_lines=tuple(document.position(("rules", index))[0] for index in range(count)),
        setting_lines=tuple((key, document.key_position(("settings", key))[0]) for key in data.get("settings") or ()),
        override_lines=tuple(
            (key, document.key_position(("overrides", key))[0]) for key in data.get("overrides") or ()
        ),
        raw=raw,
        problems=in_order(report.problems),
        notices=notices,
    )


# `.claude/hooks.yaml`, the one name that other tools use as well.

_OF_ANOTHER_TOOL = "this is no policy but another tool's file, so nothing of it counts"
_OWN_PLACE = "a policy has `rules` or `extends`; .rulez/rules.yaml is a place that no other tool uses"
_OLDER_KEYS = ("path_match", "event_types", "inject_context", "log_level")
"""Keys that older examples of RuleZ write into a rule, its matchers and its actions, and that RuleZ ignores."""
_LETTING_PASS = frozenset(("allow", "rewrite"))


def _is_shared_place(path: str) -> bool:
    return path.replace("\\", "/").split("/")[-2:] == [".claude", "hooks.yaml"]


def is_like_a_policy(data: object) -> bool:
    """Tell whether what a file holds is a map with a key, besides `version`, that a policy has, or a slip of one."""
    ours = tuple(key for key in schema.FILE.fields if key != "version")
    keys = [key for key in data if key != "version"] if isinstance(data, dict) else []
    return any(key.lower() in ours or closest(key, ours) for key in keys)


def is_of_another_tool(document: Document) -> bool:
    """Tell if the value is a map without any key of a policy, and without any that may be a misspelled one.

    INVARIANT: a damaged policy is still a broken policy, which denies.
    """
    data = document.data
    if not isinstance(data, dict) or errors(document.problems):
        return False
    return bool(data.keys() - {"version"}) and not is_like_a_policy(data)


def _without_older_keys(document: Document, report: _Report) -> tuple[object, tuple[Diagnostic, ...]]:
    """Return the document without the keys that RuleZ ignores (`rulez migrate` leaves them out, too), and a diagnostic
    for each.
    """
    data, said = document.data, len(report.problems)
    rules = data.get("rules") if isinstance(data, dict) else None
    if not isinstance(rules, list):
        return data, ()
    kept = [_rule_without(report, ("rules", index), rule) for index, rule in enumerate(rules)]
    return {**data, "rules": kept}, tuple(report.problems[said:])


def _rule_without(report: _Report, path: Path, rule: object) -> object:
    """INVARIANT: a rule that lets calls pass does not match more than what is written."""
    if not isinstance(rule, dict) or _LETTING_PASS & set(_keys(rule.get("actions"))):
        return rule
    parts = {key: _map_without(report, (*path, key), rule[key]) for key in ("matchers", "actions") if key in rule}
    return _map_without(report, path, {**rule, **parts})


def _map_without(report: _Report, path: Path, given: object) -> object:
    if not isinstance(given, dict):
        return given
    for key in given:
        if key in _OLDER_KEYS:
            widens = path[-1] == "matchers" or key in ("path_match", "event_types")
            wider = ": the rule matches without it" if widens else ""
            at = report.document.key_position((*path, key))
            message = f"`{key}` in {report.rule(_rule_index(path) or 0)} is left out, as RuleZ ignores it{wider}"
            report.add(at, message, "`rulez migrate` writes a policy that says what is meant", severity=WARNING)
    return {key: value for key, value in given.items() if key not in _OLDER_KEYS}


def _keys(given: object) -> tuple[str, ...]:
    return tuple(given) if isinstance(given, dict) else ()


class _Report:
    """The problems of one document, found so far."""

    def __init__(self, document: Document, path: str) -> None:
        self.document = document
        self.path = path
        self.problems = list(document.problems)

    def add(self, at: tuple[int, int], message: str, help: str = "", *, severity: str = ERROR) -> None:
        self.problems.append(diagnostic(self.path, at, message, help, severity=severity))

    def error(self, path: Path, predicate: str, help: str = "") -> None:
        self.add(self.document.position(path), f"{self.subject(path)} {predicate}", help)

    def warning(self, path: Path, predicate: str, help: str = "") -> None:
        at = self.document.position(path)
        self.add(at, f"{self.subject(path)} {predicate}", help, severity=WARNING)

    def rule(self, index: int) -> str:
        """Return a rule as people know it."""
        name = _get(self.document.data, "rules", index, "name")
        return f'rule "{name}"' if isinstance(name, str) and name else f"rule {index + 1}"

    def subject(self, path: Path) -> str:
        """`"run.timeout" in rule "x"`: the keys of `path` as far as they are in the file."""
        keys = [segment for segment in self.document.present(path) if isinstance(segment, str)]
        where = _rule_index(path)
        if where is None:
            return f'"{".".join(keys)}"'
        keys = keys[1:]
        if keys[:1] in (["matchers"], ["actions"]) and len(keys) > 1:
            keys = keys[1:]
        return f'"{".".join(keys)}" in {self.rule(where)}' if keys else self.rule(where)

    def refusal(self, refusal: Refusal) -> None:
        """One refusal of the schema, as a sentence."""
        path, value = refusal.path, refusal.value
        if refusal.kind == types.UNKNOWN:
            self._unknown_key(path)
        elif refusal.kind == types.MISSING:
            self._missing_key(path)
        elif refusal.kind == types.NAME:
            self.add(self.document.position(path), f'rule name "{value}" {refusal.predicate}', refusal.help)
        elif not path:
            message = f'a policy file is a map with "version" and "rules", not {types.described(value)}'
            self.add(self.document.position(()), message)
        elif value is None:
            self.error(path, *self._empty(path))
        else:
            help = choice_help(value, refusal.choices) if refusal.choices else refusal.help
            self.error(path, refusal.predicate, help)

    def _empty(self, path: Path) -> tuple[str, str]:
        if isinstance(path[-1], int) and self.document.present(path) == path:
            return "has an empty entry", "fill it or remove it"
        return "has no value", _MATCHES_ALL if path[-1] == "matchers" else "give it one, or remove the key"

    def _unknown_key(self, path: Path) -> None:
        key, place = str(path[-1]), _place(path[:-1])
        where = _rule_index(path)
        suffix = "" if where is None else f" in {self.rule(where)}"
        message = f'unknown {_noun(place)} "{types.briefly(key)}"{suffix}'
        self.add(self.document.key_position(path), message, _unknown_key_help(key, place))

    def _missing_key(self, path: Path) -> None:
        key, at = str(path[-1]), self.document.position(path[:-1])
        if len(path) == 3 and key == "name":
            index = path[1]
            assert isinstance(index, int)
            self.add(at, f"rule {index + 1} has no name", "add one, like name: no-force-push")
        elif len(path) == 1:
            self.add(at, f'"{key}" is missing', 'add version: "1.0" at the top')
        else:
            self.error(path[:-1], f'needs "{key}"')


# Advice.


_NOUNS = {"": "top-level key", "settings": "setting", "rules": "rule key", "except": "matcher"}
_SINGULAR = {"matchers": "matcher", "actions": "action"}


def _noun(place: str) -> str:
    return _NOUNS.get(place) or _SINGULAR.get(place) or f"{place} key"


def _place(path: Path) -> str:
    """Return the key of the map that `path` leads to, "" for the file itself.

    Of `overrides` and `rewrite`, whose keys are free, their own.
    """
    if len(path) == 2 and path[0] == "overrides":
        return "overrides"
    if path[-3:-1] == ("actions", "rewrite"):
        return "rewrite"
    return next((segment for segment in reversed(path) if isinstance(segment, str)), "")


def _known_keys(place: str) -> tuple[str, ...]:
    if place in ("", "rules"):
        return (schema.RULE if place else schema.FILE).keys()
    return schema.MAPS[place].keys()


# Words people bring along from elsewhere, for which the closest key would be the wrong advice.
_FOREIGN = {
    "enabled": "write metadata: {enabled: false} to switch a rule off",
    "event": 'write "operations" under "matchers"',
    "events": 'write "operations" under "matchers"',
    "event_types": 'write "operations" under "matchers"',
    "deny": 'write "block"',
    "flag": 'write "any_flag", "all_flags" or "no_flag"',
    "flags": 'write "any_flag", "all_flags" or "no_flag"',
    "options": 'write "any_flag", "all_flags" or "no_flag"',
    "message": 'write the reason behind the action: block: "..."',
    "reason": 'write the reason behind the action: block: "..."',
    "<<": "there are no merge keys; write the keys out",
}


def _unknown_key_help(key: str, place: str) -> str:
    for home in ("matchers", "actions", "settings"):
        if place in ("", "rules", "matchers", "actions") and home != place and key in schema.MAPS[home].fields:
            return f'put it under "{home}"'
    if place in ("matchers", "actions", "except") and key in schema.RULE.fields:
        return "it belongs to the rule itself: indent it less"
    if key in _FOREIGN:
        return _FOREIGN[key]
    close = closest(key, _known_keys(place))
    return f'did you mean "{close}"?' if close else f"known are {', '.join(_known_keys(place))}"


# Checks of more than one key. These read the data as written, valid or not, so that every error is reported at once.


def _check_rules(data: dict[str, Any], report: _Report, root: str) -> None:
    first: dict[str, Path] = {}
    rules = data.get("rules")
    remembered = _remembered(rules)
    for index, rule in enumerate(_listing(rules)):
        if not isinstance(rule, dict):
            continue
        path: Path = ("rules", index)
        name = rule.get("name")
        if isinstance(name, str) and name:
            if name in first:
                at, line = report.document.position((*path, "name")), report.document.position(first[name])[0]
                report.add(at, f'there is already a rule "{name}" on line {line}', "rename one of them")
            first.setdefault(name, (*path, "name"))
        _check_matchers(rule, path, report)
        _check_actions(rule, path, report)
        _check_memory(rule, path, remembered, report)
        _check_cases(rule, path, report)
        _check_doubts(rule, path, report, root)
    if not rules and not any(data.get(key) for key in ("extends", "settings", "overrides", "disable", "vars")):
        report.add(report.document.key_position(("rules",)), "this file has no rules", severity=WARNING)


def _check_memory(rule: dict[str, Any], path: Path, remembered: frozenset[str], report: _Report) -> None:
    """Check what a rule asks of the session; `remembered` are the keys that rules of its file remember."""
    actions = rule.get("actions")
    objects = isinstance(actions, dict) and any(_is_on(actions.get(key)) for key in ("block", "ask", "checkpoint"))
    for key in ("requires", "at_most"):
        if key in rule and not objects:
            report.error((*path, key), "needs an action by which the rule objects", "add block: true or ask: true")
    if "at_most" in rule and isinstance(actions, dict) and _is_on(actions.get("checkpoint")):
        report.error((*path, "at_most"), "counts no calls that `checkpoint` keeps", "make it two rules")
    for key in ("requires", "remembered"):
        for at, name in _entries(rule.get(key), (*path, key)):
            if name not in remembered:
                said = f'names "{name}", which no rule of this file remembers'
                near = closest(name, sorted(remembered))
                help = f'did you mean "{near}"?' if near else f"write a rule with actions: {{remember: {name}}}"
                report.warning(at, said, help)


def _remembered(rules: object) -> frozenset[str]:
    """Return the keys that a file's rules remember, as they are written."""
    said = [_get(rule, "actions", "remember") for rule in _listing(rules)]
    keys = [one.get("key") if isinstance(one, dict) else one for one in said]
    return frozenset(key for key in keys if isinstance(key, str))


def _check_matchers(rule: dict[str, Any], path: Path, report: _Report) -> None:
    if "matchers" not in rule and "enabled_when" not in rule:
        report.warning(path, "has no matchers: it matches every event", _MATCHES_ALL)
    written = (*_maps(rule.get("matchers"), (*path, "matchers")), *_maps(rule.get("except"), (*path, "except")))
    for place, matchers in written:
        only = _listed(matchers.get("platforms"))
        for at, name in _entries(matchers.get("tools"), (*place, "tools")):
            said = _tool_warning(name, only or list(PLATFORMS))
            if said:
                report.warning(at, *said)


def _tool_warning(name: str, platforms: list[str]) -> tuple[str, str] | None:
    """Return what may be wrong with a tool's name in a rule for these platforms."""
    canonical = (*tool_table.CANONICAL, *tool_table.VARIANTS)
    if name in canonical or name.startswith("mcp__") or name in tool_table.inbound("claude"):
        return None
    if names_in(name) != [name] or name.startswith("!"):
        return None  # which is an error already
    if any(character in name for character in "*?["):
        return f'holds "{name}", but globs fit only mcp__server__tool names', 'leave "tools" out to match every tool'
    owners = [platform for platform in PLATFORMS if name in tool_table.INBOUND[platform]]
    if owners:
        row = tool_table.INBOUND[owners[0]][name]
        portable = row.canonical or " or ".join(row.variants)
        if not portable or set(platforms) <= set(owners):
            return None
        return f'holds "{name}", the name in {" and ".join(owners)} only', f"write {portable} to match every agent"
    close = closest(name, canonical)
    return (f'holds "{name}", a tool no agent is known to have', f'did you mean "{close}"?') if close else None


def _check_actions(rule: dict[str, Any], path: Path, report: _Report) -> None:
    actions = rule.get("actions")
    if "actions" not in rule:
        report.warning(path, "has no actions: it does nothing", 'write "actions: {}" if that is meant')
    if not isinstance(actions, dict):
        return
    path = (*path, "actions")
    decided = [key for key in actions if key in DECISIONS and _is_on(actions[key])]
    _check_together(decided, "contradict each other", "keep one", path, report)
    if _is_on(actions.get("checkpoint")) and not _says_what_is_lost(rule):
        message = "needs the matcher `loses`, which says what to keep"
        report.error((*path, "checkpoint"), message, "add one, like loses: [uncommitted, untracked]")
    validators = [key for key in actions if key in ("validate_expr", "inline_script")]
    _check_together(validators, "exclude each other", "make it two rules", path, report)
    script = actions.get("inline_script")
    if isinstance(script, str) and len(script.encode("utf-8", "replace")) > LONGEST_INLINE_SCRIPT:
        message = f"is longer than {LONGEST_INLINE_SCRIPT} bytes"
        report.warning((*path, "inline_script"), message, 'put it in a file and use "run"')
    if "redact" in actions:
        _check_redact(rule, (*path, "redact"), report)
    if "run" in actions:
        _check_run(actions["run"], (*path, "run"), report)


def _check_redact(rule: dict[str, Any], path: Path, report: _Report) -> None:
    """Warn where a rule is for agents alone that let no hook change a result."""
    only = [name for name in _listed(_get(rule, "matchers", "platforms")) if name in PLATFORMS]
    if only and not any(spec.result for name in only for spec in adapter(name).EVENTS.values()):
        agents = " and ".join(adapter(name).AGENT for name in only)
        said = f"only has the model warned: no hook of {agents} changes a result"
        report.warning(path, said, "keep the secret from being read: a rule at operations: [PreToolUse]")


def _says_what_is_lost(rule: dict[str, Any]) -> bool:
    matchers = rule.get("matchers")
    return isinstance(matchers, dict) and bool(matchers.get("loses"))


def _is_on(decision: object) -> bool:
    return decision is True or isinstance(decision, str)


def _check_together(keys: list[str], predicate: str, help: str, path: Path, report: _Report) -> None:
    if len(keys) > 1:
        index = _rule_index(path)
        assert index is not None
        named = " and ".join(f'"{key}"' for key in keys)
        at = report.document.key_position((*path, keys[-1]))
        report.add(at, f"{named} {predicate} in {report.rule(index)}", help)


def _check_run(run: object, path: Path, report: _Report) -> None:
    settings = run if isinstance(run, dict) else {"script": run}
    if settings.get("shell") is True and settings.get("args"):
        report.error((*path, "args"), 'has no meaning with "shell: true"', 'write the whole line in "script"')
    if "trust" in settings:
        report.warning((*path, "trust"), "has no effect here", "whether scripts run is decided by `rulez trust`")
    script = settings.get("script")
    if isinstance(script, str) and settings.get("shell") is not True and "args" not in settings:
        import shlex

        try:
            shlex.split(script)
        except ValueError as error:
            report.error((*path, "script"), f"is not a command line: {str(error).lower()}")


def _check_cases(rule: dict[str, Any], path: Path, report: _Report) -> None:
    """Check the arguments in `tests` for names that may be misspelled circumstances."""
    tests = rule.get("tests")
    for expected, examples in tests.items() if isinstance(tests, dict) else ():
        for number, example in enumerate(_listing(examples)):
            for key in circumstances.doubted(example) if isinstance(example, dict) else ():
                meant = closest(key, tuple(circumstances.CIRCUMSTANCES))
                if meant:
                    at = report.document.key_position((*path, "tests", expected, number, key))
                    said = (
                        f'"tests.{expected}.{key}" in {report.rule(_rule_index(path) or 0)} is an argument of the tool'
                    )
                    report.add(at, said, f'did you mean "{meant}"?', severity=WARNING)


def _check_doubts(rule: dict[str, Any], path: Path, report: _Report, root: str) -> None:
    """Check what the rule rests on that may not be there (`prerequisites.py`)."""
    run = _get(rule, "actions", "run")
    findings = list(prerequisites.expression_findings(rule)) if "enabled_when" in rule else []
    if "metadata" in rule:
        findings += prerequisites.seconds_findings(_get(rule, "metadata", "timeout"), ("metadata", "timeout"))
    if run is not None:
        findings += prerequisites.seconds_findings(_get(run, "timeout"), ("actions", "run", "timeout"))
        if root:
            findings += [
                (("actions", "run", *at), says, help) for at, says, help in prerequisites.script_findings(run, root)
            ]
    for at, predicate, help in findings:
        report.warning((*path, *at), predicate, help)


def _extended(data: dict[str, Any], beside: Beside | None) -> list[str]:
    """Return the rule sets that a file extends, by itself or through other files."""
    own = [name for _, name in _entries(data.get("extends"), ()) if not packs.is_file(name)]
    return [name.removeprefix(packs.PREFIX) for name in (*own, *(() if beside is None else beside.sets))]


def _check_extension(data: dict[str, Any], report: _Report, beside: Beside | None, *, unread: bool) -> None:
    """`extends` and `disable` against the packs there are; the essentials hold without being extended."""
    extended = _extended(data, beside)
    if not set(extended) <= set(packs.extendable()):
        return
    reached = packs.reach((*extended, packs.DEFAULT))
    names = {rule: packs.PREFIX + pack for pack, rules in reached.items() for rule in rules}
    included = {} if beside is None else beside.rules
    names.update(included)
    disabled = list(_entries(data.get("disable"), ("disable",)))
    protecting = packs.reach((packs.SELF_PROTECTION,))[packs.SELF_PROTECTION] if disabled else {}
    for at, name in disabled:
        if name in protecting:
            help = (
                f"overrides: {{{name}: {{action: ask}}}} has it ask, settings: {{self_protection: false}} switches all"
                " of it off, in the user's or the managed policy"
            )
            report.error(at, f'holds "{name}", a rule by which rulez protects itself', help)
        elif name not in names and name in packs.RENAMED:
            said, help = f'holds "{name}", which is no rule any more', f"write {packs.RENAMED[name]}"
            report.warning(at, said, help)
        elif name not in names and not unread:
            sets = [packs.PREFIX + pack for pack in dict.fromkeys((*extended, packs.DEFAULT))]
            shown = " or ".join((*sets, *dict.fromkeys(included.values())))
            close = closest(name, names)
            help = f'did you mean "{close}"?' if close else "" if extended else "add the set that has it to extends"
            report.error(at, f'holds "{name}", which is no rule of {shown}', help)
    if report.path.startswith(packs.PREFIX):
        own_sets = {packs.PREFIX + pack for pack in packs.reach(extended)}
        names = {rule: pack for rule, pack in names.items() if pack in own_sets}
    off = {name for _, name in disabled}
    rules = data.get("rules")
    for index, rule in enumerate(_listing(rules)):
        own = _get(rule, "name")
        if isinstance(own, str) and own in names and own not in off:
            said = f"has the name of a rule of {names[own]}, and both hold"
            at = report.document.position(("rules", index, "name"))
            help = f"rename it, or add disable: [{own}]"
            report.add(at, f"{report.rule(index)} {said}", help, severity=WARNING)


def _check_overrides(data: dict[str, Any], report: _Report, layer: str, beside: Beside | None) -> None:
    """`overrides` against the rules that this file may change."""
    overrides = data.get("overrides")
    if not isinstance(overrides, dict):
        return
    extended = _extended(data, beside)
    own = [str(_get(rule, "name")) for rule in _listing(data.get("rules"))]
    reached = packs.reach((*extended, packs.DEFAULT))
    names = [name for rules in reached.values() for name in rules]
    names += () if beside is None else beside.rules
    for key, change in overrides.items():
        if isinstance(change, dict) and change:
            _check_change(("overrides", str(key)), change, report, layer)
    protecting = list(packs.reach((packs.SELF_PROTECTION,))[packs.SELF_PROTECTION])
    for key in overrides:
        at = ("overrides", str(key))
        if globs.problem(str(key)):
            continue
        if concerned(str(key), names):
            _check_reach(str(key), report, layer)
            of_sets = [name for rules in reached.values() for name in rules]
            if _get(overrides[key], "action") == CHECKPOINT and concerned(str(key), of_sets):
                _check_kept(at, concerned(str(key), names), tuple(reached), report)
            continue
        if concerned(str(key), protecting):
            if layer != PROJECT:
                continue
            said, help = "a rule by which rulez protects itself", "only the managed and the user's own policy change it"
        elif str(key) in packs.RENAMED:
            at_key = report.document.key_position(at)
            said = f'"overrides" names "{key}", which is no rule any more'
            report.add(at_key, said, f"write {packs.RENAMED[str(key)]}", severity=WARNING)
            continue
        elif concerned(str(key), own) and (layer == PROJECT or not globs.is_glob(str(key))):
            said, help = "a rule of this file", "change the rule itself"
        elif layer != PROJECT:
            _check_below(str(key), (*names, *protecting), report)
            continue
        else:
            close = closest(str(key), (*names, *protecting))
            said = "no rule of a set that this file extends"
            help = f'did you mean "{close}"?' if close else "add its set to extends"
        report.add(report.document.key_position(at), f'"overrides" names "{key}", {said}', help)


def _check_change(at: Path, change: dict[str, Any], report: _Report, layer: str) -> None:
    """One change by itself: whether it changes anything, and whether this layer may say it."""
    if not set(CHANGING) & change.keys():
        report.error(at, "changes nothing", f"write one of {', '.join(CHANGING)}")
    if change.get("action") == LOG and "mode" in change:
        report.error((*at, "mode"), "contradicts action: log, which is mode: audit", "keep one")
    for key in OF_PERSONS_ALONE:
        if layer == PROJECT and key in change:
            help = "only the managed and the user's own policy say where; the matcher `projects` does in a rule"
            report.error((*at, key), "is about other projects than this file's", help)
    if "in" in change:
        report.warning(
            (*at, "in"), "is an older form", "write only_in, which takes globs and is also about what lies below"
        )


def _check_below(key: str, known: tuple[str, ...], report: _Report) -> None:
    """Warn of a name that is almost that of a rule of rulez; any other may be one of a rule in a layer below."""
    every = (
        *known,
        *packs.floor_names(),
        *(name for rules in packs.reach(packs.extendable()).values() for name in rules),
    )
    close = "" if concerned(key, every) else closest(key, every)
    if close:
        at = report.document.key_position(("overrides", key))
        said = f'"overrides" names "{key}", no rule that rulez knows'
        report.add(at, said, f'did you mean "{close}"?', severity=WARNING)


def _check_kept(at: Path, names: list[str], sets: tuple[str, ...], report: _Report) -> None:
    """Report a change to `checkpoint` of rules none of which says what is lost."""
    if not any(_says_what_is_lost(rule) for rule in packs.rules_of(sets) if rule["name"] in names):
        help = "write action: ask; a checkpoint keeps what the matcher `loses` of a rule names"
        what = "a rule" if names == [at[-1]] else "only rules"
        report.error((*at, "action"), f"has {what} without `loses` keep what is lost", help)


def _check_reach(key: str, report: _Report, layer: str) -> None:
    """Return whether a key of a project's `overrides` looks as if it changed rules of the floor, and does not."""
    floor = list(packs.floor_names()) if layer == PROJECT else []
    meant = [] if key in floor else concerned(key, floor)
    if meant:
        shown = ", ".join(meant[:_MOST_NAMED]) + (", ..." if len(meant) > _MOST_NAMED else "")
        said = f'"overrides": "{key}" leaves {shown} of {packs.PREFIX}{packs.DEFAULT} as they are'
        help = "a project changes those by their names, one by one"
        report.add(report.document.key_position(("overrides", key)), said, help, severity=WARNING)


_MOST_NAMED = 3


def _check_instead_of(data: dict[str, Any], report: _Report, beside: Beside | None) -> None:
    """Warn of questions that are to be checkpoints, where there are none."""
    at = ("settings", "checkpoints", INSTEAD_OF)
    if _get(data, *at) != "ask":
        return
    extended = _extended(data, beside)
    rules = packs.rules_of(packs.reach(extended))
    if not any(_says_what_is_lost(rule) and _is_on(rule["actions"].get("ask")) for rule in rules):
        said = "changes nothing, for no set that this file extends asks before something is lost"
        report.warning(at, said, "add one to extends, like builtin:git")


def _check_settings(data: dict[str, Any], report: _Report, layer: str, *, part: bool) -> None:
    settings = data.get("settings")
    if not isinstance(settings, dict):
        return
    for key in settings if part else ():
        if key in OF_WHOLE_FILES:
            help = "write it in the file that extends this one"
            report.warning(("settings", key), "has no effect in a file that another one extends", help)
    for at, *said in prerequisites.seconds_findings(settings.get("script_timeout"), ("settings", "script_timeout")):
        report.warning(at, *said)
    for key in ("log_level", "debug_logs", "logging"):
        if key in settings:
            report.warning(("settings", key), "has no effect here")
    if "on_error" in settings and "fail_open" in settings:
        report.warning(("settings", "fail_open"), 'has no effect beside "on_error"', "remove it")
    if layer == PROJECT and "self_protection" in settings:
        help = "only the managed and the user's own policy decide that"
        report.warning(("settings", "self_protection"), "has no effect in a project", help)
    if layer == PROJECT and "essentials" in settings:
        help = "`disable: [NAME]` takes single rules out, once the file is trusted"
        report.warning(("settings", "essentials"), "has no effect in a project", help)
    if layer == PROJECT and "files" in settings:
        help = "write `files` at a rule; for all rules the managed and the user's own policy decide"
        report.warning(("settings", "files"), "has no effect in a project", help)
    for key in ("exceptions", "trust"):
        if layer in (USER, PROJECT) and key in settings:
            report.warning(("settings", key), "has no effect here", "only the managed policy decides that")


OF_WHOLE_FILES = ("on_error", "self_protection", "essentials", "files", "exceptions", "trust")
"""Settings that only the file says that extends the others; of the rest, each file may say its own."""


def _check_variables(data: dict[str, Any], report: _Report, beside: Beside | None) -> None:
    for at, name, close in variables.misspelt(data, variables.own(data) if beside is None else beside.variables):
        said = f'holds "{variables.MARK}{name}", which is no list of `vars` but these characters'
        report.warning(at, said, f'did you mean "{variables.MARK}{close}"?')
    for at, name, known in variables.unknown(data, () if beside is None else beside.variables):
        inside = "is known in `vars` itself" if at[0] == "vars" else "`vars` has"
        report.error(at, f'holds "{variables.MARK}{name}", which is nothing that {inside}', choice_help(name, known))


# Looking into data of any shape.


def _get(value: object, *path: str | int) -> object:
    for segment in path:
        if isinstance(value, dict) and isinstance(segment, str):
            value = value.get(segment)
        elif isinstance(value, list) and isinstance(segment, int) and segment < len(value):
            value = value[segment]
        else:
            return None
    return value


def _listing(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _listed(value: object) -> list[str]:
    return [text for _, text in _entries(value, ())]


def _maps(value: object, path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield each map of a list, or the one that is written for a list of one, with its path."""
    several = [((*path, index), item) for index, item in enumerate(value)] if isinstance(value, list) else []
    for at, item in several or [(path, value)]:
        if isinstance(item, dict):
            yield at, item


def _entries(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield each text of a list, or the one text that is written for a list of one, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, str):
                yield (*path, index), item


def _rule_index(path: Path) -> int | None:
    index = path[1] if len(path) > 1 and path[0] == "rules" else None
    return index if isinstance(index, int) else None
