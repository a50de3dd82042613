"""What the seed says to store and not to store, said by a person and by agents at every way in (seed 000 §3)."""

import pytest

from tests.support.untried import NO_MCP

pytest.importorskip("mcp", reason=NO_MCP)

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from hooklore import Memory
from hooklore.errors import RequestRefused
from tests.e2e.test_who_speaks import World
from tests.support.mcp import content_of, open_server, server, text_of
from tests.support.store_files import holding
from tests.unit.cli.test_worth_keeping import SECRETS, STORABLE

NOT_WORTH: Final = {
    "guess": "Probably the cache of the press is stale.",
    "chat_log": "user: can you fix it?\nassistant: sure, I will\nuser: thanks",
    "discussion": ("We talked about the store for long. " * 30).strip(),
    "progress": "Step 3 of 7 of the export is done.",
    "work_in_progress": "I am working on the login form.",
    "temporary_error": "A temporary error: the registry answered 503, then it was fine.",
    "intermediate": "The intermediate files of the export are in /tmp/out.",
}


class Outcome(NamedTuple):
    """What became of a text: `reason` says why it waits, or which rule refuses it."""

    status: str
    reason: str | None


Say = Callable[[str], Outcome]
"""Keep a text by one way in."""


def by_command(run: Callable[..., Any], *options: str) -> Say:
    """Say a text by `hooklore remember`, as the person at a terminal or as an agent's command."""

    def say(text: str) -> Outcome:
        ran = run("remember", text, *options)
        first, *rest = f"{ran.stdout}\n{ran.stderr}".strip().splitlines()
        status = first.split()[0]
        warned = [line.split(": ")[1] for line in rest if line.startswith("warning: ")]
        codes = [code for code in warned if code != "style"]
        if status not in ("stored", "pending"):
            return Outcome("refused", _rule_in(f"{ran.stdout}\n{ran.stderr}"))
        return Outcome(status, codes[0] if codes else None)

    return say


def by_client(memory: Memory, kind: str = "", *, appends: bool = False) -> Say:
    """Say a text by the Python client, as `remember` has it or as an event of seed 000 §6."""

    remember = partial(memory.remember, kind=kind)

    def say(text: str) -> Outcome:
        try:
            kept = memory.append(_event(text, memory.agent)) if appends else remember(text)
        except RequestRefused as error:
            return Outcome("refused", _rule_in(str(error)))
        return Outcome(kept.status, kept.waits)

    return say


def by_mcp(ask: Callable[[str, Mapping[str, Any]], Any]) -> Say:
    """Say a text by the tool `remember` of an MCP server."""

    def say(text: str) -> Outcome:
        answer = ask("remember", {"content": text})
        told = content_of(answer)
        if answer.is_error:
            return Outcome("refused", _rule_in(text_of(answer)))
        return Outcome(str(told["status"]), told.get("waits"))

    return say


def _event(text: str, agent: str) -> Mapping[str, object]:
    return {
        "agent_id": agent, "run_id": "run-1", "scope": "global", "kind": "fact", "confidence": "high",
        "content_md": text, "source": {"system": "other"}, "ttl_days": 0,
    }  # fmt: skip


def _rule_in(text: str) -> str:
    """Return the name of the rule that a refusal says, as in `content_md: email at 4-20`."""
    return text.partition("content_md: ")[2].partition(" at ")[0]


WAYS: Final = (
    "the person", "an agent's command", "mcp", "python", "a todo", "a bug", "a log", "append",
)  # fmt: skip


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def say(world: World, way: str) -> Iterator[Say]:
    place = world.broker.place
    place.directory.mkdir(parents=True, exist_ok=True)
    place.config.write_text("[curated]\nrun_limit = 40\n")
    if way == "mcp":
        with open_server(server(world.home, "--agent", "codex", folder=world.project)) as ask:
            yield by_mcp(ask)
        return
    with Memory("chatgpt", folder=world.project, store=place.directory, in_process=True) as memory:
        kind = way.removeprefix("a ") if way.startswith("a ") else ""
        yield {
            "the person": by_command(world.person),
            "an agent's command": by_command(world.agent),
            "append": by_client(memory, appends=True),
        }.get(way) or by_client(memory, kind)


@pytest.mark.req("EV-17")
def test_what_the_seed_says_to_store_is_stored_and_found_as_it_was_said(
    world: World, say: Say
) -> None:
    outcomes = {name: say(text) for name, text in STORABLE.items()}

    stored = [r["body"]["content_md"] for r in world.records() if r["stream"] == "memory"]
    assert outcomes == dict.fromkeys(STORABLE, Outcome("stored", None))
    assert stored == [*STORABLE.values()]
    with Memory(
        "gemini", folder=world.project, store=world.broker.place.directory, in_process=True
    ) as other:
        taken = other.snapshot()
        assert {r.text for r in (*taken.pins, *taken.recent)} == {*STORABLE.values()}


@pytest.mark.req("EV-18")
def test_a_secret_or_a_personal_detail_is_refused_by_a_rule_of_its_own_and_is_nowhere(
    world: World, say: Say
) -> None:
    outcomes = [say(text) for text in SECRETS.values()]

    rules = [each.reason for each in outcomes]
    assert {each.status for each in outcomes} == {"refused"}
    assert len({*rules} - {"", None}) == len(SECRETS), rules
    for text in SECRETS.values():
        assert holding(world.broker.place, text[-12:]) == []


@pytest.mark.req("EV-18", "WF-09")
def test_what_is_not_worth_keeping_waits_for_its_reason_of_an_agent_and_is_warned_of_to_the_person(
    world: World, say: Say, way: str
) -> None:
    outcomes = {reason: say(text) for reason, text in NOT_WORTH.items()}

    if way == "the person":
        warned = {r: Outcome("stored", f"not_worth_keeping:{r}") for r in NOT_WORTH}
        assert outcomes == warned
        return
    assert outcomes == {reason: Outcome("pending", reason) for reason in NOT_WORTH}
    with Memory(
        "gemini", folder=world.project, store=world.broker.place.directory, in_process=True
    ) as other:
        taken = other.snapshot()
        assert [*taken.pins, *taken.recent] == []
        assert [hit for text in NOT_WORTH.values() for hit in other.search(text).memories] == []
