"""What the user said of an answer at the next prompt (row HK-04): it moves the score of what they answer."""

from typing import Any

from hooklore.index.view import View

Fields = dict[str, Any]

_TURNS = 200
_SIGNALS = frozenset(("approval", "rejection", "correction"))


def signal_on(view: View, record: Fields) -> str | None:
    """`approval`, `rejection` or `correction` when the prompt after a record begins so; None otherwise.

    `record` is an answer, or what an agent did or said before it in the same session.
    """
    prompt = _next_prompt(view, record)
    signal = prompt["body"].get("detail", {}).get("signal") if prompt else None
    return signal if signal in _SIGNALS else None


def _next_prompt(view: View, record: Fields) -> Fields | None:
    session = record.get("session_id")
    turns = view.lookup(f"turn:{session}", _TURNS) if session else []
    later = [r for r in turns if r["kind"] == "prompt" and r["id"] > record["id"]]
    reaches = len(turns) < _TURNS or any(r["id"] <= record["id"] for r in turns)
    return later[-1] if later and reaches else None
