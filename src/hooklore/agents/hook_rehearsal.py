"""The parts of a rehearsal that clients with hooks by event and matcher have in common (see `hook_settings`)."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from hooklore.agents.registration import Command
from hooklore.agents.rehearsal import AnswerInvalid


def parse_answer(event: str, printed: str | bytes) -> Mapping[str, Any]:
    """Return the answer as JSON. Raise AnswerInvalid for an answer that the client takes as plain text."""
    try:
        answer = json.loads(printed)
    except ValueError:
        raise AnswerInvalid(f"{event} printed what is no JSON: {printed[:100]!r}") from None
    if not isinstance(answer, dict):
        raise AnswerInvalid(f"{event} printed JSON that is no object")
    return answer


def registered_commands(
    settings: Mapping[str, Any],
    event: str,
    matches: Callable[[str | None], bool],
    is_ours: Callable[[object], bool],
) -> list[Command]:
    """Return the commands of ours that the settings run at an event, where the group's matcher `matches`."""
    groups = settings.get("hooks", {}).get(event, ())
    return [
        hook["command"]
        for group in groups
        if matches(group.get("matcher"))
        for hook in group["hooks"]
        if is_ours(hook)
    ]
