"""Turn a hook event into what is kept of the event."""
