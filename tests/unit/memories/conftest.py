"""A project with an agent in its first session, and others that keep memories there."""

from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from tests.support.agent import Agent, repository
from tests.support.agents_words import Writers


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Agent:
    found = Agent(store, repository(tmp_path / "api"), home)
    found.starts("s1")
    return found


@pytest.fixture
def writers(agent: Agent) -> Writers:
    return Writers(agent)
