"""The tool table, both directions.

Inbound: the name a platform's hook payload carries -> the canonical name (Claude Code's) and the tool variant it
belongs to. Outbound: a tool variant -> the names a platform's *agent definition files* use, which are not always the
names its hook payloads use. `TOOL-MAPPING.md` is generated from this module (`rulez tools --markdown`).
"""

from __future__ import annotations

from rulez_py.analysis import Value

# How we know a row.
SEEN = "seen"  # in a payload recorded from the real CLI (tests/payloads)
SOURCE = "source"  # in the platform's shipped code or type declarations, not in a recording
DOCS = "docs"  # only in the platform's documentation
REQUIRED = "required"  # asked for by rulez' mission; the measured CLI version does not send it

CANONICAL: tuple[str, ...] = ("Bash", "Write", "Edit", "Read", "Glob", "Grep", "Task", "WebFetch")

VARIANTS: tuple[str, ...] = (
    "Write",
    "Edit",
    "Shell",
    "Read",
    "Glob",
    "List",
    "LSP",
    "Skill",
    "TodoWrite",
    "TodoRead",
    "WebFetch",
    "WebSearch",
    "Question",
)

# Variants that an event answers to because of its canonical name.
_VARIANT_OF_CANONICAL = {
    "Bash": "Shell",
    "Write": "Write",
    "Edit": "Edit",
    "Read": "Read",
    "Glob": "Glob",
    "WebFetch": "WebFetch",
}


class ToolName(Value):
    """One name of one platform. `canonical` is None where the name passes through unchanged."""

    name: str
    canonical: str | None = None
    variants: tuple[str, ...] = ()
    evidence: str = SEEN


def _rows(*rows: tuple[str, str | None, str, str]) -> dict[str, ToolName]:
    return {
        name: ToolName(name=name, canonical=canonical, variants=tuple(variants.split()), evidence=evidence)
        for name, canonical, variants, evidence in rows
    }


INBOUND: dict[str, dict[str, ToolName]] = {
    # contracts/claude-code.md section 3
    "claude": _rows(
        ("Bash", "Bash", "", SEEN),
        ("PowerShell", "Bash", "", SEEN),
        ("Monitor", "Bash", "", SEEN),
        ("Write", "Write", "", SEEN),
        ("Edit", "Edit", "", SEEN),
        ("MultiEdit", "Edit", "", DOCS),
        ("Read", "Read", "", SEEN),
        ("Glob", "Glob", "", SEEN),
        ("Grep", "Grep", "", SEEN),
        ("Task", "Task", "", SOURCE),
        ("Agent", "Task", "", SEEN),
        ("WebFetch", "WebFetch", "", SEEN),
        ("NotebookEdit", None, "Edit", SEEN),
        ("LSP", None, "LSP", SOURCE),
        ("Skill", None, "Skill", SEEN),
        ("TodoWrite", None, "TodoWrite", SEEN),
        ("TaskCreate", None, "TodoWrite", SEEN),
        ("TaskUpdate", None, "TodoWrite TodoRead", SEEN),
        ("TaskList", None, "TodoRead", SEEN),
        ("TaskGet", None, "TodoRead", SOURCE),
        ("WebSearch", None, "WebSearch", SEEN),
        ("AskUserQuestion", None, "Question", SEEN),
    ),
    # contracts/gemini-cli.md section 2
    "gemini": _rows(
        ("run_shell_command", "Bash", "", SEEN),
        ("execute_code", "Bash", "", REQUIRED),
        ("write_file", "Write", "", SEEN),
        ("replace", "Edit", "", SEEN),
        ("read_file", "Read", "", SEEN),
        ("glob", "Glob", "", SEEN),
        ("search_file_content", "Grep", "", SEEN),
        ("grep_search", "Grep", "", SEEN),
        ("invoke_agent", "Task", "", SEEN),
        ("web_fetch", "WebFetch", "", SEEN),
        ("list_directory", None, "List", SEEN),
        ("read_many_files", None, "", REQUIRED),
        ("google_web_search", None, "WebSearch", SEEN),
        ("ask_user", None, "Question", SEEN),
        ("save_memory", None, "", REQUIRED),
        ("write_todos", None, "TodoWrite", SEEN),
        ("activate_skill", None, "Skill", SEEN),
        ("run_agent", None, "", REQUIRED),
        ("list_files", None, "List", REQUIRED),
        ("search_files", None, "", REQUIRED),
    ),
    # contracts/copilot.md sections 3 (the CLI, both dialects) and 6 (VS Code)
    "copilot": _rows(
        ("shell", "Bash", "", REQUIRED),
        ("bash", "Bash", "", SEEN),
        ("powershell", "Bash", "", SOURCE),
        ("write", "Write", "", REQUIRED),
        ("create", "Write", "", SEEN),
        ("edit", "Edit", "", SEEN),
        ("str_replace_editor", "Edit", "", SOURCE),
        ("apply_patch", "Edit", "", SEEN),
        ("read", "Read", "", REQUIRED),
        ("view", "Read", "", SEEN),
        ("glob", "Glob", "", SEEN),
        ("grep", "Grep", "", SEEN),
        ("rg", "Grep", "", SEEN),
        ("task", "Task", "", SEEN),
        ("Agent", "Task", "", SEEN),
        ("fetch", "WebFetch", "", REQUIRED),
        ("web_fetch", "WebFetch", "", SEEN),
        ("web_search", None, "WebSearch", DOCS),
        ("WebSearch", None, "WebSearch", DOCS),
        ("ask_user", None, "Question", SOURCE),
        ("AskUserQuestion", None, "Question", SOURCE),
        ("skill", None, "Skill", SEEN),
        ("update_todo", None, "TodoWrite", DOCS),
        ("TodoWrite", None, "TodoWrite", DOCS),
        ("TodoRead", None, "TodoRead", REQUIRED),
        ("write_bash", "Bash", "", SOURCE),
        ("run_in_terminal", "Bash", "", SOURCE),
        ("create_file", "Write", "", SOURCE),
        ("replace_string_in_file", "Edit", "", SOURCE),
        ("multi_replace_string_in_file", "Edit", "", SOURCE),
        ("insert_edit_into_file", "Edit", "", SOURCE),
        ("read_file", "Read", "", SOURCE),
        ("file_search", "Glob", "", SOURCE),
        ("grep_search", "Grep", "", SOURCE),
        ("fetch_webpage", "WebFetch", "", SOURCE),
        ("runSubagent", "Task", "", SOURCE),
        ("edit_notebook_file", None, "Edit", SOURCE),
        ("list_dir", None, "List", SOURCE),
        ("manage_todo_list", None, "TodoWrite TodoRead", SOURCE),
        ("runTerminalCommand", "Bash", "", DOCS),
        ("createFile", "Write", "", DOCS),
        ("editFiles", "Edit", "", DOCS),
    ),
    # contracts/opencode.md section 2
    "opencode": _rows(
        ("bash", "Bash", "", SEEN),
        ("write", "Write", "", SEEN),
        ("edit", "Edit", "", SEEN),
        ("apply_patch", "Edit", "", SEEN),
        ("read", "Read", "", SEEN),
        ("glob", "Glob", "", SEEN),
        ("grep", "Grep", "", SEEN),
        ("task", "Task", "", SEEN),
        ("webfetch", "WebFetch", "", SEEN),
        ("fetch", "WebFetch", "", REQUIRED),
        ("list", None, "List", REQUIRED),
        ("lsp", None, "LSP", SEEN),
        ("patch", None, "Edit", REQUIRED),
        ("skill", None, "Skill", SEEN),
        ("todowrite", None, "TodoWrite", SEEN),
        ("todoread", None, "TodoRead", REQUIRED),
        ("websearch", None, "WebSearch", SEEN),
        ("question", None, "Question", SOURCE),
    ),
    # contracts/codex.md section 2
    "codex": _rows(
        ("Bash", "Bash", "", SEEN),
        ("apply_patch", "Edit", "", SEEN),
        ("view_image", "Read", "", SEEN),
        ("spawn_agent", "Task", "", SEEN),
        ("request_user_input", None, "Question", SEEN),
    ),
}

# Variant -> names in an agent definition file. The first three columns are the project's requirement, letter for
# letter; Gemini CLI's are its own tool names (contracts/gemini-cli.md section 2).
AGENT_FILE_NAMES: dict[str, dict[str, tuple[str, ...]]] = {
    "opencode": {
        "Write": ("write",),
        "Edit": ("edit",),
        "Shell": ("bash",),
        "Read": ("read",),
        "Glob": ("grep",),
        "List": ("list",),
        "LSP": ("lsp",),
        "Skill": ("skill",),
        "TodoWrite": ("todowrite",),
        "TodoRead": ("todoread",),
        "WebFetch": ("webfetch",),
        "WebSearch": (),
        "Question": ("question",),
    },
    "copilot": {
        "Write": ("write",),
        "Edit": ("edit",),
        "Shell": ("execute",),
        "Read": ("read",),
        "Glob": ("search",),
        "List": ("search",),
        "LSP": (),
        "Skill": ("skill",),
        "TodoWrite": ("todo",),
        "TodoRead": ("todo",),
        "WebFetch": ("web",),
        "WebSearch": ("web",),
        "Question": (),
    },
    "claude": {
        "Write": ("Write",),
        "Edit": ("Edit",),
        "Shell": ("Bash",),
        "Read": ("Read",),
        "Glob": ("Glob",),
        "List": ("Glob",),
        "LSP": ("LSP",),
        "Skill": ("skill",),
        "TodoWrite": ("TaskCreate", "TaskUpdate"),
        "TodoRead": ("TaskList", "TaskGet", "TaskUpdate"),
        "WebFetch": ("WebFetch",),
        "WebSearch": ("WebSearch",),
        "Question": ("AskUserQuestion",),
    },
    "gemini": {
        "Write": ("write_file",),
        "Edit": ("replace",),
        "Shell": ("run_shell_command",),
        "Read": ("read_file",),
        "Glob": ("glob",),
        "List": ("list_directory",),
        "LSP": (),
        "Skill": ("activate_skill",),
        "TodoWrite": ("write_todos",),
        "TodoRead": (),
        "WebFetch": ("web_fetch",),
        "WebSearch": ("google_web_search",),
        "Question": ("ask_user",),
    },
}


def canonical_name(platform: str, name: str) -> str:
    """The canonical name of a platform's tool name; an unknown or custom name is returned unchanged."""
    row = INBOUND[platform].get(name)
    return row.canonical if row is not None and row.canonical is not None else name


def rule_names(platform: str, platform_tool_name: str) -> tuple[str, ...]:
    """Every plain name a rule's `tools:` may use for this tool: canonical, the platform's own, and its variants."""
    row = INBOUND[platform].get(platform_tool_name)
    canonical = canonical_name(platform, platform_tool_name)
    names = [canonical, platform_tool_name, *(row.variants if row is not None else ())]
    if canonical in _VARIANT_OF_CANONICAL:
        names.append(_VARIANT_OF_CANONICAL[canonical])
    return tuple(dict.fromkeys(names))
