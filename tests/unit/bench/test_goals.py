"""`tests.bench --check` can fail: a figure over its limit, or one that is missing, ends it with 1."""

import json
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.records.draft import PERSON, ProjectKeys
from hooklore.records.schema import validate_record
from tests.bench.__main__ import Measured, main
from tests.bench.base import assert_no_pth, interleaved, percentile
from tests.bench.corpus import Corpus, write
from tests.bench.goals import GOALS, Goal, Size, judge
from tests.bench.hooks import compute_figures

KEYS = ProjectKeys(("remote:example.org/me/widgets",), "widgets", "/srv/widgets")


def figures_at(goal: Goal, value: float, size: Size = "100k") -> dict[str, float]:
    """Every figure of a size at its goal, but one."""
    return {g.figure: g.must for g in GOALS if size in g.sizes} | {goal.figure: value}


def checked(
    figures: dict[str, float], *arguments: str, skipped: dict[str, str] | None = None
) -> int:
    def measure(sizes: Sequence[Size]) -> Measured:
        assert list(sizes) == ["100k"]
        return Measured({"100k": figures}, skipped or {})

    return main(["--check", *arguments], measure)


AT_100K = [goal for goal in GOALS if "100k" in goal.sizes]


@pytest.mark.parametrize("goal", AT_100K, ids=lambda goal: goal.figure)
def test_the_check_passes_at_the_goal_and_fails_beyond_it(goal: Goal) -> None:
    beyond = goal.must * (0.99 if goal.at_least else 1.01)

    assert checked(figures_at(goal, goal.must)) == 0
    assert checked(figures_at(goal, beyond)) == 1


@pytest.mark.parametrize("goal", AT_100K, ids=lambda goal: goal.figure)
def test_a_figure_that_is_missing_or_no_number_fails_the_check(goal: Goal) -> None:
    missing = figures_at(goal, 0)
    del missing[goal.figure]

    assert checked(missing) == 1
    assert checked(figures_at(goal, float("nan"))) == 1


def test_a_figure_left_out_for_a_reason_passes_and_the_reason_is_in_the_report(
    capsys: pytest.CaptureFixture[str],
) -> None:
    figures = figures_at(GOALS[0], GOALS[0].must)
    del figures["client_against_empty_x"]

    status = checked(figures, skipped={"client_against_empty_x": "not installed"})

    rows = json.loads(capsys.readouterr().out)["goals"]
    (row,) = [row for row in rows if row["figure"] == "client_against_empty_x"]
    assert status == 0
    assert row["skipped"] == "not installed"
    assert row["met"] is False


def test_without_the_check_a_missed_goal_is_told_and_ends_with_0(
    capsys: pytest.CaptureFixture[str],
) -> None:
    goal = GOALS[0]

    status = main([], lambda _: Measured({"100k": figures_at(goal, goal.must * 2)}))

    printed = capsys.readouterr()
    rows = json.loads(printed.out)["goals"]
    assert status == 0
    assert [row["figure"] for row in rows if not row["met"]] == [goal.figure]
    assert goal.figure in printed.err


def test_the_larger_store_has_goals_of_its_own() -> None:
    goals = {(v.size, v.goal.figure): v.goal.must for v in judge({"100k": {}, "1M": {}})}

    assert goals["100k", "hook_recall_x"] < goals["1M", "hook_recall_x"]
    assert goals["100k", "memory_mb"] < goals["1M", "memory_mb"]
    assert ("1M", "client_against_empty_x") not in goals


def test_goals_are_told_apart_by_figure_and_size() -> None:
    named = [(goal.figure, size) for goal in GOALS for size in goal.sizes]

    assert len(named) == len(set(named))


def test_a_nan_never_meets_a_goal_in_either_direction() -> None:
    for goal in (Goal("x", 1.0), replace(Goal("x", 1.0), at_least=True)):
        assert not goal.is_met(float("nan"))


def test_an_interpreter_that_reads_a_pth_file_is_no_base(tmp_path: Path) -> None:
    # Not `make_environment`: it refuses the Python of a machine that customises each start, as Debian's does.
    venv.create(tmp_path / "base", symlinks=True)
    python = str(tmp_path / "base" / "bin" / "python")
    (folder,) = (tmp_path / "base" / "lib").glob("python*/site-packages")

    (folder / "editable.pth").write_text("/somewhere\n")

    with pytest.raises(AssertionError, match=r"editable\.pth"):
        assert_no_pth(python)


def test_tasks_take_turns() -> None:
    order: list[str] = []

    def task(name: str) -> float:
        order.append(name)
        return float(len(order))

    taken = interleaved({"a": lambda: task("a"), "b": lambda: task("b")}, rounds=2, warm=1)

    assert order == ["a", "b"] * 3
    assert taken == {"a": [3.0, 5.0], "b": [4.0, 6.0]}


def test_a_host_that_slows_down_in_the_middle_of_a_round_changes_no_ratio_of_a_hook() -> None:
    taken = {name: [0.010, 0.010, 0.010, 0.030, 0.030] for name in ("base", "empty", "record")}
    slows_in_the_third = [0.012, 0.012, 0.036, 0.036, 0.036]
    taken |= dict.fromkeys(("session_start", "before_tool", "prompt"), slows_in_the_third)

    figures = compute_figures(taken)

    assert figures["hook_record_x"] == pytest.approx(1.0)
    assert figures["hook_recall_x"] == pytest.approx(1.2)


def test_a_percentile_is_one_of_the_times() -> None:
    assert percentile([5.0, 1.0, 3.0], 0.5) == 3.0
    assert percentile([5.0, 1.0, 3.0], 1.0) == 5.0


def test_the_corpus_is_the_same_at_every_run_and_the_broker_reads_it(store: StoreLocation) -> None:
    corpus = Corpus(KEYS)
    size = write(store, corpus, 2_000)
    again = list(Corpus(KEYS).records(2_000))

    broker = Broker(store)
    assert broker.rebuild() == 2_000
    broker.refresh()
    read = list(broker.as_reader(PERSON).newest(ended=True))[::-1]
    project = broker.project_of(KEYS)
    broker.close()

    assert size == store.log.stat().st_size
    assert [record.without("hash") for record in read] == again
    assert all(validate_record(record) for record in read)
    assert project is not None
    assert 0.15 < sum(not str(r.body).isascii() for r in read) / len(read) < 0.35


def test_the_command_line_says_what_it_does() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--help"],
        cwd=Path(__file__).parents[3],
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert "--full" in told
    assert "--check" in told
