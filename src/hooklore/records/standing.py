"""Define how a memory stands by whose word it is: one ladder, the user's own word first.

What a memory is trusted, where it is told, and what it may replace is read from this table alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from hooklore.records.record import Record

Rung = Literal["user", "through", "tool", "agent", "imported", "inferred"]
RUNGS: Final[tuple[Rung, ...]] = get_args(Rung)
"""The rungs of the ladder, the highest first."""

Trust = Literal["low", "med", "high"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The rights of a memory, by whose word it is.

    - `given_by`: who may give such a word, for the documents.
    - `told`: how a note says it. `{by}` stands for the names of the agents.
    - `trust`: the most that a note of it is trusted.
    - `waits`: it waits until a person approves it, unless its kind may be unsure.
    - `leads_brief`: a brief tells it in full among the rules. Any other stands below: by its text where it is
      trusted and all such texts fit, else by its title in the index.
    - `pinned`: whether it is pinned without a request, only when a person asks for it, or not at all.
    - `at_step`: before a step it is a rule that the step may break; or it is quoted where it shares words with
      the step; or only where it names the step's file, symbol or program; or never.
    - `at_prompt`: a prompt brings it up by any of its words, or only by those of its title and phrases.
    - `replaces`: the highest rung whose memory it may replace without a person.
    """

    given_by: str
    told: str
    trust: Trust
    waits: bool = False
    leads_brief: bool = False
    pinned: Literal["by itself", "by hand", "never"] = "never"
    at_step: Literal["rule", "words", "named", "never"] = "words"
    at_prompt: Literal["words", "labels"] = "words"
    replaces: Rung = "through"


LADDER: Final[Mapping[Rung, Standing]] = {
    "user": Standing(
        given_by="you: a prompt, a command at your terminal, a yes in the client, an approval",
        told="said by the user", trust="high", leads_brief=True, pinned="by itself", at_step="rule",
        replaces="user",
    ),
    "through": Standing(
        given_by="an agent that keeps what a prompt of its session says",
        told="the user, through {by}", trust="med", leads_brief=True, pinned="by itself",
        at_step="rule",
    ),
    "tool": Standing(
        given_by="an agent, where a recorded step shows it", told="seen by a tool", trust="med",
        pinned="by itself",
    ),
    "agent": Standing(
        given_by="any agent, also one that only names itself", told="said by {by}", trust="low",
        at_step="named", at_prompt="labels", replaces="tool",
    ),
    "imported": Standing(
        given_by="another program, or a file that you import", told="imported", trust="low",
        pinned="by hand", replaces="tool",
    ),
    "inferred": Standing(
        given_by="an agent that calls it a guess", told="inferred by the agent", trust="low",
        waits=True, at_step="never", at_prompt="labels", replaces="tool",
    ),
}  # fmt: skip
"""The ladder of standing (seed 000 §6; each agent's word stands as that agent's)."""

_TRUST: Final = get_args(Trust)
_RANK: Final = {rung: rank for rank, rung in enumerate(RUNGS)}
_RUNG_OF_BASIS: Final[Mapping[str | None, Rung]] = {"tool": "tool", "agent": "agent"}
_CONFIRMATIONS: Final = ("approves", "approved_by", "promoted_by")


def is_confirmed(record: Record) -> bool:
    """Return whether a person approved a memory, or put it before more readers."""
    return any(record.extra(name) for name in _CONFIRMATIONS)


def rung_of(record: Record) -> Rung:
    """Return the rung of a memory, by whose word it is."""
    if record.extra("approves") or record.extra("approved_by"):
        return "user"
    if record.imported_from is not None:
        return "imported"
    if record.basis == "user":
        return "user" if record.through is None else "through"
    return _RUNG_OF_BASIS.get(record.basis, "inferred")


def standing_of(record: Record) -> Standing:
    """Return what a memory may, by whose word it is."""
    return LADDER[rung_of(record)]


def is_above(one: Rung, other: Rung) -> bool:
    """Return whether `one` is a higher rung than `other`."""
    return _RANK[one] < _RANK[other]


def is_better_trusted(one: Record, other: Record) -> bool:
    """Return whether a memory is trusted more than `other` by whose words they are."""
    return _TRUST.index(standing_of(one).trust) > _TRUST.index(standing_of(other).trust)


def may_replace(record: Record, other: Record) -> bool:
    """Return whether a memory may take the place of `other` without a person, by whose words they are."""
    if record.agent_id == "person" or is_confirmed(record):
        return True
    standing: Rung = "user" if is_confirmed(other) else rung_of(other)
    return not is_above(standing, standing_of(record).replaces)
