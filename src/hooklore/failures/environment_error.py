"""Tell the errors of an environment: a program, a variable or a service that the machine lacks."""

import re

_LACKING = re.compile(
    r"\bcommand not found\b|\bnot recognized as (?:an internal|the name of)\b"
    r"|\b(?:could not|cannot) (?:locate|find) executable\b"
    r"|\b(?:connection refused|ECONNREFUSED|ENOTFOUND|could not resolve host)\b",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"(?<![\w.])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w(])")
_UNSET = re.compile(r"\b(?:missing|unset|not set|isn't set|required|must be set)\b", re.IGNORECASE)


def is_environment_error(line: str) -> bool:
    """Return whether an error line says that the machine lacks something, so that no change of code mends it.

    A name in capitals with an underscore that is missing or not set is a variable of the environment.
    """
    if _LACKING.search(line):
        return True
    return _VARIABLE.search(line) is not None and _UNSET.search(line) is not None
