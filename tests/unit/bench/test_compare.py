"""A comparison of two commits refuses what became dearer, and nothing else."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.bench import baseline, compare, redaction
from tests.bench.compare import Pairs, Side, bound_of, judge, line_of_move, measure
from tests.bench.probes import PROBES, Figures, Probe, Sampler

RECORD = "hook_record_ms"

# A side that answers every probe, with one figure named like it, from a table given on its command line.
ANSWERING = """
import json, sys
figures = json.loads(sys.argv[1])
print("{}", flush=True)
for line in sys.stdin:
    print(json.dumps(figures.get(line.strip(), {})), flush=True)
"""


def figures_of(**dearer: float) -> dict[str, Figures]:
    """What each probe gives: one figure of 10, times what is said here."""
    return {each.name: {f"{each.name}_ms": 10.0 * dearer.get(each.name, 1.0)} for each in PROBES}


def compared(
    ours: dict[str, Figures], theirs: dict[str, Figures], monkeypatch: pytest.MonkeyPatch
) -> int:
    """The exit status of a comparison of two sides that give these figures."""

    @contextmanager
    def sides(_: str) -> Iterator[tuple[Side, Side]]:
        with answering(ours) as our_side, answering(theirs) as their_side:
            yield our_side, their_side

    monkeypatch.setattr(compare, "both_sides", sides)
    return compare.main([])


@contextmanager
def answering(figures: dict[str, Figures]) -> Iterator[Side]:
    import json

    command = [sys.executable, "-I", "-S", "-c", ANSWERING, json.dumps(figures)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        side = Side(process)
        side.answer()
        yield side


@pytest.mark.parametrize(("dearer", "status"), [(1.0, 0), (0.5, 0), (1.05, 0), (1.25, 1)])
def test_what_became_a_quarter_dearer_is_refused_and_a_twentieth_is_not(
    dearer: float, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = figures_of(hook_record=dearer)

    assert compared(ours, figures_of(), monkeypatch) == status

    marked = [line for line in capsys.readouterr().out.splitlines() if "WORSE" in line]
    assert {line.split()[0] for line in marked} == ({RECORD} if status else set())


def test_of_what_does_the_same_work_each_time_the_least_counts() -> None:
    pairs = Pairs()
    probe = Probe("dear", 3, is_least=True)

    for ours, theirs in ((9.0, 6.0), (6.0, 9.0), (9.0, 6.0)):
        pairs.add(probe, {"dear_s": ours}, {"dear_s": theirs})

    assert pairs.ratio("dear_s") == 1.0

    again = Pairs()
    again.add(probe, {"dear_s": 9.0}, {"dear_s": 6.0})
    again.keep_least(pairs)
    assert again.ratio("dear_s") == 1.0


def test_a_dear_text_is_read_anew_each_time_and_counts_with_its_least(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []
    seconds = iter((9.0, 1.0, 5.0, 6.0, 7.0))
    texts = [("slow", "a slow text."), ("quick", "a quick text."), ("mix 0", "a mix.")]
    monkeypatch.setattr(redaction, "dear_texts", lambda: iter(texts))
    monkeypatch.setattr(redaction, "redact", read.append)

    def timed(work: Callable[[], object]) -> float:
        work()
        return next(seconds)

    monkeypatch.setattr(redaction, "_seconds", timed)
    dear = redaction.DearTexts()
    found = [dear.take(), dear.take()]

    assert [each["redact_worst_1mib_s"] for each in found] == [9.0, 6.0]
    assert [each["redact_mixed_1mib_s"] for each in found] == [5.0, 5.0]
    assert len(set(read)) == len(read) == 5


def test_what_only_one_side_can_measure_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    older = figures_of()
    del older["dear_texts"]

    assert compared(figures_of(dear_texts=9.0), older, monkeypatch) == 0
    assert "dear_texts" not in capsys.readouterr().out


def test_what_is_beyond_its_bound_once_and_not_twice_passes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    slow, quick = figures_of(hook_record=2.0), figures_of()
    rounds = iter([slow, quick])
    real = compare.measure

    def second_is_quick(ours: Side, theirs: Side, probes: object) -> Pairs:
        with answering(next(rounds)) as other:
            return real(other, theirs, list(probes))  # type: ignore[call-overload]

    monkeypatch.setattr(compare, "measure", second_is_quick)

    assert compared(quick, quick, monkeypatch) == 0
    assert "measured once more" in capsys.readouterr().out


def test_a_missing_baseline_is_said_and_refuses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(baseline, "ROOT", repository(tmp_path / "alone"))

    status = compare.main(["--baseline", "0123456789abcdef0123456789abcdef01234567"])

    assert status == 0
    assert "nothing was compared: the baseline 0123456789" in capsys.readouterr().out


def test_a_shallow_checkout_gets_the_baseline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = repository(tmp_path / "whole", commits=2)
    first = git(whole, "rev-list", "--max-parents=0", "HEAD")
    git(whole, "config", "uploadpack.allowReachableSHA1InWant", "true")
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{whole}", str(shallow))
    monkeypatch.setattr(baseline, "ROOT", shallow)
    monkeypatch.setattr(baseline, "_environment", str)

    folder = tmp_path / "laid out"
    baseline.lay_out(first, folder)

    assert (folder / "file").read_text() == "0"


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def repository(path: Path, commits: int = 1) -> Path:
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    for number in range(commits):
        (path / "file").write_text(str(number))
        git(path, "add", "file")
        git(path, "commit", "-q", "-m", "a commit")
    return path


@pytest.mark.parametrize(
    ("figure", "bound"),
    [
        ("hook_record_ms", 0.15),
        ("memory_mb", 0.05),
        ("index_to_log", 0.05),
        ("broker_p99_ms", 0.20),
    ],
)
def test_times_sizes_and_percentiles_have_bounds_of_their_own(figure: str, bound: float) -> None:
    assert bound_of(figure) == bound
    for ratio, is_ok in ((1 + bound - 0.01, True), (1 + bound + 0.01, False)):
        (verdict,) = judge(pairs_of(figure, [ratio] * 5, [1.0] * 5), {})
        assert verdict.is_ok is is_ok


def pairs_of(figure: str, ours: list[float], theirs: list[float]) -> Pairs:
    pairs = Pairs()
    for our, their in zip(ours, theirs, strict=True):
        pairs.add(PROBES[0], {figure: our}, {figure: their})
    return pairs


def test_small_steps_are_refused_when_they_come_to_three_tenths() -> None:
    pairs = pairs_of(RECORD, [1.08] * 5, [1.0] * 5)

    assert judge(pairs, {RECORD: 1.19})[0].is_ok
    assert not judge(pairs, {RECORD: 1.22})[0].is_ok


def test_a_host_that_slows_down_in_the_middle_changes_no_ratio() -> None:
    theirs = [10.0, 10.0, 10.0, 30.0, 30.0]

    (verdict,) = judge(pairs_of(RECORD, [each * 1.02 for each in theirs], theirs), {})

    assert verdict.ratio == pytest.approx(1.02)


class Taking(Side):
    """A side that needs no process, and notes its name when a sample is taken."""

    def __init__(self, name: str, order: list[str]) -> None:
        object.__setattr__(self, "noted", (name, order))

    def take(self, probe: Probe) -> Figures:
        name, order = getattr(self, "noted")  # noqa: B009 - a frozen dataclass has no such field
        order.append(name)
        return {f"{probe.name}_ms": 1.0}


def test_pairs_are_taken_in_turn_and_either_side_is_first_in_half_of_them() -> None:
    order: list[str] = []

    measure(Taking("ours", order), Taking("theirs", order), [Probe("x", 4)])

    assert order == ["ours", "theirs", "theirs", "ours"] * 2


def test_every_probe_has_a_sample() -> None:
    assert [each.name for each in PROBES if not hasattr(Sampler, f"_{each.name}")] == []
    assert len({each.name for each in PROBES}) == len(PROBES)


def test_the_baseline_is_a_commit_and_has_its_line_in_the_table() -> None:
    commit = baseline.commit_of_baseline()
    text = (baseline.ROOT / "tests" / "BENCHMARKS.md").read_text("utf-8")
    rows = re.findall(r"^\| \d{4}-\d\d-\d\d \| `([0-9a-f]+)` \|", text, re.MULTILINE)

    assert re.fullmatch(r"[0-9a-f]{40}", commit)
    assert commit.startswith(rows[-1])


def test_the_line_of_a_move_is_read_back_as_what_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdicts = judge(pairs_of(RECORD, [1.1] * 3, [1.0] * 3), {RECORD: 1.1})
    verdicts += judge(pairs_of("hook_prompt_ms", [1.01] * 3, [1.0] * 3), {})
    line = line_of_move(verdicts, "abc1234", "2026-11-27").replace("REASON", "a new kind of record")
    table = tmp_path / "table.md"
    table.write_text(f"| 2026-11-01 | `fff0000` | first | all within .02 |\n{line}\n")
    monkeypatch.setattr(baseline, "_MOVES", table)

    assert baseline.moved_so_far("abc1234" + "0" * 33) == {RECORD: 1.21}
    assert baseline.moved_so_far("fff0000" + "0" * 33) == {}
