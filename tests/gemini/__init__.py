"""The real Gemini CLI, driven against a Gemini API that says what a test wrote down."""
