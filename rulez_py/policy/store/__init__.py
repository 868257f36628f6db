"""Policy files on the disk: which count, what of them is in force, and what was compiled of them before."""
