"""The policy file format, declared once: what is read, what is refused, and the JSON Schema editors use.

`read` checks plain data and returns it in one shape: short forms written out, absent keys absent. A field whose default
is `ABSENT` may be left out but not left empty (`tools:` with nothing after it would widen a rule by accident); one that
says `| None` may be empty, as RuleZ allows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic_core import PydanticCustomError, core_schema

from rulez_py.adapters import PLATFORMS
from rulez_py.arguments import ACCESSES, hosts_in
from rulez_py.event import EVENT_TYPES
from rulez_py.policy import expressions, globs, packs, regex
from rulez_py.policy.compile import prompt_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue

T = TypeVar("T")
ABSENT: Any = None

MODES = ("enforce", "warn", "audit")
ON_ERROR = ("deny", "ask", "allow")
FIELD_TYPES = ("string", "number", "boolean", "array", "object", "any")
_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


class Refusal(NamedTuple):
    """Why one value is refused. `kind` is pydantic's error type, or "own" where `predicate` already says it.

    `path` leads to the value, through the long forms; `facts` are pydantic's details (limits, for instance).
    """

    path: tuple[str | int, ...]
    kind: str
    value: Any
    predicate: str
    help: str
    facts: dict[str, Any]


def refuse(predicate: str, help: str = "") -> PydanticCustomError:
    """An error that continues a sentence about the value's key: `"mode" in rule "x"` + predicate."""
    return PydanticCustomError("own", "{predicate}", {"predicate": predicate, "help": help})


def unwanted(wanted: str) -> PydanticCustomError:
    """An error that says what kind of value is wanted."""
    return PydanticCustomError("unwanted", "unwanted", {"wanted": wanted})


# What a value must be, beyond its type. Each goes into an `Annotated` and also says so in the JSON Schema.


class _Check:
    """A check of a value that already has the right type."""

    def __init__(self, check: Callable[[Any], None], schema: dict[str, Any] | None = None) -> None:
        self._check = check
        self._schema = schema or {}

    def __get_pydantic_core_schema__(self, source: type[Any], handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        def checked(value: Any) -> Any:
            self._check(value)
            return value

        return core_schema.no_info_after_validator_function(checked, handler(source))

    def __get_pydantic_json_schema__(
        self, core: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(core), **self._schema}


class _OneOrMany:
    """In the JSON Schema: one entry may stand for a list of one."""

    def __get_pydantic_json_schema__(
        self, core: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        many = handler(core)
        return {"anyOf": [many["items"], many]}


def _as_list(value: object) -> object:
    return value if value is None or isinstance(value, list) else [value]


def _one_of(choices: Sequence[str]) -> _Check:
    def check(value: str) -> None:
        if value not in choices:
            raise PydanticCustomError("choice", "choice", {"choices": tuple(choices)})

    return _Check(check, {"enum": list(choices)})


def _check_text(value: str) -> None:
    if not value.strip():
        raise refuse("is blank")


def _check_pattern(value: str) -> None:
    if not value:
        raise refuse("is an empty pattern, which matches everything")
    try:
        regex.compile_pattern(value)
    except regex.BadPattern as error:
        raise refuse(f"is not a regex RE2 understands: {error}", _pattern_help(value)) from None
    for foreign in ("&&[", "--[", "~~[", "\\b{"):
        if foreign in value:
            # Rust's regex gives these a meaning; RE2 would take them literally and match something else.
            raise refuse(
                f"has `{foreign}`, which RE2 reads as plain characters", "write the class out, or use `except`"
            )


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
        raise refuse("is blank")
    if not literal:
        _check_pattern(rest)


def _check_expression(value: str) -> None:
    wrong = expressions.check(value)
    if wrong:
        raise refuse(f"cannot be used: {'; '.join(wrong)}")


def _check_name(value: str) -> None:
    if value and _NAME_CHARACTERS.issuperset(value):
        return
    fixed = "-".join("".join(c if c in _NAME_CHARACTERS else " " for c in value).split())
    raise PydanticCustomError("name", "name", {"fixed": fixed})


def _check_field_path(value: str) -> None:
    if not value:
        raise refuse("is an empty field path")
    if "" in value.split("."):
        raise refuse(f'has an empty part in "{value}"', "write names joined by single dots, like user.name")


def _check_event(value: str) -> None:
    if value in EVENT_TYPES:
        return
    meant = native_events().get(value)
    if meant is not None:
        raise PydanticCustomError("native_event", "event", {"meant": meant[0], "platform": meant[1]})
    raise PydanticCustomError("event", "event")


def native_events() -> dict[str, tuple[str, str]]:
    """A platform's own event name -> the canonical event type it raises, and that platform."""
    from rulez_py.adapters import adapter

    return {
        name: (spec.types[0], platform)
        for platform in reversed(PLATFORMS)
        for name, spec in adapter(platform).EVENTS.items()
    }


def _check_single(value: str) -> None:
    _check_text(value)
    if names_in(value) != [value]:
        each = ", ".join(name for name in names_in(value) if name != "-")
        raise refuse(f'holds "{value}", but every name is an entry of its own', f"write [{each}]")


def names_in(text: str) -> list[str]:
    """The names in a text where there should be one, and people also write several."""
    return "".join(" " if character in "|,;" else character for character in text).split()


def _check_extension(value: str) -> None:
    _check_single(value)
    if not value.startswith("."):
        fixed = "." + value.rpartition(".")[2].strip("*.")
        raise refuse(f'holds "{value}", which has no leading dot and never matches', f'write "{fixed}"')
    if "." in value[1:]:
        fixed = "." + value.rpartition(".")[2]
        raise refuse(f'holds "{value}", but a file\'s extension starts at its last dot', f'write "{fixed}"')


def _check_glob(value: str) -> None:
    _check_text(value)
    wrong = globs.problem(value)
    if wrong:
        raise refuse(f'holds "{value}", which is not a glob: {wrong}')


def _check_domain(value: str) -> None:
    _check_text(value)
    if "://" in value or "/" in value:
        host = "".join(hosts_in(value if "://" in value else f"x://{value}")[:1]) or "example.com"
        raise refuse(f'holds "{value}", which is more than a host', f'write "{host}"')
    if value.count(":") == 1:
        raise refuse(f'holds "{value}", but hosts are compared without port', f'write "{value.partition(":")[0]}"')


def _pack_names() -> list[str]:
    return [packs.PREFIX + name for name in packs.extendable()]


def _check_pack(value: str) -> None:
    if value not in _pack_names():
        raise PydanticCustomError("pack", "pack", {"choices": _pack_names()})


def _check_exception(value: Matchers) -> None:
    if not value.model_fields_set:
        raise refuse("is empty, which would switch the rule off everywhere", "remove it")


_ON_OFF_WORDS = frozenset(("yes", "no", "on", "off", "true", "false", "y", "n"))


def _read_decision(value: object) -> object:
    """True, False or a reason; text that looks like a switch is nobody's reason."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, str):
        raise unwanted("true, false or the reason as text")
    if not value.strip():
        raise refuse("is blank", "write true or the reason")
    if value.strip().lower() in _ON_OFF_WORDS:
        meant = "true" if value.strip().lower() in ("yes", "on", "true", "y") else "false"
        raise refuse(f'is the text "{value}", not a switch', f"write {meant} without quotes")
    return value


def _read_version(value: object) -> object:
    if isinstance(value, bool) or value not in ("1.0", "1", 1):
        raise PydanticCustomError("version", "version")
    return "1.0"


def _check_case(value: object) -> None:
    if not isinstance(value, (str, dict)):
        raise unwanted("a command as text, or a map")


def _check_int32(value: int) -> None:
    if not -(2**31) <= value < 2**31:
        raise refuse(f"is {value}, beyond what 32 bits hold")


Text = Annotated[str, _Check(_check_text, {"pattern": r"\S"})]
OneOrMany = Annotated[list[T], BeforeValidator(_as_list), Field(min_length=1), _OneOrMany()]
Pattern = Annotated[str, _Check(_check_pattern, {"minLength": 1})]
Patterns = OneOrMany[Pattern]
Glob = Annotated[str, _Check(_check_glob, {"pattern": r"\S"})]
Globs = OneOrMany[Glob]
Expression = Annotated[Text, _Check(_check_expression)]
FieldPath = Annotated[str, _Check(_check_field_path)]
Priority = Annotated[int, _Check(_check_int32, {"minimum": -(2**31), "maximum": 2**31 - 1})]
Seconds = Annotated[float, Field(gt=0)]
Decision = Annotated[
    Any, BeforeValidator(_read_decision), WithJsonSchema({"anyOf": [{"type": "boolean"}, {"type": "string"}]})
]
Case = Annotated[Any, _Check(_check_case), WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "object"}]})]


class Format(BaseModel):
    """A map of the format: keys it does not know are errors, and no value is converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Short:
    """A map of which one key may stand for the whole: as text, and as a list of texts where `lists` says so."""

    def __init__(self, key: str, *, lists: bool) -> None:
        self._key = key
        self._kinds = (str, list) if lists else (str,)

    def __get_pydantic_core_schema__(self, source: type[Any], handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        def read(value: object) -> object:
            if isinstance(value, self._kinds):
                return {self._key: value}
            if value is None or isinstance(value, dict):
                return value
            raise unwanted("text, a list or a map" if list in self._kinds else "text or a map")

        return core_schema.no_info_before_validator_function(read, handler(source))

    def __get_pydantic_json_schema__(
        self, core: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        text = {"type": "string"}
        short = [text, {"type": "array", "items": text, "minItems": 1}]
        return {"anyOf": [*short[: len(self._kinds)], handler(core)]}


class Tests(Format):
    """Commands (or whole tool inputs) with the answer the rule must give."""

    deny: list[Case] | None = Field(None, description="These must be denied.")
    ask: list[Case] | None = Field(None, description="These must ask the person.")
    allow: list[Case] | None = Field(None, description="The rule must have nothing against these.")


class Governance(Format):
    """Who stands behind the rule; `reason` is told with a denial that has no description."""

    author: str | None = Field(None, description="Who wrote the rule.")
    created_by: str | None = Field(None, description="What created it, a person or a tool.")
    reason: str | None = Field(None, description="Why the rule exists.")
    confidence: Annotated[str, _one_of(("high", "medium", "low"))] | None = Field(
        None, description="How sure its author is."
    )
    last_reviewed: str | None = Field(None, description="When somebody last looked at it.")
    ticket: str | None = Field(None, description="Where it was asked for.")
    tags: list[str] | None = Field(None, description="Words to find it by.")


class Metadata(Format):
    """RuleZ's older way to say priority, time limit and on/off."""

    priority: Priority = Field(ABSENT, description="Counts where the rule has no priority of its own.")
    timeout: Seconds = Field(ABSENT, description="Seconds the rule's scripts may take.")
    enabled: bool = Field(ABSENT, description="false switches the rule off.")


class PromptMatch(Format):
    """What the person wrote to the agent."""

    patterns: OneOrMany[Annotated[str, _Check(_check_prompt_pattern)]] = Field(
        description="Regexes; `not:` in front negates one, `contains_word:` looks for one whole word."
    )
    mode: Annotated[str, _one_of(("any", "all"))] = Field(
        ABSENT, description="Whether one pattern is enough. Default any."
    )
    case_insensitive: bool = Field(ABSENT, description="Whether upper and lower case are the same. Default false.")
    anchor: Annotated[str, _one_of(("start", "end", "contains"))] = Field(
        ABSENT, description="Where in the prompt a pattern must stand. Default contains."
    )


class Paths(Format):
    """Files the call touches."""

    globs: Globs = Field(
        description="gitignore-style patterns relative to the project root; `!` takes files out again."
    )
    access: OneOrMany[Annotated[str, _one_of(ACCESSES)]] = Field(
        ABSENT, description="How the file is touched. Default: in any way."
    )


class Mcp(Format):
    """Calls to tools of MCP servers."""

    server: Globs = Field(ABSENT, description="Globs over the server's name. Default: any.")
    tool: Globs = Field(ABSENT, description="Globs over the tool's name. Default: any.")


class Matchers(Format):
    """What the rule looks at: every matcher must fit, of a list one entry is enough."""

    tools: OneOrMany[Annotated[str, _Check(_check_single, {"pattern": r"\S"})]] = Field(
        ABSENT,
        description="Canonical tool names (Bash, Write, Edit, Read, ...), tool variants, or mcp__server__tool globs.",
    )
    operations: OneOrMany[Annotated[str, _Check(_check_event, {"enum": list(EVENT_TYPES)})]] = Field(
        ABSENT, description="Event types, such as PreToolUse."
    )
    platforms: OneOrMany[Annotated[str, _one_of(PLATFORMS)]] = Field(ABSENT, description="Agents this rule is for.")
    command_match: Patterns = Field(ABSENT, description="Regexes on the command line of a shell tool.")
    paths: Annotated[Paths, _Short("globs", lists=True)] = Field(
        ABSENT, description="Files the call reads, writes or deletes."
    )
    extensions: OneOrMany[Annotated[str, _Check(_check_extension, {"pattern": r"^\."})]] = Field(
        ABSENT, description="File extensions with their dot."
    )
    directories: Globs = Field(
        ABSENT, description="RuleZ's directory globs, in which * crosses slashes; `paths` is newer."
    )
    content_match: Patterns = Field(ABSENT, description="Regexes on text about to be written.")
    input_match: Patterns = Field(ABSENT, description="Regexes on any text anywhere in the tool's input.")
    prompt_match: Annotated[PromptMatch, _Short("patterns", lists=True)] = Field(
        ABSENT, description="Regexes on what the person wrote."
    )
    domains: OneOrMany[Annotated[str, _Check(_check_domain)]] = Field(
        ABSENT, description="Globs over the host of any URL in the call."
    )
    mcp: OneOrMany[Mcp] = Field(ABSENT, description="MCP servers and tools.")
    require_fields: OneOrMany[FieldPath] = Field(
        ABSENT, description="Dotted paths into the tool's input that must be there."
    )
    field_types: Annotated[dict[FieldPath, Annotated[str, _one_of(FIELD_TYPES)]], Field(min_length=1)] = Field(
        ABSENT, description="Dotted paths into the tool's input and the type each must have."
    )


class Run(Format):
    """A validator program."""

    script: Text = Field(description="Program and arguments, relative to the project root.")
    args: Annotated[list[str], BeforeValidator(_as_list), _OneOrMany()] = Field(
        ABSENT, description="Arguments, passed as they are."
    )
    shell: bool = Field(ABSENT, description="Give `script` to a shell as one line. Default false.")
    timeout: Seconds = Field(ABSENT, description="Seconds it may take.")
    trust: Annotated[str, _one_of(("local", "verified", "untrusted"))] = Field(
        ABSENT, description="RuleZ's note; has no effect here, `rulez trust` decides."
    )


class Actions(Format):
    """What happens where the rule matches."""

    block: Decision = Field(ABSENT, description="Deny; text is the reason.")
    ask: Decision = Field(ABSENT, description="Let the person decide; text is the reason.")
    allow: Decision = Field(ABSENT, description="Approve without asking; needs a trusted file.")
    block_if_match: Patterns = Field(ABSENT, description="Deny where the text about to be written matches a regex.")
    rewrite: Annotated[dict[str, Any], Field(min_length=1)] = Field(
        ABSENT, description="Canonical argument names and their new values; needs a trusted file."
    )
    inject_inline: Text = Field(ABSENT, description="Text for the model.")
    inject: Text = Field(ABSENT, description="A file whose text is for the model.")
    inject_command: Text = Field(
        ABSENT, description="A shell line whose output is for the model; needs a trusted file."
    )
    run: Annotated[Run, _Short("script", lists=False)] = Field(
        ABSENT, description="A validator program; needs a trusted file."
    )
    inline_script: Text = Field(ABSENT, description="The text of a validator script; needs a trusted file.")
    validate_expr: Expression = Field(ABSENT, description="A CEL expression; false denies.")


class Rule(Format):
    """One rule."""

    name: Annotated[str, _Check(_check_name, {"pattern": "^[a-zA-Z0-9_-]+$"})] = Field(
        description="Unique in its file: letters, digits, - and _."
    )
    description: str | None = Field(None, description="What the rule is about; told with a denial.")
    suggestion: str | None = Field(None, description="What to do instead; told with a denial.")
    enabled_when: Expression = Field(ABSENT, description="A CEL expression; the rule holds only where it is true.")
    matchers: Matchers = Field(ABSENT, description="What the rule looks at.")
    except_: Annotated[Matchers, _Check(_check_exception, {"minProperties": 1})] = Field(
        ABSENT, alias="except", description="The same matchers; where they fit, the rule is off."
    )
    actions: Actions = Field(ABSENT, description="What the rule then does.")
    mode: Annotated[str, _one_of(MODES)] = Field(ABSENT, description="enforce acts, warn only tells, audit only logs.")
    priority: Priority = Field(ABSENT, description="Higher goes first. Default 0.")
    governance: Governance | None = Field(None, description="Who stands behind the rule.")
    metadata: Metadata | None = Field(None, description="RuleZ's older settings of a rule.")
    tests: Tests | None = Field(None, description="Examples of calls, for readers; this version does not run them.")


class Settings(Format):
    """How this file's rules are carried out."""

    on_error: Annotated[str, _one_of(ON_ERROR)] = Field(
        ABSENT, description="What an error (a broken policy, a script that cannot run) comes to. Default deny."
    )
    fail_open: bool = Field(
        ABSENT, description="RuleZ's setting: true lets calls through where a `run` script could not run."
    )
    script_timeout: Seconds = Field(ABSENT, description="Seconds a script may take. Default 5.")
    max_context_size: Annotated[int, Field(ge=1)] = Field(
        ABSENT, description="Bytes of text one rule may inject. Default 1048576."
    )
    self_protection: bool = Field(
        ABSENT, description="false, in a managed or user file, lets agents write policy and hook files."
    )
    log_level: str | None = Field(None, description="RuleZ's; has no effect here.")
    debug_logs: bool | None = Field(None, description="RuleZ's; has no effect here.")
    logging: dict[str, Any] | None = Field(None, description="RuleZ's; has no effect here.")


class PolicyFile(Format):
    """One rulez policy file."""

    version: Annotated[Any, BeforeValidator(_read_version), WithJsonSchema({"enum": ["1.0", "1", 1]})] = Field(
        description="The version of this format."
    )
    extends: OneOrMany[Annotated[str, _Check(_check_pack, {"enum": _pack_names()})]] | None = Field(
        None, description="Rule sets that ship inside rulez, as builtin:NAME."
    )
    disable: Annotated[list[str], BeforeValidator(_as_list), _OneOrMany()] | None = Field(
        None, description="Names of rules from the extended sets that shall not apply."
    )
    settings: Settings | None = Field(None, description="How this file's rules are carried out.")
    rules: list[Rule] | None = Field(None, description="The rules.")


MAPS: dict[str, type[Format]] = {
    "settings": Settings,
    "matchers": Matchers,
    "except": Matchers,
    "actions": Actions,
    "prompt_match": PromptMatch,
    "paths": Paths,
    "mcp": Mcp,
    "run": Run,
    "governance": Governance,
    "metadata": Metadata,
    "tests": Tests,
}
"""The key a map stands under -> what it may hold; a rule and the file itself are `Rule` and `PolicyFile`."""


def keys(model: type[Format]) -> tuple[str, ...]:
    """The keys of a map, as written in a file."""
    return tuple(field.alias or name for name, field in model.model_fields.items())


def read(data: object) -> tuple[dict[str, Any], list[Refusal]]:
    """The file's data in its one shape and nothing refused, or {} and everything that is refused."""
    try:
        file = PolicyFile.model_validate(data)
    except ValidationError as error:
        return {}, [_refusal(details) for details in error.errors(include_url=False)]
    return file.model_dump(exclude_unset=True, by_alias=True), []


def _refusal(details: Any) -> Refusal:
    facts = details.get("ctx") or {}
    return Refusal(
        path=details["loc"],
        kind=details["type"],
        value=details["input"],
        predicate=facts.get("predicate", ""),
        help=facts.get("help", ""),
        facts=facts,
    )


def json_schema() -> dict[str, Any]:
    """The format as JSON Schema (draft 2020-12)."""
    schema = PolicyFile.model_json_schema(by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "rulez policy file",
        **_tidy(schema),
    }


def _tidy(schema: Any) -> Any:
    """Without the titles and null defaults pydantic adds: they say nothing to a person."""
    if isinstance(schema, list):
        return [_tidy(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _tidy(value)
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str)) and not (key == "default" and value is None)
    }
