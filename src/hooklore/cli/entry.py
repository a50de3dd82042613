"""The first lines of `hooklore`: an agent that opens memories is answered by the resident, at a hook's cost.

The whole command line takes forty times as long to import as an interpreter takes to start. So this module
imports nothing but the launcher's client, and that for `get` and `recall` with plain words alone. All else,
and whatever the client leaves, goes to `cli/main.py` in this process.
"""

import os
import sys

_OPENING = ("get", "recall")
_LAUNCHER = ".local/share/hooklore"


def main() -> int:
    """Run `hooklore` with the arguments of the process, and return the exit status."""
    words = sys.argv[1:]
    if _is_plain_opening(words):
        status = _ask_resident(words)
        if status is not None:
            os._exit(status)  # an orderly end would cost as much as the answer
    from hooklore.cli.main import hooklore_main

    return hooklore_main()


def _is_plain_opening(words: list[str]) -> bool:
    if len(words) < 2 or words[0] not in _OPENING or (words[0] == "recall" and len(words) > 2):
        return False
    return not any(word.startswith("-") for word in words)


def _ask_resident(words: list[str]) -> int | None:
    """Return the exit status once the launcher's client has printed the answer, else None."""
    folder = f"{os.environ.get('HOME', '')}/{_LAUNCHER}"
    if not _is_own(folder):
        return None
    sys.path.insert(0, folder)
    try:
        import client

        status: int | None = client.open_memories([os.fsencode(word) for word in words])
    except Exception:
        # The client is the one of another version, or damaged: `hooks doctor` says so, the command works.
        return None
    finally:
        sys.path.remove(folder)
    return status


def _is_own(folder: str) -> bool:
    try:
        found = os.stat(folder)
        return (
            found.st_uid == os.getuid()
            and not found.st_mode & 0o022
            and os.path.isfile(f"{folder}/client.py")
        )
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(main())
