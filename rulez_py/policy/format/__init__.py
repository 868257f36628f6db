"""The format of policy files: what may be written, every problem in our words, and rules as data."""
