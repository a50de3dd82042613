"""What people tell in prose, without a label or a form that a rule could be sure of."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.records.draft import Draft
from hooklore.redaction import redact
from hooklore.redaction.finding import make_mask
from hooklore.redaction.rules.prose_model import TOLD as TOLD_RULE
from hooklore.redaction.rules.value_forms import Form, form_of
from tests.redaction import draw
from tests.redaction.cases import stands_in
from tests.redaction.prose_examples import FOLDER, TOLD, UNSEEN, Example, read_examples
from tests.support.agent import Agent, repository
from tests.unit.redaction.test_secret_refusal import said

_DRAW = draw.Draw("told")
_CHOSEN = draw.glue("tanuki", _DRAW.chars("23456789", 3))
_MIXED = draw.glue("Q", "w", _DRAW.chars("23456789", 2), _DRAW.chars("abcdefgh", 3), "7X", "9z")


@pytest.mark.parametrize(
    "sentence",
    [
        "oh and the backup is encrypted, restic wants {}",
        "ftp is still alive, log in w svc_batch n {} and grab the latest csv",
        "so the client sent creds in slack: alice then {} on the next line. use those for sftp",
        "ansible vaultは{}で復号できる、prod.ymlの差分見せて",
        "sudo asks for a password, it's {}",
        "{} é a que a gente usa no servidor de homologação",
    ],
)
def test_a_secret_without_a_label_is_masked(sentence: str) -> None:
    found = [
        value for value in (_CHOSEN, _MIXED) if value not in redact(sentence.format(value)).text
    ]

    assert found == [_CHOSEN, _MIXED]


@pytest.mark.parametrize(
    "text",
    [
        "the build 20261122 fails with exit code 137 since HL-204, the log is in build-7.txt",
        "ユーザーspec_35でログインするとダッシュボードが空。権限はviewer",
        "utf8mb4 is the default since MySQL 8, so emojis in names work",
        "Passwort stimmt, aber testuser5 ist in der Gruppe developers nicht drin",
        "the search key is in the docs, x86_64 and arm64 builds are on the page",
    ],
)
def test_names_and_numbers_of_things_stay(text: str) -> None:
    assert redact(text).text == text


def test_what_a_program_printed_is_read_by_the_rules_alone() -> None:
    text = f"oh and the backup is encrypted, restic wants {_CHOSEN}"

    assert redact(text).text != text
    assert redact(text, is_printed=True).text == text


def test_a_second_reading_changes_nothing() -> None:
    changed = [
        once
        for example in read_examples("prompts")
        for once in [redact(example.text).text]
        if redact(once).text != once
    ]

    assert changed == []


@pytest.mark.req("RD-01")
def test_a_prompt_that_tells_a_secret_leaves_it_in_no_file(
    store: StoreLocation, tmp_path: Path
) -> None:
    agent = Agent(store, repository(tmp_path / "w"), tmp_path)
    agent.starts("s1")
    agent.hook("UserPromptSubmit", prompt=f"oh and the backup is encrypted, restic wants {_CHOSEN}")
    agent.broker.close()
    kept = b"".join(path.read_bytes() for path in Path(store.root).rglob("*") if path.is_file())

    assert b"restic wants" in kept
    assert _CHOSEN.encode() not in kept


def test_a_memory_is_masked_and_not_refused_where_only_the_model_finds_something(
    store: StoreLocation,
) -> None:
    broker = Broker(store)
    receipt = broker.append(
        [Draft(said(content_md=f"the backup is encrypted, restic wants {_CHOSEN}"))]
    )
    broker.close()
    (line,) = map(json.loads, store.log.read_bytes().splitlines())

    assert receipt[0].status == "stored"
    assert (
        line["body"]["content_md"]
        == f"the backup is encrypted, restic wants {make_mask(TOLD_RULE)}"
    )


@pytest.mark.parametrize("name", [*TOLD, UNSEEN])
def test_no_secret_of_the_examples_stands_in_the_tree(name: str) -> None:
    lines = (FOLDER / f"{name}.tsv").read_text("utf-8").splitlines()
    told = [found[1] for line in lines if (found := _SECRET.search(line))]

    assert len(told) > len(lines) / 5
    assert [each for each in told if form_of(each.encode()) >= Form.CHOSEN] == []


_SECRET = re.compile("⟦(.*)⟧")


def test_the_model_was_fitted_to_what_strangers_wrote() -> None:
    left, touched = _shares(each for name in TOLD for each in read_examples(name))

    assert left <= 0.37
    assert touched <= 0.02


def test_the_model_holds_on_what_it_was_never_fitted_to() -> None:
    left, touched = _shares(read_examples(UNSEEN, 3))

    assert left <= 0.50
    assert touched <= 0.03


def _shares(examples: Iterable[Example]) -> tuple[float, float]:
    """Return the share of secrets left over, and of honest texts touched."""
    told, honest = [], []
    for example in examples:
        result = redact(example.text)
        if example.secret is None:
            honest.append(bool(result.findings))
        else:
            told.append(stands_in(example.secret, result.text))
    return sum(told) / len(told), sum(honest) / len(honest)
