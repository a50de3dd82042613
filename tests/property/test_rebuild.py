"""A rebuilt index equals the one that was kept up to date, row for row."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.index import generation, words
from hooklore.index.catalog import Catalog
from hooklore.index.text import TextIndex
from hooklore.log import files
from hooklore.records.draft import Draft
from hooklore.records.record import Record
from tests.support.memory_folder import memory_folder
from tests.support.writers import KEYS, draft, records

_WORDS = ["alpha", "beta", "KeyError", "共有記憶", "使い方", "colour", "widgets.toml", "x" * 60]


def contents(place: StoreLocation) -> dict[str, Any]:
    """Everything that the generation in force holds: rows, counts, watermark, words by position."""
    directory = generation.current_generation(place)
    assert directory is not None
    catalog, text = Catalog(directory / "catalog.sqlite"), TextIndex(directory / "text")
    bins = sorted({words.bin_name(Record(record)) for record in records(place)})
    found = {
        "rows": catalog._query("SELECT key, pos FROM keys ORDER BY key, pos", ()),
        "stats": catalog.stats(),
        "watermark": catalog.watermark(),
        "documents": text.documents,
        "words": {
            term: sorted(pos for _, pos in text.search([term], dict.fromkeys(bins, 1.0), 1_000))
            for word in _WORDS
            for term in text.analyze(word)
        },
    }
    catalog.close()
    text.close()
    return found


def rebuilt(place: StoreLocation) -> dict[str, Any]:
    """The same of an index that is made anew."""
    broker = Broker(place)
    broker.rebuild()
    broker.close()
    return contents(place)


_DRAFTS = st.one_of(
    st.builds(
        lambda n, text, kind: draft(f"d{n}", " ".join(text), kind=kind, keys=KEYS, session_id="s1"),
        st.integers(0, 40),
        st.lists(st.sampled_from(_WORDS), max_size=5),
        st.sampled_from(["prompt", "answer", "session_end"]),
    ),
    st.builds(
        lambda n, ok: draft(
            f"t{n}",
            kind="tool_result" if ok else "error",
            body={
                "command": "pytest -q", "tool": "Bash", "errors": [] if ok else ["KeyError: beta"],
                "outcome": "success" if ok else "failure", "key": "cmd:pytest", "signature": "beta",
            },
            keys=KEYS,
            session_id="s1",
        ),
        st.integers(0, 40),
        st.booleans(),
    ),
    st.builds(
        lambda n, text: draft(
            "", delivery_id=None, stream="memory", kind="fact", dedupe_key=f"k{n}",
            body={"content_md": text},
        ),
        st.integers(0, 5),
        st.sampled_from(_WORDS),
    ),
)  # fmt: skip
_STEPS = st.lists(_DRAFTS | st.sampled_from(["index", "reopen", "damage"]), max_size=25)


@pytest.mark.req("WF-05", "WF-25")
@settings(max_examples=25)
@given(_STEPS, st.sampled_from([400, 2_000, 1 << 25]))
def test_a_rebuilt_index_equals_the_live_one(steps: list[Draft | str], segment: int) -> None:
    before, files.SEGMENT_BYTES = files.SEGMENT_BYTES, segment
    try:
        with memory_folder() as folder:
            place = store_location_at(folder / "store")
            broker = Broker(place)
            for step in steps:
                broker = _take(broker, place, step)
            broker.append([draft("the-last")])
            broker.index()
            broker.close()

            live = contents(place)

            assert live == rebuilt(place)
            assert live["documents"] == sum(
                words.search_group(Record(r)) is not None for r in records(place)
            )
    finally:
        files.SEGMENT_BYTES = before


def _take(broker: Broker, place: StoreLocation, step: Draft | str) -> Broker:
    if isinstance(step, Draft):
        broker.append([step])
    elif step == "index":
        broker.index()
    elif step == "reopen":
        broker.close()
        return Broker(place)
    elif place.log.exists():
        with place.log.open("ab") as log:
            log.write(b'{"v":1,"damaged":true}\n')
    return broker
