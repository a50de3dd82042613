"""An agent at work in a project, whose commands fail and pass."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from tests.support.agent import Agent, repository


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    """Return an agent in its first session."""
    found = Agent(store, repository(tmp_path / "widgets"), home)
    found.starts("s1")
    yield found
    found.broker.close()
