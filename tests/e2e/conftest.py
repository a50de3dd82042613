"""A home with a project, and the ways to run a command there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import end_residents
from tests.e2e.test_who_speaks import World


@pytest.fixture
def world(home: Path) -> Iterator[World]:
    world = World(home)
    yield world
    world.broker.close()
    end_residents(home)
