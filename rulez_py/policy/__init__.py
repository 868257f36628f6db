"""Policy files: their format, how they are found and compiled, and how an event is matched against them."""
