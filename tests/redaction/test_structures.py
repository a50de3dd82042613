"""Secrets that only structure ties to their name, and texts of the same structure without one."""

import pytest

from hooklore.redaction import redact
from hooklore.redaction.json_redaction import redact_value
from tests.redaction.cases import Case
from tests.redaction.draw import Draw
from tests.redaction.score import report, score
from tests.redaction.structures import honest_structures, structure_cases

_DRAW = Draw("structures")
DRAWN = "Q" + _DRAW.mixed(14) + "7"


def test_a_value_is_found_in_any_structure_that_ties_it_to_a_name() -> None:
    cases = [Case(*case) for case in structure_cases()]

    found = score(redact, cases, honest=[])

    assert found.left.total >= 400
    assert found.left.value <= 0.02, "\n".join(report(found))
    assert found.unstable.hits == 0, [c.text for c in cases if redact(redact(c.text).text).findings]


def test_a_text_of_more_than_a_window_is_read_as_a_short_one() -> None:
    honest = "\n\n" + "the next line says nothing of it\n" * 2_200
    texts = [text for _, text, _ in structure_cases()][::5]

    differing = [text for text in texts if redact(text + honest).findings != redact(text).findings]

    assert len(honest) > 64 * 1024
    assert len(texts) > 80
    assert differing == []


@pytest.mark.parametrize("text", list(honest_structures()))
def test_a_structure_without_a_secret_is_left_alone(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    ("text", "form", "between"),
    [
        ('char pw[] = "{}"; /* db password */', "\\x{0:02x}", ""),
        ("PASS=$'{}'", "\\{0:03o}", ""),
        ("var apiSecret = []byte{{{}}}", "0x{0:02x}", ", "),
        ("byte[] password = {{{}}};", "{0}", ", "),
        ("char[] password = {{ {} }};", "'{1}'", ", "),
        ("unescape('{}') // ftp password", "%u{0:04x}", ""),
        ("api token bytes: {}", "{0:02x}", " "),
        ("wifi key, spelled: {}", "{1}", " "),
        ("admin password in binary: {}", "{0:08b}", " "),
    ],
)
def test_a_secret_that_is_spelled_beside_its_name_goes(text: str, form: str, between: str) -> None:
    spelled = between.join(form.format(ord(each), each) for each in DRAWN)

    masked = redact(text.format(spelled)).text

    assert "REDACTED" in masked
    assert spelled[: len(spelled) // 2] not in masked


def test_the_pieces_of_a_joined_secret_go() -> None:
    pieces = [_DRAW.mixed(12) for _ in range(3)]

    masked = redact(f"const key = {pieces}.join('') // stripe secret").text

    assert not any(piece in masked for piece in pieces)


@pytest.mark.parametrize(
    "value",
    [
        {"admin_password": {"value": DRAWN, "type": "string"}},
        {"Key": "DB_TOKEN", "Value": DRAWN},
        {"ParameterValue": DRAWN, "ParameterKey": "ApiSecret"},
    ],
)
def test_a_json_value_is_found_through_the_object_that_names_it(value: object) -> None:
    assert DRAWN not in str(redact_value(value)[0])


def test_the_default_of_a_schema_stays() -> None:
    schema = {"password": {"type": "string", "default": "none"}}

    assert redact_value(schema)[0] == schema
