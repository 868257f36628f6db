"""Policy files on the disk: those that count, the rules in force, and the cache of compiled rules."""
