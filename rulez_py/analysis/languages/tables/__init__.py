"""What calls in each language do, made out of `../data/*.toml` when rulez is built (`programs/calls.py`)."""
