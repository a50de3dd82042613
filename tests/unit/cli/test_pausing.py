"""`hooks pause` and `resume`: what is paused is neither recorded nor recalled."""

from pathlib import Path

import pytest

from hooklore.hooks import exclusions
from tests.unit.cli.conftest import Memory, Run, statement


def test_a_paused_project_is_left_alone_from_its_very_first_event(
    memory: Memory, hooks: Run
) -> None:
    assert hooks("pause").out == "paused project widgets\n"

    memory.hook("UserPromptSubmit", prompt="nobody hears this")

    assert memory.records() == []


def test_a_paused_project_is_told_nothing_and_resumes(memory: Memory, hooks: Run) -> None:
    memory.append(statement("Never push on Fridays", kind="constraint"))
    hooks("pause")

    silent = memory.hook("SessionStart", "s-1", source="startup")
    hooks("resume")
    told = memory.hook("SessionStart", "s-2", source="startup")

    assert silent == ""
    assert "Never push on Fridays" in told
    assert len(memory.of("session_start")) == 1


@pytest.mark.parametrize(
    "words", [("--everywhere",), ("--session", "s-1"), ("--project", "../widgets")]
)
def test_each_pause_stops_and_its_own_resume_ends_it(
    memory: Memory, hooks: Run, words: tuple[str, ...]
) -> None:
    hooks("pause", *words)
    memory.hook("UserPromptSubmit", prompt="nobody hears this")

    hooks("resume", *words)
    memory.hook("UserPromptSubmit", prompt="this is heard")

    assert [r["body"]["text"] for r in memory.of("prompt")] == ["this is heard"]
    assert not exclusions.pause_path(memory.broker.place).exists()


def test_a_plain_resume_ends_what_covers_this_place_and_says_what_stays(
    memory: Memory, hooks: Run
) -> None:
    for words in (("--everywhere",), ("--session", "s-9"), ()):
        hooks("pause", *words)

    printed = hooks("resume")

    assert printed.out == "resumed\n"
    assert "still paused: 0 projects, 1 session" in printed.err
    assert exclusions.load_pauses(memory.broker.place) == exclusions.PauseState(
        sessions=frozenset({"s-9"})
    )
    assert hooks("resume").out == "nothing was paused here\n"


def test_resuming_another_folder_leaves_a_pause_everywhere(memory: Memory, hooks: Run) -> None:
    hooks("pause", "--everywhere")

    hooks("resume", "--project", str(memory.folder))

    assert exclusions.load_pauses(memory.broker.place).everywhere


def test_where_there_is_no_project_a_pause_asks_for_another_extent(
    home: Path, hooks: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)

    printed = hooks("pause")

    assert printed.rc == 1
    assert printed.err.endswith("hint: run `hooks pause --everywhere`\n")
    assert hooks("resume").rc == 0


def test_a_damaged_file_of_pauses_is_mended_by_a_resume(memory: Memory, hooks: Run) -> None:
    memory.append(statement("something"))
    path = exclusions.pause_path(memory.broker.place)
    path.write_text("not JSON")

    hooks("resume")

    assert not path.exists()


def test_two_extents_at_once_are_wrong_usage(hooks: Run) -> None:
    assert hooks("pause", "--everywhere", "--session", "s-1").rc == 2
    assert hooks("pause", "--session", " ").rc == 2
