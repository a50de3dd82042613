"""Streams of recorded hook payloads, played again: what is recorded, and what is shown."""
