"""Ids of records: UUIDv7 (RFC 9562 §5.7), generated so that file order is id order."""

_RANDOM_BITS = 74
_RANDOM_MASK = (1 << _RANDOM_BITS) - 1
_LATEST = (1 << 48) - 1
"""The last millisecond that an id can name."""

_WENT_BACK_MS = 1000
"""By so much an id may be ahead of the clock without a change of the clock: ids of a batch are given in turn."""

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_EPOCH_MS = 1_577_836_800_000
"""2020-01-01 in UTC: short ids have eight characters from 2022 to 2109."""

_SHORT_LENGTH = 8
SHORT_ID_PATTERN = r"(?=[0-9a-z]{0,7}[g-z])[1-9a-z][0-9a-z]{7}"
"""A short id in a text. One in three hundred has no letter after `f` and is left out: so has a commit's hash."""


def next_id(last: str | None, now_ms: int, random: int) -> str:
    """Return the id of the next record: later than `last`, for any state of the clock.

    `last` is the newest id in the log, `now_ms` the wall clock in milliseconds, and `random` any integer. Two
    records of one millisecond share it. If the clock went back by a second or more, each takes the millisecond
    after that of `last`: until the clock has caught up, all would share one, and with it their short id.
    """
    stamp, tail = min(max(now_ms, 0), _LATEST), random & _RANDOM_MASK >> 1
    if last is not None:
        last_stamp, last_tail = unpack_id(last)
        if stamp + _WENT_BACK_MS <= last_stamp < _LATEST:
            stamp = last_stamp + 1
        elif stamp <= last_stamp:
            stamp, tail = last_stamp, last_tail + 1
            if tail > _RANDOM_MASK:
                stamp, tail = last_stamp + 1, 0
    high, low = tail >> 62, tail & ((1 << 62) - 1)
    value = f"{(stamp << 80) | (7 << 76) | (high << 64) | (2 << 62) | low:032x}"
    return f"{value[:8]}-{value[8:12]}-{value[12:16]}-{value[16:20]}-{value[20:]}"


def unpack_id(text: str) -> tuple[int, int]:
    """Return (milliseconds since the epoch, the 74 free bits) of an id."""
    value = int(text.replace("-", ""), 16)
    return value >> 80, ((value >> 64) & 0xFFF) << 62 | value & ((1 << 62) - 1)


def is_record_id(text: str) -> bool:
    """Return whether `text` is a full record id."""
    if len(text) != 36 or text[14] != "7":
        return False
    return all(c in "0123456789abcdef-" for c in text)


def short_id(text: str) -> str:
    """Return the eight characters that name a record in a note: the millisecond of its id, in base 36.

    Records of one millisecond share it. An id of another form, or of a clock that was wrong, is returned
    as it is.
    """
    if not is_record_id(text):
        return text
    value, digits = (int(text[:8] + text[9:13], 16) - _EPOCH_MS), ""
    while value > 0:
        value, digit = divmod(value, 36)
        digits = _DIGITS[digit] + digits
    return digits if len(digits) == _SHORT_LENGTH else text


def prefix_of_short_id(text: str) -> str | None:
    """Return the beginning of the ids that a short id names, None for any other text."""
    if len(text) != _SHORT_LENGTH or any(c not in _DIGITS for c in text):
        return None
    stamp = f"{int(text, 36) + _EPOCH_MS:012x}"
    return f"{stamp[:8]}-{stamp[8:]}" if len(stamp) == 12 else None
