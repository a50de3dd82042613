"""What sentences of many languages state is found, and what they only speak of is left alone."""

import pytest

from hooklore.redaction import redact
from tests.redaction.cases import Case
from tests.redaction.languages import HONEST, language_cases
from tests.redaction.score import report, score


def test_secrets_are_found_in_sentences_of_many_languages() -> None:
    cases = [Case(*case) for case in language_cases()]

    found = score(redact, cases, honest=[])

    assert len({case.label for case in cases}) >= 10
    assert found.left.total >= 280
    assert found.left.value <= 0.02, "\n".join(report(found))
    assert found.unstable.hits == 0


@pytest.mark.parametrize("text", HONEST)
def test_a_sentence_that_states_no_secret_is_left_alone(text: str) -> None:
    assert redact(text).text == text
