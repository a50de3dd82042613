"""Whether the extra `[semantic]` can be used here. Light: a resident without it imports no more than this."""

import importlib.util

from hooklore.index import encoder

MEM0_BACKEND = "mem0"
_NO_MEM0 = "mem0ai is not installed"


def semantic_unavailable_reason(setting: str) -> str | None:
    """Why there is no search by meaning (`recall.semantic` is `setting`); None when there is."""
    if setting == "off":
        return "`recall.semantic` is off"
    why = encoder.find_missing_requirement()
    if why is None and setting == MEM0_BACKEND and importlib.util.find_spec("mem0") is None:
        return _NO_MEM0
    return why


def is_installable(why: str) -> bool:
    """Whether installing the extra makes that reason go away."""
    return why in (encoder.NOT_INSTALLED, _NO_MEM0)
