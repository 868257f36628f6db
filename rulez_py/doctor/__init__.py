"""Whether protection holds on this machine: looked at agent by agent, and tried. No hook call loads it."""
