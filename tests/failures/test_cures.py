"""Failures that strangers wrote with what passed next: the cures are told, and nothing else is."""

from pathlib import Path

import pytest

from tests.failures.cures import FOLDER, play, score


@pytest.mark.timeout(120)
@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.jsonl")), ids=lambda file: file.stem)
def test_cures_are_told_at_their_failures_return_and_other_runs_are_not(file: Path) -> None:
    found = score(list(play(file)))

    assert found.precision >= 0.9
    assert found.recall >= 0.7
    assert found.left_open <= found.cures - found.right
