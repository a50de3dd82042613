"""Serve the memory over HTTP to agents with a token, as a client of the resident.

Only `hooklore gateway` imports this package, and with it FastAPI and the SDK of the Model Context Protocol.
"""
