"""Serve the memory's tools over the Model Context Protocol, as a client of the resident.

Only `serving`, `http_serving` and the modules that build their values import the protocol's SDK. Only
`hooklore mcp` and the gateway's first request for it import them.
"""
