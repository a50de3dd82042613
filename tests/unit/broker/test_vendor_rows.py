"""A person's own forms of tokens, in the store, are masked as those that come with hooklore."""

from collections.abc import Iterator

import pytest

from hooklore.broker import Broker
from hooklore.broker.vendor_rows import read_vendor_rows
from hooklore.config import StoreLocation
from hooklore.redaction.engine import use_vendor_rows
from tests.support.store_files import holding
from tests.support.writers import draft, records

ROW = """
[[rules]]
id = "acme"
description = "Acme's deployment key"
regex = '\\bacme_[a-z]{12}'
keywords = ["acme_"]
"""
TOKEN = "acme" + "_" + "riverotterpx"


@pytest.fixture(autouse=True)
def no_rows_afterwards() -> Iterator[None]:
    yield
    use_vendor_rows(())


def write_rows(store: StoreLocation, text: str) -> None:
    store.directory.mkdir(parents=True, exist_ok=True)
    store.vendor_rows.write_text(text, "utf-8")


def test_a_token_of_a_persons_own_row_reaches_no_record(store: StoreLocation) -> None:
    write_rows(store, ROW)
    broker = Broker(store)

    broker.append([draft("one", f"deploy with {TOKEN} now")])
    broker.close()

    assert records(store)[-1]["body"]["text"] == "deploy with [REDACTED:acme] now"
    assert holding(store, TOKEN) == []


def test_without_the_row_the_same_text_stays(store: StoreLocation) -> None:
    broker = Broker(store)

    broker.append([draft("one", f"deploy with {TOKEN} now")])
    broker.close()

    assert records(store)[-1]["body"]["text"] == f"deploy with {TOKEN} now"


@pytest.mark.parametrize(
    ("row", "cause"),
    [
        ("id = 'a'", "it has no regex"),
        ("id = 'a'\nregex = '(?=x)'", "RE2 does not take its regex"),
        ("id = 'a'\nregex = 'x*'", "its regex matches ordinary text"),
        ("id = 'a'\nregex = '[0-9a-f]{40}'", "its regex matches ordinary text"),
        ("id = 'a'\nregex = 7", "it has no regex"),
    ],
)
def test_a_row_that_cannot_be_used_is_left_out_and_the_others_are_read(
    row: str, cause: str, store: StoreLocation
) -> None:
    write_rows(store, f"{ROW}\n[[rules]]\n{row}\n")

    rows, problems = read_vendor_rows(store)

    assert [one.label for one in rows] == ["acme"]
    assert [(one.id, one.cause) for one in problems] == [("a", cause)]


def test_no_more_than_two_hundred_rows_are_read(store: StoreLocation) -> None:
    write_rows(store, "\n".join(ROW.replace("acme_", f"acme{n}_") for n in range(203)))

    rows, problems = read_vendor_rows(store)

    assert len(rows) == 200
    assert [one.cause for one in problems] == ["too many rows"] * 3


@pytest.mark.parametrize("text", ["[[rules", "rules = 3", "\x00", "x" * (2 << 20)])
def test_a_file_that_is_no_table_of_rows_stops_nobody(text: str, store: StoreLocation) -> None:
    write_rows(store, text)
    broker = Broker(store)

    broker.append([draft("one", f"deploy with {TOKEN} now")])
    broker.close()

    assert len(records(store)) >= 1
