"""The instruction files that Hermes reads.

Measured on the real CLI: contract.md, "Instruction files".
"""

from __future__ import annotations

import re

from rulez_py.platforms.instruction_files import SHARED, InstructionFiles

_ATTACKS = (
    # Invisible characters, and those that turn the direction of writing.
    "[\u200b-\u200d\u2060\u2062-\u2064\ufeff\u202a-\u202e\u2066-\u2069]",
    r"<!--[^>]*(?:ignore|override|system|secret|hidden)[^>]*-->",
    # Commands that read or send what is secret.
    r"\bcat\s[^\n]*(?:\.env|credentials|\.netrc|\.pgpass|\.npmrc|\.pypirc)",
    r"\b(?:curl|wget)\s[^\n]*\$\{?\w*(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|API)",
    r"\bunset\s+\w*(?:AGENT|ANTHROPIC|CLAUDE|CODEX|HERMES|OPENAI)",
    # Sentences that take the agent over, or have it hide something.
    r"\b(?:ignore|disregard)\s[^\n.]*\b(?:instructions|rules|guidelines)",
    r"\bnot\s[^\n.]*\btell\s[^\n.]*\bthe\s+user",
    r"\b(?:you\s+are\s[^\n.]*\bnow\s+(?:an?|the)|pretend\s[^\n.]*\b(?:you\s+are|to\s+be))\s",
    r"\b(?:system\s+prompt\s+override|output\s[^\n.]*\bsystem\s+prompt)",
    r"\b(?:answer|reply|respond)\s+without\s[^\n.]*\b(?:restrictions|limitations|filters|safety)",
    r"\bname\s+yourself\s",
    # Words of programs that steer others from afar.
    r"\b(?:heartbeat|beacon|check[\s-]?in)\s+(?:to|with)\s",
    r"\byou\s+must\s[^\n.]*\b(?:register|connect|report|beacon)\b",
    r"\bnever\s[^\n.]*\b(?:create|write)\s[^\n.]*\bdisk",
    r"\bonly\s+use\s+one[\s-]?liners?\b",
    r"\bconnect\s+to\s+the\s+network\b",
    r"\bpull\s[^\n.]*\btask",
    r"\bregister\s[^\n.]*\bnode",
    r"\bcommand\s+and\s+control\b|\bc2\s+(?:server|channel|infrastructure|beacon)",
    r"\b(?:brainworm|cobalt\s*strike|havoc|metasploit|mythic|sliver)\b",
)

FILES = InstructionFiles(
    file=SHARED,
    user_file=".hermes/SOUL.md",
    user_file_has_default=True,
    wins=(".hermes.md", "HERMES.md"),
    # It takes such a text for an attack, and puts a remark in the place of the whole file.
    replaced=re.compile("|".join(_ATTACKS), re.I),
    largest=20_000,
)
