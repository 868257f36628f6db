"""Rules meet an event: which may match, which do, and the verdict. No input or output but through `Effects`."""
