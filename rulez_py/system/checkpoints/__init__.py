"""Checkpoints: what a call would lose, kept before it goes through, and given back by `rulez undo`."""
