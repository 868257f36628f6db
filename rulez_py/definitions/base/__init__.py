"""What all kinds of definitions have in common."""
