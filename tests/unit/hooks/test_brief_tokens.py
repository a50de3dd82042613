"""What a session may be told at its start is capped, and says so (row RF-17)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import RecallSettings, Settings, StoreLocation
from hooklore.text.token_estimate import estimate_tokens
from tests.support.agent import Agent, repository

pytestmark = pytest.mark.req("RF-17")

MORE = "(there is more than fits here:"


def told(
    store: StoreLocation, tmp_path: Path, home: Path, tokens: int, memories: int
) -> Iterator[str]:
    settings = Settings(recall=RecallSettings(brief_tokens=tokens))
    agent = Agent(store, repository(tmp_path / "widgets"), home, settings)
    for number in range(memories):
        agent.remembers(f"Rule {number}: the lathe number {number * 17} is oiled by its own hand")
    yield agent.starts("s1")
    agent.broker.close()


@pytest.mark.parametrize("tokens", [300, 1_500, 2_000])
def test_a_brief_never_exceeds_the_configured_cap_and_says_that_it_was_cut(
    store: StoreLocation, tmp_path: Path, home: Path, tokens: int
) -> None:
    (brief,) = told(store, tmp_path, home, tokens, 150)

    assert tokens / 2 < estimate_tokens(brief) <= tokens
    assert brief.count(MORE) == 1


def test_a_brief_that_fits_says_nothing_of_the_kind(
    store: StoreLocation, tmp_path: Path, home: Path
) -> None:
    (brief,) = told(store, tmp_path, home, 1_500, 3)

    assert brief.count("is oiled by") == 3
    assert MORE not in brief
