"""Mistral Vibe: what is known of it and of no other agent."""
