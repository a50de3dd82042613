"""One module for each agent: its wire format in and out, its tools and its edits."""
