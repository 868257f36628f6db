"""Hermes: all that rulez knows of it."""
