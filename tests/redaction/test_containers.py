"""Secrets in tables, elements, manifests, commands and encodings, and texts that only look like such."""

import pytest

from hooklore.redaction import redact
from tests.redaction.cases import Case
from tests.redaction.containers import HONEST, container_cases
from tests.redaction.draw import Draw, glue
from tests.redaction.score import report, score

_DRAW = Draw("halves")
_ONE, _TWO = _DRAW.mixed(20), _DRAW.mixed(20)


def test_secrets_are_found_where_their_name_stands_apart_or_is_encoded() -> None:
    cases = [Case(*case) for case in container_cases()]

    found = score(redact, cases, honest=[])

    assert found.left.total >= 120
    assert found.left.value <= 0.02, "\n".join(report(found))
    assert found.unstable.hits == 0, [c.text for c in cases if redact(redact(c.text).text).findings]


@pytest.mark.parametrize("text", HONEST)
def test_a_text_without_a_secret_is_left_alone(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        f"export CI_TOKEN={_ONE}\\\n{_TWO}",
        f'TOKEN = "{_ONE}" + "{_TWO}"', f'token = (\n  "{_ONE}"\n  "{_TWO}"\n)',
        f"api_token: '{_ONE}' . '{_TWO}'",
        glue("gh", "p_") + f"{_ONE[:18]}\\\n  {_TWO[:18]}", f"password=3D{_ONE}=\n{_TWO}",
        f"password\xa0=\xa0{_ONE}{_TWO}",
    ],
)  # fmt: skip
def test_both_halves_of_a_secret_go(text: str) -> None:
    masked = redact(text).text

    assert _ONE[:10] not in masked
    assert _TWO[:10] not in masked
