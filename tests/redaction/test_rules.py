"""Each rule finds its example and leaves its look-alike, as the table of rules says."""

import tomllib
from importlib import resources
from typing import Any

import pytest

from hooklore.redaction import redact
from hooklore.redaction.rules.table import RULES
from tests.redaction.draw import Draw
from tests.redaction.examples import draw_example

TABLE: dict[str, dict[str, Any]] = tomllib.loads(
    resources.files("hooklore.redaction.rules").joinpath("rules.toml").read_text("utf-8")
)


def test_the_table_has_the_rules_that_are_read_in_their_order() -> None:
    assert list(TABLE) == list(RULES)


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("number", range(4))
def test_a_rule_finds_its_example_and_leaves_its_look_alike(name: str, number: int) -> None:
    row, (rule, _) = TABLE[name], RULES[name]
    example = draw_example("en", row["example"], name, Draw(f"{name} {number}"))
    alike = draw_example("en", row["look_alike"], name, Draw(f"{name} {number}"))
    raw = example.text.encode()

    assert [found for found in rule.find(raw, 0, len(raw)) if found[1] < found[2]] != []
    assert str(example.secret) not in redact(example.text).text
    assert redact(alike.text).text == alike.text


@pytest.mark.parametrize("name", TABLE)
def test_a_rule_is_read_where_the_table_says(name: str) -> None:
    rule = RULES[name][0]
    where = {(True, False): "prose", (False, True): "outputs", (False, False): "any text"}

    assert TABLE[name]["where"] == where[rule.in_prose_only, rule.in_print_only]
