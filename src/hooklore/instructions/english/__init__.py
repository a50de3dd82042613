"""Find instructions in English."""
