"""Render an entry as a Markdown file: YAML front matter, then its text (seed 004)."""

import json
import re

_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that JSON leaves unescaped and YAML cannot read."""


def render_markdown_entry(
    key: str, tags: list[str], created_at: str, updated_at: str, text: str
) -> str:
    """Return an entry's file: four keys between two lines of `---`, then `text` byte for byte.

    The values are JSON, which is also YAML, so that no colon, dash or line end is misread.
    """
    front: dict[str, str | list[str]] = {
        "key": key,
        "tags": tags,
        "created_at": created_at,
        "updated_at": updated_at,
    }
    lines = (f"{name}: {_scalar(value)}\n" for name, value in front.items())
    return f"---\n{''.join(lines)}---\n{text}"


def _scalar(value: str | list[str]) -> str:
    plain = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found.group()):04x}", plain)
