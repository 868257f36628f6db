"""OpenHands: all that rulez knows of it."""
