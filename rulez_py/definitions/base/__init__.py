"""Parts that all kinds of definitions share."""
