"""The text of a turn of a conversation with the name of its author, as a transcript has it."""

from collections.abc import Mapping

from hooklore.records.record import Body, Record


def spoken_text(body: Body) -> str | None:
    """Return the text of an observation, behind its author where it is a turn; None without a text."""
    text, author = body.text, body.author
    return f"{author}: {text}" if author and text else text


def readers_of_turn(record: Record) -> tuple[object, ...]:
    """Return a value that two turns share only where whoever may read one may read the other."""
    named: Mapping[str, object] = record.pick("project", "scope", "visibility", "role")
    return (record.session_id, record.agent_id, record.is_private, *named.values())
