"""Suggest rule sets that fit a project, by its files. No hook call loads it."""
