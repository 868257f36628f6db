"""What each harness loads as an agent definition: the facts as data, in one table.

Measured on the real CLIs: docs/contracts, "Agent definition files". What tools are called is in `rulez_py.tools`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulez_py.agents.tool import Harness

Check = Callable[[Any], bool]

LARGEST_FILE = 10_000_000
"""Bytes of a file that is read or written here."""


def _anything(_value: Any) -> bool:
    return True


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _switch(value: Any) -> bool:
    return isinstance(value, bool)


def _map(value: Any) -> bool:
    return isinstance(value, Mapping)


def _list(value: Any) -> bool:
    return isinstance(value, tuple)


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _one_of(*words: str) -> Check:
    return lambda value: value in words


def _color(value: Any) -> bool:
    words = ("primary", "secondary", "accent", "success", "warning", "error", "info")
    return isinstance(value, str) and (value in words or re.fullmatch("#[0-9a-fA-F]{6}", value) is not None)


_action = _one_of("allow", "ask", "deny")


def _permission(value: Any) -> bool:
    return _action(value) or (_map(value) and all(map(_action, value.values())))


def _texts(value: Any) -> bool:
    return _list(value) and all(map(_text, value))


def _servers(value: Any) -> bool:
    return _map(value) and all(_map(one) and "tools" in one for one in value.values())


@dataclass(frozen=True, kw_only=True)
class HarnessFile:
    """The file of one harness: where it stands and what may stand in it."""

    directory: str
    ending: str = ".md"
    keys: Mapping[str, str]
    """A field of ours -> the key that says it there. A field that is not here cannot be said."""
    known: Mapping[str, Check]
    """Further keys it knows -> what their value must be; another one loses the whole file."""
    ignores_unknown: bool
    """Other keys do no harm. Else they lose the file, or are sent to the model's provider."""
    refuses_unknown: bool = False
    """Other keys lose the file."""
    own_agents: frozenset[str]
    """Names of its own agents, which a file of the same name does not give a new one."""
    widening: Mapping[str, str] = field(default_factory=dict)
    """Key -> what it gives an agent whatever `tools` says."""
    overruling: frozenset[str] = frozenset()
    """Those that give back what is taken away."""

    tools_as_map: bool = False
    """`tools` is a map of name to true or false; else a list of the names that the agent has."""
    one_switch: frozenset[str] = frozenset()
    """Tool variants of which each name gives all."""
    names_overlap: bool = False
    """A tool goes by several names, and any of them gives it."""
    ignores_case: bool = False
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Further names of its tools -> those of the matrix."""
    spawners: tuple[str, ...] = ()
    """The tools that hand work to another agent, which has every tool."""
    besides: tuple[str, ...] = ()
    """What an agent has beside the tool variants: where tools can only be taken away by a list of all others."""
    tool_name: re.Pattern[str] = re.compile(r"(?![*?]+$).*", re.S)
    """What a name must be to mean what it says."""
    other_tool_names_lose_the_file: bool = False

    model: re.Pattern[str]
    """What the name of a model looks like that is meant for it."""
    needs_model_like_that: bool = False
    largest: int = LARGEST_FILE
    """Bytes of a file that it loads."""
    breaks_prompt: re.Pattern[str] | None = None
    """What makes every call of the agent fail."""
    changes_prompt: re.Pattern[str] | None = None
    """What is replaced in a prompt, with no way to write it literally."""
    needs_prompt: bool = False
    description_on_one_line: bool = False
    """A second line would be another entry of the list that the model reads."""
    changes_description: re.Pattern[str] | None = None
    """What becomes a line end in a description, however it is written."""
    changes_json: re.Pattern[str] | None = None
    """What is replaced in the text of its JSON, before it is read; its first character is written as an escape."""
    json_path: tuple[str, ...] = ()
    """Where an agent stands in the harness's own JSON; `{name}` is its name. () where it reads none."""
    loaded_instead: tuple[str, ...] = ()
    """Files that win over this one or are merged into it, by their paths from the project's directory or from `~`."""
    named_inside: bool = False
    """The name in the file is the agent's, whatever the file is called."""
    afterwards: str = ""
    """What is left for a person to do."""

    @property
    def can_take_away(self) -> bool:
        """Whether the file can say what an agent must not have; else only what it has."""
        return self.tools_as_map or "disallowed_tools" in self.keys


_WRITING = frozenset(("Write", "Edit"))
_NO_SLASH = re.compile(r"[^/]+")

HARNESS_FILES: Mapping[Harness, HarnessFile] = {
    # contracts/opencode.md
    Harness.OpenCode: HarnessFile(
        directory=".opencode/agent",
        loaded_instead=(
            ".opencode/agents/{name}.md",
            *(f"~/.config/opencode/{directory}/{{name}}.md" for directory in ("agent", "agents")),
        ),
        keys={
            "description": "description",
            "tools": "tools",
            "model": "model",
            "temperature": "temperature",
            "max_tokens": "max_tokens",  # An option of the provider: those that are OpenAI-compatible take it.
        },
        known={
            "mode": _one_of("primary", "subagent", "all"),
            "color": _color,
            "steps": _count,
            "maxSteps": _count,
            "top_p": _number,
            "hidden": _switch,
            "disable": _switch,
            "options": _map,
            "variant": _text,
            "permission": lambda value: _action(value) or (_map(value) and all(map(_permission, value.values()))),
        },
        ignores_unknown=False,
        own_agents=frozenset(("build", "plan", "general", "explore", "title", "summary", "compaction")),
        widening={"permission": "wins over tools"},
        overruling=frozenset(("permission",)),
        tools_as_map=True,
        one_switch=_WRITING,
        spawners=("task",),
        model=re.compile(r"[^/]+/.+"),
        needs_model_like_that=True,
        changes_json=re.compile(r"\{(?=(?:env|file):)"),
        json_path=("agent", "{name}"),
    ),
    # contracts/copilot.md
    Harness.Copilot: HarnessFile(
        directory=".github/agents",
        loaded_instead=("~/.copilot/agents/{name}.agent.md", "~/.copilot/agents/{name}.md"),
        named_inside=True,
        ending=".agent.md",
        keys={"name": "name", "description": "description", "tools": "tools", "model": "model"},
        known={
            "model-policy": _one_of("preferred", "required"),
            "reasoning-effort": _text,
            "disable-model-invocation": _switch,
            "infer": _switch,
            "user-invocable": _switch,
            "include-custom-instructions": _switch,
            "mcp-servers": _servers,
            "skills": _texts,
            "hooks": _map,
            "strict-tools-list": _switch,
            "deferred-tool-loading": _switch,
            "target": _anything,
            "metadata": _anything,
            "argument-hint": _anything,
            "handoffs": _anything,
            "agents": _anything,
        },
        ignores_unknown=True,
        own_agents=frozenset(
            (
                *("explore", "task", "general-purpose", "code-review", "research", "security-review"),
                *("rubber-duck", "rem-agent", "subconscious-agent", "default"),
            )
        ),
        one_switch=_WRITING,
        names_overlap=True,
        ignores_case=True,
        aliases={
            **dict.fromkeys(("runcommands",), "execute"),
            **dict.fromkeys(("multiedit", "notebookedit"), "edit"),
            **dict.fromkeys(("notebookread",), "read"),
            **dict.fromkeys(("codebase", "grep", "grep_search", "rg"), "search"),
            **dict.fromkeys(("todos",), "todo"),
            **dict.fromkeys(("webfetch",), "web"),
            **dict.fromkeys(("agent", "custom-agent"), "task"),
        },
        spawners=("task",),
        model=_NO_SLASH,
        changes_prompt=re.compile(r"\{\{(?:cwd|grepToolName|globToolName|shellToolName)\}\}"),
    ),
    # contracts/claude-code.md
    Harness.Claude: HarnessFile(
        directory=".claude/agents",
        named_inside=True,
        keys={
            "name": "name",
            "description": "description",
            "tools": "tools",
            "disallowed_tools": "disallowedTools",
            "model": "model",
        },
        known=dict.fromkeys(
            (
                *("permissionMode", "maxTurns", "mcpServers", "hooks", "skills", "color", "memory", "background"),
                *("isolation", "effort", "initialPrompt"),
            ),
            _anything,
        ),
        ignores_unknown=True,
        own_agents=frozenset(("general-purpose", "explore", "plan", "claude", "statusline-setup")),
        widening={
            "memory": "gives it Read, Write and Edit",
            "mcpServers": "gives it all tools of these servers",
        },
        spawners=("Agent", "Workflow"),
        # `Bash(git:*)` gives the whole of Bash, `*` everything; as disallowed tool `*` voids the list.
        tool_name=re.compile(r"[^\s,()*]+(?:(?<=__)\*)?"),
        model=_NO_SLASH,
        changes_description=re.compile(r"\\n"),
        largest=1_048_000,  # 1 MiB, with the line that says who wrote it.
        json_path=("{name}",),
    ),
    # contracts/gemini-cli.md
    Harness.Gemini: HarnessFile(
        directory=".gemini/agents",
        named_inside=True,
        keys={
            "name": "name",
            "description": "description",
            "tools": "tools",
            "model": "model",
            "temperature": "temperature",  # Taken, and without effect so far.
        },
        known={
            "kind": _one_of("local"),
            "display_name": _text,
            "max_turns": _count,
            "timeout_mins": _count,
            "mcp_servers": _map,
        },
        ignores_unknown=False,
        refuses_unknown=True,
        own_agents=frozenset(("codebase_investigator", "cli_help", "generalist", "browser_agent")),
        widening={"mcp_servers": "gives it all tools of these servers"},
        names_overlap=True,
        besides=("grep_search", "mcp_*"),
        tool_name=re.compile(
            r"mcp_\*|mcp_[A-Za-z0-9.:-]+_(?:\*|(?=[^_]*[A-Za-z0-9.:-])[A-Za-z0-9_.:-]+)|discovered_tool_\S+|"
            r"glob|write_todos|write_file|google_web_search|web_fetch|replace|run_shell_command|grep_search|"
            r"search_file_content|read_many_files|read_file|list_directory|activate_skill|ask_user|"
            r"tracker_(?:create_task|update_task|get_task|list_tasks|add_dependency|visualize)|get_internal_docs|"
            r"enter_plan_mode|exit_plan_mode|update_topic|complete_task|invoke_agent|read_mcp_resource|list_mcp_resources"
        ),
        other_tool_names_lose_the_file=True,
        model=_NO_SLASH,
        breaks_prompt=re.compile(r"\$\{[A-Za-z0-9_]+\}"),
        needs_prompt=True,
        description_on_one_line=True,
        afterwards="Gemini CLI loads it when somebody has acknowledged it in its terminal, once for each change",
    ),
}
