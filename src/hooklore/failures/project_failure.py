"""The failures that count: a command of the project that ran and failed."""

from hooklore.agents.registry import agent_of
from hooklore.records.record import Body, Record


def is_project_failure(record: Record) -> bool:
    """Return whether a record is the failure of a command that the project ran.

    Errors of other tools are none, nor is a command that somebody stopped. Records of older versions lack
    `stopped_by`, so that their agent's module judges the recorded error.
    """
    body = record.body
    if record.kind != "error" or body.outcome != "failure" or not body.command:
        return False
    if body.stopped_by is not None:
        return False
    if _is_cut(body):
        return True
    return agent_of(record.agent_id).stops.stopped_by("command", body.text or "") is None


def _is_cut(body: Body) -> bool:
    """Return whether an error was too long to be kept whole: the words of a client are short."""
    lost = body.extra("cut")
    return isinstance(lost, dict) and "stderr" in lost
