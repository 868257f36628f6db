"""Compiled rules, and the layers that rules come from. No input or output."""
