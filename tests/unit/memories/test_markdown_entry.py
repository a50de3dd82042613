"""Render an entry as a Markdown file, and parse it again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooklore.memories.archive_files import render_markdown_entry
from hooklore.records.record import Record

CREATED, UPDATED = "2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


def entry(key: str, tags: list[str]) -> Record:
    return Record.of(id="", dedupe_key=key, created_at=CREATED, ts=UPDATED, body={"tags": tags})


def read(file: str) -> tuple[dict[str, object], str]:
    """Return front matter and text, split as the readers of seed 004 do it."""
    opening, front, text = file.split("---\n", 2)
    assert opening == ""
    pairs = (line.partition(": ") for line in front.splitlines())
    return {name: json.loads(value) for name, _, value in pairs}, text


@pytest.mark.req("EV-25")
@given(TEXTS, st.lists(TEXTS), TEXTS)
def test_whatever_is_in_an_entry_comes_back(key: str, tags: list[str], text: str) -> None:
    front, body = read(render_markdown_entry(entry(key, tags), text))

    assert front == {"key": key, "tags": tags, "created_at": CREATED, "updated_at": UPDATED}
    assert body == text


@pytest.mark.req("EV-25")
def test_a_text_with_rules_and_colons_stays_as_it_is() -> None:
    text = "title: a press\n---\nkey: another\n- 47 Nm\n"

    file = render_markdown_entry(entry("config:press", ["db", "言語: 日本語"]), text)

    assert file == (
        '---\nkey: "config:press"\ntags: ["db", "言語: 日本語"]\n'
        f'created_at: "{CREATED}"\nupdated_at: "{UPDATED}"\n---\n{text}'
    )
