"""Read the times that a question names."""
