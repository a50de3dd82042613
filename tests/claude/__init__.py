"""The real Claude Code, driven against a Messages API that says what a test wrote down."""
