"""Files that rulez writes for agents: what they are (`targets`, `marks`), and writing without losing any (`store`)."""
