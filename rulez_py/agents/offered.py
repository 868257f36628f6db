"""What a name in an agent definition file really gives the model, measured on the real CLIs.

The names are fixed (`rulez_py.tools.AGENT_FILE_NAMES`); this says where they do more, less or nothing. Sources:
docs/contracts, "Agent definition files"; the end-to-end tests hold it to the CLIs of tests/e2e/versions.json.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulez_py.agents.tool import Harness
from rulez_py.tools import SEEN, SOURCE


@dataclass(frozen=True, slots=True)
class Offered:
    """The tools that the model is offered, by the names it sees; `remark` says when not, or what would be right."""

    names: tuple[str, ...]
    remark: str = ""
    evidence: str = SEEN


def _same(*names: str) -> dict[str, Offered]:
    return {name: Offered((name,)) for name in names}


OFFERED: Mapping[Harness, Mapping[str, Offered]] = {
    Harness.OpenCode: {
        "write": Offered(
            ("write", "edit"), "one switch with `edit`; GPT models are offered `apply_patch` in place of both"
        ),
        "edit": Offered(("write", "edit"), "one switch with `write`"),
        **_same("bash", "read"),
        "grep": Offered(("grep",), "the tool `glob` has that name: `Custom:glob` gives it"),
        "list": Offered((), "there is no such tool; `read` reads directories"),
        "lsp": Offered(("lsp",), "only with OPENCODE_EXPERIMENTAL_LSP_TOOL"),
        **_same("skill", "todowrite"),
        "todoread": Offered((), "there is no such tool"),
        **_same("webfetch"),
        "question": Offered(("question",), "in its terminal and app; never in `opencode run`", SOURCE),
    },
    Harness.Copilot: {
        "write": Offered(("create", "edit"), "the same as `edit`; VS Code does not know it"),
        "edit": Offered(("create", "edit"), "Codex models are offered `apply_patch` in place of both"),
        "execute": Offered(("bash", "read_bash", "list_bash", "stop_bash")),
        "read": Offered(("view",)),
        "search": Offered(("glob", "grep")),
        "skill": Offered(("skill",), "VS Code does not know it"),
        "todo": Offered(("update_todo",), "nothing reads it"),
        "web": Offered(("web_fetch",), "searching comes from GitHub's MCP server; nothing with COPILOT_OFFLINE"),
    },
    Harness.Claude: {
        **_same("Write", "Edit", "Bash", "Read"),
        "Glob": Offered(("Glob",), "nothing beside `Bash`, which is told to search with `find`"),
        "LSP": Offered((), "not offered in the measured version"),
        "skill": Offered((), "names are case-sensitive there: `Custom:Skill` gives it"),
        **{
            name: Offered((name,), "with older models, or CLAUDE_CODE_ENABLE_TODO_TOOLS=1")
            for name in ("TaskCreate", "TaskUpdate", "TaskList", "TaskGet")
        },
        **_same("WebFetch", "WebSearch"),
        "AskUserQuestion": Offered(("AskUserQuestion",), "to a main agent somebody talks with; never to a subagent"),
    },
    Harness.Gemini: {
        **_same("write_file", "replace", "run_shell_command", "read_file", "glob", "list_directory", "activate_skill"),
        "write_todos": Offered(("write_todos",), "with Gemini 2 models only"),
        **_same("web_fetch", "google_web_search"),
        "ask_user": Offered(("ask_user",), "in its terminal; never in `gemini -p`"),
    },
}
