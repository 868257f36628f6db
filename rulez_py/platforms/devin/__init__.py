"""All that is known of Devin CLI, by its documentation and by what others measured: it was never played here."""
