"""How each model service speaks: one module per protocol, all of the same shape (`Wire` in tests/e2e/model.py)."""
