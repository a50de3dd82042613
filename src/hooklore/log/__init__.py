"""The append-only JSONL log: the only truth. Everything else is derived from it."""
