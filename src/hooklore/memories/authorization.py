"""Reserve decisions about memory for a person (seed 000 §11)."""

from hooklore.errors import HookloreError
from hooklore.records.draft import Principal


def require_person(who: Principal, verb: str, name: str) -> None:
    """Raise HookloreError for an agent and for a program. `verb` and `name` stand in the message."""
    if not who.person or who.program:
        raise HookloreError(
            f"could not {verb} `{name}`: a person decides it", fix="ask the user to run it"
        )
