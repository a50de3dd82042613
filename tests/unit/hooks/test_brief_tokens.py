"""What a session may be told at its start is capped, and says so (row RF-17)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import RecallSettings, Settings, StoreLocation
from hooklore.prompt.frame import FRAME_CLOSE, FRAME_OPEN
from hooklore.retrieval.brief_text import KEEP_LINE
from hooklore.text.token_estimate import estimate_tokens
from tests.support.agent import Agent, repository

pytestmark = pytest.mark.req("RF-17")

MORE = "(there is more than fits here:"


def told(
    store: StoreLocation, tmp_path: Path, home: Path, memories: int, **recall: int
) -> Iterator[str]:
    settings = Settings(recall=RecallSettings.model_validate(recall))
    agent = Agent(store, repository(tmp_path / "widgets"), home, settings)
    for number in range(memories):
        agent.remembers(f"Rule {number}: the lathe number {number * 17} is oiled by its own hand")
    yield agent.starts("s1")
    agent.broker.close()


@pytest.mark.parametrize("tokens", [300, 1_500, 2_000])
def test_a_brief_never_exceeds_the_configured_cap_and_says_that_it_was_cut(
    store: StoreLocation, tmp_path: Path, home: Path, tokens: int
) -> None:
    (brief,) = told(store, tmp_path, home, 150, brief_tokens=tokens, index_tokens=0)

    assert tokens / 2 < estimate_tokens(brief) <= tokens
    assert brief.count(MORE) == 1


@pytest.mark.parametrize("tokens", [100, 800])
def test_an_index_has_the_titles_of_what_a_brief_leaves_out_within_its_own_cap(
    store: StoreLocation, tmp_path: Path, home: Path, tokens: int
) -> None:
    (brief,) = told(store, tmp_path, home, 150, brief_tokens=300, index_tokens=tokens)

    assert "constraint: Rule " in brief
    assert "(+" in brief
    assert estimate_tokens(brief) <= 300 + tokens
    assert MORE not in brief


def test_where_nothing_is_worth_saying_only_the_frame_and_the_line_about_keeping_are_said(
    store: StoreLocation, tmp_path: Path, home: Path
) -> None:
    (brief,) = told(store, tmp_path, home, 0)

    said = brief.replace(KEEP_LINE, "").replace(FRAME_OPEN, "").replace(FRAME_CLOSE, "")
    assert said.strip() == ""
    assert estimate_tokens(brief) <= 60
    assert estimate_tokens(KEEP_LINE) <= 30


def test_a_brief_that_fits_says_nothing_of_the_kind(
    store: StoreLocation, tmp_path: Path, home: Path
) -> None:
    (brief,) = told(store, tmp_path, home, 3)

    assert brief.count("is oiled by") == 3
    assert MORE not in brief
