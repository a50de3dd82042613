"""Read times in a question."""
