"""One message of a conversation, as a program hands it in.

A chat, an export and a model's history spell the same fields differently. So `author` may be called
`role` or `name`, `text` may be called `content`, and `time` may be called `timestamp` or `date`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from hooklore.errors import ConversationInvalid
from hooklore.redaction.private_parts import without_private

MOST_CHARACTERS = 1 << 20
"""Characters of one message. A longer one is refused: it is no turn of a conversation."""

_MOST_NAME = 200
_MOST_ID = 256
_NAMES = {
    "author": ("author", "name", "role"),
    "text": ("text", "content"),
    "time": ("time", "timestamp", "date"),
    "id": ("id", "message_id"),
}
_COUNTS = ("place", "repeat")
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_BLANKS = re.compile(r"\s+")
_SECONDS = re.compile(r"\d{9,11}(?:\.\d{1,9})?")


@dataclass(frozen=True, slots=True)
class Message:
    """A message: `text` that `author` wrote at `time`, under the name `id` that its chat gave it.

    `time` is RFC 3339 in UTC with milliseconds, and empty when nobody knows it. `place` counts the messages
    of the conversation from 0. `repeat` counts the earlier messages of the same author, time and text.
    `part` counts the parts of a message that was too long for one turn. `is_masked` is true when a secret
    was taken out of `text` already. A `place` or a `repeat` below 0 is not counted yet.
    """

    author: str
    text: str
    time: str = ""
    id: str = ""
    place: int = -1
    repeat: int = -1
    part: int = 0
    is_masked: bool = False

    def to_json(self) -> dict[str, object]:
        """Return the message as `read_messages` reads it, without the fields that say nothing.

        A count of 0 is told, too: a chunk's reader would count such a message anew.
        """
        fields: dict[str, object] = {"author": self.author, "text": self.text}
        for name in self.__slots__:
            value = getattr(self, name)
            if value >= 0 if name in _COUNTS else value:
                fields[name] = value
        return fields


def read_messages(given: object) -> list[Message]:
    """Return the messages of a conversation, numbered, in their order.

    `given` holds mappings or `Message` values. Raise ConversationInvalid, which names the message and the
    field and never repeats a value.
    """
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise ConversationInvalid("messages", "it is no list of messages")
    found = [_read_message(each, place) for place, each in enumerate(given)]
    return _numbered(found)


def _read_message(given: object, place: int) -> Message:
    if isinstance(given, Message):
        given = given.to_json()
    if not isinstance(given, Mapping):
        raise ConversationInvalid(f"messages[{place}]", "it is no mapping with `author` and `text`")
    fields = {name: _first(given, spellings) for name, spellings in _NAMES.items()}
    try:
        return Message(
            author=_read_author(fields["author"]),
            text=_read_text(fields["text"]),
            time=read_time(fields["time"]),
            id=_read_id(fields["id"]),
            place=_read_count(given, "place", place),
            repeat=_read_count(given, "repeat", -1),
            part=_read_count(given, "part", 0),
            is_masked=given.get("is_masked") is True,
        )
    except _Unfit as error:
        raise ConversationInvalid(f"messages[{place}].{error.field}", error.cause) from None


class _Unfit(Exception):
    """A field of a message cannot be used."""

    def __init__(self, field: str, cause: str) -> None:
        self.field, self.cause = field, cause


def _first(given: Mapping[object, object], spellings: Iterable[str]) -> object:
    return next((given[name] for name in spellings if given.get(name) is not None), None)


def _read_author(value: object) -> str:
    if not isinstance(value, str):
        raise _Unfit("author", "it is no text")
    author = _BLANKS.sub(" ", _UNPRINTABLE.sub("", without_private(value)[0])).strip()
    if not author:
        raise _Unfit("author", "it is empty")
    if len(author) > _MOST_NAME:
        raise _Unfit("author", f"it has more than {_MOST_NAME} characters")
    return author


def _read_text(value: object) -> str:
    if not isinstance(value, str):
        raise _Unfit("text", "it is no text")
    if len(value) > MOST_CHARACTERS:
        raise _Unfit("text", f"it has more than {MOST_CHARACTERS:,} characters")
    return _UNPRINTABLE.sub("", value.replace("\r\n", "\n").replace("\r", "\n")).strip()


def _read_id(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise _Unfit("id", "it is neither a text nor a whole number")
    if isinstance(value, int) and value.bit_length() > 64:
        raise _Unfit("id", "it has more than 64 bits")
    name = _UNPRINTABLE.sub("", str(value)).strip()
    if len(name) > _MOST_ID:
        raise _Unfit("id", f"it has more than {_MOST_ID} characters")
    return name


def _read_count(given: Mapping[object, object], name: str, default: int) -> int:
    value = given.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 53:
        raise _Unfit(name, "it is no count")
    return value


def read_time(value: object) -> str:
    """Return a time as RFC 3339 in UTC with milliseconds, and "" for None.

    `value` is a `datetime`, a text of ISO 8601, or the seconds since 1970 as a number or a text. A time
    without a zone is UTC.
    """
    if value is None or value == "":
        return ""
    if isinstance(value, bool) or not isinstance(value, datetime | int | float | str):
        raise _Unfit("time", "it is no time")
    try:
        value = value.strip() if isinstance(value, str) else value
        if isinstance(value, str) and not _SECONDS.fullmatch(value):
            value = datetime.fromisoformat(value)
        # OverflowError or ValueError for what is not finite
        moment = value if isinstance(value, datetime) else datetime.fromtimestamp(float(value), UTC)
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        raise _Unfit("time", "it is no time of ISO 8601 or seconds since 1970") from None
    if moment.year < 1970:
        raise _Unfit("time", "it is before 1970")
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def _numbered(messages: list[Message]) -> list[Message]:
    """Return the messages, each that was not counted before with its `repeat`."""
    seen: dict[tuple[str, str, str], int] = {}
    found: list[Message] = []
    for message in messages:
        said = (message.author, message.time, message.text)
        repeat = message.repeat if message.repeat >= 0 else seen.get(said, 0)
        seen[said] = repeat + 1
        found.append(message if message.repeat == repeat else replace(message, repeat=repeat))
    return found
