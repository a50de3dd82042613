"""The goals that a run is held to, and where it is meant to be: numbers of the project's design."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

TOLERANCE: Final = 1.25
"""How far a time may lie beyond its goal: CI's machines are busy. Sizes and counts hold as they stand."""

REFERENCES: Final = {
    "base_ms": 11.0,
    "broker_pace_us": 51.0,
    "redact_650_pace_us": 55.0,
    "redact_4k_pace_us": 85.0,
}
"""The goals in seconds are for machines that start an empty Python within 8 to 11 ms. On a slower one
(another architecture, a host that others share) they grow as that start does; on a faster one they stay.
Redaction only computes, and the broker computes while what sends events does: both are set beside computations
(`pace.py`), which take so many microseconds on such a machine."""

Size = Literal["100k", "1M"]


@dataclass(frozen=True, slots=True)
class Goal:
    """One figure's bound. `sizes` are the stores that it holds for."""

    figure: str
    must: float
    aim: float | None = None
    is_time: bool = True
    is_ratio: bool = False
    at_least: bool = False
    sizes: tuple[Size, ...] = ("100k", "1M")
    beside: str = "base_ms"
    """The figure that tells how slow the machine was."""

    def limit(self, slowness: float = 1.0) -> float:
        """What `--check` accepts on a machine that is so many times slower than the reference."""
        if not self.is_time:
            return self.must
        more = TOLERANCE if self.is_ratio else TOLERANCE * slowness
        return self.must / more if self.at_least else self.must * more

    def is_met(self, value: float | None, slowness: float = 1.0) -> bool:
        """Whether a figure is within the limit; a missing one, or no number, is not."""
        if value is None:
            return False
        limit = self.limit(slowness)
        return value >= limit if self.at_least else value <= limit


GOALS: Final = (
    Goal("hook_record_x", 1.0, 0.95, is_ratio=True),
    Goal("hook_recall_x", 1.1, 1.0, is_ratio=True, sizes=("100k",)),
    Goal("hook_recall_x", 2.0, 1.5, is_ratio=True, sizes=("1M",)),
    Goal("hook_later_prompt_x", 1.2, 1.1, is_ratio=True, sizes=("100k",)),
    Goal("hook_failure_x", 1.4, 1.1, is_ratio=True, sizes=("100k",)),
    Goal("hook_codex_x", 1.1, is_ratio=True, sizes=("100k",)),
    Goal("hook_gemini_x", 1.1, is_ratio=True, sizes=("100k",)),
    Goal("opening_cpu_x", 2.0, 1.5, is_ratio=True),
    Goal("mcp_recall_p50_ms", 10.0, sizes=("100k",)),
    Goal("ingest_turns_s", 1_500, at_least=True, sizes=("100k",)),
    Goal("import_x", 2.0, is_ratio=True, sizes=("100k",)),
    Goal("idle_connections_p99_ms", 5.0),
    Goal("first_hook_s", 0.5),
    Goal("crowd_stored", 200, is_time=False, at_least=True),
    Goal("crowd_stored_s", 30.0, is_time=False),
    Goal("crowd_residents", 1, is_time=False),
    Goal("stopped_beyond_20ms_x", 1.5, is_ratio=True),
    Goal("client_against_empty_x", 1.2, 1.1, is_ratio=True, sizes=("100k",)),
    Goal("broker_events_s", 2_000, 5_000, at_least=True, beside="broker_pace_us"),
    Goal("broker_p99_ms", 25.0, beside="broker_pace_us"),
    Goal("broker_cpu_us", 400.0, beside="broker_pace_us"),
    Goal("memory_mb", 80.0, 60.0, is_time=False, sizes=("100k",)),
    Goal("memory_mb", 150.0, 100.0, is_time=False, sizes=("1M",)),
    Goal("rebuild_s_per_million", 60.0, 40.0),
    Goal("index_to_log", 0.5, 0.3, is_time=False),
    Goal("redact_650_p50_ms", 0.15, sizes=("100k",), beside="redact_650_pace_us"),
    Goal("redact_4k_p50_ms", 1.0, sizes=("100k",), beside="redact_4k_pace_us"),
    Goal("redact_p99_ms", 5.0, sizes=("100k",), beside="redact_4k_pace_us"),
    Goal("redact_worst_1mib_s", 0.5, sizes=("100k",)),
    Goal("query_p50_ms", 2.0, 1.0, sizes=("100k",)),
    Goal("query_p95_ms", 5.0, sizes=("100k",)),
    Goal("query_p50_ms", 10.0, 5.0, sizes=("1M",)),
    Goal("query_p95_ms", 20.0, sizes=("1M",)),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A goal, what was measured, and whether that is enough; `skipped` says why it was not measured."""

    goal: Goal
    size: Size
    value: float | None
    skipped: str | None = None
    slowness: float = 1.0

    @property
    def is_ok(self) -> bool:
        """Whether the goal is met, or was left out for a reason."""
        return self.skipped is not None or self.goal.is_met(self.value, self.slowness)

    def row(self) -> dict[str, object]:
        """For the report: `limit` is what the check accepts, `met` whether it is met without tolerance."""
        goal = self.goal
        return {
            "figure": goal.figure,
            "events": self.size,
            "value": self.value,
            "must": goal.must,
            "limit": goal.limit(self.slowness),
            "aim": goal.aim,
            "ok": self.is_ok,
            "met": self._is_met_exactly(),
            **({"skipped": self.skipped} if self.skipped else {}),
        }

    def _is_met_exactly(self) -> bool:
        if self.value is None:
            return False
        if self.goal.at_least:
            return self.value >= self.goal.must
        return self.value <= self.goal.must


def judge(
    measured: Mapping[Size, Mapping[str, float]], skipped: Mapping[str, str] | None = None
) -> list[Verdict]:
    """Every goal of the sizes that were measured. `skipped` names figures left out, and why."""
    return list(_judged(measured, skipped or {}))


def _judged(
    measured: Mapping[Size, Mapping[str, float]], skipped: Mapping[str, str]
) -> Iterable[Verdict]:
    for size, figures in measured.items():
        for goal in GOALS:
            if size in goal.sizes:
                slowness = max(1.0, figures.get(goal.beside, 0.0) / REFERENCES[goal.beside])
                value = figures.get(goal.figure)
                reason = skipped.get(goal.figure) if value is None else None
                yield Verdict(goal, size, value, reason, slowness)
