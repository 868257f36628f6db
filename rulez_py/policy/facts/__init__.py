"""The facts of one event that rules ask for. No input or output but through `Effects`."""
