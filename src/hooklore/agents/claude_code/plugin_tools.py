"""The memory's tools as Claude Code calls them where the plugin brings their server.

The client puts the names of the plugin and of its server before each tool. A plugin brings no permission
rules, so the plugin's hook permits these tools.
"""

_PREFIX = "mcp__plugin_hooklore_hooklore__"
_NAMES = ("get", "recall", "remember", "search_memories", "wake_up")

PLUGIN_TOOLS = {name: f"{_PREFIX}{name}" for name in _NAMES}
"""The tools that need nobody, each with the client's name for it."""
