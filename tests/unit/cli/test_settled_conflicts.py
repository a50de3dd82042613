"""What became of a contradiction: one winner by the newest id, and the other side kept beside it."""

import json

import pytest

from hooklore.config import StoreLocation
from hooklore.index.generation import index_directory
from hooklore.log.line import decode_line, encode_line
from tests.unit.cli.conftest import Json, Memory, Run

KEY = "config:retry_rule"
BACKOFF = "Retry with kestrel backoff"
AT_ONCE = "Retry at once without kestrel"


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


def turn_log_around(place: StoreLocation) -> None:
    """Write the log's lines in the opposite order, and remove what was indexed of it."""
    lines = [decode_line(line) for line in place.log.read_bytes().splitlines()]
    place.log.write_bytes(b"".join(encode_line(each) for each in reversed(lines) if each))
    for path in sorted(index_directory(place).rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()


@pytest.mark.req("CO-05")
def test_of_one_key_the_newest_id_wins_in_whatever_order_the_index_met_them(
    hooklore: Run, memory: Memory
) -> None:
    first = said(hooklore, BACKOFF, "claude", "r-1")
    last = said(hooklore, AT_ONCE, "codex", "r-2")
    before = told(hooklore)

    turn_log_around(memory.broker.place)
    unindexed = told(hooklore)
    rebuilt = (hooklore("rebuild").rc, told(hooklore))

    assert first["id"] < last["id"]
    assert (last["status"], last["supersedes"]) == ("conflict", first["id"])
    assert before == [AT_ONCE] * 3
    assert unindexed == before
    assert rebuilt == (0, before)


@pytest.mark.req("CO-14")
@pytest.mark.parametrize(("keep", "kept", "lost"), [("A", BACKOFF, AT_ONCE), ("B", AT_ONCE, BACKOFF)])
def test_what_lost_is_recalled_as_refuted_after_consolidation(
    hooklore: Run, memory: Memory, at_terminal: None, keep: str, kept: str, lost: str
) -> None:
    said(hooklore, BACKOFF, "claude", "r-1")
    conflict = said(hooklore, AT_ONCE, "codex", "r-2")["conflict"]

    settled = hooklore("resolve", conflict, "--keep", keep)
    consolidated = hooklore("consolidate")
    found = hooklore("recall", "How do we retry with the kestrel backoff?", "--json").records
    shown = memory.hook("UserPromptSubmit", "s-9", prompt="How do we retry with kestrel backoff?")

    assert (settled.rc, consolidated.rc) == (0, 0)
    assert hooklore("get", KEY).lines == [kept]
    (refuted,) = memory.of("refuted"); print("SHOWN", shown)
    assert refuted["id"] in json.dumps(found)
    (note,) = [line for line in shown.splitlines() if refuted["id"] in line]
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
    shown = memory.hook("UserPromptSubmit", "s-9", prompt="How do we retry with kestrel backoff?")

    (compared,) = memory.of("comparison")
    sides = memory.of("config")
    days = [side["ts"][:10] for side in sides]
    assert compared["body"]["sources"] == [side["id"] for side in sides]
    assert compared["body"]["text"].splitlines() == [
        f"Approach A (claude, {days[0]}, main, r-1): {BACKOFF}",
        f"Approach B (codex, {days[1]}, main, r-2): {AT_ONCE}",
    ]
    (note,) = [line for line in shown.splitlines() if compared["id"] in line]
    assert f"codex, {days[1]}, main, r-2" in note
    assert " · comparison · " in note
    assert memory.of("refuted") == []
    assert hooklore("conflicts").err == "no conflicts\n"
