"""Pairs of rules that strangers wrote, each said as the prompts of two sessions: no rule is lost.

`python -m tests.e2e.test_rule_pairs` prints the figures, and the pairs that were judged otherwise.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from hooklore.broker import Broker
from hooklore.config import store_location_at
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from hooklore.text.rule_relation import relate_rules
from tests.support.agent import Agent

PAIRS = Path(__file__).parents[1] / "fixtures" / "rule_pairs"
LEAST_JUDGED = 0.5
"""The share of the pairs that contradict which are replaced or marked as the writer says. Of `a.jsonl`, which was
read when the rules were written, it is .73, of the other two files .44 and .65."""


class Pair(NamedTuple):
    """Two rules, and how the later one stands to the earlier one by its writer's judgement."""

    first: str
    second: str
    relation: str


class Outcome(NamedTuple):
    """What two prompts left: whether each was learnt, and the relation that the store shows."""

    pair: Pair
    is_first_learnt: bool
    is_second_learnt: bool
    relation: str

    @property
    def is_lost(self) -> bool:
        """True where the earlier rule ended though the later one does not replace it."""
        return self.relation == "replaces" and self.pair.relation != "replaces"

    @property
    def is_wrongly_marked(self) -> bool:
        """True where two rules stand that the writer finds compatible, and the earlier one is marked."""
        return self.relation == "marks" and self.pair.relation == "adds"


def read_pairs(folder: Path) -> Iterator[Pair]:
    """Yield the pairs of every file of a folder."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            fields = json.loads(line)
            yield Pair(fields["first"], fields["second"], fields["relation"])


def say(pair: Pair, home: Path) -> Outcome:
    """Say both rules of a pair in two sessions of a new store, and return what is left."""
    project = home / "project"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    agent = Agent(store_location_at(home / "store"), project, home)
    agent.starts("s1")
    agent.asks(pair.first)
    first = _standing(agent.broker)
    agent.starts("s2")
    agent.asks(pair.second)
    told = str(agent.hook("Stop", last_assistant_message="Understood.").get("systemMessage", ""))
    standing = {record.id for record in _standing(agent.broker)}
    second = standing - {record.id for record in first}
    is_ended = any(record.id not in standing for record in first)
    relation = "replaces" if is_ended else "marks" if "stands beside" in told else "adds"
    return Outcome(pair, bool(first), bool(second), relation)


def _standing(broker: Broker) -> list[Record]:
    broker.refresh()
    owner = broker.as_reader(PERSON)
    return [r for r in owner.newest() if r.stream == "memory" and owner.is_in_force(r)]


def measure(pairs: list[Pair], home: Path) -> list[Outcome]:
    """Return what is left of each pair, each in a store of its own."""
    return [say(pair, home / str(number)) for number, pair in enumerate(pairs)]


def share_judged(outcomes: list[Outcome]) -> float:
    """Return the share of the contradicting pairs of which the store shows the writer's relation.

    A sentence that no form learns is no rule yet: the agent keeps it.
    """
    learnt = [each for each in outcomes if each.is_first_learnt and each.is_second_learnt]
    meant = [each for each in learnt if each.pair.relation != "adds"]
    right = sum(each.relation == each.pair.relation for each in meant)
    return right / len(meant) if meant else 1.0


@pytest.mark.skipif(not any(PAIRS.glob("*.jsonl")), reason="no pairs of strangers in the tree")
def test_of_strangers_pairs_no_rule_is_lost_and_most_contradictions_are_seen(
    tmp_path: Path,
) -> None:
    outcomes = measure(list(read_pairs(PAIRS)), tmp_path)

    assert [each.pair for each in outcomes if each.is_lost] == []
    assert [each.pair for each in outcomes if each.is_wrongly_marked] == []
    assert share_judged(outcomes) >= LEAST_JUDGED


def test_of_strangers_pairs_that_are_kept_on_purpose_most_contradictions_are_seen() -> None:
    pairs = [pair for pair in read_pairs(PAIRS) if pair.relation != "adds"]

    right = [pair for pair in pairs if relate_rules(pair.first, pair.second) == pair.relation]

    assert len(right) >= LEAST_JUDGED * len(pairs)


def main(folder: Path = PAIRS) -> int:
    """Print the figures of the pairs of a folder, and those that were judged otherwise."""
    with tempfile.TemporaryDirectory() as home:
        outcomes = measure(list(read_pairs(folder)), Path(home))
    for each in outcomes:
        if each.relation != each.pair.relation:
            known = f"learnt {each.is_first_learnt:d}{each.is_second_learnt:d}"
            sys.stdout.write(f"{each.pair.relation} -> {each.relation} {known} {each.pair[:2]}\n")
    counts = Counter((each.pair.relation, each.relation) for each in outcomes)
    lost = sum(each.is_lost for each in outcomes)
    learnt = sum(each.is_first_learnt + each.is_second_learnt for each in outcomes)
    sys.stdout.write(
        f"lost {lost}, judged {share_judged(outcomes):.2f}, learnt {learnt} of {2 * len(outcomes)}; {counts}\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
