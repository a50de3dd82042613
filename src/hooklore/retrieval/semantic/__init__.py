"""Search by meaning, where the extra is installed."""
