"""Curated memory: the write gate, approval, pins, conflicts, archive and profile (seed 000 §5 to §7)."""
