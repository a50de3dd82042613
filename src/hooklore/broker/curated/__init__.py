"""Curated memory: what is decided stays decided, and one version of it is current (seed 000 §5 to §7)."""
