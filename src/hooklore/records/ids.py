"""Ids of records: UUIDv7 (RFC 9562 §5.7), generated so that file order is id order."""

_RANDOM_BITS = 74
_RANDOM_MASK = (1 << _RANDOM_BITS) - 1


def next_id(last: str | None, now_ms: int, random: int) -> str:
    """Return the id of the next record: `max(now, last + 1)`, for any state of the clock.

    `last` is the newest id in the log, `now_ms` the wall clock in milliseconds, and `random` any integer. If
    the clock went back, or two records share a millisecond, ids continue from `last`.
    """
    stamp, tail = now_ms & ((1 << 48) - 1), random & _RANDOM_MASK >> 1
    if last is not None:
        last_stamp, last_tail = unpack_id(last)
        if stamp <= last_stamp:
            stamp, tail = last_stamp, last_tail + 1
            if tail > _RANDOM_MASK:
                stamp, tail = last_stamp + 1, 0
    return _pack(stamp, tail)


def _pack(stamp: int, tail: int) -> str:
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
