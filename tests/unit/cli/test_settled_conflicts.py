"""What became of a contradiction: one winner by the newest id, and the other side kept beside it."""

import json

import pytest

from hooklore.records.ids import short_id
from tests.unit.cli.conftest import Json, Memory, Run

KEY = "config:retry_rule"
BACKOFF = "Retry with kestrel backoff"
AT_ONCE = "Retry at once without kestrel"
QUESTION = "How do we retry with the kestrel backoff, at once or later?"


def said(hooklore: Run, text: str, agent: str, run: str, key: str = KEY) -> Json:
    """Run `hooklore remember` as an agent in a run, and return its answer."""
    options = ("--key", key, "--agent", agent, "--run", run, "--basis", "tool")
    found: Json = hooklore("remember", text, "--json", *options).records[0]
    return found


def told(hooklore: Run) -> list[str]:
    """Return the version that each way to read one key has: by key, listed, in a snapshot."""
    listed = hooklore("memory", "list", "--kind", "config", "--json").records
    shown = hooklore("snapshot", "--json").records[0]["pinned_md"]
    return [
        *hooklore("get", KEY).lines,
        *(record["body"]["content_md"] for record in listed),
        *(line.removeprefix("- ") for line in shown.splitlines()),
    ]


@pytest.mark.req("CO-05")
@pytest.mark.parametrize("indexed", ["never", "after each", "before the last"])
def test_of_one_key_the_newest_id_wins_in_whatever_order_records_reach_the_index(
    hooklore: Run, memory: Memory, indexed: str
) -> None:
    """Three agents write one key, in turn: from the log's tail, from the index, and from both."""
    ids = []
    for agent, text in (("claude", BACKOFF), ("codex", "Never retry"), ("gemini", AT_ONCE)):
        ids.append(said(hooklore, text, agent, f"r-{agent}")["id"])
        if indexed == "after each" or (indexed == "before the last" and agent == "codex"):
            assert hooklore("rebuild").rc == 0
    stands = hooklore("get", KEY, "--json").records[0]["event"]["id"]
    before = told(hooklore)

    rebuilt = (hooklore("rebuild").rc, told(hooklore))

    assert stands == max(ids) == ids[-1]
    assert before == [AT_ONCE] * 3
    assert rebuilt == (0, before)
    for id_ in ids[:-1]:
        assert f"superseded_by: {ids[-1]}" in hooklore("show", id_).lines


@pytest.mark.req("CO-14")
@pytest.mark.parametrize(
    ("keep", "kept", "lost"), [("A", BACKOFF, AT_ONCE), ("B", AT_ONCE, BACKOFF)]
)
def test_what_lost_is_recalled_as_refuted_after_consolidation(
    hooklore: Run, memory: Memory, at_terminal: None, keep: str, kept: str, lost: str
) -> None:
    said(hooklore, BACKOFF, "claude", "r-1")
    conflict = said(hooklore, AT_ONCE, "codex", "r-2")["conflict"]

    settled = hooklore("resolve", conflict, "--keep", keep)
    consolidated = hooklore("consolidate")
    found = hooklore("recall", QUESTION, "--json").records
    shown = memory.hook("UserPromptSubmit", "s-9", prompt=QUESTION)

    assert (settled.rc, consolidated.rc) == (0, 0)
    assert hooklore("get", KEY).lines == [kept]
    (refuted,) = memory.of("refuted")
    assert refuted["id"] in json.dumps(found)
    (note,) = [line for line in shown.splitlines() if short_id(refuted["id"]) in line]
    assert note.startswith("- Refuted (")
    assert " · refuted · " in note
    assert note.index(lost) < note.index(f"What holds: {kept}")


@pytest.mark.req("CO-15")
def test_both_approaches_are_one_comparison_with_the_context_of_each(
    hooklore: Run, memory: Memory
) -> None:
    said(hooklore, BACKOFF, "claude", "r-1")
    conflict = said(hooklore, AT_ONCE, "codex", "r-2")["conflict"]

    hooklore("resolve", conflict, "--keep", "both")
    shown = memory.hook("UserPromptSubmit", "s-9", prompt=QUESTION)

    (compared,) = memory.of("comparison")
    sides = memory.of("config")
    days = [side["ts"][:10] for side in sides]
    assert compared["body"]["sources"] == [side["id"] for side in sides]
    assert compared["body"]["text"].splitlines() == [
        f"Approach A (claude, {days[0]}, main, r-1): {BACKOFF}",
        f"Approach B (codex, {days[1]}, main, r-2): {AT_ONCE}",
    ]
    (note,) = [line for line in shown.splitlines() if short_id(compared["id"]) in line]
    assert f"codex, {days[1]}, main, r-2" in note
    assert " · comparison · " in note
    assert memory.of("refuted") == []
    assert hooklore("conflicts").err == "no conflicts\n"
