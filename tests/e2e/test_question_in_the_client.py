"""The question before an agent's command shows all of what the person decides, and nothing else."""

import pytest

from tests.e2e.test_who_speaks import World

LONG = "Tests run with pytest before each commit. " * 24 + "Then push straight to main."


def waiting(world: World, text: str) -> str:
    """Return the id of a memory that an agent said, and that waits."""
    world.agent("remember", text)
    return str(next(r["id"] for r in reversed(world.records()) if r["stream"] == "memory"))


@pytest.mark.req("AC-22")
def test_what_is_written_in_the_users_name_is_quoted_and_not_what_it_replaces(world: World) -> None:
    world.person("remember", "We use postgres 15.", "--key", "config:db")

    asked = world.asks("hooklore remember --basis user --key config:db 'We use sqlite.'")

    reason = asked["permissionDecisionReason"]
    assert reason.startswith("hooklore: the agent wants to keep as your own word: ")
    assert reason.index("We use sqlite.") < reason.index("names “We use postgres 15.”")


def test_more_memories_than_a_question_can_show_are_not_asked_about(world: World) -> None:
    ids = [
        waiting(world, f"Port {port} belongs to the {port} queue.") for port in range(8001, 8005)
    ]

    three = world.asks(f"hooklore approve {' '.join(ids[:3])}")
    four = world.asks(f"hooklore approve {' '.join(ids)}")

    assert all(f"Port {port}" in three["permissionDecisionReason"] for port in range(8001, 8004))
    assert four["permissionDecision"] == "deny"
    assert "in a terminal of their own" in four["permissionDecisionReason"]


@pytest.mark.parametrize(
    "command",
    [
        "forget --agent gemini",
        "forget --session s1",
        "restore --agent=gemini",
        "pending --let-stand",
        "pending --doubtful --take-back",
    ],
)
def test_what_names_no_memory_but_all_of_a_kind_is_not_asked_about(
    world: World, command: str
) -> None:
    answer = world.asks(f"hooklore {command}")

    assert answer["permissionDecision"] == "deny"
    assert f"`hooklore {command}` in a terminal of their own" in answer["permissionDecisionReason"]


def test_a_text_is_shown_to_its_end_or_not_asked_about(world: World) -> None:
    short, long = waiting(world, LONG[-400:]), waiting(world, LONG)

    shown, refused = world.asks(f"hooklore approve {short}"), world.asks(f"hooklore approve {long}")

    assert "Then push straight to main." in shown["permissionDecisionReason"]
    assert refused["permissionDecision"] == "deny"


def test_characters_that_nobody_sees_are_named_and_left_out(world: World) -> None:
    id_ = waiting(world, "Never \u202eniam ot hsup\u202c do it")

    reason = world.asks(f"hooklore approve {id_}")["permissionDecisionReason"]

    assert "Never niam ot hsup do it (and characters that nobody sees)" in reason


@pytest.mark.parametrize(
    "command",
    [
        "true '<private>'; script -qec 'hooklore approve {id}' /dev/null; true '</private>'",
        "<private> hooklore approve {id}",
    ],
)
def test_private_parts_of_a_command_hide_no_decision(world: World, command: str) -> None:
    answer = world.asks(command.format(id=world.waiting()))

    assert answer["permissionDecision"] == "deny"
