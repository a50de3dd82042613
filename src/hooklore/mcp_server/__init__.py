"""Serve the memory's tools over the Model Context Protocol, as a client of the resident.

Only `serving` and the modules that build its values import the protocol's SDK, and only `hooklore mcp`
imports them.
"""
