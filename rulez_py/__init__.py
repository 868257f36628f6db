"""rulez: one policy for every coding agent."""

__version__ = "0.1.0"
