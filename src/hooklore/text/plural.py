"""Word a count: `1 note`, `2 notes`, `3 memories`."""


def format_count(count: int, noun: str) -> str:
    """Return a count with its noun, which is given in the singular: its last word gets the plural."""
    return f"{count} {noun if count == 1 else _pluralize(noun)}"


def select_form(count: int, one: str, many: str) -> str:
    """Return the form of a word that goes with a count."""
    return one if count == 1 else many


def _pluralize(noun: str) -> str:
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"
