"""The machine rulez runs on: files, processes, places, compiled modules."""
