import pytest

from hooklore.text.feedback_signal import classify_feedback


@pytest.mark.parametrize(
    ("words", "signal"),
    [
        ("yes please", "approval"),
        ("LGTM, merge it", "approval"),
        ("ok", "approval"),
        ("はい、お願いします", "approval"),
        ("no", "rejection"),
        ("いや、やめて", "rejection"),
        ("don't touch that file", "rejection"),
        ("no, use uv instead", "correction"),
        ("npmではなくpnpmで", "correction"),
        ("No tests were run, why?", None),
        ("fix the login page", None),
        ("", None),
    ],
)
def test_what_a_prompt_begins_with_says_what_the_user_thinks(
    words: str, signal: str | None
) -> None:
    assert classify_feedback(words) == signal
