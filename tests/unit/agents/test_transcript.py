import json
import os
from pathlib import Path
from typing import Any

import pytest

from hooklore.agents.claude_code import transcript
from hooklore.agents.claude_code.transcript import token_totals


def line(message_id: str, **usage: Any) -> str:
    return json.dumps({"type": "assistant", "message": {"id": message_id, "usage": usage}})


@pytest.mark.req("EV-22")
def test_a_message_of_many_blocks_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    first = line("m1", input_tokens=10, output_tokens=1, cache_read_input_tokens=100)
    again = line("m1", input_tokens=10, output_tokens=7, cache_read_input_tokens=100)
    other = line("m2", input_tokens=5, output_tokens=2, cache_creation_input_tokens=30)
    path.write_text(f"{first}\n{again}\n{other}" + "\n")

    totals = token_totals(str(path))

    assert totals == {"input": 15, "output": 9, "cache_creation": 30, "cache_read": 100}


def test_damaged_lines_and_wrong_types_cost_only_themselves(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    good = line("m1", input_tokens=3, output_tokens="x", cache_read_input_tokens=-1)
    bad = [
        '{"usage": ', "[1]", '"usage"', '{"message": {"usage": {}}}', '{"message": []}',
        '{"message": {"id": 1, "usage": {}}}', '{"message": {"id": "a", "usage": []}}', "\x00" * 9,
    ]  # fmt: skip
    path.write_text("\n".join([*bad, good, '{"message": {"id": "m9", "usage": {"inp']))

    totals = token_totals(str(path))

    assert totals == {"input": 3, "output": 0, "cache_creation": 0, "cache_read": 0}


def test_the_last_part_of_a_huge_transcript_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcript, "MAX_TRANSCRIPT_BYTES", 1000)
    path = tmp_path / "t.jsonl"
    lines = [line(f"m{n}", input_tokens=1, output_tokens=0) for n in range(100)]
    path.write_text("\n".join(lines) + "\n")

    totals = token_totals(str(path))

    assert 0 < totals["input"] <= 1000 // (len(lines[0]) + 1)


@pytest.mark.parametrize("make", ["absent", "folder", "fifo", "link", "empty", "nul"])
def test_what_is_no_regular_file_has_no_tokens(tmp_path: Path, make: str) -> None:
    path = tmp_path / "t.jsonl"
    if make == "folder":
        path.mkdir()
    elif make == "fifo":
        os.mkfifo(path)
    elif make == "link":
        target = tmp_path / "target"
        target.write_text(line("m1", input_tokens=1))
        path.symlink_to(target)
    elif make == "empty":
        path.touch()

    totals = token_totals(str(path) + ("\0" if make == "nul" else ""))

    assert totals == {}
