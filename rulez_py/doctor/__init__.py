"""`rulez doctor`: does protection hold on this machine, looked at and tried agent by agent. No hook call loads it."""
