"""Patterns of a policy: globs, regexes, expressions. No input or output."""
