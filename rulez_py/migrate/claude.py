"""Claude Code's `permissions` -> a policy with the same denials, questions and approvals, and the differences.

What denies or asks here does so for all with the same effect: a command in any spelling, a file by any tool. What
approves stays what Claude Code's documentation says, or less: the rest is left to Claude Code's own question.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rulez_py.documents.diagnostics import errors
from rulez_py.install import jsonc
from rulez_py.migrate import commands, permissions
from rulez_py.migrate.policytext import policy
from rulez_py.migrate.values import DIFFERS, LOST, NOTE, CannotRead, Message, Migrated, Noted, Written, in_order
from rulez_py.platforms.tool_table import CANONICAL
from rulez_py.policy.format import case_repository, cases, schema
from rulez_py.policy.format.check import check
from rulez_py.policy.format.compile import compile_rules
from rulez_py.policy.model.layers import BUILT_IN
from rulez_py.policy.patterns import expressions
from rulez_py.verdict import DENY

if TYPE_CHECKING:
    from rulez_py.migrate.permissions import Entry
    from rulez_py.migrate.values import Position

DENYING, ASKING, ALLOWING = "deny", "ask", "allow"
LISTS = (DENYING, ASKING, ALLOWING)
_ACTIONS = {DENYING: "block", ASKING: "ask", ALLOWING: "allow"}
_DESCRIPTIONS = {
    DENYING: "The permissions in {source} deny this",
    ASKING: "The permissions in {source} ask about this",
}
_SHELLS = ("Bash", "PowerShell", "Monitor")
_EDITING = ("Edit", "Write", "NotebookEdit")
_READING = ("Read", "Grep", "Glob")
_BY_PATH = {"Read": _READING, "Edit": _EDITING}
_NEVER_BY_PATH = {"Write": "Edit", "MultiEdit": "Edit", "NotebookEdit": "Edit", "Grep": "Read", "Glob": "Read"}
"""Tools whose paths Claude Code ignores -> the tool whose paths it checks."""
_OWN_PLACES = tuple(f"!{name}/**" for name in (".git", ".claude", ".vscode", ".idea", ".husky"))
"""Claude Code asks before these are written, whatever is approved."""
_NAMED_BY = {"Agent": "subagent_type", "Task": "subagent_type", "Skill": "skill"}
_PARAMETERS_OF_SHELLS = ("run_in_background", "timeout", "description", "dangerouslyDisableSandbox")
_NO_PARAMETERS = ("command", "file_path", "path", "notebook_path", "url")
_MATCHERS = {"read": "paths", "write": "paths", "powershell": "command_match"}
"""Groups whose matcher has another name."""
_OF_COMMANDS = (
    ("command", "commands", "Bash"),
    ("command_match", "command-lines", "Bash"),
    ("powershell", "powershell-lines", "PowerShell"),
)
"""Groups about commands: the names of their rules, and the tool that they approve."""
_OTHER_KEYS = ("disableBypassPermissionsMode", "disableAutoMode", "additionalDirectories")


def migrated(content: bytes, shown: str, *, user: bool = False) -> Migrated:
    """Return the policy of a settings file, named `shown` for people. Raises CannotRead.

    `user`: it is a person's own (`~/.claude/settings.json`), not a project's.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = jsonc.place(content[: error.start].decode("utf-8"), error.start)
        raise CannotRead(f"{shown}:{line}:{column}: error: this is not UTF-8; save the file as UTF-8") from None
    try:
        root = jsonc.parse(text)
    except jsonc.Unreadable as error:
        raise CannotRead(f"{shown}:{error.at[0]}:{error.at[1]}: error: {error.message}") from None
    node = jsonc.at(root, ("permissions",))
    if node is None or not isinstance(node.value, dict):
        line, column = jsonc.place(text, (node or root).start)
        what = "`permissions` is no object" if node is not None else "there are no `permissions` in it"
        raise CannotRead(f"{shown}:{line}:{column}: error: {what}, so there is nothing to carry over")
    return _Migration(text, root, shown, user=user).whole()


class _Migration:
    """The translation of one file: the messages so far, and the entries of one list by the rules they become."""

    def __init__(self, text: str, root: jsonc.Node, shown: str, *, user: bool) -> None:
        self.text = text
        self.root = root
        self.shown = shown
        self.user = user
        self.messages: list[Message] = []
        self.told: set[str] = set()
        self.rules: list[Written] = []
        self.list = ""
        self.at: Position = (1, 1)
        self.entry = ""
        self.groups: dict[str, list[Noted]] = {}
        self.single: list[tuple[str, dict[str, Any], str, str]] = []
        self.names: set[str] = set()

    def say(self, kind: str, message: str, help: str = "") -> None:
        self.messages.append(Message(kind, self.at, message, help))

    def say_once(self, kind: str, message: str, help: str = "") -> None:
        if message not in self.told:
            self.told.add(message)
            self.say(kind, message, help)

    def place(self, *path: str | int) -> Position:
        node = jsonc.at(self.root, ("permissions", *path))
        return jsonc.place(self.text, node.start if node else 0)

    def whole(self) -> Migrated:
        given: dict[str, Any] = jsonc.at(self.root, ("permissions",)).value  # type: ignore[union-attr]
        for name in LISTS:
            self.one_list(name, given.get(name))
        for key, value in given.items():
            if key not in LISTS:
                self.at = self.place(key)
                self.other(key, value)
        return Migrated(policy(self.shown, {}, self.rules), len(self.rules), in_order(self.messages))

    def other(self, key: str, value: object) -> None:
        """Add messages about keys beside the lists."""
        stays = "leave it in the settings, where it goes on counting"
        if key == "defaultMode":
            if value != "default":
                said = f"`defaultMode: {_shown(value)}` says what Claude Code does where no rule speaks; no policy does"
                self.say(LOST, said, stays)
        elif key in _OTHER_KEYS:
            self.say(NOTE, f"`{key}` is about Claude Code alone", stays)
        else:
            self.say(LOST, f"`{_shown(key)}` is nothing that is known of permissions", stays)

    def one_list(self, name: str, given: object) -> None:
        self.list, self.at = name, self.place(name)
        self.groups, self.single = {}, []
        if given is None:
            return
        if not isinstance(given, list):
            self.say(LOST, f"`{name}` is no list")
            return
        seen: set[str] = set()
        for number, text in enumerate(given):
            self.at = self.place(name, number)
            if not isinstance(text, str):
                self.say(LOST, f"{_shown(text)} is no text")
                continue
            if text in seen:
                continue
            seen.add(text)
            self.entry = text
            try:
                self.take(permissions.read(text))
            except permissions.Malformed as error:
                self.say(LOST, f"`{_shown(text)}`: {error}", error.help)
        self.write_groups()

    # One entry.

    def take(self, entry: Entry) -> None:
        tool = entry.tool
        if tool.startswith("mcp__") and not entry.specifier:
            self.mcp(tool)
        elif "*" in tool:
            self.tool_glob(tool)
        elif not entry.specifier:
            self.bare(tool)
        elif tool == "Cd":
            said = f"`{_shown(self.entry)}` is about the person's own /cd, which no agent calls"
            self.say(NOTE, said, "leave it in the settings")
        elif tool in _SHELLS:
            self.command(entry)
        elif tool in _BY_PATH:
            self.path(tool, entry.specifier)
        elif tool in _NEVER_BY_PATH:
            self.path_of_no_account(entry)
        elif tool == "WebFetch" and entry.specifier.startswith("domain:"):
            self.host(entry.specifier.removeprefix("domain:").strip())
        elif tool in _NAMED_BY and entry.parameter is None:
            self.parameter(tool, _NAMED_BY[tool], entry.specifier.removesuffix(" *"))
        elif entry.parameter is not None:
            name, value = entry.parameter
            if tool == "Skill" and value == "*":
                name, value = _NAMED_BY[tool], name
            self.parameter(tool, name, value)
        else:
            self.say(LOST, f"`{_shown(self.entry)}`: {tool} takes nothing like that in brackets")

    def add(self, group: str, value: Any) -> None:
        """Add an entry to a group. Raises Malformed where no rule can express it."""
        _, refusals = schema.read(_asking({_MATCHERS.get(group, group): [value]}))
        if refusals:
            raise permissions.Malformed(refusals[0].predicate, refusals[0].help)
        line, column = self.at
        self.groups.setdefault(group, []).append(Noted(value, f"{self.entry}, {line}:{column}"))

    def bare(self, tool: str) -> None:
        if self.list == DENYING:
            said = "Claude Code takes such a tool out of the model's sight; here each call is denied"
            self.say_once(NOTE, said, "leave it in the settings as well")
        if self.list == ALLOWING and tool in (*_SHELLS, *_EDITING):
            self.say(DIFFERS, f"`{tool}` approves every call of it without a question", "name what is meant")
        if self.list == ALLOWING and tool in _SHELLS:
            self.single.append((tool.lower(), {"tools": ["Bash"]}, f'platform_tool_name == "{tool}"', self.origin()))
            return
        own = {"Agent": "Task", "MultiEdit": "Edit"}.get(tool, tool)
        names = _BY_PATH.get(own, (own,)) if self.list != ALLOWING or own == "Edit" else (own,)
        for name in names:
            if all(one.value != name for one in self.groups.get("tools", ())):
                self.add("tools", name)

    def tool_glob(self, tool: str) -> None:
        if self.list == ALLOWING:
            self.say(NOTE, f"`{_shown(self.entry)}`: Claude Code approves nothing by a name with `*`", "name the tools")
        elif tool == "*":
            self.single.append(("everything", {}, "", self.origin()))
        else:
            known = [name for name in CANONICAL if _fits(tool, name)]
            help = f"name them: {', '.join(known)}" if known else "name the tools"
            self.say(LOST, f"`{_shown(self.entry)}`: of tools' names only those of MCP tools take a `*` here", help)

    def mcp(self, tool: str) -> None:
        server, _, name = tool.removeprefix("mcp__").partition("__")
        if self.list == ALLOWING and "*" in server:
            self.say(NOTE, f"`{_shown(self.entry)}`: Claude Code approves no server that it does not name")
            return
        if not server:
            raise permissions.Malformed("it names no server", "`mcp__server` or `mcp__server__tool`")
        self.add("mcp", {"server": server} if name in ("", "*") else {"server": server, "tool": name})

    def command(self, entry: Entry) -> None:
        given = entry.parameter
        if given is not None and given[0] in _PARAMETERS_OF_SHELLS and self.list != ALLOWING:
            self.parameter(entry.tool, *given)
            return
        if given is not None and given[0] == "command" and not given[1].startswith("*"):
            raise permissions.Malformed("Claude Code ignores it", f"write `{entry.tool}({given[1]})`")
        pattern = commands.read(entry.specifier)
        if pattern.is_everything:
            self.bare(entry.tool)
            return
        if self.list == ALLOWING:
            self.approved(entry, pattern)
            return
        if pattern.has_operators:
            help = "better: command: {stdin_from: download, opaque: code}" if "|" in pattern.text else ""
            said = (
                f"`{_shown(self.entry)}`: Claude Code looks at each command by itself, so it never fits; here it does"
            )
            self.say(DIFFERS, said, help)
        found = None if pattern.has_operators else commands.as_command(pattern)
        if found is not None and _stops(found, entry.tool, pattern):
            said = "a command counts however it is written: `git -C x push`, `sudo git push`, `bash -c 'git push'`"
            self.say_once(DIFFERS, said)
            self.add("command", found)
            return
        if not pattern.has_operators:
            said = "a pattern that is more than a beginning looks at the text of the line"
            self.say_once(NOTE, said, "`command` sees more: docs/policy.md")
        self.add("command_match", commands.as_regex(pattern, powershell=entry.tool == "PowerShell"))

    def approved(self, entry: Entry, pattern: commands.Pattern) -> None:
        regex = commands.as_approval(pattern, powershell=entry.tool == "PowerShell")
        if regex is None:
            said = f"`{_shown(self.entry)}`: what it approves cannot be told from what Claude Code goes on asking about"
            self.say(LOST, said, "leave it in the settings")
            return
        said = "only plain lines are approved; of one with `;`, `&`, `|`, `<`, `>`, `$` or () Claude Code decides"
        self.say_once(DIFFERS, said, "leave the list in the settings")
        self.add("powershell" if entry.tool == "PowerShell" else "command_match", regex)

    def path_of_no_account(self, entry: Entry) -> None:
        instead = _NEVER_BY_PATH[entry.tool]
        said = f"`{_shown(self.entry)}`: Claude Code never looks at paths of {entry.tool}"
        if self.list == ALLOWING:
            self.say(NOTE, said, f"write `{instead}({entry.specifier})` if it is meant")
            return
        self.say(DIFFERS, f"{said}; here it counts, as `{instead}` does")
        self.path(instead, entry.specifier)

    def path(self, tool: str, path: str) -> None:
        glob = permissions.as_glob(path, user=self.user)
        if path.startswith("/") and not path.startswith("//"):
            said = f"`{path}` is `{glob}`, as Claude Code has it, and no path from the root on"
            self.say(NOTE, said, f"`/{path}` would be that")
        if "/" not in path.rstrip("/").removeprefix("**/") and self.list != ALLOWING and not path.startswith("~"):
            self.say_once(
                DIFFERS, "a bare name counts outside of the project as well", "write ./**/NAME for the project alone"
            )
        if self.list != ALLOWING:
            said = "a file counts by whatever touches it: commands, code in them, and MCP tools, too"
            self.say_once(DIFFERS, said, "so does what reads all that lies below a directory: `grep -r x .`")
        if self.list != ALLOWING and tool == "Read":
            said = "the Grep tool is stopped where it is given the file or its directory, and not over one further up"
            self.say_once(DIFFERS, said, "leave the entry in the settings as well")
        self.add("read" if tool == "Read" else "write", glob)

    def host(self, domain: str) -> None:
        domain = domain.lower().rstrip(".")
        if domain == "*":
            self.bare("WebFetch")
            return
        if not domain or any(char in domain for char in "/?[]{}\\ :"):
            raise permissions.Malformed("it names no host", "`WebFetch(domain:example.com)`")
        if self.list == ALLOWING and "*" in domain.removeprefix("*."):
            self.say(LOST, f"`{_shown(self.entry)}`: here a `*` fits dots as well", "name the hosts")
            return
        if self.list != ALLOWING:
            self.say_once(DIFFERS, "a host counts by whatever asks it: `curl`, `git` and other commands, too")
        self.add("domains", domain)

    def parameter(self, tool: str, name: str, value: str) -> None:
        if self.list == ALLOWING and name not in _NAMED_BY.values():
            self.say(NOTE, f"`{_shown(self.entry)}`: Claude Code approves nothing by a parameter")
            return
        if name in _NO_PARAMETERS:
            raise permissions.Malformed("Claude Code ignores it", "write the path or the host itself in the brackets")
        field = f'string(get_field("{name}"))' if name not in _NAMED_BY.values() else f'get_field("{name}")'
        if value == "*":
            asked = f'has_field("{name}")'
        elif "*" in value:
            asked = f"{field}.matches({json.dumps('^' + _as_regex(value) + '$', ensure_ascii=False)})"
        else:
            asked = f"{field} == {json.dumps(value, ensure_ascii=False)}"
        wrong = expressions.check(asked)
        if wrong:
            raise permissions.Malformed(wrong[0])
        own = {"Agent": "Task"}.get(tool, tool)
        told = f"{tool} {value}" if name in _NAMED_BY.values() else f"{tool} {name} {value}"
        plain = "-".join("".join(char if char.isascii() and char.isalnum() else " " for char in told).split())
        self.single.append((plain.lower(), {"tools": [own]}, asked, self.origin()))

    # Rules of the groups.

    def write_groups(self) -> None:
        groups = self.groups
        for key, label, tool in _OF_COMMANDS:
            if key in groups:
                # Of a shell's tools each is approved by itself; `tools: [Bash]` would be all of them.
                asked = f'platform_tool_name == "{tool}"' if self.list == ALLOWING else ""
                self.write(label, {_MATCHERS.get(key, key): groups[key]}, asked)
        for key, label in (("read", "reading"), ("write", "writing")):
            if key in groups:
                self.files(key, label, groups[key])
        if "domains" in groups:
            only = {"tools": ["WebFetch"]} if self.list == ALLOWING else {}
            self.write("hosts", {**only, "domains": groups["domains"]})
        for key in ("mcp", "tools"):
            if key in groups:
                self.write(key, {key: groups[key]})
        for label, matchers, asked, origin in self.single:
            self.write(label, matchers, asked, origin)
        if self.list == ALLOWING and (groups or self.single):
            self.at = self.place(self.list)
            said = "what approves skips Claude Code's question; in a project it waits for `rulez trust`"
            self.say(NOTE, said, "without `platforms` it holds for every agent")

    def files(self, key: str, label: str, found: list[Noted]) -> None:
        if self.list == ALLOWING:
            tools = list(_READING if key == "read" else _EDITING)
            kept = [Noted(glob, "Claude Code asks about these") for glob in _OWN_PLACES] if key == "write" else []
            self.write(label, {"tools": tools, "paths": {"globs": [*found, *kept], "access": [key]}})
            return
        access = ["read"] if key == "read" else ["write", "delete"]
        self.write(label, {"paths": {"globs": found, "access": access}})
        if key == "read" and self.list == DENYING:
            globs = [one.value for one in found]
            paths = {"globs": globs, "access": ["write"]}
            self.write("edits-of-what-may-not-be-read", {"tools": ["Edit"], "paths": paths})

    def origin(self) -> str:
        """Return the place of the entry, and the entry."""
        return f"{self.shown}:{self.at[0]}:{self.at[1]}, {self.entry}"

    def write(self, label: str, matchers: dict[str, Any], asked: str = "", origin: str = "") -> None:
        name = first = f"{self.list}-{label}"
        number = 2
        while name in self.names:
            name, number = f"{first}-{number}", number + 1
        self.names.add(name)
        only = {"platforms": ["claude"]} if self.list == ALLOWING else {}
        data: dict[str, Any] = {"name": name}
        if self.list in _DESCRIPTIONS:
            data["description"] = _DESCRIPTIONS[self.list].format(source=self.shown)
        if asked:
            data["enabled_when"] = asked
        data["matchers"] = {"operations": ["PreToolUse"], **only, **matchers}
        data["actions"] = {_ACTIONS[self.list]: True}
        origin = origin or f"{self.shown}:{self.place(self.list)[0]}, {self.list}"
        self.rules.append(Written(data, (origin,)))


def _asking(matchers: dict[str, Any]) -> dict[str, Any]:
    """Return a file with one rule, which has these matchers."""
    return {"version": "1.0", "rules": [{"name": "x", "matchers": matchers}]}


def _fits(glob: str, name: str) -> bool:
    import fnmatch

    return fnmatch.fnmatchcase(name, glob.replace("[", "[[]"))


def _as_regex(value: str) -> str:
    import re

    return ".*".join(re.escape(piece) for piece in value.split("*"))


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _stops(found: dict[str, Any], tool: str, pattern: commands.Pattern) -> bool:
    """Tell if a rule with this `command` stops an example of the pattern."""
    text = policy("", {}, [Written({"name": "x", "matchers": {"command": found}, "actions": {"block": True}})])
    checked = check(text.encode(), "")
    if checked.data is None or errors(checked.problems):
        return False
    (rule,) = compile_rules(
        checked.data, checked.rule_lines, layer=BUILT_IN, shown="", root=case_repository.PROJECT_DIR, trusted=True
    )
    examples = [pattern.example, *([f"{pattern.example} x"] if pattern.end == commands.OPEN else [])]
    return all(cases.judged(rule, {"tool": tool, "command": one}).decision == DENY for one in examples)
