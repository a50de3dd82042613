"""The form of a memory event (seed 000 §6), as `hooklore remember` takes it and `snapshot` gives it back."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.conftest import Memory, Run, answered

PROTOCOL = Path(__file__).parents[2] / "fixtures" / "protocol"
KEY = "config:db_engine"
FIELDS = ("agent_id", "run_id", "scope", "kind", "dedupe_key", "confidence", "source",
          "supersedes", "ttl_days")  # fmt: skip
"""The canonical fields of an event, but for its text."""

Json = dict[str, Any]


def canonical(record: Json) -> Json:
    """The ten canonical fields of a record, as far as it has them."""
    return {n: record[n] for n in FIELDS if n in record} | {
        "content_md": record["body"]["content_md"]
    }


def example(number: int) -> Json:
    """An example event of the seed (§13)."""
    found: Json = json.loads((PROTOCOL / f"example_{number}.json").read_text("utf-8"))
    return found


def options_of(event: Json) -> list[str]:
    """The options of `hooklore remember` that say an event's fields."""
    named = {"agent_id": "--agent", "run_id": "--run", "scope": "--scope", "kind": "--kind",
             "dedupe_key": "--key", "confidence": "--confidence", "ttl_days": "--ttl-days",
             "supersedes": "--supersedes"}  # fmt: skip
    given = [(option, event.get(name)) for name, option in named.items()]
    return [word for option, value in given if value is not None for word in (option, str(value))]


# ---- the ten fields


@pytest.mark.req("EV-01")
def test_an_event_has_the_ten_canonical_fields_and_a_snapshot_gives_them_back(
    hooklore: Run, memory: Memory
) -> None:
    old = answered(
        hooklore, "The gateway retries 3 times", "--agent", "claude", "--scope", "global"
    )
    event = {
        "agent_id": "claude", "run_id": "run-7", "scope": "global", "kind": "config",
        "dedupe_key": KEY, "confidence": "high", "source": {"system": "cli", "detail": "terminal"},
        "supersedes": old["id"], "ttl_days": 90,
        "content_md": "The gateway retries **5** times\n\n- since 2026-02-02\n- 理由: 503 が続くため",
    }  # fmt: skip

    answer = answered(hooklore, event["content_md"], *options_of(event))
    (made,) = hooklore("snapshot", "--scope", "global", "--json").records

    line = memory.records()[-2]  # the last one is the snapshot's own
    returned = [r for r in (*made["pins"], *made["recent_events"]) if r["id"] == answer["id"]]
    assert line["id"] == answer["id"]
    assert canonical(line) == event
    assert [canonical(record) for record in returned] == [event]


@pytest.mark.req("EV-33")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_seeds_examples_are_stored_as_their_writers_say_them(
    hooklore: Run, memory: Memory, number: int
) -> None:
    event = example(number)

    answer = answered(hooklore, event["content_md"], *options_of(event))

    (record,) = [r for r in memory.records() if r["id"] == answer["id"]]
    given = {n: v for n, v in event.items() if v is not None and n != "source"}
    assert (answer["status"], answer["warnings"]) == ("stored", [])
    assert given.items() <= canonical(record).items()
    assert hooklore("get", event["dedupe_key"], "--scope", event["scope"]).out == (
        event["content_md"] + "\n"
    )


# ---- confidence


@pytest.mark.req("EV-06")
@pytest.mark.parametrize("confidence", ["high", "med", "low"])
def test_a_confidence_of_three_levels(hooklore: Run, memory: Memory, confidence: str) -> None:
    id_ = answered(hooklore, "The press is loud", "--kind", "bug", "--confidence", confidence)["id"]

    assert f"confidence: {confidence}" in hooklore("show", id_).lines


@pytest.mark.req("EV-06")
@pytest.mark.parametrize("confidence", ["medium", "0.9", "1", "certain"])
def test_another_confidence_is_refused_with_the_three_that_there_are(
    hooklore: Run, memory: Memory, confidence: str
) -> None:
    answer = hooklore("remember", "The press is loud", "--confidence", confidence)

    assert answer.rc == 1
    assert "confidence: " in answer.err
    assert "must be one of high, med, low" in answer.err
    assert memory.records() == []


@pytest.mark.req("EV-06")
@pytest.mark.parametrize(
    ("number", "level"),
    [(1.0, "high"), (0.8, "high"), (0.79, "med"), (0.5, "med"), (0.49, "low"), (0, "low")],
)
def test_a_number_from_elsewhere_is_mapped_and_both_are_shown(
    hooklore: Run, memory: Memory, tmp_path: Path, number: float, level: str
) -> None:
    theirs = {
        "id": "e-1", "content": "The press is loud", "memory_type": "error", "scope": "user",
        "source_agent": "claude", "confidence": number, "tags": [], "metadata": {},
        "created_at": "2026-01-31T12:00:00Z",
    }  # fmt: skip
    log = tmp_path / "events.jsonl"
    log.write_text(json.dumps(theirs) + "\n")
    assert hooklore("import", "--from", "hook-memory", str(log)).rc == 0
    (record,) = [r for r in memory.records() if r["kind"] == "error"]

    shown = hooklore("show", record["id"])
    (imported,) = [line for line in shown.lines if line.startswith("imported: ")]

    assert f"confidence: {level}" in shown.lines
    assert json.loads(imported.removeprefix("imported: "))["confidence"] == number


# ---- the text


@pytest.mark.req("EV-07")
@pytest.mark.parametrize(("length", "warned"), [(1200, False), (1201, True)])
def test_a_text_over_1200_characters_is_stored_with_a_warning(
    hooklore: Run, memory: Memory, length: int, warned: bool
) -> None:
    text = ("word " * 400)[: length - 1] + "x"

    printed = hooklore("remember", text)

    assert len(text) == length
    assert printed.rc == 0
    assert printed.out.startswith("stored ")
    assert ("warning: content_too_long: " in printed.err) is warned
    assert memory.records()[-1]["body"]["content_md"] == text


def of_length(length: int) -> str:
    """A text of so many characters."""
    return "x y " * (length // 4) + "z" * (length % 4)


def configured(memory: Memory, **curated: object) -> None:
    """Write settings below `[curated]`."""
    memory.broker.place.directory.mkdir(parents=True, exist_ok=True)
    lines = [f"{name} = {json.dumps(value)}" for name, value in curated.items()]
    memory.broker.place.config.write_text("\n".join(["[curated]", *lines, ""]))


@pytest.mark.req("EV-07")
@pytest.mark.parametrize("limit", [None, 1200, 2000, 20_000])
def test_a_text_over_the_limit_is_refused_and_the_limit_is_a_setting(
    hooklore: Run, memory: Memory, limit: int | None
) -> None:
    if limit is not None:
        configured(memory, content_limit=limit)
    most = limit or 8000

    over = hooklore("remember", of_length(most + 1))
    none = memory.records()
    kept = hooklore("remember", of_length(most))

    assert over.rc == 1
    assert f"content_md: a text of {most + 1} characters, at most {most}" in over.err
    assert "zz" not in over.err
    assert none == []
    assert (kept.rc, kept.out.split()[0]) == (0, "stored")
    assert ("content_too_long" in kept.err) is (most > 1200)
    assert memory.records()[-1]["body"]["content_md"] == of_length(most).strip()


@pytest.mark.req("EV-07")
def test_an_agents_entry_has_the_same_limit(hooklore: Run, memory: Memory) -> None:
    configured(memory, content_limit=2000)
    agent = ("--agent", "claude")

    kept, over = (hooklore("remember", of_length(n), *agent) for n in (2000, 2001))

    assert (kept.rc, over.rc) == (0, 1)
    assert "content_md: a text of 2001 characters, at most 2000" in over.err


@pytest.mark.req("EV-07")
@pytest.mark.parametrize("value", [0, -1, 1199, 100_001, 1500.5, "many", True])
def test_a_limit_that_makes_no_sense_is_named(
    hooklore: Run, hooks: Run, memory: Memory, value: object
) -> None:
    configured(memory, content_limit=value)

    written, examined = hooklore("remember", "The press needs torque"), hooks("doctor")

    assert written.rc == 0  # the default holds
    assert "could not use `curated.content_limit`" in written.err
    assert "curated.content_limit" in examined.out + examined.err


@pytest.mark.req("EV-16")
def test_the_seeds_good_text_draws_no_warning(hooklore: Run, memory: Memory) -> None:
    good = (PROTOCOL / "good_example.md").read_text("utf-8").strip()

    printed = hooklore("remember", good, "--key", "config:telegram_bot_token_location")

    assert printed.out.startswith("stored ")
    assert "warning" not in printed.err


@pytest.mark.req("EV-16")
@pytest.mark.parametrize(
    "text",
    [
        (PROTOCOL / "bad_example.md").read_text("utf-8").strip(),
        "\n\n".join(f"Paragraph {n} about the press." for n in range(6)),
        "\n\n".join(f"- point {n}" for n in range(6)),
        "\n".join(f"Line {n} about the press." for n in range(6)),
        "The press is loud. " * 64,
    ],
    ids=[
        "the seed's bad example",
        "six paragraphs",
        "six of bullets",
        "six lines",
        "over 1200 characters",
    ],
)
def test_a_long_text_is_stored_with_a_warning_about_its_style(
    hooklore: Run, memory: Memory, text: str
) -> None:
    printed = hooklore("remember", "--", text.strip())  # a bullet is no option

    assert printed.out.startswith("stored ")
    assert "warning: style: " in printed.err


@pytest.mark.req("EV-16")
def test_five_short_lines_and_bullets_draw_no_warning(hooklore: Run, memory: Memory) -> None:
    lines = [f"Line {n} about the press." for n in range(5)]

    printed = hooklore("remember", "\n".join([*lines, *(f"- point {n}" for n in range(8))]))

    assert "warning" not in printed.err


# ---- keys


@pytest.mark.req("EV-15")
def test_a_key_that_says_nothing_is_warned_of_and_kept(hooklore: Run, memory: Memory) -> None:
    weak = hooklore("remember", "We use sqlite", "--key", "abc123")
    telling = hooklore("remember", "We use make", "--key", "config:build_tool")

    assert weak.out.startswith("stored ")
    assert "warning: weak_key: " in weak.err
    assert "weak_key" not in telling.err
    assert hooklore("get", "abc123").lines == ["We use sqlite"]


@pytest.mark.req("EV-15")
def test_one_key_is_unique_in_a_scope_and_two_scopes_have_one_each(
    hooklore: Run, memory: Memory
) -> None:
    scopes = ("global", "project", "project:forge", "agent:claude")
    said = {s: answered(hooklore, f"We use {s} db", "--key", KEY, "--scope", s, "--agent", "claude")
            for s in scopes}  # fmt: skip

    again = hooklore("remember", "We use postgres", "--key", KEY, "--scope", "global", "--agent",
                     "claude", "--supersedes", said["global"]["id"], "--json").records[0]  # fmt: skip

    assert {answer["status"] for answer in said.values()} == {"stored"}
    assert hooklore("conflicts").err == "no conflicts\n"
    assert again["status"] == "updated"
    assert [hooklore("get", KEY, "--scope", s).lines for s in scopes] == [
        ["We use postgres"], ["We use project db"], ["We use project:forge db"],
        ["We use agent:claude db"],
    ]  # fmt: skip
