"""What people tell in prose, without a label or a form that a rule could be sure of."""

import json
import re
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.records.draft import Draft
from hooklore.records.record import Record
from hooklore.redaction import redact, redact_value
from hooklore.redaction.finding import make_mask
from hooklore.redaction.record_redactor import redact_record
from hooklore.redaction.rules.prose_features import Prose
from hooklore.redaction.rules.prose_model import PROSE, PrefixSums
from hooklore.redaction.rules.prose_tokens import split_prose
from hooklore.redaction.rules.prose_weights import BIASES, CLASSES, TABLES
from hooklore.redaction.rules.value_forms import Form, form_of
from hooklore.redaction.secret_refusal import find_refusal
from tests.redaction import draw
from tests.redaction.cases import stands_in
from tests.redaction.prose_examples import (
    FITTED,
    FOLDER,
    UNSEEN,
    UNSEEN_LATER,
    Example,
    read_examples,
)
from tests.redaction.prose_training import words_of
from tests.support.agent import Agent, repository
from tests.support.desk import Desk
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
    "sentence",
    [
        "the wifi at the lake house is called Heron_Guest and the password is {}, all lower case",
        "use {} as the passphrase when gpg asks",
        "先ほどのファイルのパスワードは{}になります、よろしくお願いします",
        "das wlan der werkstatt: passwort ist {}, alles klein",
    ],
)
def test_a_plain_word_that_is_told_as_a_password_is_masked(sentence: str) -> None:
    found = [
        word for word in ("marigolda", "sonnetto") if word not in redact(sentence.format(word)).text
    ]

    assert found == ["marigolda", "sonnetto"]


def test_a_phrase_in_quotes_is_masked_whole() -> None:
    phrase = f"two herons by the {_CHOSEN}"
    text = f'oh and the backup is encrypted, restic wants "{phrase}"'

    assert redact(text).text == text.replace(phrase, make_mask(PROSE))


def test_of_a_phrase_the_rest_is_masked_beside_what_a_rule_found() -> None:
    phrase = f"marigolda {_MIXED} sonnetto"
    text = f'use "{phrase}" as the passphrase when gpg asks'

    result = redact(text)

    assert {found.rule for found in result.findings} == {"spoken", PROSE}
    assert [word for word in phrase.split() if word in result.text] == []


@pytest.mark.parametrize(
    "text",
    [
        "the password is expired, ask for a new one",
        "the wifi password is wrong, and the token is invalid as well",
        "das Passwort ist abgelaufen, bitte ändern",
        "パスワードは必須項目です、空欄のときはエラーにしてください",
        "la contraseña es obligatoria y el token está caducado",
    ],
)
def test_a_state_that_is_told_of_a_password_stays(text: str) -> None:
    assert redact(text).text == text


def test_a_word_is_scored_by_the_weights_that_training_gave_its_features() -> None:
    text = "the gate opens with marigolda. ask Dana, パスワードは変わりました"
    prose = Prose(split_prose(text))
    place = next(i for i, token in enumerate(prose.tokens) if token.text == "marigolda")
    (word,) = (w for w in words_of(Example("en", text, None, text)) if w.span[0] == 20)
    weights = [weight for name in CLASSES for weight in TABLES[name]]

    assert PrefixSums(prose, "plain").score(place) == BIASES["plain"] + sum(
        weights[each] for each in word.places
    )


@pytest.mark.parametrize(
    "text",
    [
        "the build 20261122 fails with exit code 137 since HL-204, the log is in build-7.txt",
        "issue 204のレビュー依頼、ブランチはfeature/login-v2、CIはx86_64だけ落ちてる",
        "utf8mb4 is the default since MySQL 8, so emojis in names work",
        "Der Build 20261122 läuft auf edge-03, Python3.12 und arm64 fehlen noch",
        "the search key is in the docs, x86_64 and arm64 builds are on the page",
    ],
)
def test_names_and_numbers_of_things_stay(text: str) -> None:
    assert redact(text).text == text


def test_what_a_program_printed_is_read_by_the_rules_alone() -> None:
    text = f"oh and the backup is encrypted, restic wants {_CHOSEN}"

    assert redact(text).text != text
    assert redact(text, is_printed=True).text == text


@pytest.mark.parametrize("value", ["tiger7788", "TIGER7788", "XK-29-PLM-44"])
def test_what_a_label_announces_stays_masked_whatever_the_model_thinks(value: str) -> None:
    said = (
        f"the password for the staging database is {value} and please use it today",
        f"パスワードは{value}です、ステージング環境で使ってください",
    )

    assert [text for text in said if value in redact(text).text] == []


def test_a_secret_is_found_behind_many_names_and_in_a_long_text() -> None:
    line = "the build of branch feat-204 on host edge-03 is done and green\n"
    told = f"oh and the backup is encrypted, restic wants {_CHOSEN}"

    assert _CHOSEN not in redact(line * 200 + "\n" + told).text
    assert _CHOSEN not in redact(line * 1000 + "\n" + told + "\n\n" + line * 20).text


def test_a_text_is_judged_alone_whatever_stands_beside_it() -> None:
    told = f"oh and the backup is encrypted, restic wants {_CHOSEN}"
    others = [f"the build of branch feat-{number} on host edge-03 is done" for number in range(40)]

    masked, _ = redact_value({"title": "staging box access", "text": told, "more": others})

    assert masked["text"] == redact(told).text != told


def test_time_grows_with_the_length_alone() -> None:
    dense = "call 4711 or ask for ticket 20261122 at desk 204 please\n" * 250
    labels = "the password of the host is hunter2x7 now\n" * 300
    runs = "漢字" * 4000 + " tanuki482 " + "漢字" * 3000

    assert max(map(_seconds, (dense, labels, runs))) < 1.0


def _seconds(text: str) -> float:
    started = time.process_time()
    redact(text)
    return time.process_time() - started


@pytest.mark.parametrize(
    ("kind", "body", "is_read"),
    [
        ("prompt", {"text": "{}"}, True),
        ("answer", {"text": "{}"}, True),
        ("tool_intent", {"intent": "{}", "tool": "Task"}, True),
        ("tool_intent", {"intent": "run it", "command": "make", "stdout": "{}"}, False),
        ("tool_result", {"text": "{}"}, False),
        ("session_end", {"text": "{}"}, False),
    ],
)
def test_the_model_reads_what_people_and_models_write(
    kind: str, body: dict[str, str], is_read: bool
) -> None:
    told = f"oh and the backup is encrypted, restic wants {_CHOSEN}"
    filled = {name: text.format(told) for name, text in body.items()}

    kept = redact_record(Record({"stream": "observation", "kind": kind, "body": filled}))

    assert (_CHOSEN not in str(kept.to_json())) is is_read


def test_a_mask_inside_a_word_stays_the_rules() -> None:
    name = draw.glue("2fiq", "ü7xK", "a9Qm2")
    text = f"guten morgen, ich hab dir {name} als kennwort für den agent-user gesetzt, bitte ändern"

    by_rules = redact(text, is_printed=True)

    assert {found.rule for found in by_rules.findings} == {"spoken"}
    assert redact(by_rules.text).text == by_rules.text
    assert find_refusal(said(content_md=text)) is not None


def test_a_masked_memory_is_known_when_it_is_said_again(store: StoreLocation) -> None:
    desk = Desk(store)
    said = f"oh and the backup is encrypted, restic wants {_CHOSEN}"
    answers = [desk.says(said, "config:backup").status for _ in range(2)]
    desk.broker.close()

    assert answers == ["stored", "duplicate"]


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
        [Draft(said(content_md=f"oh and the backup is encrypted, restic wants {_CHOSEN}"))]
    )
    broker.close()
    (line,) = map(json.loads, store.log.read_bytes().splitlines())

    assert receipt[0].status == "stored"
    assert (
        line["body"]["content_md"]
        == f"oh and the backup is encrypted, restic wants {make_mask(PROSE)}"
    )


@pytest.mark.parametrize("name", [*FITTED, UNSEEN, *UNSEEN_LATER])
def test_no_secret_of_the_examples_stands_in_the_tree(name: str) -> None:
    lines = (FOLDER / f"{name}.tsv").read_text("utf-8").splitlines()
    told = [found[1] for line in lines if (found := _SECRET.search(line))]

    assert len(told) > len(lines) / 5
    assert [each for each in told if form_of(each.encode()) >= Form.CHOSEN] == []


_SECRET = re.compile("⟦(.*)⟧")


def test_the_model_was_fitted_to_what_strangers_wrote() -> None:
    left, touched = _shares(each for name in FITTED for each in read_examples(name))

    assert left <= 0.12
    assert touched <= 0.03  # nearly all of it by the rules of sentences


def test_the_model_holds_on_what_it_was_never_fitted_to() -> None:
    left, touched = _shares(read_examples(UNSEEN, 3))

    assert left <= 0.28
    assert touched <= 0.035


@pytest.mark.parametrize(
    ("name", "most_left", "most_touched"),
    list(
        zip(
            UNSEEN_LATER,
            (0.15, 0.45, 0.35, 0.34, 0.35),
            (0.03, 0.042, 0.042, 0.03, 0.015),
            strict=True,
        )
    ),
)
def test_the_model_holds_on_what_came_after_it(
    name: str, most_left: float, most_touched: float
) -> None:
    left, touched = _shares(read_examples(name, 3))

    assert left <= most_left
    assert touched <= most_touched


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
