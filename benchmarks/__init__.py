"""How long one hook call takes: `make bench` and `make profile` (README.md)."""
