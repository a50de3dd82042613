"""The real Codex CLI, driven by tests against a scripted model on loopback."""
