"""One row for a verb. The command, the MCP tool, the method in Python and the words of a chat are made from it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from hooklore.agents.agent import AgentPermission as Permission
from hooklore.requests.arguments import Arguments
from hooklore.requests.results import Result, Told

if TYPE_CHECKING:
    from hooklore.requests.request_context import RequestContext
    from hooklore.requests.response import Response

EVERYBODY: Final[frozenset[Permission]] = frozenset(("owner", "admin", "worker"))


@dataclass(frozen=True, slots=True)
class ChatWords:
    """The names by which a chat calls a verb, the line of its help, and the arguments that the names stand for."""

    names: tuple[str, ...]
    help: str
    given: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb: `answer` carries it out with `arguments`, and Python gets the answer as a `result`.

    `permissions` are those of agents that may call it. One that `writes` is left out where only reading is
    allowed. As an MCP tool it is in `every` server, in one that offers `all` tools, or in `none`. A `chat`
    calls it with its first required argument.
    """

    name: str
    summary: str
    arguments: type[Arguments]
    answer: "Callable[[RequestContext, Any], Response]"
    result: type[Result] = Told
    permissions: frozenset[Permission] = EVERYBODY
    writes: bool = False
    tool: Literal["every", "all", "none"] = "all"
    chat: tuple[ChatWords, ...] = ()

    @property
    def subject(self) -> str | None:
        """The first required argument, which stands without its name in a command, a chat and Python."""
        fields = self.arguments.model_fields.items()
        return next((name for name, each in fields if each.is_required()), None)

    def of_subject(self, *words: str) -> dict[str, object]:
        """Return the words as the argument `subject`: a list where it takes several, else one text."""
        if self.subject is None:
            return {}
        is_text = self.arguments.model_fields[self.subject].annotation is str
        return {self.subject: " ".join(words) if is_text else list(words)}
