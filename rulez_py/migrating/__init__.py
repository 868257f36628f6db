"""What other products know of what agents may do, as a policy of ours: RuleZ' rules, Claude Code's permissions."""
