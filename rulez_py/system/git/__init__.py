"""Repositories on this machine: what git has of their files, asked so that nothing of a repository's runs."""
