"""The policy file format, declared once: what is read, what is refused, and the JSON Schema editors use.

`read` checks plain data and returns it in one shape: short forms written out, absent keys absent. A key may be left out
but not left empty (`tools:` with nothing after it would widen a rule by accident), except where its kind is
`or_nothing`, as RuleZ allows.
"""

from __future__ import annotations

from rulez_py.documents import types
from rulez_py.documents.diagnostics import closest
from rulez_py.documents.types import (
    Constant,
    ListOf,
    Map,
    MapOf,
    OrMap,
    OrNothing,
    Plain,
    Refusal,
    Short,
    any_map,
    check_not_blank,
    text,
    whole_number,
)
from rulez_py.event.described import DESCRIBED
from rulez_py.policy import packs
from rulez_py.policy.format.case_repository import REPOSITORY
from rulez_py.policy.format.circumstances import CASE, CaseKind
from rulez_py.policy.format.memory import AT_MOST, KEYS, AtMostKind, remember
from rulez_py.policy.format.overrides import ACTIONS as OVERRIDING
from rulez_py.policy.format.overrides import MODES
from rulez_py.policy.format.rewrites import REWRITTEN, Rewrites
from rulez_py.policy.matchers import KINDS, declared, matcher
from rulez_py.policy.matchers.schema_parts import (
    GLOBS,
    PATTERNS,
    PROOF,
    SWITCH,
    check_decision,
    check_directory,
    check_glob,
    check_no_not,
    one_of,
    one_or_many,
)
from rulez_py.policy.model.layers import FILES
from rulez_py.policy.patterns import expressions, globs
from rulez_py.system.git.values import FACTS
from rulez_py.trust.digests import PREFIX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulez_py.documents.types import Kind

_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


# Checks of a value beyond its type.


def _check_expression(value: str) -> None:
    wrong = expressions.check(value)
    if wrong:
        raise Refusal(f"cannot be used: {'; '.join(wrong)}")


def _check_name(value: str) -> None:
    if value and _NAME_CHARACTERS.issuperset(value):
        return
    fixed = "-".join("".join(c if c in _NAME_CHARACTERS else " " for c in value).split())
    predicate = "may hold only letters, digits, - and _"
    raise Refusal(predicate, f'write "{fixed}"' if fixed else "", kind=types.NAME)


def _pack_names() -> list[str]:
    return [packs.PREFIX + name for name in packs.extendable()]


def _check_pack(value: str) -> None:
    if value not in _pack_names() and not packs.is_file(value):
        if value.endswith((".yaml", ".yml")):
            raise Refusal(
                f'holds "{value}", which is no rule set of rulez', f"write ./{value} for the file beside this"
            )
        raise Refusal(f'holds "{value}", which is no rule set of rulez', choices=_pack_names())
    wrong = globs.problem(value)
    if wrong:
        raise Refusal(f'holds "{value}", which is not a glob: {wrong}')


_FILE_PATTERN = r"^(\.\.?/|~/|/|[A-Za-z]:[/\\])"


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


def _or_nothing(kind: Kind) -> OrNothing:
    return OrNothing(kind=kind)


_ANY_TEXT = text()
_TEXT = text(check_not_blank, pattern=r"\S")
_TEXTS = ListOf(item=_ANY_TEXT, alone=True)
_PRIORITY = whole_number(_check_int32, maximum=2**31 - 1, minimum=-(2**31))
_SECONDS = Plain(
    types=(int, float),
    wanted=types.NUMBER,
    checks=(_check_positive,),
    form={"exclusiveMinimum": 0, "type": "number"},
)
_NUMBER = _SECONDS
_ANY_MAP = any_map()
_EXPRESSION = text(check_not_blank, _check_expression, pattern=r"\S")
_DECISION = Plain(
    types=(bool, str),
    wanted="true, false or the reason as text",
    checks=(check_decision,),
    form={"anyOf": [{"type": "boolean"}, {"type": "string"}]},
)


_CASES = _or_nothing(ListOf(item=CaseKind()))


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
    about="Who answers for the rule. `reason` is given with a denial that has no description.",
    fields={
        "author": (_or_nothing(_ANY_TEXT), "Who wrote the rule."),
        "created_by": (_or_nothing(_ANY_TEXT), "What created it, a person or a tool."),
        "reason": (_or_nothing(_ANY_TEXT), "Why the rule exists."),
        "confidence": (_or_nothing(one_of(("high", "medium", "low"))), "How sure its author is."),
        "last_reviewed": (_or_nothing(_ANY_TEXT), "When it was last reviewed."),
        "ticket": (_or_nothing(_ANY_TEXT), "Where it was asked for."),
        "tags": (_or_nothing(ListOf(item=_ANY_TEXT)), "Words for searching."),
    },
)

METADATA = Map(
    name="Metadata",
    about="RuleZ's older way to say priority, time limit and on/off.",
    fields={
        "priority": (_PRIORITY, "Counts where the rule has no priority of its own."),
        "timeout": (_SECONDS, "Seconds the rule's scripts may take."),
        "enabled": (SWITCH, "false switches the rule off."),
    },
)

MATCHERS = Map(
    name="Matchers",
    about="What the rule looks at. Every matcher must fit; of a list, one entry is enough.",
    fields={kind: (matcher(kind).schema(), matcher(kind).ABOUT) for kind in KINDS},
)

EXCEPTION = MATCHERS.replace(empty="would switch the rule off everywhere")
EXCEPTIONS = one_or_many(EXCEPTION)

RUN = Map(
    name="Run",
    about="A validator program.",
    needs=("script",),
    fields={
        "script": (_TEXT, "Program and arguments, relative to the project root."),
        "args": (_TEXTS, "Arguments, passed as they are."),
        "shell": (SWITCH, "Give `script` to a shell as one line. Default false."),
        "timeout": (_SECONDS, "Seconds it may take."),
        "git": (
            one_or_many(one_of(FACTS)),
            "Facts of the repository that it is given on stdin.",
        ),
        "facts": (
            one_or_many(one_of(tuple(DESCRIBED))),
            "What it is given on stdin of the call besides its fields.",
        ),
        "trust": (
            one_of(("local", "verified", "untrusted")),
            "RuleZ's note; has no effect here, `rulez trust` decides.",
        ),
    },
)

REMEMBER = remember(EXCEPTIONS.replace(item=MATCHERS.replace(empty="would have it forgotten at once")))


def _check_shape(value: str) -> None:
    from rulez_py.log.kinds import ALL, TOKENS, kinds

    known = (TOKENS, ALL, *kinds())
    if value not in known:
        near = closest(value, known)
        help = f'did you mean "{near}"?' if near else f"write {TOKENS}, {ALL}, or a kind that docs/policy.md names"
        raise Refusal(f'holds "{value}", which is no kind of secret that rulez knows', help)


REDACT = Map(
    name="Redact",
    about="What is taken out of a tool's result before the model reads it.",
    empty="takes nothing out",
    fields={
        "shapes": (
            one_or_many(text(_check_shape, pattern="^[a-z0-9-]+$")),
            "Kinds of secrets: `tokens`, `all` that the log redacts, or names of kinds, like jwt.",
        ),
        "match": (PATTERNS, "Regexes; of a match with groups only the first that took part is taken out."),
    },
)

ACTIONS = Map(
    name="Actions",
    about="What happens where the rule matches.",
    fields={
        "block": (_DECISION, "Deny; text is the reason."),
        "ask": (_DECISION, "Let the person decide; text is the reason."),
        "checkpoint": (
            _DECISION,
            "Keep what the call would lose, and let it go through; ask where that cannot be. Needs `loses` and a "
            "trusted file.",
        ),
        "allow": (_DECISION, "Approve without asking; needs a trusted file."),
        "block_if_match": (PATTERNS, "Deny where the text about to be written matches a regex."),
        "rewrite": (Rewrites(), "Canonical argument names and what becomes of them; needs a trusted file."),
        "inject_inline": (_TEXT, "Text for the model."),
        "inject": (_TEXT, "A file whose text is for the model."),
        "inject_command": (_TEXT, "A shell line whose output is for the model; needs a trusted file."),
        "run": (Short(key="script", whole=RUN), "A validator program; needs a trusted file."),
        "inline_script": (_TEXT, "The text of a validator script; needs a trusted file."),
        "validate_expr": (_EXPRESSION, "A CEL expression; false denies."),
        "remember": (REMEMBER, "Remember of the session that the rule has matched."),
        "redact": (REDACT, "Take secrets out of what the tool gave back."),
    },
)

RULE = Map(
    name="Rule",
    about="One rule.",
    needs=("name",),
    fields={
        "name": (text(_check_name, pattern="^[a-zA-Z0-9_-]+$"), "Unique in its file: letters, digits, - and _."),
        "description": (_or_nothing(_ANY_TEXT), "What the call would do; given with a denial."),
        "suggestion": (_or_nothing(_ANY_TEXT), "What to do instead; given with a denial."),
        "enabled_when": (_EXPRESSION, "A CEL expression; the rule holds only where it is true."),
        "matchers": (MATCHERS, "What the rule looks at."),
        "except": (EXCEPTIONS, "The same matchers; where they fit, or one map of a list, the rule is off."),
        "requires": (KEYS, "What the session must have remembered: the rule objects where one of these keys is not."),
        "remembered": (KEYS, "The rule holds only where all of these keys are remembered."),
        "at_most": (AtMostKind(), "How many calls pass before the rule objects."),
        "actions": (ACTIONS, "What the rule then does."),
        "mode": (one_of(MODES), "enforce acts, warn only tells, audit only logs."),
        "files": (one_of(FILES), "Which commands count in files that a call runs. Default certain."),
        "priority": (_PRIORITY, "Higher goes first. Default 0."),
        "governance": (_or_nothing(GOVERNANCE), "Who answers for the rule."),
        "metadata": (_or_nothing(METADATA), "RuleZ's older settings of a rule."),
        "tests": (_or_nothing(TESTS), "Examples of calls, which `rulez test` tries."),
    },
)


OVERRIDE = Map(
    name="Override",
    about="Changes of a rule from another file.",
    empty="changes nothing",
    fields={
        "action": (
            one_of(OVERRIDING),
            "What a rule that blocks or asks does instead; `log` is `mode: audit`, `checkpoint` keeps what is lost.",
        ),
        "mode": (one_of(MODES), "The rule's `mode`."),
        "except": (EXCEPTIONS, "Further exceptions from the rule, in the form of its own `except`."),
        "files": (one_of(FILES), "The rule's `files`."),
        "reason": (_TEXT, "Told in place of the rule's description and of the reason in its actions."),
        "suggestion": (_TEXT, "The rule's `suggestion`."),
        "only_in": (
            GLOBS,
            "Only in these projects: globs, as the matcher `projects` has them. Not in a project's file.",
        ),
        "not_in": (GLOBS, "In all projects but these."),
        "in": (one_or_many(text(check_directory)), "The older form of `only_in`: root directories, from / or ~/ on."),
    },
)

CHECKPOINTS = Map(
    name="Checkpoints",
    about="What `checkpoint` keeps, and where it takes the place of a question.",
    fields={
        "max_mb": (_NUMBER, "Million bytes that one checkpoint, and all together, may have. Default 200."),
        "keep_days": (_NUMBER, "Days after which a checkpoint is deleted. Default 14."),
        "instead_of": (
            one_of(("ask",)),
            "Rules of the extended sets that ask before something is lost keep it instead; needs a trusted file.",
        ),
    },
)


def _is_whole(path: str) -> bool:
    """Tell if a path begins at the top of a machine's files, or of a drive."""
    return path.startswith("/") or path[1:3] in (":/", ":\\")


def _check_place(value: str) -> None:
    if not (_is_whole(value) or value.startswith("~/")):
        raise Refusal(f'holds "{value}", which is no place', "write a glob of directories, from / or ~/ on")


def _check_digest(value: str) -> None:
    digits = value.removeprefix(PREFIX)
    if digits == value or len(digits) != 64 or not set("0123456789abcdef").issuperset(digits):
        raise Refusal(
            f'holds "{value}", which is no digest', "write sha256: and 64 digits; `rulez trust --show` prints it"
        )


def _check_signers(value: str) -> None:
    if not _is_whole(value):
        raise Refusal(f'is "{value}", but has to be a whole path', "write it from / on: /etc/rulez/allowed_signers")


TRUST = Map(
    name="Trust",
    about="In the managed file: which projects' policies are trusted, beside those that people trust.",
    fields={
        "people": (PROOF, "If people may use `rulez trust`; `sudo`, `polkit`: after a password. Default true."),
        "only": (SWITCH, "true: what people trusted, or signers that they chose, does not count. Default false."),
        "paths": (
            one_or_many(text(check_not_blank, check_glob, check_no_not, _check_place, pattern=r"\S")),
            "Globs of project directories, from / or ~/ on; `*` is one name.",
        ),
        "digests": (one_or_many(text(_check_digest, pattern=r"^sha256:[0-9a-f]{64}$")), "Digests of policies."),
        "signers": (text(_check_signers), "The whole path of a list of those who may sign, as ssh-keygen(1) has it."),
    },
)

SETTINGS = Map(
    name="Settings",
    about="Settings for this file's rules.",
    fields={
        "on_error": (
            one_of(("deny", "ask", "allow")),
            "The decision on an error: a broken policy, a script that cannot run. Default deny.",
        ),
        "fail_open": (SWITCH, "RuleZ's setting: true lets calls through where a `run` script could not run."),
        "script_timeout": (_SECONDS, "Seconds a script may take. Default 5."),
        "max_context_size": (
            whole_number(_check_at_least_one, minimum=1),
            "Bytes of text one rule may inject. Default 1048576.",
        ),
        "checkpoints": (CHECKPOINTS, "Bounds for what `checkpoint` keeps, and where it takes the place of a question."),
        "self_protection": (SWITCH, "false, in a managed or user file, lets agents write policy and hook files."),
        "essentials": (SWITCH, "false, in a managed or user file, switches the essentials off in every project."),
        "mode": (one_of(MODES), "`mode` of this file's rules, and of the sets it extends, that do not say their own."),
        "files": (one_of(FILES), "In a managed or user file: `files` of every rule that does not say its own."),
        "exceptions": (
            PROOF,
            "In the managed file: if people may use `rulez pause` and `rulez allow`; `sudo`, `polkit`: "
            "after a password.",
        ),
        "trust": (
            OrMap(kind=PROOF, whole=TRUST),
            "The same for `rulez trust`; a map also says which projects' policies the machine trusts.",
        ),
        "log_level": (_or_nothing(_ANY_TEXT), "RuleZ's; has no effect here."),
        "debug_logs": (_or_nothing(SWITCH), "RuleZ's; has no effect here."),
        "logging": (_or_nothing(_ANY_MAP), "RuleZ's; has no effect here."),
    },
)


def _check_variable(value: str) -> None:
    if not value or not _NAME_CHARACTERS.issuperset(value):
        raise Refusal("may hold only letters, digits, - and _")
    if value in {name for names in declared("OWN_VARIABLES").values() for name in names}:
        raise Refusal(f"cannot be called {value}, which rulez knows itself")


def _check_taken(value: str) -> None:
    if globs.takes_out(value):
        raise Refusal(f'holds "{value}", but a list of `vars` takes nothing out', "write `!` where it is used: !$NAME")


VARS = MapOf(
    key=text(_check_variable, pattern="^[a-zA-Z0-9_-]+$"),
    item=one_or_many(text(check_not_blank, check_glob, _check_taken, pattern=r"\S")),
)

FILE = Map(
    name="PolicyFile",
    about="One rulez policy file.",
    needs=("version",),
    fields={
        "version": (Constant(spellings=("1.0", "1", 1)), "The version of this format."),
        "extends": (
            _or_nothing(one_or_many(text(_check_pack, anyOf=[{"enum": _pack_names()}, {"pattern": _FILE_PATTERN}]))),
            "Rule sets that ship inside rulez, as builtin:NAME, and files, as ./team.yaml or ../shared/*.yaml.",
        ),
        "disable": (_or_nothing(_TEXTS), "Rules of the extended sets that do not apply, by name."),
        "overrides": (
            _or_nothing(MapOf(key=text(check_not_blank, check_glob), item=OVERRIDE)),
            "Names of rules from the extended sets and the layers below, or globs over them -> what is changed.",
        ),
        "vars": (
            _or_nothing(VARS),
            "Lists of texts by name; lists of matchers use one as `$NAME`, expressions as `vars.NAME`.",
        ),
        "settings": (_or_nothing(SETTINGS), "Settings for this file's rules."),
        "rules": (_or_nothing(ListOf(item=RULE)), "The rules."),
    },
)


def _map_of(kind: Any) -> Map | None:
    """Return the map that a value of this kind is, or may be put as."""
    if isinstance(kind, Map):
        return kind
    inside = kind.whole if isinstance(kind, (Short, OrMap)) else kind.item if isinstance(kind, ListOf) else None
    return None if inside is None else _map_of(inside)


MAPS: dict[str, Map] = {
    "overrides": OVERRIDE,
    "settings": SETTINGS,
    "matchers": MATCHERS,
    "except": EXCEPTION,
    "actions": ACTIONS,
    **{kind: whole for kind, (form, _) in MATCHERS.fields.items() if (whole := _map_of(form)) is not None},
    "rewrite": REWRITTEN,
    "run": RUN,
    "checkpoints": CHECKPOINTS,
    "trust": TRUST,
    "remember": REMEMBER.whole,
    "redact": REDACT,
    "at_most": AT_MOST,
    "governance": GOVERNANCE,
    "metadata": METADATA,
    "tests": TESTS,
    "repository": REPOSITORY,
    "case": CASE,
}
"""The key of a map -> its kind; a rule and the file itself are `RULE` and `FILE`."""


def read(data: object) -> tuple[dict[str, Any], list[Refusal]]:
    """Return the file's data in its one shape and nothing refused, or {} and everything that is refused."""
    refusals: list[Refusal] = []
    done = types.read(FILE, data, (), refusals)
    return ({}, refusals) if refusals else (done, refusals)


def read_matchers(written: object) -> dict[str, Any]:
    """Return the matchers of an exception in their one shape. Raises ValueError where something is refused."""
    refusals: list[Refusal] = []
    done: dict[str, Any] = types.read(EXCEPTION, written, (), refusals)
    if refusals:
        raise ValueError(refusals[0].predicate)
    return done


def json_schema() -> dict[str, Any]:
    """Return the format as JSON Schema (draft 2020-12)."""
    defined = {one.name: one for one in (RULE, *MAPS.values())}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:rulez:schema:policy",
        "title": "rulez policy file",
        "$defs": {name: defined[name].definition() for name in sorted(defined)},
        **FILE.definition(),
    }
