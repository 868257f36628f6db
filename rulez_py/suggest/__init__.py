"""Which rule sets fit a project, by the files that are in it. No hook call loads it."""
