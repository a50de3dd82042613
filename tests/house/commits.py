"""The messages of the commits behind a folder."""

import subprocess
from pathlib import Path
from typing import Final, NamedTuple

LONGEST_SUBJECT: Final = 72


class Commits(NamedTuple):
    """Numbers of commits: all, those with a body, and those with too long a subject."""

    number: int
    with_body: int
    long_subjects: int


def commits(folder: Path, since: str | None) -> Commits | None:
    """Count the commits after revision `since`. Return None outside a repository."""
    wanted = [f"{since}..HEAD"] if since else []
    done = subprocess.run(
        ["git", "-C", str(folder), "log", "--format=%s%x00%b%x01", *wanted],
        capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode != 0:
        return None
    messages = [text.strip("\n").split("\0") for text in done.stdout.split("\x01")]
    pairs = [(message[0], message[1].strip()) for message in messages if len(message) > 1]
    return Commits(
        len(pairs),
        sum(bool(body) for _, body in pairs),
        sum(len(subject) > LONGEST_SUBJECT for subject, _ in pairs),
    )
