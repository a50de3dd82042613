"""The goals of the project's design. A person measures them, in a quiet hour; no landing waits for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Size = Literal["100k", "1M"]


@dataclass(frozen=True, slots=True)
class Goal:
    """One figure's bound. `sizes` are the stores that it holds for."""

    figure: str
    must: float
    aim: float | None = None
    at_least: bool = False
    sizes: tuple[Size, ...] = ("100k", "1M")

    def is_met(self, value: float | None) -> bool:
        """Return True for a figure within the goal; a missing one, or no number, is not."""
        if value is None:
            return False
        return value >= self.must if self.at_least else value <= self.must


GOALS: Final = (
    Goal("hook_record_x", 1.0, 0.95),
    Goal("hook_recall_x", 1.1, 1.0, sizes=("100k",)),
    Goal("hook_recall_x", 2.0, 1.5, sizes=("1M",)),
    Goal("hook_later_prompt_x", 1.2, 1.1, sizes=("100k",)),
    Goal("hook_failure_x", 1.4, 1.1, sizes=("100k",)),
    Goal("hook_codex_x", 1.1, sizes=("100k",)),
    Goal("hook_gemini_x", 1.1, sizes=("100k",)),
    Goal("opening_cpu_x", 2.0, 1.5),
    Goal("mcp_recall_p50_ms", 10.0, sizes=("100k",)),
    Goal("ingest_turns_s", 1_500, at_least=True, sizes=("100k",)),
    Goal("import_x", 2.0, sizes=("100k",)),
    Goal("idle_connections_p99_ms", 5.0),
    Goal("first_hook_s", 0.5),
    Goal("crowd_stored", 200, at_least=True),
    Goal("crowd_stored_s", 30.0),
    Goal("crowd_residents", 1),
    Goal("stopped_beyond_20ms_x", 1.5),
    Goal("client_against_empty_x", 1.2, 1.1, sizes=("100k",)),
    Goal("broker_events_s", 2_000, 5_000, at_least=True),
    Goal("broker_p99_ms", 25.0),
    Goal("broker_cpu_us", 400.0),
    Goal("memory_mb", 80.0, 60.0, sizes=("100k",)),
    Goal("memory_mb", 150.0, 100.0, sizes=("1M",)),
    Goal("rebuild_s_per_million", 60.0, 40.0),
    Goal("index_to_log", 0.5, 0.3),
    Goal("redact_650_p50_ms", 0.15, sizes=("100k",)),
    Goal("redact_4k_p50_ms", 1.0, sizes=("100k",)),
    Goal("redact_p99_ms", 5.0, sizes=("100k",)),
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

    @property
    def is_ok(self) -> bool:
        """Whether the goal is met, or was left out for a reason."""
        return self.skipped is not None or self.goal.is_met(self.value)

    def row(self) -> dict[str, object]:
        """Return the verdict as a row of the report."""
        return {
            "figure": self.goal.figure,
            "events": self.size,
            "value": self.value,
            "must": self.goal.must,
            "aim": self.goal.aim,
            "met": self.goal.is_met(self.value),
            **({"skipped": self.skipped} if self.skipped else {}),
        }


def judge(
    measured: Mapping[Size, Mapping[str, float]], skipped: Mapping[str, str] | None = None
) -> list[Verdict]:
    """Every goal of the sizes that were measured. `skipped` names figures left out, and why."""
    return [
        _verdict(goal, size, figures.get(goal.figure), skipped or {})
        for size, figures in measured.items()
        for goal in GOALS
        if size in goal.sizes
    ]


def _verdict(goal: Goal, size: Size, value: float | None, skipped: Mapping[str, str]) -> Verdict:
    return Verdict(goal, size, value, skipped.get(goal.figure) if value is None else None)
