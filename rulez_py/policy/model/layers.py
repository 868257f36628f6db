"""Layers of policies, most trusted first: the order in which equal priorities are evaluated."""

from __future__ import annotations

MANAGED, USER, PROJECT, BUILT_IN = "managed", "user", "project", "built-in"
LAYERS = (MANAGED, USER, PROJECT, BUILT_IN)


UNEXCEPTED = "builtin:self-protection:"


def may_be_excepted(layer: str, source: str) -> bool:
    """Tell whether a person may let a rule pass: not one of the machine's, nor one by which rulez protects itself."""
    return layer != MANAGED and not source.startswith(UNEXCEPTED)


OFF, CERTAIN, DOUBT = "off", "certain", "doubt"
FILES = (OFF, CERTAIN, DOUBT)
"""Which commands count in files that a call runs: those of no file; in committed files only certain ones; all."""
LOADED = "loaded"
"""`content` of a rule about files that programs load by themselves."""
