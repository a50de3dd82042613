"""The emotion that the writer of a memory names: one short label, told beside the text (seed 001 §5.2)."""

import unicodedata

from hooklore.prompt.frame import sanitize_for_prompt
from hooklore.prompt.memory_part import gives_orders
from hooklore.records.record import Record

MAX_EMOTION_LENGTH = 40
_BETWEEN_WORDS = " -'’"


def is_emotion(value: object) -> bool:
    """Return whether a value is a word or a few: letters and digits on one line, with no other punctuation.

    A comma or a bracket could end the emotion and begin an origin of its own.
    """
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_EMOTION_LENGTH:
        return False
    return all(each in _BETWEEN_WORDS or unicodedata.category(each)[0] in "LMN" for each in value)


def tell_emotion(record: Record) -> str:
    """Return the emotion of a memory for a model, or "" for none, and where the memory gives orders."""
    emotion = record.body.emotion
    if record.stream != "memory" or not is_emotion(emotion) or gives_orders(record):
        return ""
    return sanitize_for_prompt(str(emotion))
