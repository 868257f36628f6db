"""One hook call, edges included: an event in, an answer in the agent's words out, a line in the log.

INVARIANT: whatever goes wrong in here ends in an answer, and where the event guards something that answer is what
`settings.on_error` says, deny by default. Nothing but that answer is ever printed, and it is printed once.
"""
