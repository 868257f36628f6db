"""All that is known of Auggie, by the code of its package alone: it was never played here."""
