"""All that is known of Kiro, by its documentation and by what others measured: it was never played here."""
