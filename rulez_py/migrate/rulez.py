"""RuleZ' hooks.yaml -> a policy that does what RuleZ' documentation says, and the differences.

What RuleZ ignores is left out; what it does otherwise than documented (its defects, D1 to D32) is told where it counts.
docs/migration.md explains the differences by letter.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rulez_py.documents.diagnostics import choice_help, closest, errors, warnings
from rulez_py.documents.document import Document
from rulez_py.migrate import evalexpr
from rulez_py.migrate.policytext import policy
from rulez_py.migrate.values import DIFFERS, LOST, NOTE, CannotRead, Message, Migrated, Written, in_order
from rulez_py.policy.format import schema
from rulez_py.policy.format.check import check_document, read_document
from rulez_py.policy.patterns import expressions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulez_py.documents.document import Path, Position

EVENTS = (
    *("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "UserPromptSubmit", "BeforeAgent"),
    *("AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection", "SessionStart", "SessionEnd", "PreCompact"),
    *("Stop", "Notification", "Setup"),
)
"""The events that RuleZ knows."""
_ALIASES = {"SubagentStart": "BeforeAgent", "SubagentStop": "AfterAgent"}
_SHELLS = ("Bash", "Shell", "PowerShell", "Monitor")
_KEYS = {
    "": ("version", "rules", "settings"),
    "settings": ("log_level", "max_context_size", "script_timeout", "fail_open", "debug_logs", "logging"),
    "rule": (
        "name",
        "description",
        "enabled_when",
        "matchers",
        "actions",
        "mode",
        "priority",
        "governance",
        "metadata",
    ),
    "matchers": (
        *("tools", "operations", "command_match", "extensions", "directories", "prompt_match", "require_fields"),
        "field_types",
    ),
    "actions": (
        *(
            "validate_expr",
            "inline_script",
            "block",
            "block_if_match",
            "inject_inline",
            "inject_command",
            "inject",
            "run",
        ),
    ),
    "governance": ("author", "created_by", "reason", "confidence", "last_reviewed", "ticket", "tags"),
    "metadata": ("priority", "timeout", "enabled"),
    "prompt_match": ("patterns", "mode", "case_insensitive", "anchor"),
    "run": ("script", "trust"),
}
"""The keys that RuleZ reads of each map; it ignores all others."""
_SCRIPTS = ("run", "inline_script", "inject_command")
_INJECTS = ("inject_inline", "inject_command", "inject")
_UNICODE = re.compile(r"\\u\{([0-9A-Fa-f]{1,6})\}|\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_REFUSED = "RuleZ refuses the whole file for this, and none of its rules hold; here they do (D15)"
_ROOT_TIMEOUT = 5


def migrated(content: bytes, shown: str, *, user: bool = False) -> Migrated:
    """Return the policy of a hooks.yaml, named `shown` for people. Raises CannotRead.

    `user`: it is a person's own file (`~/.claude/hooks.yaml`), not a project's.
    """
    document = read_document(content, shown)
    wrong = errors(document.problems)
    if wrong or document.data is None:
        raise CannotRead("\n".join(one.labelled for one in wrong))
    if not isinstance(document.data, dict):
        raise CannotRead(f"{shown}:1:1: error: this is no hooks.yaml: a map with `version` and `rules` belongs here")
    if not isinstance(document.data.get("rules"), list):
        line, column = document.position(("rules",))
        raise CannotRead(f"{shown}:{line}:{column}: error: this is no hooks.yaml: `rules`, a list, is missing")
    return _Migration(document, content.decode("utf-8-sig"), shown, user=user).whole()


class _Moved(Document):
    """One rule to write, with the places of its parts in the source."""

    def __init__(self, source: Document, data: dict[str, Any], index: int) -> None:
        self.data = {"version": "1.0", "rules": [data]}
        self.problems = ()
        self.source = source
        self.index = index

    def _moved(self, path: Path) -> Path:
        return ("rules", self.index, *path[2:]) if path[:1] == ("rules",) and len(path) > 1 else path

    def present(self, path: Path) -> Path:
        """As the source has it."""
        return self.source.present(self._moved(path))

    def position(self, path: Path) -> Position:
        """In the source."""
        return self.source.position(self._moved(path))

    def key_position(self, path: Path) -> Position:
        """In the source."""
        return self.source.key_position(self._moved(path))


class _Migration:
    """The translation of one file, with the messages so far."""

    def __init__(self, document: Document, text: str, shown: str, *, user: bool) -> None:
        self.document = document
        self.data: dict[str, Any] = document.data
        self.lines = text.splitlines()
        self.shown = shown
        self.user = user
        self.messages: list[Message] = []
        self.names: set[str] = set()
        self.timeout: object = None
        self.waits = False
        settings = self.data.get("settings")
        self.says_fail_open = isinstance(settings, dict) and "fail_open" in settings
        self.debugs = isinstance(settings, dict) and settings.get("debug_logs") is True

    def say(self, kind: str, path: Path, message: str, help: str = "", *, key: bool = True) -> None:
        at = self.document.key_position(path) if key else self.document.position(path)
        self.messages.append(Message(kind, at, message, help))

    def whole(self) -> Migrated:
        version = self.data.get("version")
        if not (isinstance(version, str) and re.fullmatch(r"\d+\.\d+", version, re.ASCII)):
            self.say(DIFFERS, ("version",), f'`version` is no text like "1.0": {_REFUSED}')
        self.unknown("", self.data, ())
        settings = self.settings(self.data.get("settings"))
        rules = [self.rule(index, rule) for index, rule in enumerate(self.data["rules"])]
        self.say_of_scripts()
        count = sum(not rule.lost for rule in rules)
        return Migrated(policy(self.shown, settings, rules), count, in_order(self.messages))

    def unknown(self, what: str, given: dict[str, Any], path: Path) -> dict[str, Any]:
        """Return the keys that RuleZ reads of a map, without empty ones; add messages about the others."""
        known = _KEYS[what]
        ours = schema.FILE if not what else schema.RULE if what == "rule" else schema.MAPS[what]
        for key in given:
            if key in known:
                continue
            close = closest(key, known)
            help = "put it there again if it is meant" if key in ours.fields else f"`{close}`?" if close else ""
            widens = what == "matchers" or (what == "rule" and close in ("matchers", "enabled_when"))
            wider = ": the rule matches without it" if widens else ""
            rulez = f"RuleZ does not know `{key}` and ignores it{wider}; it is left out"
            self.say(LOST, (*path, key), rulez, help)
        return {key: given[key] for key in known if given.get(key) is not None}

    # Settings.

    def settings(self, given: object) -> dict[str, Any]:
        if given is None:
            return {}
        if not isinstance(given, dict):
            self.say(LOST, ("settings",), "`settings` is no map", key=False)
            return {}
        kept = self.unknown("settings", given, ("settings",))
        self.timeout = kept.get("script_timeout")
        if self.debugs:
            said = "`debug_logs` has no effect; in RuleZ it has rules match otherwise (D3)"
            self.say(DIFFERS, ("settings", "debug_logs"), said)
        for key in ("log_level", "debug_logs"):
            kept.pop(key, None)
        if kept.pop("logging", None) is not None:
            help = "have your log shipper read the log of rulez: docs/migration.md, m"
            self.say(LOST, ("settings", "logging"), "there are no remote sinks", help)
        if "fail_open" in kept:
            if kept["fail_open"] is True:
                message = "a `run` script that cannot run lets the call through, as before; other errors deny (D6)"
                self.say(NOTE, ("settings", "fail_open"), message, "without the line such a script denies, too")
            else:
                message = "a script that cannot run now denies the call; RuleZ lets it through all the same (D6)"
                self.say(DIFFERS, ("settings", "fail_open"), message)
                del kept["fail_open"]
        return {key: value for key, value in kept.items() if self.setting_fits(key, value)}

    def setting_fits(self, key: str, value: object) -> bool:
        _, refusals = schema.read({"version": "1.0", "settings": {key: value}})
        for one in refusals:
            self.say(LOST, ("settings", key), f"`{key}` {one.predicate}", one.help, key=False)
        return not refusals

    # Rules.

    def rule(self, index: int, given: object) -> Written:
        path: Path = ("rules", index)
        line = self.document.position(path)[0]
        comments = (*self.comments_above(line), f"{self.shown}:{line}")
        if not isinstance(given, dict):
            self.say(LOST, path, "this is no rule", "a rule is a map with `name`, `matchers` and `actions`")
            return Written({}, comments, "this is no rule")
        kept = self.unknown("rule", given, path)
        data: dict[str, Any] = {"name": self.name(kept.get("name"), path)}
        if "description" in kept:
            data["description"] = kept["description"]
        lost = self.expression(data, kept, "enabled_when", path)
        lost = self.matchers(data, kept, path) or lost
        lost = self.actions(data, kept, path) or lost
        self.approvals(data, path)
        self.rest(data, kept, path)
        if not lost:
            self.doubts(data, path)
            lost = self.refused(data, index)
        elif not any(one.kind == LOST and one.message == lost for one in self.messages):
            self.say(LOST, path, lost)
        return Written(data, comments, lost)

    def comments_above(self, line: int) -> Iterator[str]:
        """Yield the comments right above a rule, no deeper than the rule itself."""
        dash = self.lines[line - 1].find("-") if line <= len(self.lines) else 0
        above: list[str] = []
        for text in reversed(self.lines[: line - 1]):
            stripped = text.lstrip(" ")
            if not stripped.startswith("#") or len(text) - len(stripped) > max(dash, 0):
                break
            above.append(stripped.lstrip("#").strip())
        yield from reversed(above)

    def name(self, given: object, path: Path) -> str:
        plain = re.sub(r"[^A-Za-z0-9_-]+", "-", given).strip("-") if isinstance(given, str) else ""
        name = plain or f"rule-{int(path[-1]) + 1}"
        if name != given:
            self.say(DIFFERS, (*path, "name"), f"the rule is called `{name}` now: {_REFUSED}", key=False)
        first = name
        number = 2
        while name in self.names:
            name, number = f"{first}-{number}", number + 1
        if name != first:
            self.say(
                DIFFERS, (*path, "name"), f"there are two rules `{first}`, so this is `{name}`: {_REFUSED}", key=False
            )
        self.names.add(name)
        return name

    def expression(self, data: dict[str, Any], kept: dict[str, Any], key: str, path: Path) -> str:
        """Add an expression to a rule, in CEL; return why it cannot be carried over, "" where it can."""
        given = kept.get(key)
        if given is None:
            return ""
        path = (*path, key)
        if not isinstance(given, str):
            return f"`{key}` is no text"
        validates = key == "validate_expr"
        never = (
            "RuleZ cannot evaluate it and denies every call"
            if validates
            else "RuleZ cannot evaluate it, and the rule is off there"
        )
        try:
            found = evalexpr.translated(given, validates=validates)
        except evalexpr.Untranslatable as why:
            if not expressions.check(given):
                self.say(DIFFERS, path, f"`{key}` is CEL, not RuleZ' language: {never}; here it counts (D16)")
                data[key] = given
                return ""
            message = f"`{key}` cannot be written in CEL: {why}"
            self.say(LOST, path, message, "docs/migration.md, j, has what there is instead")
            data[key] = given
            return message
        data[key] = found.cel if validates else evalexpr.guarded(found)
        for said in found.never:
            self.say(DIFFERS, path, f"{said}: {never}; here it counts (D16)")
        for said in found.unlike:
            self.say(DIFFERS, path, f"{said}; here it does (D16)")
        for variable in found.variables:
            unset = "denies" if validates else "is off"
            self.say(
                DIFFERS,
                path,
                f"where the environment has no {variable}, RuleZ' rule {unset}; here it is the empty text (D16)",
            )
        if found.inputs and not validates:
            named = ", ".join(f"`{one}`" for one in found.inputs)
            help = 'to have it hold then, write !has_field("...") || ...'
            self.say(
                NOTE, path, f"a call without {named} is not looked at, as in RuleZ: the model may leave it out", help
            )
        return ""

    # Matchers.

    def matchers(self, data: dict[str, Any], kept: dict[str, Any], path: Path) -> str:
        given = kept.get("matchers")
        if given is None:
            self.say(DIFFERS, path, f"the rule has no `matchers`, and matches every event: {_REFUSED}")
            data["matchers"] = {}
            return ""
        path = (*path, "matchers")
        if not isinstance(given, dict):
            return "`matchers` is no map"
        found = self.unknown("matchers", given, path)
        for key in ("tools", "operations", "extensions", "directories", "require_fields"):
            if isinstance(found.get(key), str):
                self.say(DIFFERS, (*path, key), f"`{key}` is a text where a list belongs: {_REFUSED}")
                found[key] = [found[key]]
        lost = self.operations(found, path)
        self.command(found, path)
        self.files(found, path)
        self.prompt(found, path)
        data["matchers"] = found
        return lost

    def operations(self, found: dict[str, Any], path: Path) -> str:
        given = found.get("operations")
        if not isinstance(given, list):
            return ""
        kept = []
        for number, name in enumerate(given):
            at = (*path, "operations", number)
            if name in EVENTS or not isinstance(name, str):
                kept.append(name)
            elif name in _ALIASES:
                self.say(
                    DIFFERS, at, f"`{name}` never fits in RuleZ, which calls it {_ALIASES[name]}; here it does (D31)"
                )
                kept.append(name)
            elif refusals := schema.read(_asking("operations", [name]))[1]:
                said = f"there is no event `{name}`, so it never fits, as in RuleZ; it is left out"
                help = choice_help(name, refusals[0].choices) if refusals[0].choices else refusals[0].help
                self.say(LOST, at, said, help)
            else:
                self.say(DIFFERS, at, f"RuleZ has no event `{name}`, so it never fits there; here it does (D31)")
                kept.append(name)
        if kept or not given:
            found["operations"] = kept
            return ""
        return "none of its `operations` is an event, so the rule never matches"

    def command(self, found: dict[str, Any], path: Path) -> None:
        if not isinstance(found.get("command_match"), str):
            return
        at = (*path, "command_match")
        pattern = _re2(found["command_match"])
        if pattern != found["command_match"]:
            self.say(NOTE, at, "its escapes are written as RE2 has them")
            found["command_match"] = pattern
        tools = found.get("tools")
        if isinstance(tools, list):
            others = [name for name in tools if isinstance(name, str) and name not in _SHELLS]
            if others:
                named = ", ".join(f"`{name}`" for name in others)
                fits = "lets no such call fit" if self.debugs else "lets every such call fit; here none does"
                said = f"{named} has no command: RuleZ {fits} (D5)"
                help = "for the text of files, write a rule of its own with `content_match`"
                self.say(DIFFERS, (*path, "tools"), said, help)
                if len(others) < len(tools):
                    found["tools"] = [name for name in tools if name not in others]
        elif not self.debugs:
            said = "without `tools` RuleZ lets every call fit that has no command; here only commands do (D5)"
            self.say(DIFFERS, at, said)
        self.say(
            NOTE, at, "it looks at the text of the line, which quotes and variables hide (D29)", _as_command(pattern)
        )

    def files(self, found: dict[str, Any], path: Path) -> None:
        for key in ("extensions", "directories"):
            given = found.get(key)
            if not isinstance(given, list) or not given:
                continue
            at = (*path, key)
            there = "no file" if self.debugs else "every file"
            said = f"`{key}` fits these files; in RuleZ {there} of Claude Code and Gemini CLI (D4)"
            tools = found.get("tools")
            shell = not isinstance(tools, list) or any(name in _SHELLS for name in tools)
            help = "commands that touch them count as well; `tools: [Write, Edit]` keeps it to these" if shell else ""
            self.say(DIFFERS, at, said, help)
        for number, one in enumerate(
            found.get("extensions") or () if isinstance(found.get("extensions"), list) else ()
        ):
            if isinstance(one, str) and one and not one.startswith("."):
                said = f"`{one}` never fits in RuleZ, for want of its dot; it is `.{one}` now"
                self.say(DIFFERS, (*path, "extensions", number), said)
                found["extensions"] = [*found["extensions"]]
                found["extensions"][number] = f".{one}"

    def prompt(self, found: dict[str, Any], path: Path) -> None:
        given = found.get("prompt_match")
        at = (*path, "prompt_match")
        if isinstance(given, str):
            self.say(DIFFERS, at, f"`prompt_match` is a text where a list belongs: {_REFUSED}")
            found["prompt_match"] = given = [given]
        if isinstance(given, dict):
            found["prompt_match"] = given = self.unknown("prompt_match", given, at)
            patterns = given.get("patterns")
            anchored = given.get("anchor") in ("start", "end")
            if anchored and isinstance(patterns, list) and any(isinstance(one, str) and "|" in one for one in patterns):
                self.say(DIFFERS, (*at, "anchor"), "the anchor holds for each side of a `|`; in RuleZ for one of them")
        if given is not None:
            said = "it is asked on every agent; RuleZ sees prompts of Claude Code alone, if any (D10)"
            self.say(DIFFERS, at, said)

    # Actions.

    def actions(self, data: dict[str, Any], kept: dict[str, Any], path: Path) -> str:
        given = kept.get("actions")
        if given is None:
            self.say(DIFFERS, path, f"the rule has no `actions`, and only notes the match: {_REFUSED}")
            data["actions"] = {}
            return ""
        if not isinstance(given, dict):
            return "`actions` is no map"
        path = (*path, "actions")
        found = self.unknown("actions", given, path)
        translated: dict[str, Any] = {}
        lost = self.expression(translated, found, "validate_expr", path)
        found.update(translated)
        if isinstance(found.get("block_if_match"), str):
            found["block_if_match"] = _re2(found["block_if_match"])
            said = "it sees the new text of edits; RuleZ only that of `newString` and `content` (D4)"
            self.say(DIFFERS, (*path, "block_if_match"), said)
        self.scripts(found, path)
        self.injections(found, path)
        data["actions"] = found
        return lost

    def scripts(self, found: dict[str, Any], path: Path) -> None:
        run = found.get("run")
        if isinstance(run, dict):
            run = self.unknown("run", run, (*path, "run"))
            if run.pop("trust", None) is not None:
                help = "`rulez trust` decides whether scripts run"
                self.say(
                    DIFFERS, (*path, "run", "trust"), "`trust` says nothing about that here, as in RuleZ (D23)", help
                )
            found["run"] = run = run["script"] if set(run) == {"script"} else run
        script = run.get("script") if isinstance(run, dict) else run
        if isinstance(script, str):
            if len(script.split()) > 1:
                said = "it starts now, with its arguments; RuleZ finds no such file and lets the call through (D8)"
                self.say(DIFFERS, (*path, "run"), said)
            injecting = [key for key in _INJECTS if key in found]
            if injecting:
                said = f"it runs before `{injecting[0]}`, which keeps it from running in RuleZ (D7)"
                self.say(DIFFERS, (*path, "run"), said)
            said = "a `continue: false` that it prints denies; RuleZ gives it to the model as text (D8)"
            self.say(NOTE, (*path, "run"), said)
        inline = found.get("inline_script")
        if isinstance(inline, str) and not inline.startswith("#!"):
            said = "it runs in /bin/sh; without `#!` RuleZ cannot start it and denies every call"
            self.say(DIFFERS, (*path, "inline_script"), said)
        scripts = [key for key in _SCRIPTS if key in found]
        self.waits = self.waits or bool(scripts)
        if scripts and self.user:
            help = 'write cd "$RULEZ_PROJECT_DIR" && ... where the project is meant'
            self.say(
                DIFFERS, (*path, scripts[0]), "it runs in the directory of your policy, not in the project's (g)", help
            )

    def injections(self, found: dict[str, Any], path: Path) -> None:
        injected = found.get("inject")
        if isinstance(injected, str) and injected.lower().endswith(".json"):
            said = "the file is text for the model; RuleZ takes an object in it for new arguments (q)"
            self.say(DIFFERS, (*path, "inject"), said, "write `rewrite: {...}` for these")
        elif isinstance(injected, str) and " " in injected and "/" not in injected:
            said = "a file of this name is looked for, and nothing told where there is none, as in RuleZ"
            self.say(NOTE, (*path, "inject"), said, "`inject_inline` is for a text")

    def approvals(self, data: dict[str, Any], path: Path) -> None:
        """RuleZ' documentation shows rules about permissions that inject something and approve by that."""
        operations = data["matchers"].get("operations") if isinstance(data.get("matchers"), dict) else None
        actions = data.get("actions")
        injected = actions.get("inject_inline") if isinstance(actions, dict) else None
        asked = isinstance(operations, list) and "PermissionRequest" in operations
        if asked and isinstance(injected, str) and "approv" in injected.lower():
            said = "a text approves nothing, as in RuleZ, whatever its documentation says (D31)"
            self.say(NOTE, (*path, "actions", "inject_inline"), said, "write `allow: true` on PreToolUse")

    def rest(self, data: dict[str, Any], kept: dict[str, Any], path: Path) -> None:
        """Mode, priority, and what RuleZ calls governance and metadata."""
        for key in ("mode", "priority"):
            if key in kept:
                data[key] = kept[key]
        governance = kept.get("governance")
        if isinstance(governance, dict):
            governance = self.unknown("governance", governance, (*path, "governance"))
        if governance:
            data["governance"] = governance
        metadata = kept.get("metadata")
        if isinstance(metadata, dict):
            metadata = self.unknown("metadata", metadata, (*path, "metadata"))
            own = metadata.pop("priority", None)
            if own is not None and "priority" not in data:
                data["priority"] = own
            if metadata.get("enabled") is True:
                del metadata["enabled"]
            runs = isinstance(data.get("actions"), dict) and any(key in data["actions"] for key in _SCRIPTS)
            if runs and "timeout" not in metadata and self.timeout not in (None, _ROOT_TIMEOUT):
                said = f"its scripts may take {self.timeout} seconds, as `settings` says; in RuleZ 5 (D18)"
                self.say(DIFFERS, (*path, "metadata"), said)
        if metadata:
            data["metadata"] = metadata

    # Diagnostics of the policy.

    def doubts(self, data: dict[str, Any], path: Path) -> None:
        tools = data["matchers"].get("tools") if isinstance(data["matchers"], dict) else None
        if isinstance(tools, list) and "*" in tools:
            said = "`*` is the name of no tool, so it fits nothing, as in RuleZ"
            self.say(
                NOTE, (*path, "matchers", "tools", tools.index("*")), said, "leave `tools` out to match every tool"
            )

    def refused(self, data: dict[str, Any], index: int) -> str:
        """Return the first error that rulez' check finds in a rule, "" without one."""
        checked = check_document(_Moved(self.document, data, index), self.shown)
        for one in warnings(checked.problems):
            if "globs fit only" not in one.message:
                self.messages.append(Message(NOTE, (one.line, one.column), one.message, one.help))
        found = errors(checked.problems)
        for one in found:
            self.messages.append(Message(LOST, (one.line, one.column), one.message, one.help))
        return found[0].message if found else ""

    def say_of_scripts(self) -> None:
        if self.waits and not self.user:
            said = "its scripts wait for `rulez trust`: until then validators deny, and `inject_command` does nothing"
            self.messages.append(Message(NOTE, self.document.key_position(("rules",)), said))
        if self.waits and not self.says_fail_open:
            said = "a script that cannot run denies the call; RuleZ lets it through (D6)"
            help = "`settings: {fail_open: true}` has it so here"
            self.messages.append(Message(DIFFERS, self.document.key_position(("rules",)), said, help))


def _asking(key: str, value: object) -> dict[str, Any]:
    """Return a file with one rule, which has this matcher."""
    return {"version": "1.0", "rules": [{"name": "x", "matchers": {key: value}}]}


def _re2(pattern: str) -> str:
    """Return a regex with the escapes that RE2 has for characters."""
    escaped: Callable[[re.Match[str]], str] = lambda found: f"\\x{{{next(filter(None, found.groups()))}}}"  # noqa: E731
    return _UNICODE.sub(escaped, pattern)


_GAP = re.compile(r"(?:\\s[+*]?|\.[*+]\??| )+")
_OPTION = re.compile(r"(?:\\b)?-{1,2}[A-Za-z][\w-]*(?:\\b)?", re.ASCII)
_WORD = re.compile(r"[a-z][\w.-]*", re.ASCII)


def _as_command(pattern: str) -> str:
    """Return the pattern as a matcher about commands where it is plain enough; else a hint at one."""
    text = pattern.removeprefix("^").removeprefix("\\b").removesuffix("$").removesuffix("\\b")
    words = [word for word in _GAP.split(text) if word]
    plain = [word for word in words if _WORD.fullmatch(word)]
    options = [option for word in words[len(plain) :] for option in _options(word)]
    if not plain or len(plain) > 2 or words[: len(plain)] != plain or not all(map(_options, words[len(plain) :])):
        return "`command` looks at what would be executed"
    fields = [f"program: {plain[0]}", *(f"subcommand: {word}" for word in plain[1:])]
    fields += [f"any_flag: [{', '.join(options)}]"] if options else []
    return f"what would be executed: command: {{{', '.join(fields)}}}"


def _options(word: str) -> list[str]:
    """Return the options that a part of a pattern names, none where it names anything else."""
    inner = word.removeprefix("(").removesuffix(")") if word.startswith("(") and word.endswith(")") else word
    parts = inner.removeprefix("?:").split("|")
    return [part.replace("\\b", "") for part in parts] if all(map(_OPTION.fullmatch, parts)) else []
