"""Commands for curated memory: memories said on purpose, and a person's decisions about memories."""
