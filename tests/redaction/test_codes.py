"""Codes that are sent, shown once or kept for emergencies, in many languages, and numbers that are no codes."""

import pytest

from hooklore.redaction import redact
from tests.redaction.draw import DIGITS, LOWNUM, UPNUM, Draw

_DRAW = Draw("codes")


def _lettered(size: int) -> str:
    """Draw a code that has letters and digits."""
    return f"K{_DRAW.chars(DIGITS, 1)}{_DRAW.chars(UPNUM, size - 2)}"


@pytest.mark.parametrize("code", [_lettered(6), _lettered(8), f"{_lettered(4)}-{_lettered(4)}"])
@pytest.mark.parametrize(
    "text",
    [
        "verification code: {}", "Your verification code is {}", "First copy your one-time code: {}",
        "confirmation code: {}\n", "Reset code = {}", "認証コード：{}", "確認コードは{}です。",
        "Código de verificación: {}", "der Bestätigungscode lautet {}", "код подтверждения: {}",
        "code reçu par sms : {}", "the door code is {}", "验证码：{}",
    ],
)  # fmt: skip
def test_a_code_of_capitals_and_digits_is_masked_behind_its_name(text: str, code: str) -> None:
    assert code not in redact(text.format(code), is_printed=True).text


@pytest.mark.parametrize(
    "text",
    [
        "OTP: SHA256", "verification code: ISO8601", "the access code path is in RFC6749",
        "O código do produto é TN706035.", "security code review: Q3",
        "reset code of SKU A4-77120 was deployed",
    ],
)  # fmt: skip
def test_a_standard_a_product_or_an_error_is_no_code(text: str) -> None:
    assert redact(text, is_printed=True).findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "Backup codes generated. Each can be used once.\n  1. {}\nStore it somewhere safe.",
        "Recovery codes (1 of 10 left unused):\n  [used] ----------\n  [used] ----------\n  {}\nDownload again",
        "Save this recovery code. It is the only way to get back in:\n   {}\n[ ] I have saved it",
        "バックアップコードを保管してください。\n・{}\n",
    ],
)
def test_a_recovery_code_alone_on_a_line_is_masked_below_the_sentence_that_names_it(
    text: str,
) -> None:
    code = f"{_DRAW.chars(LOWNUM, 3)}4k-{_DRAW.chars(LOWNUM, 3)}7p"

    assert code not in redact(text.format(code), is_printed=True).text


def test_a_recovery_phrase_is_masked_below_the_sentence_that_names_it() -> None:
    phrase = " ".join(_DRAW.chars("bcdfgklmnprst", 6) for _ in range(12))
    text = f"Please write down your recovery phrase in this exact order:\n{phrase}\nNever share it."

    assert phrase not in redact(text, is_printed=True).text


@pytest.mark.parametrize(
    "label",
    [
        "пароль приложения", "contraseña de aplicación", "mot de passe d'application", "senha de app",
        "App-Passwort", "hasło aplikacji", "アプリパスワード", "app password",
    ],
)  # fmt: skip
def test_an_app_password_is_masked_as_it_is_copied(label: str) -> None:
    password = "xq" + _DRAW.chars("bcdfghjklmnpqrstvwxz", 14)

    assert password not in redact(f"{label}: {password}", is_printed=True).text


def test_a_key_in_the_place_of_a_user_is_masked() -> None:
    key = f"{_DRAW.chars(LOWNUM, 14)}7q{_DRAW.chars(LOWNUM, 14)}4z"

    assert key not in redact(f"curl -u {key}:x https://api.maple-river.net/v1").text
    assert key not in redact(f"curl -sS -u '{key}:' https://api.maple-river.net/v1").text


@pytest.mark.parametrize(
    "text",
    [
        "PASSWORD=Please enter your password", "password=Bitte Passwort eingeben",
        "SLACK_BOT_TOKEN=xoxb-your-bot-token-here",
    ],
)  # fmt: skip
def test_a_text_of_a_page_and_a_gap_to_fill_in_are_no_passwords(text: str) -> None:
    assert redact(text, is_printed=True).findings == ()
