"""What rules ask of one event. No input or output but through `Effects`."""
