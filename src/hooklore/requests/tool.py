"""A tool: a verb that agents call, with its arguments and who may call it."""

from dataclasses import dataclass
from typing import Final

from hooklore.agents.agent import AgentPermission as Permission
from hooklore.requests.arguments import Arguments

EVERYBODY: Final[frozenset[Permission]] = frozenset(("owner", "admin", "worker"))


@dataclass(frozen=True, slots=True)
class Tool:
    """A verb as agents see it.

    `permissions` are those of agents that may call it. A tool that `writes` is left out where only reading
    is allowed. The tools that are `is_default` are there without being asked for.
    """

    name: str
    description: str
    arguments: type[Arguments]
    permissions: frozenset[Permission] = EVERYBODY
    writes: bool = False
    is_default: bool = False
