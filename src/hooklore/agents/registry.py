"""The dialects by the agent's name, as the registered command line gives it."""

import re

from hooklore.agents.claude_code import CLAUDE_CODE
from hooklore.agents.dialect import Dialect

UNKNOWN = "unknown"
"""The agent id of a name that no record may carry."""

_UNKNOWN_DIALECT = Dialect(
    event_name=CLAUDE_CODE.event_name, names=CLAUDE_CODE.names, locations=CLAUDE_CODE.locations
)
"""For agents that we do not know: who and where, and no event of ours."""

_DIALECTS = {"claude": CLAUDE_CODE}
_AGENT_ID = re.compile(r"[a-z][a-z0-9_-]{0,31}")


def dialect_of(agent: str) -> Dialect:
    """The dialect that this agent speaks; one without events when we do not know it."""
    return _DIALECTS.get(agent, _UNKNOWN_DIALECT)


def normalize_agent_id(agent: str) -> str:
    """The name as a record carries it, `unknown` when it cannot (decision C2)."""
    return agent if _AGENT_ID.fullmatch(agent) else UNKNOWN
