"""The policy file format, declared once: what is read, what is refused, and the JSON Schema editors use.

`read` checks plain data and returns it in one shape: short forms written out, absent keys absent. A key may be left out
but not left empty (`tools:` with nothing after it would widen a rule by accident), except where its kind is
`or_nothing`, as RuleZ allows.
"""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.analysis.addresses import hosts_in
from rulez_py.analysis.values import OPAQUE, ORIGINS, VIA
from rulez_py.event import EVENT_TYPES
from rulez_py.event.arguments import ACCESSES
from rulez_py.platforms import PLATFORMS
from rulez_py.policy import expressions, globs, packs, regex
from rulez_py.policy.compile import prompt_parts
from rulez_py.written import kinds
from rulez_py.written.kinds import (
    Constant,
    ListOf,
    Map,
    MapOf,
    OrNothing,
    Plain,
    Refusal,
    Short,
    any_map,
    check_not_blank,
    text,
    whole_number,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from rulez_py.written.kinds import Kind, Path

_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


# What a value must be, beyond its type.


def _check_pattern(value: str) -> None:
    if not value:
        raise Refusal("is an empty pattern, which matches everything")
    try:
        regex.compile_pattern(value)
    except regex.BadPattern as error:
        raise Refusal(f"is not a regex RE2 understands: {error}", _pattern_help(value)) from None
    for foreign in ("&&[", "--[", "~~[", "\\b{"):
        if foreign in value:
            # Rust's regex gives these a meaning; RE2 would take them literally and match something else.
            said = f"has `{foreign}`, which RE2 reads as plain characters"
            raise Refusal(said, "write the class out, or use `except`")


def _pattern_help(pattern: str) -> str:
    """What to write instead of syntax that other regex engines have."""
    if any(opening in pattern for opening in ("(?=", "(?!", "(?<=", "(?<!")):
        return 'RE2 has no look-around; say what must not match under "except"'
    if any(f"\\{digit}" in pattern for digit in "123456789") or "(?P=" in pattern or "\\k<" in pattern:
        return "RE2 has no back-references"
    if "\\Z" in pattern:
        return "write \\z for the end of the text"
    if "(?x)" in pattern:
        return "RE2 has no (?x); write the pattern without spaces and comments"
    return ""


def _check_prompt_pattern(value: str) -> None:
    literal, _, rest = prompt_parts(value)
    if not rest:
        raise Refusal("is blank")
    if not literal:
        _check_pattern(rest)
        _check_end(rest)


def _check_end(pattern: str) -> None:
    """What `anchor` puts behind a pattern must not become part of a text in it."""
    try:
        regex.compile_pattern(f"(?:{pattern})$")
    except regex.BadPattern:
        if "\\Q" in pattern:
            raise Refusal("ends inside of \\Q", "write \\E at its end") from None


def _check_expression(value: str) -> None:
    wrong = expressions.check(value)
    if wrong:
        raise Refusal(f"cannot be used: {'; '.join(wrong)}")


def _check_name(value: str) -> None:
    if value and _NAME_CHARACTERS.issuperset(value):
        return
    fixed = "-".join("".join(c if c in _NAME_CHARACTERS else " " for c in value).split())
    predicate = "may hold only letters, digits, - and _"
    raise Refusal(predicate, f'write "{fixed}"' if fixed else "", kind=kinds.NAME)


def _check_field_path(value: str) -> None:
    if not value:
        raise Refusal("is an empty field path")
    if "" in value.split("."):
        raise Refusal(f'has an empty part in "{value}"', "write names joined by single dots, like user.name")


def _check_event(value: str) -> None:
    if value in EVENT_TYPES:
        return
    meant = _native_events().get(value)
    if meant is not None:
        raise Refusal(f'holds "{value}", the name in {meant[1]} only', f"write {meant[0]}")
    raise Refusal(f'holds "{value}", which is no event', choices=EVENT_TYPES)


def _native_events() -> dict[str, tuple[str, str]]:
    """A platform's own event name -> the canonical event type it raises, and that platform."""
    from rulez_py.platforms import adapter

    return {
        name: (spec.types[0], platform)
        for platform in reversed(PLATFORMS)
        for name, spec in adapter(platform).EVENTS.items()
    }


def _check_single(value: str) -> None:
    if names_in(value) != [value]:
        each = ", ".join(name for name in names_in(value) if name != "-")
        raise Refusal(f'holds "{value}", but every name is an entry of its own', f"write [{each}]")


def names_in(text: str) -> list[str]:
    """The names in a text where there should be one, and people also write several."""
    return "".join(" " if character in "|,;" else character for character in text).split()


def _check_extension(value: str) -> None:
    if not value.startswith("."):
        fixed = "." + value.rpartition(".")[2].strip("*.")
        raise Refusal(f'holds "{value}", which has no leading dot and never matches', f'write "{fixed}"')
    if "." in value[1:]:
        fixed = "." + value.rpartition(".")[2]
        raise Refusal(f'holds "{value}", but a file\'s extension starts at its last dot', f'write "{fixed}"')


def _check_glob(value: str) -> None:
    wrong = globs.problem(value)
    if wrong:
        raise Refusal(f'holds "{value}", which is not a glob: {wrong}')


def _check_domain(value: str) -> None:
    if "://" in value or "/" in value:
        host = "".join(hosts_in(value if "://" in value else f"x://{value}")[:1]) or "example.com"
        raise Refusal(f'holds "{value}", which is more than a host', f'write "{host}"')
    if value.count(":") == 1:
        raise Refusal(f'holds "{value}", but hosts are compared without port', f'write "{value.partition(":")[0]}"')


def _pack_names() -> list[str]:
    return [packs.PREFIX + name for name in packs.extendable()]


def _check_pack(value: str) -> None:
    if value not in _pack_names():
        raise Refusal(f'holds "{value}", which is no rule set of rulez', choices=_pack_names())


def _check_program(value: str) -> None:
    name = value.replace("\\", "/").rstrip("/").rpartition("/")[2]
    if name != value:
        raise Refusal(f'holds "{value}", but programs are compared without their directory', f'write "{name}"')
    if len(value.split()) > 1:
        first, second = value.split()[:2]
        rest = f"any_flag: {second}" if second.startswith("-") else f"subcommand: {second}"
        raise Refusal(f'holds "{value}", which is more than a program\'s name', f"write program: {first}, {rest}")
    if value.lower().endswith(".exe"):
        raise Refusal(f'holds "{value}", but programs are compared without .exe', f'write "{value[:-4]}"')


def _check_part(value: str) -> None:
    if len(value.split()) > 1:
        said = f'holds "{value}", but every word of a subcommand is an entry of its own'
        raise Refusal(said, f"write [{', '.join(value.split())}]")


def _check_flag(value: str) -> None:
    name, equals, wanted = value.partition("=")
    if not name.startswith("-"):
        written = f"-{value}" if len(name) == 1 else f"--{value}"
        raise Refusal(f'holds "{value}", which has no leading dash', f'write "{written}"; other words go under "args"')
    if not name.strip("-"):
        raise Refusal(f'holds "{value}", which is no option', 'write it under "args"')
    if name.split() != [name]:
        first, second = (*value.split(), "")[:2]
        help = f"write [{', '.join(value.split())}]" if second.startswith("-") else f'write "{first}={second}"'
        raise Refusal(f'holds "{value}", but every option is an entry of its own', help)
    if "*" in name:
        raise Refusal(f'holds "{value}", but an option is named as it is, without globs', 'write it under "args"')
    if equals:
        _check_glob(wanted)


def _check_word(value: str) -> None:
    if value.startswith("re:"):
        _check_pattern(value.removeprefix("re:"))
    else:
        _check_glob(value)


_ON_OFF_WORDS = frozenset(("yes", "no", "on", "off", "true", "false", "y", "n"))


def _check_decision(value: bool | str) -> None:
    """Text that looks like a switch is nobody's reason."""
    if isinstance(value, bool):
        return
    if not value.strip():
        raise Refusal("is blank", "write true or the reason")
    if value.strip().lower() in _ON_OFF_WORDS:
        meant = "true" if value.strip().lower() in ("yes", "on", "true", "y") else "false"
        raise Refusal(f'is the text "{value}", not a switch', f"write {meant} without quotes")


def _check_positive(value: float) -> None:
    if not value > 0:
        raise Refusal(f"must be more than 0, not {value}")


def _check_at_least_one(value: int) -> None:
    if value < 1:
        raise Refusal(f"must be at least 1, not {value}")


def _check_int32(value: int) -> None:
    if not -(2**31) <= value < 2**31:
        raise Refusal(f"is {value}, beyond what 32 bits hold")


# The kinds of values.


def _one_of(choices: Sequence[str]) -> Plain:
    def check(value: str) -> None:
        if value not in choices:
            raise Refusal(f'cannot be "{value}"', choices=choices)

    return text(check, enum=list(choices))


def _one_or_many(item: Kind) -> ListOf:
    return ListOf(item=item, least=1, alone=True)


class _Subcommands(Value):
    """Paths of words: a text is a path of one, a list of texts one path; of a list of lists one is enough."""

    part: Plain

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> list[list[str]]:
        if isinstance(value, list) and any(isinstance(item, list) for item in value):
            single = next((at for at, item in enumerate(value) if not isinstance(item, list)), None)
            if single is not None:
                help = f"write [{value[single]}] for a path of one word" if isinstance(value[single], str) else ""
                raise Refusal("mixes words and lists", help or "write a list of lists")
            one: ListOf = ListOf(item=self.part, least=1)
            return [kinds.read(one, item, (*path, at), refusals) for at, item in enumerate(value)]
        return [kinds.read(ListOf(item=self.part, least=1, alone=True), value, path, refusals)]

    def json(self) -> dict[str, Any]:
        part = self.part.json()
        path = {"items": part, "minItems": 1, "type": "array"}
        return {"anyOf": [part, path, {"items": path, "minItems": 1, "type": "array"}]}


class _SwitchOr(Value):
    """true, false, or another kind."""

    kind: ListOf
    wanted: str

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        if isinstance(value, bool):
            return value
        if not isinstance(value, (str, list)):
            raise kinds.unwanted(value, self.wanted)
        if isinstance(value, str) and value.lower() in _ON_OFF_WORDS:
            _check_decision(value)
        return self.kind.read(value, path, refusals)

    def json(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "boolean"}, *self.kind.json()["anyOf"]]}


def _or_nothing(kind: Kind) -> OrNothing:
    return OrNothing(kind=kind)


_ANY_TEXT = text()
_TEXT = text(check_not_blank, pattern=r"\S")
_TEXTS = ListOf(item=_ANY_TEXT, alone=True)
_SWITCH = Plain(types=(bool,), wanted=kinds.SWITCH, form={"type": "boolean"})
_PRIORITY = whole_number(_check_int32, maximum=2**31 - 1, minimum=-(2**31))
_SECONDS = Plain(
    types=(int, float),
    wanted=kinds.NUMBER,
    checks=(_check_positive,),
    form={"exclusiveMinimum": 0, "type": "number"},
)
_ANY_MAP = any_map()
_ARGUMENTS = _ANY_MAP.replace(checks=(kinds.check_filled,), form={**_ANY_MAP.form, "minProperties": 1})
_PATTERNS = _one_or_many(text(_check_pattern, minLength=1))
_GLOBS = _one_or_many(text(check_not_blank, _check_glob, pattern=r"\S"))
_FLAGS = _one_or_many(text(check_not_blank, _check_flag, pattern="^-"))
_WORDS = _one_or_many(text(_check_word))
_EXPRESSION = text(check_not_blank, _check_expression, pattern=r"\S")
_FIELD_PATH = text(_check_field_path)
_DECISION = Plain(
    types=(bool, str),
    wanted="true, false or the reason as text",
    checks=(_check_decision,),
    form={"anyOf": [{"type": "boolean"}, {"type": "string"}]},
)
_CASE = Plain(
    types=(str, dict),
    wanted="a command as text, or a map",
    form={"anyOf": [{"type": "string"}, {"type": "object"}]},
)
_CASES = _or_nothing(ListOf(item=_CASE))


# The maps.

TESTS = Map(
    name="Tests",
    about="Commands, or maps that name a tool and its arguments, with the answer the rule must give.",
    fields={
        "deny": (_CASES, "These must be denied."),
        "ask": (_CASES, "These must ask the person."),
        "allow": (_CASES, "The rule must have nothing against these."),
    },
)

GOVERNANCE = Map(
    name="Governance",
    about="Who stands behind the rule; `reason` is told with a denial that has no description.",
    fields={
        "author": (_or_nothing(_ANY_TEXT), "Who wrote the rule."),
        "created_by": (_or_nothing(_ANY_TEXT), "What created it, a person or a tool."),
        "reason": (_or_nothing(_ANY_TEXT), "Why the rule exists."),
        "confidence": (_or_nothing(_one_of(("high", "medium", "low"))), "How sure its author is."),
        "last_reviewed": (_or_nothing(_ANY_TEXT), "When somebody last looked at it."),
        "ticket": (_or_nothing(_ANY_TEXT), "Where it was asked for."),
        "tags": (_or_nothing(ListOf(item=_ANY_TEXT)), "Words to find it by."),
    },
)

METADATA = Map(
    name="Metadata",
    about="RuleZ's older way to say priority, time limit and on/off.",
    fields={
        "priority": (_PRIORITY, "Counts where the rule has no priority of its own."),
        "timeout": (_SECONDS, "Seconds the rule's scripts may take."),
        "enabled": (_SWITCH, "false switches the rule off."),
    },
)

PROMPT_MATCH = Map(
    name="PromptMatch",
    about="What the person wrote to the agent.",
    needs=("patterns",),
    fields={
        "patterns": (
            _one_or_many(text(_check_prompt_pattern)),
            "Regexes; `not:` in front negates one, `contains_word:` looks for one whole word.",
        ),
        "mode": (_one_of(("any", "all")), "Whether one pattern is enough. Default any."),
        "case_insensitive": (_SWITCH, "Whether upper and lower case are the same. Default false."),
        "anchor": (
            _one_of(("start", "end", "contains")),
            "Where in the prompt a pattern must stand. Default contains.",
        ),
    },
)

PATHS = Map(
    name="Paths",
    about="Files the call touches.",
    needs=("globs",),
    fields={
        "globs": (_GLOBS, "gitignore-style patterns relative to the project root; `!` takes files out again."),
        "access": (_one_or_many(_one_of(ACCESSES)), "How the file is touched. Default: in any way."),
    },
)

COMMAND = Map(
    name="Command",
    about="A command that would be executed: everything said here must fit one of them.",
    empty="fits every command",
    fields={
        "program": (
            _one_or_many(text(check_not_blank, _check_program, _check_glob, pattern=r"\S")),
            "Globs over the program's name, without directory.",
        ),
        "subcommand": (
            _Subcommands(part=text(check_not_blank, _check_part, _check_glob, pattern=r"\S")),
            "The first operands, in order: a word, a list of words, or a list of such lists.",
        ),
        "any_flag": (_FLAGS, "Options of which one is there; `--name=glob` for one with such a value."),
        "all_flags": (_FLAGS, "Options that are all there."),
        "no_flag": (_FLAGS, "Options of which none is there."),
        "args": (_WORDS, "Globs, or regexes behind `re:`, of which one fits a word behind the program."),
        "operands": (_WORDS, "The same over the words that are no options, behind the subcommand."),
        "via": (_one_or_many(_one_of(VIA)), "How the command is reached."),
        "opaque": (
            _SwitchOr(kind=_one_or_many(_one_of(OPAQUE)), wanted="true, false or reasons"),
            "Whether, or why, it is not known what would be executed.",
        ),
        "stdin_from": (_one_or_many(_one_of(ORIGINS)), "Where what it reads or runs came from."),
        "stdin": (
            _WORDS,
            "The same over what is known of the text it reads: standard input, and files that this line wrote.",
        ),
        "user": (_one_or_many(_one_of(("root",))), "Who it runs as."),
    },
)

MCP = Map(
    name="Mcp",
    about="Calls to tools of MCP servers.",
    fields={
        "server": (_GLOBS, "Globs over the server's name. Default: any."),
        "tool": (_GLOBS, "Globs over the tool's name. Default: any."),
    },
)

MATCHERS = Map(
    name="Matchers",
    about="What the rule looks at: every matcher must fit, of a list one entry is enough.",
    fields={
        "tools": (
            _one_or_many(text(check_not_blank, _check_single, pattern=r"\S")),
            "Canonical tool names (Bash, Write, Edit, Read, ...), tool variants, or mcp__server__tool globs.",
        ),
        "operations": (
            _one_or_many(text(_check_event, enum=list(EVENT_TYPES))),
            "Event types, such as PreToolUse.",
        ),
        "platforms": (_one_or_many(_one_of(PLATFORMS)), "Agents this rule is for."),
        "command_match": (_PATTERNS, "Regexes on the command line of a shell tool."),
        "command": (
            Short(key="program", whole=COMMAND, lists=True, many=True),
            "A command that would be executed; of a list of maps it must fit one.",
        ),
        "paths": (Short(key="globs", whole=PATHS, lists=True), "Files the call reads, writes, deletes or sends."),
        "extensions": (
            _one_or_many(text(check_not_blank, _check_single, _check_extension, pattern=r"^\.")),
            "File extensions with their dot.",
        ),
        "directories": (_GLOBS, "RuleZ's directory globs, in which * crosses slashes; `paths` is newer."),
        "content_match": (_PATTERNS, "Regexes on text about to be written."),
        "input_match": (_PATTERNS, "Regexes on any text anywhere in the tool's input."),
        "prompt_match": (Short(key="patterns", whole=PROMPT_MATCH, lists=True), "Regexes on what the person wrote."),
        "domains": (
            _one_or_many(text(check_not_blank, _check_domain)),
            "Globs over the hosts that a URL in the call names or a command contacts.",
        ),
        "mcp": (_one_or_many(MCP), "MCP servers and tools."),
        "require_fields": (_one_or_many(_FIELD_PATH), "Dotted paths into the tool's input that must be there."),
        "field_types": (
            MapOf(key=_FIELD_PATH, item=_one_of(("string", "number", "boolean", "array", "object", "any"))),
            "Dotted paths into the tool's input and the type each must have.",
        ),
    },
)

EXCEPTION = MATCHERS.replace(empty="would switch the rule off everywhere")

RUN = Map(
    name="Run",
    about="A validator program.",
    needs=("script",),
    fields={
        "script": (_TEXT, "Program and arguments, relative to the project root."),
        "args": (_TEXTS, "Arguments, passed as they are."),
        "shell": (_SWITCH, "Give `script` to a shell as one line. Default false."),
        "timeout": (_SECONDS, "Seconds it may take."),
        "trust": (
            _one_of(("local", "verified", "untrusted")),
            "RuleZ's note; has no effect here, `rulez trust` decides.",
        ),
    },
)

ACTIONS = Map(
    name="Actions",
    about="What happens where the rule matches.",
    fields={
        "block": (_DECISION, "Deny; text is the reason."),
        "ask": (_DECISION, "Let the person decide; text is the reason."),
        "allow": (_DECISION, "Approve without asking; needs a trusted file."),
        "block_if_match": (_PATTERNS, "Deny where the text about to be written matches a regex."),
        "rewrite": (_ARGUMENTS, "Canonical argument names and their new values; needs a trusted file."),
        "inject_inline": (_TEXT, "Text for the model."),
        "inject": (_TEXT, "A file whose text is for the model."),
        "inject_command": (_TEXT, "A shell line whose output is for the model; needs a trusted file."),
        "run": (Short(key="script", whole=RUN), "A validator program; needs a trusted file."),
        "inline_script": (_TEXT, "The text of a validator script; needs a trusted file."),
        "validate_expr": (_EXPRESSION, "A CEL expression; false denies."),
    },
)

RULE = Map(
    name="Rule",
    about="One rule.",
    needs=("name",),
    fields={
        "name": (text(_check_name, pattern="^[a-zA-Z0-9_-]+$"), "Unique in its file: letters, digits, - and _."),
        "description": (_or_nothing(_ANY_TEXT), "What the rule is about; told with a denial."),
        "suggestion": (_or_nothing(_ANY_TEXT), "What to do instead; told with a denial."),
        "enabled_when": (_EXPRESSION, "A CEL expression; the rule holds only where it is true."),
        "matchers": (MATCHERS, "What the rule looks at."),
        "except": (EXCEPTION, "The same matchers; where they fit, the rule is off."),
        "actions": (ACTIONS, "What the rule then does."),
        "mode": (_one_of(("enforce", "warn", "audit")), "enforce acts, warn only tells, audit only logs."),
        "priority": (_PRIORITY, "Higher goes first. Default 0."),
        "governance": (_or_nothing(GOVERNANCE), "Who stands behind the rule."),
        "metadata": (_or_nothing(METADATA), "RuleZ's older settings of a rule."),
        "tests": (_or_nothing(TESTS), "Examples of calls, which `rulez test` tries."),
    },
)

SETTINGS = Map(
    name="Settings",
    about="How this file's rules are carried out.",
    fields={
        "on_error": (
            _one_of(("deny", "ask", "allow")),
            "What an error (a broken policy, a script that cannot run) comes to. Default deny.",
        ),
        "fail_open": (_SWITCH, "RuleZ's setting: true lets calls through where a `run` script could not run."),
        "script_timeout": (_SECONDS, "Seconds a script may take. Default 5."),
        "max_context_size": (
            whole_number(_check_at_least_one, minimum=1),
            "Bytes of text one rule may inject. Default 1048576.",
        ),
        "self_protection": (_SWITCH, "false, in a managed or user file, lets agents write policy and hook files."),
        "log_level": (_or_nothing(_ANY_TEXT), "RuleZ's; has no effect here."),
        "debug_logs": (_or_nothing(_SWITCH), "RuleZ's; has no effect here."),
        "logging": (_or_nothing(_ANY_MAP), "RuleZ's; has no effect here."),
    },
)

FILE = Map(
    name="PolicyFile",
    about="One rulez policy file.",
    needs=("version",),
    fields={
        "version": (Constant(spellings=("1.0", "1", 1)), "The version of this format."),
        "extends": (
            _or_nothing(_one_or_many(text(_check_pack, enum=_pack_names()))),
            "Rule sets that ship inside rulez, as builtin:NAME.",
        ),
        "disable": (_or_nothing(_TEXTS), "Names of rules from the extended sets that shall not apply."),
        "settings": (_or_nothing(SETTINGS), "How this file's rules are carried out."),
        "rules": (_or_nothing(ListOf(item=RULE)), "The rules."),
    },
)

MAPS: dict[str, Map] = {
    "settings": SETTINGS,
    "matchers": MATCHERS,
    "except": EXCEPTION,
    "actions": ACTIONS,
    "prompt_match": PROMPT_MATCH,
    "command": COMMAND,
    "paths": PATHS,
    "mcp": MCP,
    "run": RUN,
    "governance": GOVERNANCE,
    "metadata": METADATA,
    "tests": TESTS,
}
"""The key a map stands under -> what it may hold; a rule and the file itself are `RULE` and `FILE`."""


def read(data: object) -> tuple[dict[str, Any], list[Refusal]]:
    """The file's data in its one shape and nothing refused, or {} and everything that is refused."""
    refusals: list[Refusal] = []
    done = kinds.read(FILE, data, (), refusals)
    return ({}, refusals) if refusals else (done, refusals)


def json_schema() -> dict[str, Any]:
    """The format as JSON Schema (draft 2020-12)."""
    defined = {one.name: one for one in (RULE, *MAPS.values())}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "rulez policy file",
        "$defs": {name: defined[name].definition() for name in sorted(defined)},
        **FILE.definition(),
    }
