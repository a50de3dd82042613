"""English instruction rules."""
