"""The checks: each reads a valid file and yields messages on what is probably a mistake."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rulez_py.documents.diagnostics import closest
from rulez_py.event import AFTER_THE_CALL, Event, UnreadableEvent
from rulez_py.event.arguments import ALIASES
from rulez_py.lint.values import NOTE, WARNING, Check, Fix, Message, in_a_row
from rulez_py.platforms import PLATFORMS, adapter
from rulez_py.policy.matchers import WRITE_NOTHING, declared
from rulez_py.system import jsontext
from rulez_py.verdict import ASK, DENY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rulez_py.documents.document import Path
    from rulez_py.event import EventSpec
    from rulez_py.lint.values import Read
    from rulez_py.policy.model.rule import Rule

_WITH_PROMPT = ("UserPromptSubmit", "UserPromptExpansion", "BeforeAgent")
_WITHOUT_TOOL = (
    *_WITH_PROMPT,
    *("SessionStart", "SessionEnd", "Setup", "Stop", "StopFailure", "SubagentStart", "SubagentStop"),
    *("PreCompact", "PostCompact", "Notification", "AfterAgent", "TaskCreated", "TaskCompleted", "TeammateIdle"),
)
_STOPS = ("block", "ask", "checkpoint", "allow")
_SCRIPTS = ("run", "inline_script")


# What a machine's policy trusts.

_CLONES = (
    *("/clone", "/clone/of/any", "/srv/clone", "/opt/clone", "/root/clone", "/root/any/clone"),
    *(f"{home}/{below}" for home in ("~", "/home/ann", "/Users/ann") for below in ("clone", "any/clone")),
)
"""Directories in which people may have cloned anything: a glob that fits one of these is about no place of its own."""
_WRITABLE_BY_ALL = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp", "/Users/Shared")  # noqa: S108


def _trusts_any_clone(read: Read) -> Iterator[Message]:
    from rulez_py.policy.patterns import globs

    trust = (read.data.get("settings") or {}).get("trust")
    for index, pattern in enumerate((trust.get("paths") or ()) if isinstance(trust, dict) else ()):
        fitting = next((one for one in _CLONES if globs.fits(globs.segments(pattern), one)), "")
        place = next((one for one in _WRITABLE_BY_ALL if f"{pattern}/".startswith(f"{one}/")), "")
        if fitting or place:
            why = f"anybody may write into {place}" if place else f"{fitting} fits as well"
            said = f'"{pattern}" trusts whatever is cloned there: {why}'
            yield Message(
                ("settings", "trust", "paths", index), said, "name the directory that only reviewed projects are in"
            )


# Rules that never match.


def _tools_without_the_subject(read: Read) -> Iterator[Message]:
    for path, rule in read.each():
        matchers = rule.get("matchers") or {}
        tools = matchers.get("tools") or ()
        for kind, never in declared("NEVER_WITH").items():
            widened = kind == "command" and "content" in matchers
            if tools and kind in matchers and not widened and set(tools) <= set(never):
                what = "writes no text" if never is WRITE_NOTHING else "runs no command"
                said = f"`{kind}` never fits: {in_a_row(tools)} {what}"
                yield Message((*path, "matchers", kind), said, "name the tool that does, or leave `tools` out")


def _events_without_the_subject(read: Read) -> Iterator[Message]:
    for path, rule in read.each():
        matchers = rule.get("matchers") or {}
        events = matchers.get("operations") or ()
        if events and "prompt_match" in matchers and not set(events) & set(_WITH_PROMPT):
            help = "write operations: [UserPromptSubmit]"
            yield Message(
                (*path, "matchers", "prompt_match"),
                f"`prompt_match` never fits: {in_a_row(events)} has no prompt",
                help,
            )
        if events and set(events) <= set(_WITHOUT_TOOL):
            for kind in (kind for kind in declared("NEEDS_TOOL") if kind in matchers):
                said = f"`{kind}` never fits: {in_a_row(events)} calls no tool"
                yield Message((*path, "matchers", kind), said, "write operations: [PreToolUse]")


def _prompt_and_tool(read: Read) -> Iterator[Message]:
    for path, rule in read.each():
        matchers = rule.get("matchers") or {}
        both = [kind for kind in declared("NEEDS_TOOL") if kind in matchers]
        if "prompt_match" in matchers and both:
            said = f"`prompt_match` and `{both[0]}` never fit the same event: one is about a prompt, one about a call"
            yield Message((*path, "matchers", "prompt_match"), said, "make it two rules")


def _events_that_nobody_sends(read: Read) -> Iterator[Message]:
    for path, rule in read.each():
        matchers = rule.get("matchers") or {}
        platforms, events = matchers.get("platforms") or (), matchers.get("operations") or ()
        if platforms and events and not any(_specs(event, platforms) for event in events):
            said = f"never matches: {in_a_row(platforms)} has no event {in_a_row(events)}"
            yield Message((*path, "matchers", "operations"), said, "see TOOL-MAPPING.md for the events that it has")


def _only_takes_out(read: Read) -> Iterator[Message]:
    from rulez_py.policy.patterns.globs import takes_out

    for path, rule in read.each():
        exceptions = ((("except", number), one) for number, one in enumerate(rule.get("except") or ()))
        for place, matchers in ((("matchers",), rule.get("matchers") or {}), *exceptions):
            for at, everything, entries in _lists_of_globs(matchers):
                if not takes_out(entries[0]):
                    continue
                name = ".".join(one for one in at if isinstance(one, str) and one != "globs")
                if all(map(takes_out, entries)):
                    said = f"`{name}` never fits: each entry takes out"
                else:
                    said = f'`{name}`: "{entries[0]}" takes nothing out, for no entry is before it'
                yield Message((*path, *place, *at), said, f'put "{everything}" first')


def _lists_of_globs(matchers: Mapping[str, Any]) -> Iterator[tuple[Path, str, list[str]]]:
    """Yield each list of globs in which `!` takes out: its path, the glob that fits everything, and its entries."""
    for kind in ("projects", "directories", "agent_types", "domains"):
        if kind in matchers:
            yield (kind,), "**" if kind in ("projects", "directories") else "*", _globs_of(matchers[kind])
    if "paths" in matchers:
        yield ("paths", "globs"), "**", matchers["paths"]["globs"]
    for key, asked in (matchers.get("git") or {}).items():
        if isinstance(asked, list) and key != "merging":
            yield ("git", key), "*" if key.endswith("branch") else "**", asked
    for kind, keys in (("mcp", ("server", "tool")), ("command", ("program", "args", "operands", "stdin", "cwd"))):
        written = matchers.get(kind, ())
        for place, one in _each_map(written, kind):
            for key in (key for key in keys if key in one):
                yield (*place, key), "**" if key == "cwd" else "*", one[key]


def _globs_of(written: Any) -> list[str]:
    globs: list[str] = written["only"] if isinstance(written, dict) else written
    return globs


def _each_map(written: Any, kind: str) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    if isinstance(written, dict):
        yield (kind,), written
    for number, one in enumerate(written if isinstance(written, list) else ()):
        yield (kind, number), one


def _never_on(read: Read) -> Iterator[Message]:
    from rulez_py.policy.patterns.expressions import ExpressionError, evaluate

    for path, rule in read.each():
        expression = rule.get("enabled_when")
        if not expression or re.search(
            r"[A-Za-z_]", re.sub(r"\b(?:true|false|in)\b|\"[^\"]*\"|'[^']*'", "", expression)
        ):
            continue
        try:
            is_on = evaluate(expression, Event(platform="", types=("",), native_event=""), {})
        except ExpressionError:
            continue
        said = "is always true: it can be left out" if is_on else "is never true: the rule is off everywhere"
        at = (*path, "enabled_when")
        help = "" if is_on else "write metadata: {enabled: false} if that is meant"
        yield Message(at, f"`enabled_when` {said}", help, Fix(at, "") if is_on else None)


def _excepted_always(read: Read) -> Iterator[Message]:
    for path, rule in read.each():
        own = read.rules.get(rule["name"])
        if own is None or not own["match"]:
            continue
        for number, exception in enumerate(own["except"]):
            if exception and _covers(exception, own["match"]) and not _of_some(own["match"]):
                said = "never acts: this `except` takes out all that its `matchers` fit"
                yield Message((*path, "except", number), said, "say in it what is different about what shall pass")


def _of_some(match: Mapping[str, Any]) -> bool:
    """Tell if a rule may match by one of several commands or files. Its exception must fit each of them."""
    command = match.get("command")
    return isinstance(command, list) and len(command) > 1


# Policies in force beside the file.


def _nothing_of_the_essentials(read: Read) -> Iterator[Message]:
    from rulez_py.policy.model.layers import USER
    from rulez_py.policy.store import floor

    if floor.says_nothing(read.data):
        key = "extends" if "extends" in read.data else "rules"
        yield Message((key,), floor.they_hold("this file"), floor.what_to_write(USER))


def _changes_nothing(read: Read) -> Iterator[Message]:
    from rulez_py.policy.format.overrides import changed_rule, concerned

    overrides = read.data.get("overrides") or {}
    rules = read.unchanged() if overrides else ()
    for key, change in overrides.items():
        named = [rule for rule in rules if rule["name"] in concerned(key, (rule["name"],))]
        if named and all(changed_rule(rule, change) == rule for rule in named):
            which = "the rule does" if len(named) == 1 else "these rules do"
            help = "leave it out, unless it is to hold a rule of a layer below so"
            yield Message(("overrides", key), f'"overrides": "{key}" changes nothing: {which} so without it', help)


# Words of more than one letter.


def _letters_of_one_word(read: Read) -> Iterator[Message]:
    for path, rule in read.each():
        for at, command in _commands(rule, path):
            flags = command.get("any_flag") or ()
            for number, flag in enumerate(flags):
                if not _is_several_letters(flag) or not _clusters(command.get("program") or (), flag):
                    continue
                letters = [f"-{letter}" for letter in flag[1:]]
                both = " and ".join(letters)
                said = f"`any_flag: {flag}` wants {both} together, in one word or in several"
                text = f"all_flags: [{', '.join(letters)}]"
                alone = len(flags) == 1 and "all_flags" not in command
                fix = Fix((*at, "any_flag"), text) if alone else None
                help = f"write {text}, or any_flag: [{', '.join(letters)}] if one of them is enough"
                yield Message((*at, "any_flag", number), said, help, fix)


def _commands(rule: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield each `command` of a rule, that of its exceptions included, with its path."""
    exceptions = ((("except", number), one) for number, one in enumerate(rule.get("except") or ()))
    for place, matchers in ((("matchers",), rule.get("matchers") or {}), *exceptions):
        command = matchers.get("command")
        if isinstance(command, dict):
            yield (*path, *place, "command"), command
        for number, way in enumerate(command if isinstance(command, list) else ()):
            if isinstance(way, dict):
                yield (*path, *place, "command", number), way


def _is_several_letters(flag: str) -> bool:
    letters = flag[1:]
    return flag[:1] == "-" and len(letters) > 1 and letters.isalpha() and len(set(letters)) == len(letters)


def _clusters(programs: Iterable[str], flag: str) -> bool:
    """Tell whether all these programs are described, have each letter of a flag as an option, and not the whole."""
    from rulez_py.analysis.programs import described

    known = described()
    entries = [known.get(name) for name in programs]
    if not entries:
        return False
    for entry in entries:
        names = {name for one, _takes, _does in entry.options for name in one} if entry is not None else set()
        if flag in names or not all(f"-{letter}" in names for letter in flag[1:]):
            return False
    return True


def _commands_in_a_row(read: Read) -> Iterator[Message]:
    """Yield words of a subcommand's path that are no path, and each a subcommand of its own."""
    for path, rule in read.each():
        for at, command in _commands(rule, path):
            paths = command.get("subcommand") or ()
            for number, words in enumerate(paths):
                if len(words) < 2 or not _are_each_one(command.get("program") or (), words):
                    continue
                said = f"`subcommand: [{', '.join(words)}]` is one path: {words[0]}, then {words[1]}"
                text = ", ".join(f"[{word}]" for word in words)
                if len(paths) > 1:
                    yield Message((*at, "subcommand", number), said, f"write {text} if one of them is enough")
                    continue
                fix = Fix((*at, "subcommand"), f"subcommand: [{text}]")
                yield Message((*at, "subcommand"), said, f"write {fix.text} if one of them is enough", fix)


def _are_each_one(programs: Iterable[str], words: list[str]) -> bool:
    """Tell whether each word is a subcommand of all these programs, the first one without any below it."""
    from rulez_py.analysis.programs import described

    known = described()
    # Subcommands of a program are described under the first of its names.
    names = [known[one].name if one in known else one for one in programs]
    if not names or words[0] in _BEFORE_NAMES or not all(f"{name} {word}" in known for name in names for word in words):
        return False
    return not any("subcommands" in known[f"{name} {words[0]}"].switches for name in names)


_BEFORE_NAMES = ("run", "run-script", "exec", "help", "workspace", "dlx", "x")
"""Subcommands whose operand may also be a subcommand's name: `npm run test`, `git help push`."""


# Actions that do nothing.


def _specs(event: str, platforms: Iterable[str] = PLATFORMS) -> list[EventSpec]:
    return [spec for one in platforms for spec in adapter(one).EVENTS.values() if event in spec.types]


def _too_late(read: Read) -> Iterator[Message]:
    for path, rule in read.each():
        matchers, actions = rule.get("matchers") or {}, rule.get("actions") or {}
        events = matchers.get("operations") or ()
        platforms = matchers.get("platforms") or PLATFORMS
        if not events:
            continue
        specs = [spec for event in events for spec in _specs(event, platforms)]
        useless = {
            "block": not any(spec.deny for spec in specs),
            "ask": not any(spec.deny and spec.guards for spec in specs),
            "allow": not {"PreToolUse", "PermissionRequest"} & set(events),
            "rewrite": "PreToolUse" not in events,
            "redact": not set(AFTER_THE_CALL) & set(events),
        }
        for action in (name for name in useless if useless[name] and actions.get(name)):
            said = f"`{action}` does nothing at {in_a_row(events)}"
            wanted = ", ".join(AFTER_THE_CALL) if action == "redact" else "PreToolUse"
            yield Message((*path, "actions", action), said, f"write operations: [{wanted}]")


def _rewritten_alias(read: Read) -> Iterator[Message]:
    canonical = {other: name for name, others in ALIASES.items() for other in others if other != name}
    for path, rule in read.each():
        tools = (rule.get("matchers") or {}).get("tools") or ()
        for name in (rule.get("actions") or {}).get("rewrite") or {}:
            at = (*path, "actions", "rewrite", name)
            if name in ALIASES:
                continue
            if name in canonical:
                said = f"`rewrite` adds an argument `{name}` and leaves `{canonical[name]}` as it is"
                yield Message(at, said, f"write {canonical[name]}")
            elif not any(one.startswith("mcp__") for one in tools) and (meant := closest(name, ALIASES)):
                said = f"`rewrite` adds an argument `{name}`, which no tool is known to read"
                yield Message(at, said, f"did you mean {meant}?")


def _rewritten_lines(read: Read) -> Iterator[Message]:
    """Yield rules that replace a line, and whose tests do not try longer lines."""
    from rulez_py.policy.format.cases import facts_of
    from rulez_py.policy.judging.rewriting import bounded, objection

    for path, rule in read.each():
        own = read.rules.get(rule["name"])
        line = (rule.get("actions") or {}).get("rewrite", {}).get("command")
        if own is None or own["mode"] != "enforce" or not isinstance(line, str) or not bounded(own["match"]):
            continue
        examples = [facts_of(own, one) for one in (rule.get("tests") or {}).get("deny") or () if isinstance(one, str)]
        if any(objection(own["match"], facts, line) for facts in examples):
            continue
        said = "`rewrite` replaces a whole line: where that says more than this command, the call is denied"
        help = (
            "say what becomes of the command alone, like command: {replace_program: uv pip},"
            ' or add a test that says so, like tests: {deny: ["THE COMMAND && ls"]}'
        )
        yield Message((*path, "actions", "rewrite", "command"), said, help)


# Rules beside each other.


def _twice(read: Read) -> Iterator[Message]:
    before: dict[str, str] = {}
    for path, rule in read.each():
        own = read.rules.get(rule["name"])
        if own is None or not own["actions"]:
            continue
        same = before.setdefault(jsontext.dumps(_says(own)), rule["name"])
        if same != rule["name"]:
            yield Message((*path, "name"), f"says the same as rule `{same}`", "remove one of them")


def _says(rule: Rule) -> list[object]:
    return [rule["match"], rule["except"], rule["enabled_when"], rule["actions"], rule["mode"]]


def _shadowed(read: Read) -> Iterator[Message]:
    rules = [(path, read.rules[rule["name"]]) for path, rule in read.each() if rule["name"] in read.rules]
    wide: dict[tuple[str, str], list[Rule]] = {}
    for _path, rule in rules:
        if not rule["except"] and rule["enabled_when"] is None and _strength(rule):
            for filed in _filed(rule["match"]):
                wide.setdefault(filed, []).append(rule)
    compared = 0
    for path, rule in rules:
        strength = _strength(rule)
        others = [one for filed in _looked_up(rule["match"]) for one in wide.get(filed, ())] if strength else []
        compared += len(others)
        if compared > _MOST_COMPARED:
            return
        stronger = (one for one in others if _strength(one) > strength and _covers(one["match"], rule["match"]))
        if (other := next(stronger, None)) is not None:
            word = _word(rule)
            said = f"its `{word}` never counts: rule `{other['name']}` says `{_word(other)}` to all that it matches"
            yield Message((*path, "actions", word), said, f"write it as an `except` of `{other['name']}`")


def _stopped_all_the_same(read: Read) -> Iterator[Message]:
    """Yield calls that a rule approves by its own tests, and that another rule of the file or of its sets stops."""
    from rulez_py.policy.format.cases import facts_of
    from rulez_py.policy.judging.decide import decide

    others: list[Rule] = []
    compared = 0
    for path, rule in read.each():
        own = read.rules.get(rule["name"])
        examples = (rule.get("tests") or {}).get("allow") or ()
        if own is None or _word(own) != "allow" or any(one in own["actions"] for one in _SCRIPTS):
            continue
        if examples and not others:
            every = (*read.rules.values(), *read.extended())
            others = [one for one in every if not any(script in one["actions"] for script in _SCRIPTS)]
        for number, example in enumerate(examples):
            compared += len(others)
            if compared > _MOST_COMPARED:
                return
            try:
                verdict = decide(others, facts_of(own, example))
            except UnreadableEvent:
                continue
            stopping = next((one for one in others if one["name"] == verdict.rule), None)
            if verdict.decision in (DENY, ASK) and stopping is not None:
                said = f"`allow` does not count for it: rule `{stopping['name']}` ({stopping['source']}) stops it"
                yield Message((*path, "tests", "allow", number), said, _way_around(stopping, read))


def _way_around(stopping: Rule, read: Read) -> str:
    name = stopping["name"]
    return f"give `{name}` an `except`" if name in read.rules else f"add disable: [{name}], or leave the example out"


_MOST_COMPARED = 300_000
"""Pairs of rules, or of rules and examples; in a file with more, the rest is not compared."""


def _lists(match: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield keys of a rule that a rule covering it must share."""
    command = match.get("command")
    if isinstance(command, dict) and "program" in command:
        yield "command", command["program"]
    if "paths" in match:
        yield "paths", match["paths"]["globs"]
    if "tools" in match:
        yield "tools", match["tools"]


def _filed(match: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the key of a rule that may cover others."""
    kind, texts = next(_lists(match), ("", [""]))
    return [(kind, text) for text in dict.fromkeys(texts)]


def _looked_up(match: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the keys of rules that may cover this one."""
    return [*((kind, texts[0]) for kind, texts in _lists(match) if texts), ("", "")]


def _word(rule: Rule) -> str:
    return next((word for word in _STOPS if rule["actions"].get(word)), "")


def _strength(rule: Rule) -> int:
    """Return the strictness of the rule's own decision; 0 without one, or where it has further actions."""
    word = _word(rule)
    if not word or rule["mode"] != "enforce" or any(one in rule["actions"] for one in _SCRIPTS):
        return 0
    return len(_STOPS) - _STOPS.index(word)


def _covers(wide: Mapping[str, Any], narrow: Mapping[str, Any]) -> bool:
    """Tell if the other map of matchers fits every call that the one fits, by their text alone."""
    return all(kind in narrow and _takes_in(kind, wanted, narrow[kind]) for kind, wanted in wide.items())


def _takes_in(kind: str, wide: Any, narrow: Any) -> bool:
    if wide == narrow:
        return True
    if isinstance(wide, dict) and isinstance(narrow, dict):
        if kind == "command":
            return all(key in narrow and _takes_in(key, wanted, narrow[key]) for key, wanted in wide.items())
        if kind == "paths":
            plain = not any(glob.startswith("!") for glob in (*wide["globs"], *narrow["globs"]))
            return plain and set(narrow["globs"]) <= set(wide["globs"]) and set(narrow["access"]) <= set(wide["access"])
        return False
    if isinstance(wide, list) and isinstance(narrow, list):
        more, less = (narrow, wide) if kind in ("no_flag", "all_flags") else (wide, narrow)
        return all(one in more for one in less) and not any(map(_is_negated, more))
    return False


def _is_negated(entry: Any) -> bool:
    """Tell if an entry of a compiled list takes something out."""
    return entry[:1] == "!" if isinstance(entry, str) else isinstance(entry, dict) and "negate" in entry


# Style.


def _pattern_for_command(read: Read) -> Iterator[Message]:
    for path, rule in read.each():
        matchers = rule.get("matchers") or {}
        if "command_match" in matchers and "command" not in matchers:
            help = "`command` knows what would be executed, quotes, wrappers and options in any order included"
            yield Message(
                (*path, "matchers", "command_match"), "`command_match` looks at the text of the line alone", help
            )


def _untested(read: Read) -> Iterator[Message]:
    for path, rule in read.each():
        actions = rule.get("actions") or {}
        if (
            _acts(actions)
            and not any((rule.get("tests") or {}).values())
            and not any(one in actions for one in _SCRIPTS)
        ):
            yield Message(
                (*path, "name"), "has no `tests`", "add tests: {deny: [...], allow: [...]}; `rulez test` tries them"
            )


def _acts(actions: Mapping[str, Any]) -> bool:
    return any(actions.get(word) for word in (*_STOPS, "block_if_match", "validate_expr", "rewrite", "redact"))


def _unexplained(read: Read) -> Iterator[Message]:
    for path, rule in read.each():
        actions = rule.get("actions") or {}
        said = [actions[word] for word in ("block", "ask") if actions.get(word)]
        reason = rule.get("description") or (rule.get("governance") or {}).get("reason")
        if said and not reason and not any(isinstance(one, str) for one in said):
            help = "add a description: the model and the person read it"
            yield Message((*path, "name"), "stops calls without a word why", help)


CHECKS: tuple[Check, ...] = (
    Check(
        "RZ101",
        WARNING,
        "A tool that has not what the rule looks at",
        "`command`, `command_match` and `content_match` look at what a tool runs or writes; some tools do neither.",
        "matchers: {tools: [Read], command: git}\nactions: {block: true}",
        "matchers: {tools: [Bash], command: git}\nactions: {block: true}",
        _tools_without_the_subject,
    ),
    Check(
        "RZ102",
        WARNING,
        "An event that has not what the rule looks at",
        "A prompt is there when a person has written something, a tool when one is called.",
        "matchers: {operations: [PreToolUse], prompt_match: deploy}\nactions: {inject_inline: Slowly.}",
        "matchers: {operations: [UserPromptSubmit], prompt_match: deploy}\nactions: {inject_inline: Slowly.}",
        _events_without_the_subject,
    ),
    Check(
        "RZ103",
        WARNING,
        "A prompt and a call in one rule",
        "All matchers of a rule must fit the same event, and none has both.",
        "matchers: {prompt_match: deploy, command: git}\nactions: {ask: true}",
        "matchers: {command: git}\nactions: {ask: true}",
        _prompt_and_tool,
    ),
    Check(
        "RZ104",
        WARNING,
        "An event that the agents of the rule do not send",
        "Not every agent has every event.",
        "matchers: {platforms: [claude], operations: [BeforeModel]}\nactions: {inject_inline: x}",
        "matchers: {platforms: [gemini], operations: [BeforeModel]}\nactions: {inject_inline: x}",
        _events_that_nobody_sends,
    ),
    Check(
        "RZ105",
        WARNING,
        "Globs that only take out",
        "In every list of globs `!` takes out of what the globs before it fit; first or alone it takes out of nothing.",
        'matchers: {paths: ["!src/**"]}\nactions: {block: true}',
        'matchers: {paths: ["**", "!src/**"]}\nactions: {block: true}',
        _only_takes_out,
    ),
    Check(
        "RZ106",
        WARNING,
        "A condition that is always the same",
        "An `enabled_when` without a variable switches the rule on or off for good; `--fix` removes one that is true.",
        'matchers: {command: git}\nenabled_when: "false"\nactions: {ask: true}',
        'matchers: {command: git}\nenabled_when: env_CI == ""\nactions: {ask: true}',
        _never_on,
    ),
    Check(
        "RZ107",
        WARNING,
        "An action that comes too late",
        "Nothing can be asked, approved or rewritten once it has been done, and not every event can be denied.",
        "matchers: {operations: [PostToolUse], command: git}\nactions: {ask: true}",
        "matchers: {operations: [PreToolUse], command: git}\nactions: {ask: true}",
        _too_late,
    ),
    Check(
        "RZ108",
        WARNING,
        "A rewrite of an argument that no tool has under this name",
        "`rewrite` names arguments as rules do, whatever each agent calls them; no agent reads another name.",
        "matchers: {tools: [Bash], command: npm}\nactions: {rewrite: {cmd: npm ci}}",
        "matchers: {tools: [Bash], command: npm}\nactions: {rewrite: {command: npm ci}}",
        _rewritten_alias,
    ),
    Check(
        "RZ109",
        WARNING,
        "An exception that takes out everything",
        "Where `except` fits all that `matchers` fit, the rule never acts.",
        "matchers: {command: {program: git, subcommand: push}}\nexcept: {command: git}\nactions: {block: true}",
        "matchers: {command: git}\nexcept: {command: {program: git, subcommand: push}}\nactions: {block: true}",
        _excepted_always,
    ),
    Check(
        "RZ110",
        WARNING,
        "A rewrite that denies longer lines",
        "`rewrite: {command: ...}` takes the place of the whole line. Where the line says more than the command that"
        " the rule is about (`npm install && npm test`), that would be lost, so the call is denied."
        " `command: {replace_program: ...}` and its like keep the rest. A test shows that you know.",
        "matchers: {command: {program: npm, subcommand: install}}\nactions: {rewrite: {command: npm ci}}",
        "matchers: {command: {program: npm, subcommand: install}}\nactions: {rewrite: {command: npm ci}}\n"
        "tests: {deny: [npm install && npm test]}",
        _rewritten_lines,
    ),
    Check(
        "RZ111",
        WARNING,
        "Several subcommands in a row",
        "A list of words under `subcommand` is one path (`[remote, add]` is `git remote add`), where in every other"
        " list one entry is enough. Of several subcommands each is a list of its own: `--fix` writes them so.",
        "matchers: {command: {program: git, subcommand: [checkout, switch]}}\nactions: {block: true}",
        "matchers: {command: {program: git, subcommand: [[checkout], [switch]]}}\nactions: {block: true}",
        _commands_in_a_row,
    ),
    Check(
        "RZ201",
        WARNING,
        "Two rules that say the same",
        "One of them is forgotten when the other is changed.",
        "matchers: {command: git}\nactions: {ask: true}\n---\nmatchers: {command: git}\nactions: {ask: true}",
        "matchers: {command: git}\nactions: {ask: true}\n---\nmatchers: {command: hg}\nactions: {ask: true}",
        _twice,
    ),
    Check(
        "RZ202",
        WARNING,
        "A rule that never counts beside another",
        "The strictest word wins: where one rule denies all that another asks about or allows, the other says nothing.",
        "matchers: {command: git}\nactions: {block: true}\n---\n"
        "matchers: {command: {program: git, subcommand: status}}\nactions: {allow: true}",
        "matchers: {command: git}\nexcept: {command: {program: git, subcommand: status}}\nactions: {block: true}\n---\n"
        "matchers: {command: {program: git, subcommand: status}}\nactions: {allow: true}",
        _shadowed,
    ),
    Check(
        "RZ203",
        WARNING,
        "An approval that another rule takes back",
        "The strictest word wins, of this file and of the sets that it extends: what the rule approves by its own tests"
        " is stopped all the same.",
        "matchers: {command: {program: make, operands: clean}}\nactions: {allow: true}\n"
        "tests: {allow: [make clean]}\n---\n"
        "matchers: {command: {program: make, no_flag: -n}}\nactions: {ask: true}",
        "matchers: {command: {program: make, operands: clean}}\nactions: {allow: true}\n"
        "tests: {allow: [make clean]}\n---\n"
        "matchers: {command: {program: make, no_flag: -n}}\nexcept: {command: {program: make, operands: clean}}\n"
        "actions: {ask: true}",
        _stopped_all_the_same,
    ),
    Check(
        "RZ301",
        NOTE,
        "A regex over the line where the command is meant",
        "A regex fits texts that are not executed and misses the same command written in another way.",
        "matchers: {command_match: 'git push.*--force'}\nactions: {block: true}",
        "matchers: {command: {program: git, subcommand: push, any_flag: --force}}\nactions: {block: true}",
        _pattern_for_command,
    ),
    Check(
        "RZ302",
        NOTE,
        "A rule without tests",
        "Nobody knows whether it matches what it should, and still does after a change.",
        "matchers: {command: git}\nactions: {block: true}",
        "matchers: {command: git}\nactions: {block: true}\ntests: {deny: [git push], allow: [ls]}",
        _untested,
    ),
    Check(
        "RZ303",
        NOTE,
        "A denial that does not say why",
        "The model tries another way where it does not know what is wrong.",
        "matchers: {command: git}\nactions: {block: true}",
        "matchers: {command: git}\nactions: {block: The pipeline pushes.}",
        _unexplained,
    ),
    Check(
        "RZ304",
        NOTE,
        "Letters of several options in one word",
        "`-r -f` and `-fr` mean the same. rulez asks for every letter, but it reads as if one were enough: `--fix`"
        " writes it out.",
        "matchers: {command: {program: rm, any_flag: -rf}}\nactions: {block: true}",
        "matchers: {command: {program: rm, all_flags: [-r, -f]}}\nactions: {block: true}",
        _letters_of_one_word,
    ),
    Check(
        "RZ305",
        NOTE,
        "Not a word about the essentials",
        "They hold in every project, whatever files there are; earlier versions let a file with rules of its own take"
        " their place. Say that you know (`extends: [builtin:essentials]`), or what is to be otherwise: single rules by"
        " their names or, in your own or the machine's file, all of them.",
        "matchers: {command: git}\nactions: {block: true}",
        "matchers: {command: git}\nactions: {block: true}",
        _nothing_of_the_essentials,
        good_head="extends: [builtin:essentials]\n",
    ),
    Check(
        "RZ306",
        NOTE,
        "A change of a rule that changes nothing",
        "The rule does by itself what `overrides` say. In your own or the machine's file such a line can still be"
        " meant: it holds a rule of a layer below, which may say otherwise.",
        "matchers: {command: git}\nactions: {block: true}",
        "matchers: {command: git}\nactions: {block: true}",
        _changes_nothing,
        good_head="overrides: {no-force-push: {action: ask}}\n",
        bad_head="overrides: {no-force-push: {action: block}}\n",
    ),
    Check(
        "RZ307",
        WARNING,
        "A trusted place where any clone may lie",
        "A policy in a place of `trust: {paths: ...}` runs its scripts and approves calls, also of other authors. Where"
        " people clone whatever they look at, or anybody may write, that is as if every repository were trusted.",
        "matchers: {command: git}\nactions: {block: true}",
        "matchers: {command: git}\nactions: {block: true}",
        _trusts_any_clone,
        good_head="settings: {trust: {paths: [/srv/acme/*]}}\n",
        bad_head='settings: {trust: {paths: ["~/**"]}}\n',
    ),
)
INVALID, DOUBTFUL = "RZ001", "RZ002"
"""The codes of diagnostics of `rulez validate`: errors, and warnings."""
MISTAKES = ("RZ1", "RZ2")
"""The beginnings of codes that `rulez validate` warns of as well."""
