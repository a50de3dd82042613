"""A deliberate memory with a secret is refused by rule and place, never by value."""

import json
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.records.draft import Draft
from hooklore.records.record import Record
from hooklore.redaction.secret_refusal import find_refusal
from tests.support.store_files import holding

SECRET = "tig" + "er7" + "Zq19"
CHOSEN = "retnuh"[::-1] + "2222"
ADDRESS = "a.b@" + "example.co.jp"
PROTOCOL = Path(__file__).parents[2] / "fixtures" / "protocol"


def said(**body: Any) -> Record:
    return Record({"stream": "memory", "kind": "fact", "agent_id": "claude", "body": body})


def example(path: Path) -> Record:
    given = json.loads(path.read_text("utf-8"))
    content = given.pop("content_md")
    return said(content_md=content).with_fields(
        **{k: given[k] for k in ("kind", "dedupe_key", "source")}
    )


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"content_md": f"use password={SECRET} here"}, "content_md: assigned at 13-23"),
        ({"content_md": f"日本語 {ADDRESS}"}, "content_md: email at 4-21"),
        ({"content_md": "ok", "tags": ["a", ADDRESS]}, "tags[1]: email at 0-17"),
        ({"content_md": "ok", "more": {"password": SECRET}}, "more.password: assigned at 0-10"),
        ({"content_md": "ok", "env": [{"name": "DB_PASSWORD", "value": CHOSEN}]}, "env[0]: assigned at 0-10"),
        ({"content_md": "ok", "deep": {"a": [[f"token={SECRET}"]]}}, "deep.a[0][0]: assigned at 6-16"),
        ({"content_md": "ok", ADDRESS: {"x": 1}}, "a name: email at 0-17"),
    ],
)  # fmt: skip
def test_a_secret_is_refused_with_its_rule_and_place(body: dict[str, Any], reason: str) -> None:
    found = find_refusal(said(**body))

    assert str(found) == reason


@pytest.mark.parametrize("path", sorted(PROTOCOL.glob("example_*.json")), ids=lambda p: p.stem)
def test_the_examples_of_the_protocol_are_accepted(path: Path, store: StoreLocation) -> None:
    broker = Broker(store)

    receipt = broker.append([Draft(example(path).with_fields(scope="global"))])[0]

    assert receipt.status == "stored"
    stored = json.loads(store.log.read_bytes())
    assert stored["body"] == {"content_md": example(path).body.content_md}
    broker.close()


def test_the_good_example_of_the_protocol_is_accepted() -> None:
    assert find_refusal(said(content_md=(PROTOCOL / "good_example.md").read_text("utf-8"))) is None


@pytest.mark.parametrize(
    "text",
    [
        "the password lies in the vault", "rotate every API key twice a year", "the primary key",
        "a tokenizer splits words", "keyboard shortcuts", "the secret of good tests is naming",
        "パスワードは金庫にある", "git@" + "github.com:me/widgets.git",
    ],
)  # fmt: skip
def test_bare_words_are_accepted(text: str) -> None:
    assert find_refusal(said(content_md=text)) is None


@pytest.mark.parametrize("detail", ["hook:UserPromptSubmit", "import:hook-memory"])
def test_captured_text_is_masked_instead(detail: str, store: StoreLocation) -> None:
    record = said(content_md=f"password={SECRET}").with_fields(
        source={"system": "cli", "detail": detail}
    )
    broker = Broker(store)

    receipt = broker.append([Draft(record)])[0]

    assert find_refusal(record) is None
    assert receipt.status == "stored"
    assert (
        json.loads(store.log.read_bytes())["body"]["content_md"] == "password=[REDACTED:assigned]"
    )
    broker.close()


def test_an_observation_is_never_refused() -> None:
    record = said(text=f"password={SECRET}").with_fields(stream="observation", kind="prompt")

    assert find_refusal(record) is None


@pytest.mark.req("RD-02")
def test_a_refused_memory_is_nowhere_on_the_disk_and_the_others_are_stored(
    store: StoreLocation,
) -> None:
    broker = Broker(store)
    drafts = [
        Draft(said(content_md="first")),
        Draft(said(content_md=f"password={SECRET}")),
        Draft(said(content_md="third")),
    ]

    receipts = broker.append(drafts)

    assert [r.status for r in receipts] == ["stored", "refused", "stored"]
    assert receipts[1].reason == "content_md: assigned at 9-19"
    assert receipts[1].id is None
    kept = [json.loads(line)["body"]["content_md"] for line in store.log.read_bytes().splitlines()]
    assert kept == ["first", "third"]
    assert holding(store, SECRET) == []
    broker.close()


def test_a_refusal_alone_creates_no_store(store: StoreLocation) -> None:
    broker = Broker(store)

    broker.append([Draft(said(content_md=f"password={SECRET}"))])

    assert not store.directory.exists()
    broker.close()
