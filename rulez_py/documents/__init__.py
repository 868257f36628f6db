"""Files that people write: YAML with positions, and what is wrong with it."""
