"""What an agent keeps stands as its word: the others find it under its name, and one step takes it back."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from hooklore import Memory
from hooklore.errors import RequestRefused
from hooklore.records.standing import LADDER
from tests.e2e.test_who_speaks import World
from tests.support.page_table import table_of

EXAMPLES: Final = Path(__file__).parents[1] / "fixtures" / "protocol"
AGENTS: Final = ("claude", "codex", "gemini", "chatgpt", "openclaw", "copilot")
DECISIONS: Final = {
    "claude": "Decision: amounts are integer yen, the gateway refuses fractions.",
    "codex": "Decision: the importer reads Shift_JIS files line by line.",
    "gemini": "Decision: the scheduler runs in UTC and prints local times.",
    "chatgpt": "決定：請求書のPDFは毎月一日の朝に作る。",
    "openclaw": "Decision: the press stops when the torque limit is passed.",
    "copilot": "Decision: thumbnails are WebP with a JPEG fallback for mail.",
}


def memory(world: World, agent: str, folder: Path | None = None) -> Memory:
    return Memory(
        agent, folder=folder or world.project, store=world.broker.place.directory, in_process=True
    )


def keep_all(world: World) -> None:
    for agent, text in DECISIONS.items():
        with memory(world, agent) as each:
            kept = each.remember(text, kind="decision")
        assert (kept.status, kept.waits) == ("stored", None), (agent, kept)


def test_six_agents_find_what_each_other_keeps_under_its_name(world: World) -> None:
    keep_all(world)

    for reader in AGENTS:
        with memory(world, reader) as each:
            for writer, text in DECISIONS.items():
                (found, *_) = each.recall(text.partition(":")[2] or text).memories
                assert (found.agent_id, found.text) == (writer, text)
            told = each.recall(DECISIONS["gemini"]).text
            assert "said by gemini (self-named) · trust low" in told
            assert len(each.snapshot().recent) == len(AGENTS)


@pytest.mark.req("EV-33")
def test_the_examples_of_the_protocol_stand_and_are_told_to_the_others(world: World) -> None:
    events = [json.loads((EXAMPLES / f"example_{n}.json").read_text("utf-8")) for n in (1, 2, 3)]
    gateway = world.home / "memory-gateway"
    (gateway / ".git").mkdir(parents=True)
    (gateway / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    for event in events:
        with memory(world, event["agent_id"], gateway) as each:
            kept = each.append(event)
            assert (kept.status, kept.waits, kept.key) == ("stored", None, event["dedupe_key"])

    for reader in AGENTS:
        with memory(world, reader, gateway) as each:
            recent = each.snapshot().recent
            assert {(r.agent_id, r.text) for r in recent} == {
                (event["agent_id"], event["content_md"]) for event in events
            }
            for event in events:
                told = each.recall(event["content_md"]).text
                assert event["content_md"] in told
                assert f"said by {event['agent_id']} (self-named) · trust low" in told
    stored = {r["dedupe_key"]: r for r in world.records() if r["stream"] == "memory"}
    told = world.starts(gateway)
    for event in events:
        assert _is_verbatim(stored[event["dedupe_key"]], event)
        assert f"({event['agent_id']})" in told


def _is_verbatim(record: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    """Return whether a record of the log has every field of an event as its writer gave it."""
    given = {n: v for n, v in event.items() if v is not None and n not in ("content_md", "source")}
    is_text = record["body"]["content_md"] == event["content_md"]
    return (
        is_text
        and given.items() <= record.items()
        and event["source"].items() <= record["source"].items()
    )


def test_an_event_of_another_agent_or_form_is_refused_and_its_detail_is_ours(world: World) -> None:
    event: dict[str, Any] = json.loads((EXAMPLES / "example_3.json").read_text("utf-8"))
    with memory(world, "gemini") as each:
        with pytest.raises(RequestRefused, match="the event names another agent"):
            each.append({**event, "agent_id": "claude"})
        for wrong in ({"basis": [1]}, {"warnings": ["a"]}, {"content_md": "\ud800"}):
            with pytest.raises(RequestRefused):
                each.append(event | wrong)
        with pytest.raises(RequestRefused, match="dedupe_key"):
            each.append({**event, "dedupe_key": "CONFIG:FOO"})
        each.append({**event, "source": {"system": "web", "detail": "terminal"}})

    (record,) = (r for r in world.records() if r["stream"] == "memory")
    assert record["source"] == {"system": "web", "claim": "terminal", "detail": "request"}


def test_one_step_takes_back_what_an_agent_kept_and_one_brings_it_back(world: World) -> None:
    key = "decision:money"
    with memory(world, "codex") as each:
        each.remember("Amounts are integer yen.", key=key)
    keep_all(world)
    with memory(world, "gemini") as each:
        each.remember("Amounts are decimals with two places.", key=key)

    refused = world.agent("forget", "--agent", "gemini")
    taken = world.person("forget", "--agent", "gemini", "--yes")

    assert refused.returncode == 1
    assert "took back 2 memories of gemini: `hooklore restore --agent gemini`" in taken.stdout
    assert "in force again: Amounts are integer yen." in taken.stdout
    assert world.person("get", key).stdout == "Amounts are integer yen.\n"
    assert told_of(world, "gemini") == set()

    brought = world.person("restore", "--agent", "gemini", "--yes")

    assert "brought back 2 memories of gemini" in brought.stdout
    assert world.person("get", key).stdout == "Amounts are decimals with two places.\n"
    assert told_of(world, "gemini") == {
        DECISIONS["gemini"], "Amounts are decimals with two places.",
    }  # fmt: skip
    assert told_of(world, "codex") == {DECISIONS["codex"]}


@pytest.mark.parametrize("command", [("recall", "amounts in yen"), ("search", "yen"), ("list",)])
def test_a_persons_own_lists_name_the_agent_whose_word_it_is(
    world: World, command: tuple[str, ...]
) -> None:
    world.person("remember", "Amounts in yen have no decimals.")
    with memory(world, "gemini") as each:
        each.remember("Amounts in yen are rounded down.")

    told = world.person(*command).stdout

    assert "(said by gemini (self-named)) Amounts in yen are rounded down." in told
    assert "  Amounts in yen have no decimals." in told


def told_of(world: World, agent: str) -> set[str]:
    """What another agent's snapshot tells of an agent."""
    with memory(world, "copilot") as each:
        return {r.text for r in each.snapshot().recent if r.agent_id == agent}


def test_the_page_on_security_has_the_ladder() -> None:
    assert table_of("SECURITY.md", "### The ladder of standing") == [
        [
            rung.told.format(by="NAME"), rung.given_by, rung.trust,
            "waits" if rung.waits else "stands", "in full" if rung.leads_brief else "its title",
            rung.pinned, TOLD_AT_STEP[rung.at_step], TOLD_AT_PROMPT[rung.at_prompt],
            f"{LADDER[rung.replaces].told.format(by='NAME')} and below",
        ]
        for rung in LADDER.values()
    ]  # fmt: skip


TOLD_AT_STEP: Final = {
    "rule": "a rule, which a step may break",
    "words": "where it shares rare words",
    "named": "a decision or rule that names the step's file, symbol or program",
    "never": "never",
}
TOLD_AT_PROMPT: Final = {"words": "by its words", "labels": "by its title and phrases"}
