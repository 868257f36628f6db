"""Cline, with the hook files of its CLI: what is known of it and of no other agent."""
