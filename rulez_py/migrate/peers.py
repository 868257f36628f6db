"""Recognize files of other products that guard agents, which `rulez migrate` cannot read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Peer:
    """One kind of file of another product, called `title`.

    `names` are globs of the ends of its paths; one of the `marks` in a text is enough to know it by.
    """

    title: str
    names: tuple[str, ...] = ()
    marks: tuple[str | tuple[str, ...], ...] = ()

    def signed(self, text: str) -> bool:
        """Tell whether a text has one of its marks; of a mark of several parts all."""
        each = ((mark,) if isinstance(mark, str) else mark for mark in self.marks)
        return any(all(re.search(part, text) for part in parts) for parts in each)


def _keys(*names: str) -> str:
    """Return a mark: one of these at the beginning of a line, as a key of YAML."""
    return rf"(?m)^(?:{'|'.join(names)})[ \t]*:"


_CURSOR = "Cursor's permissions"
PEERS: tuple[Peer, ...] = (
    Peer(
        "cc-safety-net's rulebook",
        (".safety-net.json", ".cc-safety-net/*"),
        (r'"block_args"\s*:', r'"allowed_commands"\s*:'),
    ),
    Peer(
        "OpenCode's settings",
        ("opencode.json", "opencode.jsonc"),
        (r'"permission"\s*:\s*[{"]', r'"\$schema"\s*:\s*"https://opencode\.ai/'),
    ),
    Peer("a policy of Gemini CLI", (".gemini/policies/*.toml",), (r"(?m)^\[\[rule\]\]",)),
    Peer(
        "Gemini CLI's settings",
        (".gemini/settings.json",),
        (r'"(?:coreTools|excludeTools)"\s*:', r'"tools"\s*:\s*\{[^}]{0,500}"(?:allowed|exclude|core)"\s*:'),
    ),
    Peer("a file of Codex CLI's rules", (".codex/rules/*.rules",), (r"(?m)^[ \t]*prefix_rule[ \t]*\(",)),
    Peer("Codex CLI's settings", (".codex/config.toml",), (r"(?m)^(?:approval_policy|sandbox_mode)[ \t]*=",)),
    Peer(_CURSOR, (".cursor/cli.json", "cli-config.json"), (r'"(?:allow|deny)"\s*:\s*\[\s*"Shell\(',)),
    Peer("VS Code's settings", (".vscode/settings.json",), (r'"chat\.tools\.terminal\.autoApprove"\s*:',)),
    Peer(
        "a file of dcg, destructive_command_guard",
        (".dcg.toml", ".dcg/*.toml", "dcg/config.toml", "dcg/allowlist.toml"),
        (r"(?m)^\[packs\]", _keys("destructive_patterns")),
    ),
    Peer(
        "nah's configuration",
        (".nah.yaml", "nah/config.yaml"),
        (_keys("classify", "sensitive_paths", "active_allow", "trusted_paths", "known_registries"),),
    ),
    Peer(
        "a rule of hookify",
        (".claude/hookify.*.md",),
        (r"\A---[ \t]*\n(?:(?!---)[^\n]*\n)*event[ \t]*:[ \t]*(?:bash|file|stop|prompt|all)[ \t]*\n",),
    ),
    Peer(
        "damage-control's patterns",
        ("damage-control-rules.yaml",),
        (_keys("bashToolPatterns", "zeroAccessPaths", "readOnlyPaths", "noDeletePaths"),),
    ),
    Peer(
        "belay's policy",
        ("belay.yaml", "belay.yml"),
        (
            r"(?m)^[ \t]+require[ \t]*:[ \t]*\{?\s*fact[ \t]*:",
            (r"(?m)^default[ \t]*:[ \t]*(?:allow|ask|deny)\b", r"(?m)^[ \t]*- id[ \t]*:"),
        ),
    ),
    Peer(
        "a file of cupcake",
        (".cupcake/*",),
        (r"(?m)^package cupcake\b", (_keys("signals"), _keys("builtins"))),
    ),
)

_OURS = re.compile(r'(?m)^[ \t]*(?:- )?[ \t]*"?matchers"?[ \t]*:|"permissions"\s*:\s*\{')
"""Rules of RuleZ, permissions of Claude Code: in such a file a mark of another product means nothing."""


def title(path: str, content: bytes) -> str | None:
    """Return the name of the product of a file; None for an unknown one. `path` has `/` between its parts."""
    for peer in PEERS:
        if any(fnmatchcase(f"/{path}", f"*/{name}") for name in peer.names):
            return peer.title
    text = content.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    told = [peer.title for peer in PEERS if peer.signed(text)]
    if _OURS.search(text):
        told = [one for one in told if one == _CURSOR]  # It has Claude Code's key, and tools of its own.
    return told[0] if told else None
