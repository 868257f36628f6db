"""What rulez knows of agents' sessions: the files they have seen, and what rules remember. Each for a day."""
