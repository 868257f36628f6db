"""Kilo Code: all that rulez knows of it (contract.md says how it was measured)."""
