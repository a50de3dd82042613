"""Parse points in time as people type them."""

import re
from datetime import UTC, datetime, timedelta

from hooklore.errors import ArgumentInvalid

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def parse_time(text: str) -> str:
    """Return a typed time as RFC 3339 in UTC. Raise ArgumentInvalid for any other text.

    `text` is a span before now (`30m`, `12h`, `7d`, `4w`), or a date or time, which is local without a zone.
    """
    back = re.fullmatch(r"(\d{1,6})([mhdw])", text.strip())
    try:
        if back:
            when = datetime.now(UTC) - timedelta(**{_UNITS[back[2]]: int(back[1])})
        else:
            when = datetime.fromisoformat(text.strip()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ArgumentInvalid("", f"`{text}` is neither a time like `7d` nor a date") from None
    return when.strftime("%Y-%m-%dT%H:%M:%S.") + f"{when.microsecond // 1000:03d}Z"
