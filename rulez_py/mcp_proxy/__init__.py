"""The policy between an MCP client and a server, for clients that have no hooks."""
