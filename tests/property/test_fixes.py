"""Fixes under every order of failures, steps and passing runs."""

import itertools
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from hooklore.broker import Broker
from hooklore.config import store_location_at
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner
from hooklore.records.draft import PERSON, Draft
from hooklore.records.record import Record
from tests.property.test_rebuild import contents, rebuilt
from tests.support.agent import Agent
from tests.support.memory_folder import memory_folder

_ERRORS = ["KeyError: 'torque' in mill.toml", "TypeError: press is not a function in press.ts"]
_FILES = ["mill.toml", "press.ts", "history.md"]
_COMMANDS = ["make press", "npm test"]
_MENDING = ["npm install press.ts", "rm -rf mill.toml", "git checkout -- press.ts"]

_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("fails"), st.sampled_from(_COMMANDS), st.sampled_from(_ERRORS)),
        st.tuples(st.just("passes"), st.sampled_from([*_COMMANDS, *_MENDING]), st.just("ok")),
        st.tuples(st.just("edits"), st.sampled_from(_FILES), st.just("torque = 47")),
        st.tuples(st.just("starts"), st.sampled_from(["s1", "s2", "s3"]), st.just("startup")),
    ),
    max_size=14,
)


@contextmanager
def played(steps: list[tuple[str, str, str]]) -> Iterator[Agent]:
    """Play steps in a store of its own."""
    with memory_folder() as folder:
        project, home = folder / "widgets", folder / "home"
        for each in (project / ".git", home):
            each.mkdir(parents=True)
        (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        agent = Agent(store_location_at(folder / "store"), project, home)
        agent.starts("s1")
        for name, first, second in steps:
            getattr(agent, name)(first, second)
        yield agent
        agent.broker.close()


@settings(max_examples=40)
@given(_STEPS)
def test_no_step_that_undoes_is_ever_shown_and_one_error_is_told_at_most_once(
    steps: list[tuple[str, str, str]],
) -> None:
    with played(steps) as agent:
        shown = [agent.starts("last")]
        for command, error in itertools.product(_COMMANDS, _ERRORS):
            told = agent.fails(command, error)
            assert sum(line.startswith("- ") for line in told.splitlines()) <= 1
            shown.append(told)

        assert "rm -rf" not in "".join(shown)
        assert "git checkout" not in "".join(shown)


@settings(max_examples=40)
@given(_STEPS, st.sampled_from(_COMMANDS), st.sampled_from(_ERRORS))
def test_taking_a_fix_away_takes_its_sentence_away(
    steps: list[tuple[str, str, str]], command: str, error: str
) -> None:
    with played(steps) as agent:
        fixes = [Record(fix) for fix in agent.records("fix")]
        agent.broker.append(
            [Draft(_tombstone([fix.id])) for fix in fixes if fix.body.evidence != "none"]
        )
        agent.starts("last")

        told = agent.fails(command, error)

        assert all(str(fix.body.text) not in told for fix in fixes)
        assert "what made it pass" not in told


def _tombstone(ids: list[str]) -> Record:
    return Record({
        "stream": "control", "kind": "tombstone", "agent_id": "claude", "scope": "global",
        "body": {"targets": ids},
    })  # fmt: skip


@settings(max_examples=15)
@given(_STEPS)
def test_a_rebuilt_store_tells_the_same_of_every_failure(
    steps: list[tuple[str, str, str]],
) -> None:
    with played(steps) as agent:
        agent.broker.index()
        agent.broker.refresh()
        live = [_known(agent, "a", command, error) for command, error in _asked()]
        agent.broker.index()
        agent.broker.close()
        rows = contents(agent.place)

        assert rows == rebuilt(agent.place)
        agent.broker = Broker(agent.place)
        agent.broker.refresh()
        agent.runner = Runner(agent.broker, str(agent.home), time.time_ns)
        assert [_known(agent, "b", command, error) for command, error in _asked()] == live


def _asked() -> list[tuple[str, str]]:
    return list(itertools.product(_COMMANDS, _ERRORS))


def _known(agent: Agent, part: str, command: str, error: str) -> list[str]:
    """Return the ids of what a hook would show at a failure, which is not recorded."""
    from hooklore.hooks.answers import build_query
    from hooklore.hooks.parse import parse_event
    from hooklore.hooks.pending import identify_principal
    from hooklore.retrieval.recall import Recall

    payload = {
        "session_id": f"asks-{part}", "cwd": str(agent.project), "hook_event_name": "PostToolUseFailure",
        "tool_name": "Bash", "tool_input": {"command": command}, "error": f"Exit code 1\n{error}",
        "tool_use_id": "one", "is_interrupt": False,
    }  # fmt: skip
    delivery = Delivery("claude", "PostToolUseFailure", f"ask-{part}", json.dumps(payload).encode())
    pending = agent.runner.read(delivery)
    pending.event = parse_event("claude", "PostToolUseFailure", "", {}, delivery.payload)
    who = identify_principal(agent.broker, pending)
    query = build_query(agent.broker.as_reader(who), pending.event, pending)
    return list(Recall(agent.broker).answer(query, who).ids)


def test_the_person_reads_every_fix(tmp_path: Path) -> None:
    """A fix that no model is shown stays in the log, and a person finds it."""
    steps = [("fails", "make press", _ERRORS[0]), ("passes", "rm -rf mill.toml", "ok")]
    with played([*steps, ("passes", "make press", "ok")]) as agent:
        (fix,) = agent.records("fix")

        (found,) = agent.broker.as_reader(PERSON).find(fix["id"])

    assert len(found.body.evasive) == 1
