"""The standard output: whole lines, one after the other, and nothing that the server did not mean to send."""

import os

import anyio


class OutputLines:
    """The client's end of the standard output. All else that is printed in this process goes to stderr."""

    def __init__(self) -> None:
        self._fd = os.dup(1)
        self._lock = anyio.Lock()
        try:
            os.dup2(2, 1)
        except OSError:  # this process has no stderr
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    async def write(self, line: str) -> None:
        """Write one line. Raise BrokenPipeError where the client has left."""
        async with self._lock:
            await anyio.to_thread.run_sync(self._write, f"{line}\n".encode())

    def _write(self, raw: bytes) -> None:
        rest = memoryview(raw)
        while rest:
            rest = rest[os.write(self._fd, rest) :]
