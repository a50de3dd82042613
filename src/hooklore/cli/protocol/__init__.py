"""The protocol of shared memory as agents are told it (seed 000 §9): its text, its files, its page."""
