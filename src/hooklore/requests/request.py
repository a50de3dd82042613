"""A request to memory: a verb, its arguments, and the agent that asks."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import orjson

from hooklore.errors import HookloreError
from hooklore.records.record import Json


@dataclass(frozen=True, slots=True)
class Caller:
    """The agent that asks. `folder` is where it works, `session_id` its session where the client tells one.

    `is_group` says that others read the answer, too: the agent's own private memories stay out of it.
    `process` sends the request, None where nobody asks who runs it. No request brings its number along: whoever
    takes the request knows it. With a `token` the agent is the token's, and may read what the token opens.
    Without a folder, `project` names where the agent works: a slug, or a key of the project (`remote:…`).
    """

    agent_id: str
    session_id: str | None = None
    folder: str | None = None
    is_group: bool = False
    process: int | None = None
    token: str | None = field(default=None, repr=False)
    project: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a verb. The arguments are checked where the request is answered.

    Two writes of an agent with the same `key` are one write, whenever they come.
    """

    verb: str
    arguments: Mapping[str, object]
    caller: Caller
    key: str | None = None

    def to_json(self) -> bytes:
        """Return the request as the payload of a frame. Raise TypeError for what JSON cannot hold."""
        caller = self.caller
        return orjson.dumps({
            "verb": self.verb, "arguments": dict(self.arguments), "agent_id": caller.agent_id,
            "session_id": caller.session_id, "folder": caller.folder,
            "is_group": caller.is_group, "token": caller.token, "project": caller.project,
            "key": self.key,
        })  # fmt: skip


class RequestInvalid(HookloreError):
    """A request, or an argument of one, has another form than its verb takes. No value is named."""

    def __init__(
        self, problems: list[str], fix: str = "send the fields that the verb takes"
    ) -> None:
        super().__init__(f"could not read the request: {'; '.join(problems)}", fix=fix)
        self.problems = problems


def parse_request(payload: bytes, process: int | None = None) -> Request:
    """Return the request of a frame's payload, which `process` sent. Raise RequestInvalid."""
    try:
        given: Json = orjson.loads(payload)
    except ValueError:
        raise RequestInvalid(["it is no JSON"]) from None
    if not isinstance(given, dict):
        raise RequestInvalid(["it is no object"])
    arguments = given.get("arguments")
    if not isinstance(arguments, dict):
        raise RequestInvalid(["arguments: it is no object"])
    caller = Caller(
        _text(given, "agent_id") or "", _text(given, "session_id"), _text(given, "folder"),
        is_group=_flag(given, "is_group"), process=process,
        token=_text(given, "token"), project=_text(given, "project"),
    )  # fmt: skip
    return Request(_text(given, "verb") or "", arguments, caller, _text(given, "key"))


def _text(given: Mapping[str, object], name: str) -> str | None:
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise RequestInvalid([f"{name}: it is no text"])
    return value


def _flag(given: Mapping[str, object], name: str) -> bool:
    value = given.get(name, False)
    if not isinstance(value, bool):
        raise RequestInvalid([f"{name}: it is neither true nor false"])
    return value
