"""Factory Droid: all that rulez knows of it."""
