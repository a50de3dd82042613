"""Secrets in shell commands that no rule finds: a model of what stands around a word.

The rules know flags, names and places of some hundred programs, and there are more programs than a list has. So
each word of a command that has a secret's form, and that no rule masked, is judged by its form, the words beside it
and the program. `command_weights.py` has the weights of a logistic regression, fitted to commands that strangers
wrote and to the honest ones of real sessions. Of these, one in thirteen has a word to judge.
"""

from functools import cache

from hooklore.redaction.clean_text_cache import CleanTextCache
from hooklore.redaction.finding import Finding
from hooklore.redaction.rules.command_features import Feature, features_of
from hooklore.redaction.rules.command_words import formed_words, split_command

COMMAND = "command"
"""The rule name of what the model finds."""

_WINDOW = 4 * 1024
"""Characters that are judged: four times what a record keeps of a command."""

_clean = CleanTextCache()


def find_in_command(text: str) -> list[Finding]:
    """Return the secrets that the model finds in a command that the rules have masked.

    Offsets count in characters.
    """
    if text in _clean:
        return []
    words = split_command(text[:_WINDOW])
    found = [
        Finding(COMMAND, words[place].start, words[place].end)
        for place, form in formed_words(text, words)
        if _is_secret(features_of(text, words, place, form))
    ]
    if not found:
        _clean.add(text)
    return found


def _is_secret(features: set[Feature]) -> bool:
    bias, weights = _model()
    return bias + sum(weights.get(feature, 0.0) for feature in features) > 0


@cache
def _model() -> tuple[float, dict[Feature, float]]:
    """Return the bias, and the weights of features."""
    from hooklore.redaction.rules.command_weights import BIAS, WEIGHTS

    return BIAS, {
        (kind, word): weight
        for kind, by_word in WEIGHTS.items()
        for word, weight in by_word.items()
    }
