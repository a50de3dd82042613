"""The reports on recall: what they print of a set of documents."""

import json
import re
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
def test_recall_is_measured_for_a_hundred_a_thousand_and_ten_thousand_documents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last size has as many documents as there are: here no more than 1,090."""
    sizes.main([written(tmp_path / "mill", 90), written(tmp_path / "more", 1_000)])

    lines = capsys.readouterr().out.splitlines()
    found = [re.fullmatch(r" *(\d+) documents, +(\d+) questions: (.+)", line) for line in lines]
    assert sizes.SIZES == (100, 1_000, 10_000)
    assert [each and each[1] for each in found] == ["100", "1000", "1090"]
    for each in found:
        assert each is not None
        assert int(each[2]) > 0
        assert re.fullmatch(r"hooklore [01]\.\d{3} porter [01]\.\d{3}", each[3])
        assert each[3].startswith("hooklore 1.000 ")


@pytest.mark.req("RF-19")
def test_the_documents_report_recall_for_each_size_with_the_command_that_measured_it() -> None:
    root = Path(__file__).parents[2]
    pages = [root / "README.md", *root.glob("src/hooklore/*.md"), *root.glob("tests/BENCHMARKS.md")]
    text = "\n".join(page.read_text("utf-8") for page in pages)
    reported = [text[found.start() :][:600] for found in re.finditer(r"tests\.sizes", text)]

    def figures(passage: str, size: str) -> list[str]:
        """What stands beside a size: `.974 of 100` or `100 | .974`."""
        pattern = (
            rf"\.\d{{3}}[^\d.]{{1,20}}(?<![\d,]){size}\b|(?<![\d,]){size}\b[^\d\n]{{1,40}}\.\d{{3}}"
        )
        return re.findall(pattern, passage)

    assert any(
        "R@5" in passage and all(figures(passage, size) for size in ("100", "1,000", "10,000"))
        for passage in reported
    )


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
