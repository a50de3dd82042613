"""The append-only JSONL log: the only truth, from which all other data is derived."""
