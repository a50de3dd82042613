"""The texts of the files beside the source that hold the registration, as they are written."""

import json

from hooklore.agents.claude_code.registering import GROUPS, PERMISSIONS


def settings_example() -> str:
    """The text of `settings.example.json`: a missing file becomes this, where the server is installed."""
    hooks = {event: [each] for event, each in GROUPS.entries().items()}
    return _dump({"hooks": hooks, "permissions": {"allow": list(PERMISSIONS.rules)}})


def plugin_hooks() -> str:
    """The text of `hooks/hooks.json`: the same registration as a plugin."""
    hooks = {event: [each] for event, each in GROUPS.entries(plugin=True).items()}
    return _dump({"description": "One memory shared by all of your coding agents", "hooks": hooks})


def _dump(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
