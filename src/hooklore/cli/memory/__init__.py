"""The commands of curated memory: what is kept on purpose, and what a person decides about it."""
