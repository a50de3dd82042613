"""A gateway in a process of its own, and what its clients send.

A module of tests that imports this one is skipped where the extra is not installed.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.untried import NO_GATEWAY

pytest.importorskip("fastapi", reason=NO_GATEWAY)

import httpx

from hooklore.agents.agent import AgentPermission
from hooklore.config import StoreLocation, locate_store
from hooklore.requests.access_tokens import TokenFile

COMMAND: Final = str(Path(sys.executable).parent / "hooklore")
_SECONDS: Final = 60.0


@dataclass
class Gateway:
    """A gateway that serves the store of a home."""

    home: Path
    process: subprocess.Popen[bytes]
    url: str
    client: httpx.Client = field(default_factory=lambda: httpx.Client(timeout=_SECONDS))

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def place(self) -> StoreLocation:
        return locate_store({"HOME": str(self.home)})

    @property
    def tokens(self) -> TokenFile:
        return TokenFile(self.place, str(self.home))

    def token(
        self, agent: str, scopes: Sequence[str] = (), permission: AgentPermission = "worker"
    ) -> str:
        """Return the text of a new token that ends after 90 days."""
        return self.tokens.create(agent, scopes, permission, 90, time.time())[1]

    def ask(
        self, method: str, path: str, token: str | None = None, json: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:  # fmt: skip
        """Return the answer to a request, with a body where `json` is given."""
        own = {"Authorization": f"Bearer {token}"} if token else {}
        return self.client.request(
            method, f"{self.url}{path}", json=json, headers={**own, **(headers or {})}
        )


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a gateway of that home."""
    return {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


@contextmanager
def running(home: Path, *options: str, command: Sequence[str] = (COMMAND,)) -> Iterator[Gateway]:
    """Yield a gateway of that home, on a free port, that runs until the end of the block."""
    process = subprocess.Popen(
        [*command, "gateway", "--port", "0", *options],
        env=environment(home), cwd=home, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    try:
        line = process.stderr.readline().decode()
        assert line.startswith("serving on "), line
        gateway = Gateway(home, process, line.split()[-1])
        with gateway.client:
            yield gateway
    finally:
        process.terminate()
        process.communicate(timeout=_SECONDS)
