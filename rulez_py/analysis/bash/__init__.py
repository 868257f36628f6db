"""Bash: from a line's text to the commands that it would run."""
