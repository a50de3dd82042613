"""Find standing instructions in a user's prompt."""
