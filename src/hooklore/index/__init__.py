"""What is derived from the log: exact keys (SQLite), words (tantivy), the tail neither has yet. Disposable."""
