"""Serve the memory over HTTP to agents with a token, as a client of the resident.

Only `hooklore gateway` imports FastAPI, and the first request to `/mcp` the SDK of the Model Context Protocol.
`presence` needs neither: doctor looks by it for gateways that run.
"""
