"""A secret in what is kept on purpose: refused with its rule and place, whatever it hides behind."""

import json
from pathlib import Path

import pytest

from tests.redaction.disguises import INVISIBLE, wide
from tests.redaction.draw import Draw, glue
from tests.support.store_files import holding
from tests.unit.cli.conftest import Memory, Run

EXAMPLES = Path(__file__).parents[2] / "fixtures" / "protocol"
VALUE = Draw("said on purpose").mixed(20)
TOKEN = glue("gh", "p_", Draw("a token said on purpose").mixed(36))
LABELS = ("token", "api_key", "password", "secret", "パスワード")


def _hidden(text: str, number: int) -> str:
    mark = INVISIBLE[number % len(INVISIBLE)]
    if mark in "\x00\ud83d":  # no argument of a process has these
        mark = "\u200b"
    return f"{text[:3]}{mark}{text[3:]}"


DISGUISES = {
    "plain": [f"{label}={VALUE}" for label in LABELS],
    "a label with an invisible character": [
        f"{_hidden(label, number)}={VALUE}"
        for label in LABELS[:4]
        for number in range(len(INVISIBLE))
    ],
    "a value with an invisible character": [
        f"{label}={_hidden(VALUE, number)}" for label in LABELS for number in range(len(INVISIBLE))
    ],
    "full width": [wide(f"{label}={VALUE}") for label in LABELS[:4]],
    "a token without a label": [TOKEN, *(_hidden(TOKEN, n) for n in range(len(INVISIBLE)))],
}


@pytest.mark.req("RD-06", "RD-09")
@pytest.mark.parametrize("texts", DISGUISES.values(), ids=DISGUISES.keys())
def test_what_holds_a_secret_is_refused_with_its_rule_and_its_place(
    memory: Memory, hooklore: Run, texts: list[str]
) -> None:
    before = memory.records()

    for text in texts:
        printed = hooklore("remember", f"for the press use {text}")

        assert printed.rc == 1, text
        assert printed.out == ""
        assert "could not keep it: content_md: " in printed.err
        assert " at " in printed.err
        assert VALUE[:8] not in printed.err
        assert TOKEN[:12] not in printed.err
    assert memory.records() == before
    assert holding(memory.broker.place, VALUE) == holding(memory.broker.place, TOKEN) == []


@pytest.mark.req("RD-09")
@pytest.mark.parametrize("option", ["--tag", "--path", "--agent-type", "--key", "--scope"])
def test_a_secret_in_an_option_is_refused_and_not_repeated(
    memory: Memory, hooklore: Run, option: str
) -> None:
    printed = hooklore("remember", "the press needs oil", option, TOKEN)

    assert printed.rc != 0
    assert TOKEN not in printed.out + printed.err
    assert memory.records() == []
    assert holding(memory.broker.place, TOKEN) == []


@pytest.mark.req("RD-06")
@pytest.mark.parametrize("name", ["example_1.json", "good_example.md"])
def test_a_text_that_says_where_a_secret_is_kept_is_accepted(hooklore: Run, name: str) -> None:
    raw = (EXAMPLES / name).read_text("utf-8")
    text = json.loads(raw)["content_md"] if name.endswith(".json") else raw

    printed = hooklore("remember", text)

    assert printed.rc == 0
    assert "warning" not in printed.err


@pytest.mark.req("RD-06")
@pytest.mark.parametrize(
    "text",
    ["the token lives in the vault", "ask Mori for the password", "the secret stays in .env",
     "the key of the map is the city", "パスワードは金庫にある"],
)  # fmt: skip
def test_the_words_alone_are_no_secret(hooklore: Run, text: str) -> None:
    assert hooklore("remember", text).rc == 0
