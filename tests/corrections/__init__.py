"""Prompts that state what lasts, and prompts that only look like it."""
