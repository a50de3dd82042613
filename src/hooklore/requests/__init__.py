"""One service behind MCP, the Python client and the resident: a request comes in, a response goes out."""
