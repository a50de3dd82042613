"""The goal of a session: the first sentence in which the user says what to do (seed 003).

A session's start does not know its goal yet. So the record of the prompt that says it has the goal, and
the records of the session's end and of its compactions repeat it.
"""

import re

from hooklore.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.records import keys
from hooklore.records.access import may_be_quoted_in
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from hooklore.text.display_width import display_width
from hooklore.text.feedback_signal import classify_feedback
from hooklore.text.token_estimate import truncate_text

_MAX_GOAL_CHARACTERS = 200
_MIN_GOAL_COLUMNS = 6
_MAX_GREETING_COLUMNS = 24
_MAX_GOALS = 8

_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|go on|continue)\b|"
    r"(?:こんにちは|こんばんは|おはよう|お疲れ|おつかれ|初めまして|はじめまして|よろしく|続けて)",
    re.IGNORECASE,
)


def with_goal(broker: Broker, record: Record) -> Record:
    """Return the record of a prompt with the session's goal, unless an earlier prompt has said one.

    The text of `record` is redacted, as the goal is cut from it. What the client put there, a paste, a
    greeting and a mere approval say no goal.
    """
    if record.kind != "prompt" or not (record.body.text and record.session_id):
        return record
    try:
        if broker.as_reader(PERSON).has(keys.goal_of(record.session_id)):
            return record
    except HookloreError:
        return record  # memory cannot be read, and the prompt must be kept nevertheless
    goal = extract_goal(record.body.text)
    return record.with_fields(body=record.body.with_fields(goal=goal)) if goal else record


def extract_goal(prompt: str) -> str | None:
    """Return the first sentence of the user's own in a prompt that may be a goal, on one line."""
    from hooklore.text.user_text import extract_user_sentences

    for sentence in extract_user_sentences(prompt):
        said = " ".join(prompt[sentence.start : sentence.end].split())
        if not _is_small_talk(said):
            return truncate_text(said, _MAX_GOAL_CHARACTERS)
    return None


def _is_small_talk(sentence: str) -> bool:
    width = display_width(sentence)
    if width > _MAX_GREETING_COLUMNS:
        return False
    is_approval = classify_feedback(sentence) == "approval"
    return width < _MIN_GOAL_COLUMNS or is_approval or _GREETING.match(sentence) is not None


def find_goal(reader: Reader, end: Record) -> str | None:
    """Return the goal that the session of `end` began with, if whoever reads `end` may know it."""
    if not end.session_id:
        return None
    found = reader.lookup(keys.goal_of(end.session_id), _MAX_GOALS)
    return next((r.body.goal for r in reversed(found) if may_be_quoted_in(r, end)), None)
