"""Recall within one project: 300 memories, 100 prompts that one of them answers, 200 that none does."""
