"""The policy between an editor and an agent that it starts, by the Agent Client Protocol (ACP)."""
