"""What the log remembers, for people: read, counted, judged again, reported. No hook call loads it."""
