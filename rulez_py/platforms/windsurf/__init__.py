"""All that is known of Windsurf, by its documentation alone: it was never played here."""
