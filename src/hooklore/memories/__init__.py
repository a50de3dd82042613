"""Write, approve, pin, archive and read curated memories (seed 000 §5 to §7)."""
