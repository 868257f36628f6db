"""What people write for agents: one kind a package, on `base`, on `output`."""
