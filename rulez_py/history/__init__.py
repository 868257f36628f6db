"""Read the log for people: list, count, judge again, report. No hook call loads it."""
