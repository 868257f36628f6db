"""From a command line to what it would execute, read, write, delete and contact."""
