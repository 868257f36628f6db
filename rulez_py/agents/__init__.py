"""Agent definitions: written once with universal tools, for each harness the file that it loads."""
