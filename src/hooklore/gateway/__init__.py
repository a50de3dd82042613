"""Serve the memory over HTTP to agents with a token, as a client of the resident.

Only `hooklore gateway` imports FastAPI. The first request to `/mcp` imports the SDK of the Model Context Protocol,
and so does `--oauth`.
`presence` needs neither: doctor looks by it for gateways that run.
"""
