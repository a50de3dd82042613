"""Data derived from the log and disposable: exact keys (SQLite), words (tantivy), and the unindexed tail."""
