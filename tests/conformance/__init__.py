"""The conformance suite of the Model Context Protocol, which the protocol's authors keep."""
