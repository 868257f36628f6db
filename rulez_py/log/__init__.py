"""The decision log, and what it leaves out."""
