"""A desk that answers requests in process, in a project of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import Settings, store_location_at
from hooklore.hooks.project import project_keys
from hooklore.records.draft import Draft, ProjectKeys
from hooklore.records.record import Body
from hooklore.requests.desk import RequestDesk
from hooklore.requests.request import Caller, Request, parse_request
from hooklore.requests.response import Response
from hooklore.retrieval.recall import Recall
from tests.support.desk import Desk

SESSION = "3f1f7bb0-6f0e-4d0c-9d4e-1f2a3b4c5d6e"


@dataclass
class Service:
    """A store with a person who writes, and agents that send requests from folders."""

    home: Path
    settings: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        self.folder = self.make_project("widgets")
        self.people = Desk(store_location_at(self.home / "store"), self.settings)

    @property
    def broker(self) -> Broker:
        return self.people.broker

    @property
    def project_id(self) -> str:
        """The id of the project, which something has been written in."""
        project = self.broker.project_of(self.keys)
        assert project is not None
        return project.id

    @property
    def keys(self) -> ProjectKeys | None:
        """The keys of the project's folder."""
        return project_keys(str(self.folder), None, str(self.home))

    def make_project(self, name: str) -> Path:
        """Make a repository and return its folder."""
        folder = self.home / name
        (folder / ".git").mkdir(parents=True)
        (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        return folder

    def says(self, agent: str, session: str, text: str) -> None:
        """Record a session of an agent in the project, in which its user types a prompt."""
        for kind, body in (("session_start", Body.of()), ("prompt", Body.of(text=text))):
            draft = Draft.of(
                self.keys, v=1, stream="observation", kind=kind, agent_id=agent, session_id=session,
                basis="user", body=body,
            )  # fmt: skip
            assert self.broker.append([draft])[0].status == "stored"

    def ask(
        self, verb: str, agent: str = "claude", *, folder: Path | None = None,
        session: str | None = SESSION, **arguments: object,
    ) -> Response:  # fmt: skip
        """Send one request and return the response."""
        return self.send(
            Request(verb, arguments, Caller(agent, session, str(folder or self.folder)))
        )

    def asks_with(
        self, verb: str, arguments: Mapping[str, object], agent: str = "claude"
    ) -> Response:
        """Send one request as it arrives over the socket: through JSON and back."""
        request = Request(verb, arguments, Caller(agent, SESSION, str(self.folder)))
        return self.send(parse_request(request.to_json()))

    def send(self, request: Request) -> Response:
        """Return the response to a request."""
        desk = RequestDesk(self.broker, Recall(self.broker), str(self.home))
        return desk.answer(request)


@pytest.fixture
def service(home: Path) -> Service:
    return Service(home)


def memories(response: Response, name: str = "memories") -> list[dict[str, Any]]:
    """Return the memories that a response has as JSON."""
    found = response.content[name]
    assert isinstance(found, list)
    return found
