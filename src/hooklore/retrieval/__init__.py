"""Find, rank and gate what a model is shown."""
