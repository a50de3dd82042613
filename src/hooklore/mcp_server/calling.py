"""The response to a call of a tool, as the protocol has it."""

from mcp.types import CallToolResult, TextContent

from hooklore.requests.response import Response

CONTENT_KEY = "hooklore/content"
"""The member of a result's `_meta` with ids and `private` as JSON.

Not `structuredContent`: two of three real clients hand their model that in place of the text.
"""


def tool_result(response: Response) -> CallToolResult:
    """Return a response as the result of a call: its text for the model, its content beside the text."""
    return CallToolResult(
        content=[TextContent(text=response_text(response))],
        is_error=not response.success,
        _meta={CONTENT_KEY: dict(response.content)} if response.content else None,
    )


def response_text(response: Response) -> str:
    """Return the text of a response, of one without success the problem and one thing to do."""
    if response.success:
        return response.text
    hint = f"\nhint: {response.hint}" if response.hint else ""
    return f"error: {response.problem}{hint}"
