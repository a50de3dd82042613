"""Find what is known of a failure and word it (`search`), and list what is open (`open_failures`)."""
