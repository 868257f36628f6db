"""Grok Build."""
