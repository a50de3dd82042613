"""Decide whether a candidate is relevant enough to be shown."""
