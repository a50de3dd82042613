"""One module for each agent: its wire format in and out, its tools, its edits, its settings."""
