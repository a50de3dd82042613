"""The verbs of requests, each in a file of its own."""
