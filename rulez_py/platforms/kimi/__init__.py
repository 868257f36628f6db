"""Kimi Code: all that rulez knows of it."""
