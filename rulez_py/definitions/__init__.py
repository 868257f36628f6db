"""Definitions that people write for agents: a package for each kind, on `base` and `output`."""
