"""What a replay showed is drawn with what followed, and a reader's labels are counted."""

import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from tests.replay.labels import LabelsInvalidError, count, read_labels
from tests.replay.play import Payload, Report
from tests.replay.reading import HEADING, LABEL, draw, list_items, render

ERROR = "Exit code 1\nModuleNotFoundError: No module named 'torque'"


def payload(event: str, session: str = "s-1", **more: object) -> Payload:
    """Return a payload of the session, in a folder of its own."""
    return {"hook_event_name": event, "session_id": session, "cwd": "/home/dev/mill"} | more


def command(text: str, session: str, error: str = "") -> Payload:
    """Return the payload of a command that passed, or failed with an error."""
    step = {
        "tool_name": "Bash",
        "tool_input": {"command": text},
        "tool_use_id": f"{session}-{text}-{error}",
    }
    if error:
        return payload("PostToolUseFailure", session, **step, error=error)
    return payload(
        "PostToolUse", session, **step, tool_response={"stdout": "pressed", "stderr": ""}
    )


def lives() -> list[Payload]:
    """Return two sessions: one that mends a command, and one in which it fails again."""
    return [
        payload("SessionStart", source="startup"),
        command("make press", "s-1", ERROR),
        command("pip install torque", "s-1"),
        command("make press", "s-1"),
        payload("SessionStart", "s-2", source="startup"),
        command("make press", "s-2", ERROR),
        payload("UserPromptSubmit", "s-2", prompt="Oil the mill"),
        command("make oil", "s-2"),
    ]  # fmt: skip


def test_an_item_is_what_was_shown_with_what_happened_before_and_after() -> None:
    stream = lives()
    report = Report(texts=[(stream[5], "<notes>\n- torque was missing [id]\n</notes>")])

    (item,) = list_items("mill", stream, report)
    text = render(item, stream)

    assert text.startswith(f"{HEADING}mill:5  PostToolUseFailure")
    parts = [
        "make press",
        "No module named",
        "torque was missing",
        "Oil the mill",
        "make oil",
        LABEL,
    ]
    assert sorted(parts, key=text.index) == parts
    assert "pip install" not in text


def test_of_a_start_each_line_is_an_item_once_and_what_has_no_note_is_none() -> None:
    stream = lives()
    told = "Rules:\n- oil on Mondays [a]\n- never by night [b]"
    report = Report(
        texts=[(stream[0], told), (stream[4], told), (stream[6], "keep it, if it lasts")]
    )

    items = list_items("mill", stream, report)

    assert [item.id for item in items] == ["mill:0.2", "mill:0.3"]
    assert items[1].text == "Rules:\n- never by night [b]"


def test_the_same_seed_draws_the_same_items_in_equal_parts_of_each_hook() -> None:
    stream = lives()
    rules = "\n".join(f"- rule {number}" for number in range(20))
    report = Report(texts=[(stream[0], rules), (stream[5], "- torque"), (stream[6], "- oil")])
    items = list_items("mill", stream, report)

    drawn = draw(items, 6, seed=4)

    assert drawn == draw(items, 6, seed=4) != draw(items, 6, seed=5)
    assert {item.number for item in drawn} == {0, 5, 6}


def test_labels_are_counted_in_all_and_by_hook(tmp_path: Path) -> None:
    file = tmp_path / "labels"
    file.write_text(
        f"=== a:1  PostToolUse\n-- shown\n{LABEL} bears\n\n=== a:2.4  SessionStart\n{LABEL} noise\n"
    )

    counted = orjson.loads(count(read_labels(file)))

    assert counted["all"] == {"bears": 1, "noise": 1, "misleads": 0}
    assert counted["SessionStart"] == {"bears": 0, "noise": 1, "misleads": 0}


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("=== a:1  Stop\nlabel: perhaps\n", "line 2: 'perhaps' is none of"),
        (
            "=== a:1  Stop\nlabel: bears\n=== a:1  Stop\nlabel: noise\n",
            "line 3: a:1  Stop stands twice",
        ),
        ("", "it has no items"),
    ],
)
def test_labels_that_cannot_be_counted_are_refused(tmp_path: Path, text: str, cause: str) -> None:
    file = tmp_path / "labels"
    file.write_text(text)

    with pytest.raises(LabelsInvalidError, match="could not count labels") as refused:
        read_labels(file)

    assert cause in str(refused.value)


def test_the_command_reads_a_stream_and_counts_what_a_reader_filled_in(tmp_path: Path) -> None:
    stream, labels = tmp_path / "mill.jsonl", tmp_path / "labels"
    stream.write_bytes(b"\n".join(map(orjson.dumps, lives())))

    text = _run(str(stream), "--read", "3")
    labels.write_text(text.replace(f"\n{LABEL}\n", f"\n{LABEL} bears\n"))

    assert "pip install torque" in text.partition("-- shown")[2]
    assert orjson.loads(_run("--score", str(labels)))["all"]["bears"] == text.count(HEADING) > 0


def _run(*words: str) -> str:
    command = [sys.executable, "-m", "tests.replay", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
