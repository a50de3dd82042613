from pathlib import Path

import pytest

import hooklore
from tests.replay import play as replay

RECORDED = Path(hooklore.__file__).parent / "agents" / "claude_code" / "demo_session.jsonl"


@pytest.mark.req("HK-01")
@pytest.mark.parametrize("at_once", [1, 4])
def test_every_payload_of_a_recorded_life_is_recorded_or_left_out_by_a_rule(
    home: Path, at_once: int
) -> None:
    replay.install(home)
    payloads = replay.relocate(_four_lives(replay.read(RECORDED)), home / "project")

    report = replay.replay(payloads, home, at_once)

    assert report.payloads == len(payloads)
    assert report.recorded + sum(report.left_out.values()) == report.payloads
    assert (report.missing, report.doubled, report.failed) == ([], [], [])
    assert report.shown["SessionStart"] > 0


def _four_lives(payloads: list[replay.Payload]) -> list[replay.Payload]:
    """The recorded session four times, as four sessions: nothing in them is alike by id."""
    lives = []
    for life in range(4):
        for payload in payloads:
            moved = {**payload, "session_id": f"{payload['session_id']}-{life}"}
            if "tool_use_id" in payload:
                moved["tool_use_id"] = f"{payload['tool_use_id']}-{life}"
            lives.append(moved)
    return lives
