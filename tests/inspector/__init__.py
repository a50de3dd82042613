"""The MCP inspector, the protocol's own tool to look at a server."""
