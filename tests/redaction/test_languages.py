"""What sentences of many languages state is found, and what they only speak of is left alone."""

import pytest

from hooklore.redaction import redact
from tests.redaction.cases import Case
from tests.redaction.draw import Draw
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


@pytest.mark.parametrize(
    "text",
    [
        "I don't have the password for orders2, ask Hugo.",
        "wer hat eigentlich das Passwort von edge-03?",
        "La contraseña de srv-test-24 la cambia Pilar el viernes.",
        "the client secret of the app {uuid} is rotated by the vendor",
        "secret rotated (version id {uuid}, value not shown)",
        "Key-ID {hex}, der öffentliche Schlüssel ist hinterlegt",
        "コミット {hex} でベタ書きのパスワードは消したので、rebaseお願いします。",
        "chave pública do deploy: ssh-rsa AAAAB3NzaC1yc2E{hex} ci@build",
        "パスワード類は全部KeePassに入っている",
    ],
)
def test_what_a_sentence_about_a_secret_names_stays(text: str) -> None:
    draw = Draw(text)
    said = text.replace("{uuid}", draw.uuid()).replace("{hex}", draw.chars("0123456789abcdef", 40))

    assert redact(said, is_printed=True).text == said


def test_a_secret_behind_the_name_of_what_it_opens_is_masked() -> None:
    value, key = Draw("opens").chars("abcdefgh23456789", 12) + "Q7", Draw("id").uuid()
    text = f"the password for orders2 is {value}, and the vault's secret id is {key}"

    masked = redact(text, is_printed=True).text

    assert [each for each in (value, key) if each in masked] == []
    assert "orders2" in masked
