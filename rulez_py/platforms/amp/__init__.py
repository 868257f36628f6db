"""All that is known of Amp, by the code of its package alone: it was never played here."""
