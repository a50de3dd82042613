"""Agents that keep memories on their own word."""

from typing import Any

from hooklore.hooks.project import project_keys
from hooklore.memories.deliberate_write import write_as
from hooklore.memories.write_result import WriteResult
from hooklore.records.draft import PERSON, Principal
from hooklore.records.record import Record
from tests.support.agent import Agent


class Writers:
    """Several agents that keep memories in one project, without a prompt that says them."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.keys = project_keys(str(agent.project), None, str(agent.home))

    def keeps(
        self, text: str, by: str = "gemini", session: str | None = None, **more: Any
    ) -> WriteResult:
        """Let an agent keep something; `self_named` in `more` says that only its name is known."""
        broker = self.agent.broker
        broker.refresh()
        project = broker.project_of(self.keys)
        who = Principal(
            agent_id=by, session_id=session, project=project.id if project else None,
            is_self_named=more.pop("self_named", False) is True, program=bool(more.pop("program", False)),
        )  # fmt: skip
        event = Record.of(
            content_md=text, confidence=more.pop("confidence", "high"), source={"system": "cli"},
            kind=more.pop("kind", "decision"), **more,
        )  # fmt: skip
        return write_as(broker, event, who, self.keys)

    def record(self, result: WriteResult) -> Record:
        self.agent.broker.refresh()
        return self.agent.broker.as_reader(PERSON).get(str(result.id))
