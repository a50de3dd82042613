"""Decide what a deliberate write becomes: by who writes it, and by how its writer claims to know it.

One table. Who writes is read from facts that no option changes (`agents/speaker.py`), so that a claim lowers
a word and never raises it.
"""

from collections.abc import Mapping
from typing import Final, Literal

from hooklore.errors import HookloreError
from hooklore.records.draft import Principal

Writer = Literal["person", "person for an agent", "agent", "self-named agent", "program"]
"""The writers: you, you in an agent's name, an agent, a program that names an agent, and any other program."""

Claim = Literal["", "user", "tool", "inferred"]
"""The basis that a writer names, empty for none. Only a command can name one."""

Word = Literal["user", "through", "relayed", "tool", "shown", "agent", "inferred", "refused"]
"""The standing that a write gets.

- `user`: the user's own word. `through`: the user's word through an agent.
- `relayed`: `through` where a prompt of the session backs it, else `agent`.
- `tool`: seen by a tool. `shown`: `tool` where a recorded step of the session shows it, else `refused`.
- `agent`: that agent's own word. `inferred`: a guess, which waits.
"""

WORDS: Final[Mapping[Writer, Mapping[Claim, Word]]] = {
    "person": {"": "user", "user": "user", "tool": "tool", "inferred": "inferred"},
    "person for an agent": {"": "tool", "user": "through", "tool": "tool", "inferred": "inferred"},
    "agent": {"": "relayed", "user": "refused", "tool": "shown", "inferred": "inferred"},
    "self-named agent": {
        "": "agent", "user": "refused", "tool": "refused", "inferred": "inferred",
    },
    "program": {"": "inferred", "user": "refused", "tool": "tool", "inferred": "inferred"},
}  # fmt: skip
"""The word that each writer's write becomes, by its claim."""


class ClaimRefused(HookloreError):
    """A writer claims what it may not say, or what nothing shows."""

    code = "forbidden"

    def __init__(self, claim: Claim, who: Principal) -> None:
        causes = {
            "user": f"`{who.agent_id}` writes it, and nobody has confirmed it",
            "tool": "no recorded step of this session shows it",
        }
        told = {"user": "as the user's own word", "tool": "as seen by a tool"}
        super().__init__(
            f"could not keep it {told.get(claim, '')}: {causes.get(claim, 'nobody may say that')}",
            fix=f"leave `--basis` out: it is kept as the word of `{who.agent_id}`",
        )


def writer_of(who: Principal) -> Writer:
    """Return who writes."""
    if who.program:
        return "program"
    if who.person:
        return "person"
    if who.confirmed:
        return "person for an agent"
    return "self-named agent" if who.is_self_named else "agent"
