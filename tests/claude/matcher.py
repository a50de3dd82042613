"""The client's rule for the matcher of a group of hooks."""

import re


def matches(matcher: str | None, tool: str | None) -> bool:
    """Return whether a matcher is for a tool: names are compared, anything else is a regular expression."""
    if not matcher or tool is None:
        return True
    if re.fullmatch(r"[\w|]+", matcher):
        return tool in matcher.split("|")
    return re.search(matcher, tool) is not None
