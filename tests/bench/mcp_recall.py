"""Measure `recall` by MCP: from the official client's call to its result, and the server's cold start."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench.base import percentile
from tests.bench.corpus import Corpus
from tests.bench.home import Home

if TYPE_CHECKING:
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters

Figures = dict[str, float]

_WARM: Final = 20
_STARTS: Final = 5


def measure(home: Home, corpus: Corpus, rounds: int) -> Figures:
    """Milliseconds of a call, the resident running, and seconds from a server's start to its list of tools."""
    import anyio  # the extra's; the other figures of the bench need none

    home.start()
    times = anyio.run(_ask_all, home, _questions(corpus, rounds))
    return {
        "mcp_start_s": statistics.median(anyio.run(_start, _server(home)) for _ in range(_STARTS)),
        "mcp_recall_p50_ms": percentile(times, 0.5) * 1e3,
        "mcp_recall_p95_ms": percentile(times, 0.95) * 1e3,
    }


@contextmanager
def open_questions(home: Home, corpus: Corpus) -> Iterator[Callable[[], float]]:
    """Start a server; what asks it one question after the other gives the seconds of a call."""
    from tests.support.mcp import open_server

    questions = cycle(_questions(corpus, 200))
    with open_server(_server(home)) as call:

        def ask() -> float:
            started = time.perf_counter()
            call("recall", {"query": next(questions)})
            return time.perf_counter() - started

        for _ in range(_WARM):
            ask()
        yield ask


def _questions(corpus: Corpus, rounds: int) -> list[str]:
    """Return questions of which half bear on a memory; the words of the others are common ones."""
    half = (rounds + _WARM) // 2
    pairs = zip(corpus.bearing_prompts(half, 12), corpus.prompts(half, 12), strict=True)
    return [question for pair in pairs for question in pair]


def _server(home: Home) -> StdioServerParameters:
    from mcp.client.stdio import StdioServerParameters

    return StdioServerParameters(
        command=str(Path(sys.executable).parent / "hooklore"),
        args=["mcp", "--agent", "claude"],
        env={"HOME": str(home.directory)},
        cwd=home.project,
    )


async def _ask_all(home: Home, questions: list[str]) -> list[float]:
    """Return the seconds of each call but the first ones, which warm the server."""
    from mcp import Client

    async with Client(_server(home)) as client:
        answers = [await _ask(client, question) for question in questions][_WARM:]
    found = sum(is_found for _, is_found in answers)
    assert found >= len(answers) // 4, f"only {found} of {len(answers)} questions were answered"
    return [seconds for seconds, _ in answers]


async def _start(server: StdioServerParameters) -> float:
    """Return the seconds from the start of a server until it has listed its tools."""
    from mcp import Client

    started = time.perf_counter()
    async with Client(server) as client:
        await client.list_tools()
        return time.perf_counter() - started


async def _ask(client: Client, question: str) -> tuple[float, bool]:
    """Return the seconds of one call, and whether memory had an answer."""
    started = time.perf_counter()
    result = await client.call_tool("recall", {"query": question})
    seconds = time.perf_counter() - started
    from mcp.types import TextContent

    (text,) = [part.text for part in result.content if isinstance(part, TextContent)]
    assert not result.is_error, text
    return seconds, text.startswith("<hooklore-notes>")
