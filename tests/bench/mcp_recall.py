"""Measure `recall` by MCP: from the official client's call to its result, and the server's cold start."""

import statistics
import sys
import time
from pathlib import Path
from typing import Final

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import TextContent

from tests.bench.base import percentile
from tests.bench.corpus import Corpus
from tests.bench.home import Home

Figures = dict[str, float]

_WARM: Final = 20
_STARTS: Final = 5


def measure(home: Home, corpus: Corpus, rounds: int) -> Figures:
    """Milliseconds of a call, the resident running, and seconds from a server's start to its list of tools.

    Half of the questions bear on a memory; the words of the others are common ones.
    """
    half = (rounds + _WARM) // 2
    pairs = zip(corpus.bearing_prompts(half, 12), corpus.prompts(half, 12), strict=True)
    home.start()
    return anyio.run(_measure, home, [question for pair in pairs for question in pair])


async def _measure(home: Home, questions: list[str]) -> Figures:
    server = StdioServerParameters(
        command=str(Path(sys.executable).parent / "hooklore"),
        args=["mcp", "--agent", "claude"],
        env={"HOME": str(home.directory)},
        cwd=home.project,
    )
    starts = [await _start(server) for _ in range(_STARTS)]
    async with Client(server) as client:
        answers = [await _ask(client, question) for question in questions][_WARM:]
    times = [seconds for seconds, _ in answers]
    found = sum(is_found for _, is_found in answers)
    assert found >= len(answers) // 4, f"only {found} of {len(answers)} questions were answered"
    return {
        "mcp_start_s": statistics.median(starts),
        "mcp_recall_p50_ms": percentile(times, 0.5) * 1e3,
        "mcp_recall_p95_ms": percentile(times, 0.95) * 1e3,
    }


async def _start(server: StdioServerParameters) -> float:
    """Return the seconds from the start of a server until it has listed its tools."""
    started = time.perf_counter()
    async with Client(server) as client:
        await client.list_tools()
        return time.perf_counter() - started


async def _ask(client: Client, question: str) -> tuple[float, bool]:
    """Return the seconds of one call, and whether memory had an answer."""
    started = time.perf_counter()
    result = await client.call_tool("recall", {"query": question})
    seconds = time.perf_counter() - started
    (text,) = [part.text for part in result.content if isinstance(part, TextContent)]
    assert not result.is_error, text
    return seconds, text.startswith("<hooklore-notes>")
