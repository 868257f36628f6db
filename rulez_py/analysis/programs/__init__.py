"""What programs take and do, and what they run."""
