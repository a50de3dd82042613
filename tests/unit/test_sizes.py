"""The reports on recall: what they print of a set of documents."""

import json
from pathlib import Path

import pytest

from tests import ablation, sizes


def written(folder: Path, documents: int) -> Path:
    """A set in which every tenth document answers a question."""
    folder.mkdir()
    docs = [
        {
            "id": f"d{n}", "text": f"press number {n * 7919} is oiled on day {n * 104_729}",
            "session": "s", "timestamp": "2026-01-01T00:00:00Z", "scope": "mill", "role": "fact",
        }
        for n in range(documents)
    ]  # fmt: skip
    queries = [
        {"text": f"when is press number {n * 7919} oiled?", "gold": [f"d{n}"], "scope": "mill",
         "timestamp": "2026-02-01T00:00:00Z", "category": None}
        for n in range(0, documents, 10)
    ]  # fmt: skip
    for name, rows in (("corpus", docs), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    return folder


@pytest.mark.req("RF-19")
def test_recall_is_reported_for_every_size_of_a_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizes, "SIZES", (20, 120))

    sizes.main([written(tmp_path / "mill", 60), written(tmp_path / "more", 80)])

    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["20", "120"]
    assert all("hooklore 1.000" in line for line in lines)


def test_an_ablation_tells_what_changes_and_leaves_everything_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["ablation", str(written(tmp_path / "mill", 40))])
    from hooklore.index import text

    before = text.ADJACENT_PAIR_BOOST
    ablation.main()

    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[1] for row in rows][:2] == ["porter", "everything"]
    assert before == text.ADJACENT_PAIR_BOOST
