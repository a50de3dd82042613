"""SECURITY.md names what is protected and what is not, and the store keeps the promised modes."""

import stat
from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.records.draft import Draft
from hooklore.records.record import Record

TEXT = (Path(__file__).parents[2] / ".github" / "SECURITY.md").read_text("utf-8")


@pytest.mark.req("AC-14")
@pytest.mark.parametrize(
    "words",
    [
        "No encryption at rest", "plain text with mode 0600", "No masking of what you recall",
        "No control over what a model does with a recalled item", "what is said in a conversation",
        "One user is one trust domain", "Copies in transcripts", "private advisory",
    ],
)  # fmt: skip
def test_what_is_not_protected_and_how_to_report_is_said(words: str) -> None:
    assert words in TEXT


def test_the_log_has_the_mode_that_is_promised(store: StoreLocation) -> None:
    broker = Broker(store)
    given = {"stream": "memory", "kind": "fact", "agent_id": "claude"}
    broker.append([Draft(Record({**given, "body": {"content_md": "x"}}))])
    broker.index()
    broker.close()

    paths = [store.directory, *store.directory.rglob("*")]
    modes = {(p.is_dir(), stat.S_IMODE(p.lstat().st_mode)) for p in paths}
    assert modes == {(True, 0o700), (False, 0o600)}
