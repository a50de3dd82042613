"""Find instructions in Japanese."""
