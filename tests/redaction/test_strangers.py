"""Commands, outputs, configurations and sentences with a secret or none, as strangers to the rules wrote them."""

import re

import pytest

from hooklore.redaction import redact
from tests.redaction.examples import FOLDER, read_examples
from tests.redaction.strangers import is_printed, shares

NAMES = sorted(path.stem for path in FOLDER.glob("*.tsv"))
MOST_LEFT_OVER = {
    "keys": 0.06,
    "commands": 0.15,
    "configurations": 0.15,
    "outputs": 0.35,
    "sentences": 0.8,
}
"""By the first word of a file's name. What states a secret without a label, a form or a name stays."""


@pytest.mark.parametrize("name", NAMES)
def test_what_strangers_wrote_is_masked_and_the_look_alikes_stay(name: str) -> None:
    left, touched = shares(read_examples(name, 2), is_printed=is_printed(name))

    assert left <= MOST_LEFT_OVER[name.partition("_")[0]]
    assert touched <= 0.06


@pytest.mark.parametrize("name", NAMES)
def test_a_second_reading_changes_nothing(name: str) -> None:
    printed = is_printed(name)
    once = [redact(each.text, is_printed=printed).text for each in read_examples(name)]

    assert len(once) >= 40
    assert [text for text in once if redact(text, is_printed=printed).text != text] == []


@pytest.mark.req("RD-01")
def test_labelled_sentences_of_japanese_state_no_secret_afterwards() -> None:
    examples = [
        each
        for each in read_examples("sentences_in_japanese")
        if _is_labelled(each.text, each.secret)
    ]
    left = [each.text for each in examples if str(each.secret) in redact(each.text).text]

    assert len(examples) >= 40
    assert len(left) <= 0.22 * len(examples), left


_LABEL = re.compile(
    r"パス(?:ワード|フレーズ|コード)|暗証|トークン|シークレット|(?:API|アクセス|秘密) ?キー"
    r"|(?:認証|確認)コード|ワンタイム"
    r"|password|passphrase|token|api[ _-]?key|secret|\bPW\b",
    re.IGNORECASE,
)


def _is_labelled(text: str, secret: str | None) -> bool:
    """Whether a sentence has a label, and its value a digit, a capital inside, or quotes."""
    if secret is None or not _LABEL.search(text):
        return False
    is_quoted = text[text.index(secret) - 1 : text.index(secret)] in "「『\"'“‘【"
    return is_quoted or any(map(str.isdigit, secret)) or any(map(str.isupper, secret[1:]))


@pytest.mark.parametrize("name", NAMES)
def test_no_secret_of_the_examples_stands_in_the_tree(name: str) -> None:
    """Each has an outline that is drawn when the text is read."""
    secrets = re.findall("⟦([^⟧]+)⟧", (FOLDER / f"{name}.tsv").read_text("utf-8"))

    assert len(secrets) >= 10
    assert [secret for secret in secrets if "{" not in secret] == []
