"""The real clients that tests drive. `python -m tests.support.clients` installs those that are absent.

Prints the path of each program and exits 0; else `error:` and `hint:` on stderr and 1.
"""

import sys
from typing import Final

from tests.claude.binary import CLAUDE
from tests.codex.program import CODEX
from tests.conformance.program import CONFORMANCE
from tests.gemini.program import GEMINI
from tests.inspector.program import INSPECTOR
from tests.support.npm_client import FetchError

CLIENTS: Final = {
    "claude_binary": CLAUDE,
    "codex_program": CODEX,
    "gemini_program": GEMINI,
    "mcp_inspector": INSPECTOR,
    "mcp_conformance": CONFORMANCE,
}
"""The fixture that gives a test a client's program, and the client."""


def main() -> int:
    """Run the command line; the exit status."""
    for client in CLIENTS.values():
        try:
            sys.stdout.write(f"{client.fetch()}\n")
        except (FetchError, OSError) as error:
            sys.stderr.write(
                f"error: could not install {client.name} {client.version}: {error}\n"
                f"hint: set `{client.variable}` to a program that you have\n"
            )
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
