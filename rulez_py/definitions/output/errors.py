"""Errors of agent definitions, with one base class, `AgentError`."""

from __future__ import annotations


class AgentError(Exception):
    """Anything that rulez_py.definitions.agents refuses; the message is a sentence for people."""


class InvalidAgent(AgentError, ValueError):
    """A value of a definition that no platform would take, or none as it is meant."""


class WrongType(AgentError, TypeError):
    """A value of a definition, or of a map of tools, of another type than it must have."""
