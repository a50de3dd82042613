"""Unicode, width, tokens, paths and globs."""
