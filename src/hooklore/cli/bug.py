"""Word the report of a bug of ours, without anything that its sender would hide."""

import platform
from importlib.metadata import PackageNotFoundError, version

from hooklore.config import read_environment
from hooklore.hooks.log_sanitizer import format_traceback
from hooklore.redaction import redact

_PARTS = ("hooklore", "pydantic", "orjson", "tantivy", "typer", "google-re2", "phonenumbers")


def report(command: str, error: BaseException) -> str:
    """Return a bug report, ready to paste: without the command's arguments, and without values."""
    lines = [
        f"error: could not finish `{command}`: a bug in hooklore",
        "hint: report it with these lines",
        "",
        ", ".join(f"{name} {_version(name)}" for name in _PARTS),
        f"python {platform.python_version()} on {platform.platform()}",
        format_traceback(error),
    ]
    text = redact("\n".join(lines), is_printed=True).text
    home = read_environment().get("HOME", "").rstrip("/")
    return text.replace(home + "/", "~/") if home else text


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"
