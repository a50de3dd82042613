"""Japanese instruction rules."""
