"""One module for each family of redaction rules."""
