"""What was masked once in a session is masked in all that follows in it, however it is said."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.records.draft import ProjectKeys
from hooklore.redaction.record_redactor import reserved_words
from hooklore.redaction.session_secrets import SessionSecrets
from tests.redaction.draw import ALNUM, Draw, glue
from tests.support.writers import draft, records

SECRET = glue("kitsune", Draw("repeated").chars("23456789", 3))
SIGNED = glue("Tr0ub4dor", "&3+ä")
TOLD = f"the admin password is {SECRET}"
NEXT = f"done, {SECRET} is written there now"


@pytest.fixture
def broker(store: StoreLocation) -> Iterator[Broker]:
    """A broker, as the resident has one."""
    opened = Broker(store)
    yield opened
    opened.close()


def keep(broker: Broker, delivery: str, text: str, session: str = "one", **fields: Any) -> None:
    """Append a prompt of a session."""
    broker.append([draft(delivery, text, session_id=session, **fields)])


def texts(place: StoreLocation) -> list[str]:
    """The texts of the log's records, in order."""
    return [r["body"]["text"] for r in records(place)]


@pytest.mark.req("RD-01")
def test_a_secret_that_is_repeated_in_other_words_is_masked(
    broker: Broker, store: StoreLocation
) -> None:
    keep(broker, "a", TOLD)
    keep(broker, "b", NEXT)

    assert texts(store)[1] == "done, [REDACTED:repeated] is written there now"
    assert "repeated" in records(store)[1]["body"]["redacted"]


@pytest.mark.req("RD-01")
def test_a_phrase_that_is_repeated_is_masked_and_its_words_alone_stay(
    broker: Broker, store: StoreLocation
) -> None:
    keep(broker, "a", "PASSPHRASE='seven quiet herons by the mill' borg create")
    keep(broker, "b", "opened with seven quiet herons by the mill, and the mill is quiet")

    assert texts(store)[1] == "opened with [REDACTED:repeated], and the mill is quiet"


def test_both_may_come_in_one_append(broker: Broker, store: StoreLocation) -> None:
    broker.append([draft("a", TOLD, session_id="one"), draft("b", NEXT, session_id="one")])

    assert SECRET not in json.dumps(records(store))


def test_another_field_of_the_same_record_is_masked(broker: Broker, store: StoreLocation) -> None:
    keep(broker, "a", "", body={"text": TOLD, "command": f"printf {SECRET} > .restic"})

    assert SECRET not in json.dumps(records(store))


def test_another_session_is_left_as_it_is(broker: Broker, store: StoreLocation) -> None:
    keep(broker, "a", TOLD)
    keep(broker, "b", NEXT, session="two")

    assert texts(store)[1] == NEXT


def test_a_record_without_a_session_is_left_as_it_is(broker: Broker, store: StoreLocation) -> None:
    broker.append([draft("a", TOLD), draft("b", NEXT)])

    assert texts(store)[1] == NEXT


@pytest.mark.parametrize("write", [quote, json.dumps, lambda text: json.dumps(json.dumps(text))])
def test_an_escaped_repetition_is_masked(broker: Broker, store: StoreLocation, write: Any) -> None:
    keep(broker, "a", f"password: {SIGNED}")
    keep(broker, "b", f"sent {write(SIGNED)} on")

    kept = texts(store)[1]
    assert "[REDACTED:" in kept
    assert "ub4dor" not in kept


@pytest.mark.parametrize(
    "value",
    ["src/auth2/login.py", "4821", "hunter2", "render(token2)", "4821-9931-2210", "password"],
)
def test_a_value_that_may_stand_for_something_else_is_not_carried_on(
    broker: Broker, store: StoreLocation, value: str
) -> None:
    keep(broker, "a", f'{{"password": "{value}"}}')
    keep(broker, "b", f"see {value} for the rest")

    assert texts(store)[1] == f"see {value} for the rest"


UUID = "0b7e4c1d-93fa-4d52-8f6e-2a1b9c8d7e6f"


def test_ids_and_control_records_stay_as_they_are(broker: Broker, store: StoreLocation) -> None:
    kept = broker.append([draft("a", "to be pinned", session_id=UUID)])[0].id
    keep(broker, "b", f"session token: {UUID}, the token is {kept}", session=UUID)
    pin = {"stream": "control", "kind": "pin", "body": {"targets": [kept], "pinned": True}}
    keep(broker, "c", "", session=UUID, **pin)
    keep(broker, "d", f"and {UUID} once more", session=UUID)

    log = records(store)
    assert {r["session_id"] for r in log} == {UUID}
    assert log[2]["body"]["targets"] == [kept]


def test_the_name_of_the_project_is_no_secret_of_a_session(
    broker: Broker, store: StoreLocation
) -> None:
    keys = ProjectKeys((f"dir:/home/me/{SECRET}",), SECRET, f"/home/me/{SECRET}")
    for delivery, text in (("a", TOLD), ("b", NEXT)):
        broker.append([draft(delivery, text, session_id="one", keys=keys)])

    assert records(store)[-1]["body"]["text"] == NEXT


def test_a_session_with_many_secrets_knows_those_of_late(
    broker: Broker, store: StoreLocation
) -> None:
    drawn = Draw("many")
    lines = "\n".join(f"K{n}_TOKEN={drawn.chars(ALNUM, 24)}" for n in range(300))
    keep(broker, "a", lines)
    keep(broker, "b", TOLD)
    keep(broker, "c", NEXT)

    assert SECRET not in texts(store)[2]


@pytest.mark.parametrize(
    ("told", "value"),
    [
        ("password: {}", glue("kitsü", "ne4821")),
        ("AWS_SECRET_ACCESS_KEY={}", f"{Draw('a').chars(ALNUM, 19)}/{Draw('b').chars(ALNUM, 20)}"),
        ("postgres://admin:{}@db.maple-river.net/app", glue("p4ssw0rd", "!77x")),
        ("<password>{}</password>", SECRET),
    ],
)
def test_a_value_of_any_notation_is_known(
    broker: Broker, store: StoreLocation, told: str, value: str
) -> None:
    keep(broker, "a", told.format(value))
    keep(broker, "b", f"so it was {value}, as before")

    assert value not in json.dumps(records(store), ensure_ascii=False)


def test_a_record_of_an_empty_session_shares_nothing(broker: Broker, store: StoreLocation) -> None:
    keep(broker, "a", TOLD, session="")
    keep(broker, "b", NEXT, session="")

    assert texts(store)[1] == NEXT


@pytest.mark.parametrize("damaged", [b'[["one",["kit', b'{"a":1}', b'[["a",[1]],[2]]', b"\xff"])
def test_damaged_bytes_carry_nothing(damaged: bytes) -> None:
    assert known(damaged).carry(1_000) == b"[]"


def test_a_text_that_no_file_could_hold_is_not_carried() -> None:
    secrets = known()
    secrets.learn("one", ["kitsune\udc80234"])

    assert secrets.carry(1_000) == b"[]"


def known(carried: bytes = b"") -> SessionSecrets:
    """Secrets as the broker holds them."""
    return SessionSecrets(reserved_words(), carried)


def test_what_is_carried_into_a_new_program_is_known_there() -> None:
    before = known()
    before.learn("one", [SECRET])

    after = known(before.carry(1_000))

    assert after.find_repeated("one", {"body": {"text": NEXT}}) is not None
    assert after.find_repeated("two", {"body": {"text": NEXT}}) is None


def test_no_more_is_carried_than_there_is_room_for_and_the_latest_sessions_first() -> None:
    before = known()
    for number in range(60):
        before.learn(f"session {number}", [f"{SECRET}{number:03}"])

    carried = before.carry(500)

    assert len(carried) <= 500
    assert SECRET + "059" in carried.decode()
    assert SECRET + "000" not in carried.decode()


def test_the_session_that_was_used_least_of_late_is_forgotten_first() -> None:
    secrets = known()
    for number in range(64):
        secrets.learn(f"session {number}", [SECRET])
    secrets.find_repeated("session 0", {})
    secrets.learn("one more", [SECRET])

    found = [secrets.find_repeated(f"session {n}", {"text": SECRET}) for n in range(3)]
    assert [each is not None for each in found] == [True, False, True]


@pytest.mark.req("RD-02")
def test_no_file_has_what_the_broker_knows(broker: Broker, store: StoreLocation) -> None:
    keep(broker, "a", TOLD)
    keep(broker, "b", NEXT)

    written = [path for path in Path(store.directory).rglob("*") if path.is_file()]
    assert written
    assert not [path for path in written if SECRET.encode() in path.read_bytes()]
