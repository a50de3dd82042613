"""How much memory the resident holds when it has nothing to do."""

import time
from pathlib import Path

from tests.bench.home import Home

Figures = dict[str, float]

_QUIET_SECONDS = 10.0


def measure(home: Home) -> Figures:
    """VmRSS ten seconds after the last request, and the most it ever had, in MB.

    Call it when the resident has served whatever it is to serve: its index is first brought up to date.
    """
    (pid,) = home.residents()
    home.wait_until_indexed()
    time.sleep(_QUIET_SECONDS)  # the definition of the figure, no wait for an event
    return {"memory_mb": _status(pid, "VmRSS"), "memory_peak_mb": _status(pid, "VmHWM")}


def _status(pid: int, name: str) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    raise KeyError(name)
