"""Scenarios: sequences of events that a whole policy judges, as `rulez test` tries them. No hook call loads it."""
