"""The frame of a traceback that lies in the project: the place where an exception was raised."""

import re
from collections.abc import Sequence

_FOREIGN = re.compile(
    r"site-packages|dist-packages|node_modules|node:|internal/|<frozen|<anonymous>|<string>|<stdin>"
    r"|/lib/python\d|/go/pkg/mod/|/usr/(?:local/)?(?:go|lib)/|/go/src/|/\.cargo/|/rustc/|/\.rustup/"
    r"|/gems/|\.m2/|native code|\[native|(?:^|\s)(?:java|javax|jdk|sun|kotlin|scala)\.|org\.junit|org\.gradle"
    r"|(?:^|\s)(?:std|core|alloc|tokio)::|runtime[./]|testing\."
)
"""Places of libraries and of runtimes."""

_INNERMOST_LAST = re.compile(
    r'^\s*File "[^"\n]{1,300}", line \d+, in \S|^[\w./\\+-]{1,250}\.py:\d+: (?:in \S|\w+(?:Error|Exception)$)'
)
_INNERMOST_FIRST = (
    re.compile(  # Node, Java, Rust
        r"^\s*at \S.{0,200}?[(\s]?[\w./\\:@+~-]{1,250}\.\w{1,5}:\d+(?::\d+)?\)?$"
    ),
    re.compile(r"\bpanicked at [\w./\\-]{1,250}\.rs:\d+:\d+:?\s*$"),
    re.compile(r"^\t[\w./\\:@+~-]{1,250}\.go:\d+(?: \+0x[0-9a-f]+)?$"),
    re.compile(r"^\s*(?:❯|↳) \S.{0,200}:\d+:\d+$"),
)


def project_frame(lines: Sequence[str]) -> str | None:
    """Return the innermost frame of the first traceback among `lines` that lies in the project, or None."""
    python = [line for line in _first_python_frames(lines) if not _FOREIGN.search(line)]
    if python:
        return python[-1]
    found = (line for line in lines if any(frame.search(line) for frame in _INNERMOST_FIRST))
    return next((line for line in found if not _FOREIGN.search(line)), None)


def _first_python_frames(lines: Sequence[str]) -> list[str]:
    """Return the frames of the first Python traceback, which its exception ends at the left edge."""
    frames: list[str] = []
    for line in lines:
        if _INNERMOST_LAST.match(line):
            frames.append(line)
        elif frames and not line[:1].isspace():
            break
    return frames
