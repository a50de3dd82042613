"""The requirements on secrets and personal details, each on the way on which text arrives."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.cli.doctor import store_checks
from hooklore.cli.doctor.facts import Facts
from hooklore.cli.doctor.store_folder import store_facts
from hooklore.config import StoreLocation
from hooklore.log.lock import LogLock
from hooklore.records.draft import Draft
from hooklore.redaction import redact
from tests.redaction.cases import Case, build_cases
from tests.redaction.draw import ALNUM, DIGITS, HEX, Draw, glue
from tests.redaction.personal import personal_cases
from tests.support.agent import Agent
from tests.support.store_files import files_of, holding
from tests.support.writers import draft, records
from tests.unit.cli.test_doctor_checks import healthy

_DRAW = Draw("rows")
TOKEN = glue("gh", "p_", _DRAW.mixed(36))
MAIL = glue("a.b", "@", "example", ".co.jp")


def one_of_each() -> list[Case]:
    """The first case of each label: every vendor, carrier and class of personal detail."""
    found: dict[str, Case] = {}
    for case in build_cases():
        found.setdefault(case.label, case)
    return list(found.values())


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path) -> Iterator[Agent]:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    one = Agent(store, project, tmp_path)
    one.starts("s1")
    yield one
    one.broker.close()


def test_no_secret_of_any_kind_is_in_a_file_of_the_store(store: StoreLocation) -> None:
    cases = one_of_each()
    broker = Broker(store)

    broker.append([draft(f"d{number}", case.text) for number, case in enumerate(cases)])
    broker.index()
    broker.close()

    vendors = {case.label for case in cases if case.label.startswith("vendor/")}
    sought = [(case.label, sought_as(case, secret)) for case in cases for secret in case.secrets]
    assert len(vendors) >= 100
    assert len(records(store)) >= len(cases)
    assert [label for label, secret in sought if holding(store, secret)] == []


def sought_as(case: Case, secret: str) -> str:
    """The secret; four digits stand in any id by chance, so they are sought with what is before them."""
    assert secret in case.text
    before = 4 if secret.isdigit() and len(secret) < 8 else 0
    at = case.text.index(secret)
    return case.text[max(at - before, 0) : at + len(secret)]


def test_what_is_sought_is_found_in_a_store_that_holds_it(store: StoreLocation) -> None:
    """The control of the test above: short secrets and digits, kept unmasked, would be seen."""
    cases = [c for c in one_of_each() if any(len(s) < 8 or s.isdigit() for s in c.secrets)]
    store.directory.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps({"v": 1, "text": case.text}, ensure_ascii=False) for case in cases)
    store.log.write_text("\n".join(lines))

    assert len(cases) >= 1
    assert all(holding(store, sought_as(case, s)) for case in cases for s in case.secrets)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("email", f"write to {MAIL}"),
        ("phone", glue("call 090", "-1234", "-5678")),
        ("phone", glue("tel +81", "-90", "-1234", "-5678")),
        ("card", glue("card 4111", " 1111", " 1111", " 1111")),
        ("card", glue("card 37828", "2246310005")),
        ("address", "〒100-0005 東京都千代田区丸の内1-9-1"),
        ("address", "1600 Amphitheatre Parkway, Mountain View, CA 94043"),
    ],
)
def test_a_personal_detail_is_masked_under_its_name(
    rule: str, text: str, store: StoreLocation
) -> None:
    broker = Broker(store)

    broker.append([draft("one", text)])

    body = records(store)[-1]["body"]
    assert body["redacted"] == [rule]
    assert f"[REDACTED:{rule}]" in body["text"]
    broker.close()


@pytest.mark.req("RD-03")
@pytest.mark.parametrize("kind", ["pii/email", "pii/phone", "pii/card", "pii/address"])
def test_no_personal_detail_is_kept_of_a_prompt_and_of_what_a_command_prints(
    agent: Agent, kind: str
) -> None:
    cases = [case for case in personal_cases() if case[0].startswith(kind)]

    for number, (_, text, _details) in enumerate(cases):
        agent.asks(text) if number % 2 else agent.passes(f"cat customer-{number}.txt", text)
    agent.broker.index()

    details = [detail for _, _, found in cases for detail in found]
    assert len(cases) >= 40
    assert len(agent.records()) > len(cases)
    assert [detail for detail in details if holding(agent.place, detail)] == []


@pytest.mark.req("RD-03")
@pytest.mark.parametrize("text", ["ask @takuya", "@takuya さんに聞く", "card 4111 1111 1111 1112"])
def test_a_handle_and_a_number_that_fails_its_check_stay(agent: Agent, text: str) -> None:
    agent.asks(text)

    assert redact(text).findings == ()
    assert agent.records("prompt")[-1]["body"]["text"] == text


@pytest.mark.req("RD-07")
@pytest.mark.parametrize(
    "text",
    [
        MAIL, glue("x+y_z%1", "@", "mail.maple-river.net"), f"連絡先は{MAIL}です",
        glue("mori", "@", "163.com"),
    ],
)  # fmt: skip
def test_an_address_of_a_person_is_found(text: str) -> None:
    assert [found.rule for found in redact(text).findings] == ["email"]


@pytest.mark.req("RD-07")
@pytest.mark.parametrize(
    "text",
    [
        "git@github.com:org/repo.git", "noreply@github.com", "ssh://git@gitlab.com/a/b.git",
        "1+mori@users.noreply.github.com",
        "logo@2x.png", "react@18.2.0", "react@19.beta", "deploy@web-1:/srv/app",
    ],
)  # fmt: skip
def test_a_remote_and_what_nobody_reads_are_no_address(text: str) -> None:
    assert redact(text).findings == ()


@pytest.mark.req("RD-08")
@pytest.mark.parametrize(
    "number",
    [
        glue("090", "-1234", "-5678"), glue("03", "-1234", "-5678"),
        glue("+81", "-90", "-1234", "-5678"), glue("+1 212", " 555", " 0123"),
        glue("０９０", "−１２３４", "−５６７８"), glue("(212)", " 555", "-0123"),
    ],
)  # fmt: skip
def test_a_number_that_can_be_dialled_is_found(number: str) -> None:
    assert [found.rule for found in redact(f"番号は {number} です").findings] == ["phone"]


@pytest.mark.req("RD-08")
def test_ids_times_and_hashes_are_no_phone_number() -> None:
    random = Random(8)
    drawn = [Draw(f"id {number}") for number in range(2_000)]
    texts = ["1706832000", "20260202103000", *(one.uuid() for one in drawn)]
    texts += [one.chars(HEX, random.choice((7, 12, 32, 40, 64))) for one in drawn]

    assert [text for text in texts if redact(f"id {text}").findings] == []


@pytest.mark.req("RD-08")
@pytest.mark.parametrize("mark", ["", "+", "-", "0", "("])
@pytest.mark.parametrize(
    ("between", "group"), [("", 1), *((s, n) for s in " -.," for n in (2, 3, 4))]
)
def test_a_run_of_more_digits_than_a_number_has_is_none(
    mark: str, between: str, group: int
) -> None:
    drawn = Draw(f"digits {mark}{between}{group}")

    for size in (16, 17, 19, 24, 46, 60, 128, 300, 1_000, 4_000):
        digits = drawn.chars(DIGITS, size)
        run = between.join(digits[at : at + group] for at in range(0, size, group))
        if between != " " or size > 45:  # three numbers beside one another are three numbers
            phones = [f for f in redact(f"n {mark}{run} x").findings if f.rule == "phone"]
            assert phones == [], run[:60]


def test_a_secret_is_masked_where_a_hook_brings_it(agent: Agent) -> None:
    agent.asks(f"use {TOKEN} and {MAIL}")
    agent.passes(f"curl -H 'Authorization: Bearer {TOKEN}' https://api.github.com", f"as {MAIL}")
    agent.broker.index()

    assert holding(agent.place, TOKEN) == holding(agent.place, MAIL) == []
    assert any("[REDACTED:" in json.dumps(record) for record in agent.records())


def test_a_record_of_a_hook_says_which_rules_masked_something_in_it(agent: Agent) -> None:
    agent.passes("curl https://api.github.com", f"signed in as {MAIL}")

    (result,) = [record for record in agent.records() if record["kind"] == "tool_result"]

    assert result["body"]["redacted"] == ["email"]


def test_the_signature_of_an_error_is_made_of_redacted_text(agent: Agent) -> None:
    agent.fails("make login", f"Error: no account for {MAIL} on this host\n")

    (error,) = [record for record in agent.records() if record["kind"] == "error"]

    assert error["body"]["signature"] == "error: no account for [redacted:email] on this host"


@pytest.mark.parametrize(
    "text", [f"the token {TOKEN}", f"ask {MAIL}", "password" + "=hunter" + "2"]
)
def test_a_secret_is_refused_where_it_is_said_on_purpose(store: StoreLocation, text: str) -> None:
    broker = Broker(store)
    memory = Draft.of(stream="memory", kind="fact", agent_id="claude", body={"content_md": text})

    (receipt,) = broker.append([memory])

    assert receipt.status == "refused"
    assert records(store) == []
    assert text.rpartition(" ")[2] not in str(receipt.reason)
    broker.close()


def test_a_secret_is_masked_where_the_command_line_brings_it(
    store: StoreLocation, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": str(project)}
    environment = os.environ | {"HOOKLORE_HOME": str(store.directory)}

    for (suite, *command), given in (
        (["hooklore", "redact"], {"text": f"{TOKEN} {MAIL}"}),
        (["hooks", "run", "UserPromptSubmit"], event | {"prompt": f"use {TOKEN}, write to {MAIL}"}),
    ):
        done = subprocess.run(
            [str(Path(sys.executable).parent / suite), *command],
            input=json.dumps(given).encode() + b"\n",
            env=environment, capture_output=True, timeout=120,
        )  # fmt: skip

        assert done.returncode == 0, done.stderr
        assert TOKEN.encode() not in done.stdout + done.stderr
    assert "use [REDACTED:github], write to [REDACTED:email]" in store.log.read_text("utf-8")
    assert holding(store, TOKEN) == holding(store, MAIL) == []


@pytest.mark.req("RD-21")
@pytest.mark.parametrize("kind", ["summary", "fix", "comparison", "proposal"])
def test_what_is_generated_is_stored_without_the_secret_it_repeats(
    store: StoreLocation, kind: str
) -> None:
    broker = Broker(store)
    made: dict[str, Any] = {"text": f"the deploy worked once {TOKEN} was set", "sources": []}

    broker.append([draft("one", stream="synthesis", kind=kind, basis="inferred", body=made)])

    assert records(store)[-1]["body"]["text"] == "the deploy worked once [REDACTED:github] was set"
    assert holding(store, TOKEN) == []
    broker.close()


def judged(place: StoreLocation, now: float | None = None) -> Facts:
    return replace(healthy(), store=store_facts(place), now=now or time.time())


@pytest.mark.req("RD-24")
def test_nothing_is_left_between_the_log_and_what_came_in(agent: Agent) -> None:
    lock, agent.broker._wait = LogLock(agent.place.directory), 0.001
    with lock.held(None):
        agent.asks("it waits")
        spooled = [path for path in files_of(agent.place) if "spool" in str(path)]
    lock.close()
    agent.broker._wait = 5.0
    agent.asks("and then")
    agent.broker.index()

    left = [path for path in files_of(agent.place) if "spool" in str(path) or path.suffix == ".tmp"]
    assert spooled
    assert left == []
    assert store_checks.leftovers(judged(agent.place)).ok


@pytest.mark.req("RD-24")
@pytest.mark.parametrize("name", ["spool/0001.tmp", "segments/000001.jsonl.rewrite"])
def test_doctor_names_what_a_write_left_behind_six_hours_ago(
    store: StoreLocation, name: str
) -> None:
    path = store.directory / name
    path.parent.mkdir(parents=True)
    path.write_text("half a batch")

    young = store_checks.leftovers(judged(store, path.stat().st_mtime + 6 * 3600 - 60))
    old = store_checks.leftovers(judged(store, path.stat().st_mtime + 6 * 3600 + 60))

    assert young.ok
    assert not old.ok
    assert old.fix == f"rm {path}"


@pytest.mark.req("AC-21")
def test_a_store_in_use_has_no_file_of_credentials(agent: Agent) -> None:
    agent.asks("the turbine spins")
    agent.broker.index()

    assert store_checks.credentials(judged(agent.place)).ok


@pytest.mark.req("AC-21")
@pytest.mark.parametrize(
    "name", [".env", ".env.local", "credentials.json", "gateway.token", "id_ed25519", "tls/server.key",
             "auth.json", "tokens.toml", ".netrc"],
)  # fmt: skip
def test_doctor_names_credentials_that_lie_in_the_store(store: StoreLocation, name: str) -> None:
    path = store.directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")

    check = store_checks.credentials(judged(store))

    assert not check.ok
    assert str(path) in check.detail
    assert check.fix == f"mv {path} /h"


def test_the_drawn_token_has_the_length_that_the_vendor_publishes() -> None:
    assert len(TOKEN) == 40
    assert set(TOKEN[4:]) <= set(ALNUM)
