"""The commands of a chat: the text of a message in, the text of a reply out."""

import doctest
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore import Memory
from hooklore.api import chat_commands
from hooklore.api.chat_commands import ChatCommand, ChatCommands, parse_chat_command
from hooklore.requests.response import Response
from tests.conftest import end_residents
from tests.support.agent import repository


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    with Memory("chatgpt", folder=repository(home / "mill"), in_process=True) as made:
        yield made


def chat(memory: Memory, *, is_group: bool = False) -> ChatCommands:
    return ChatCommands(memory, is_group=is_group, bot_name="mill_bot")


def test_the_example_of_the_documentation_runs() -> None:
    assert doctest.testmod(chat_commands).failed == 0


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/remember The mill opens at nine", ChatCommand("remember", "The mill opens at nine")),
        ("  /RECALL  when?  ", ChatCommand("recall", "when?")),
        ("/recall@mill_bot when?", ChatCommand("recall", "when?")),
        ("/recall@Mill_Bot when?", ChatCommand("recall", "when?")),
        ("/remember two\nlines", ChatCommand("remember", "two\nlines")),
        ("／覚えて　水車は九時に開く", ChatCommand("remember", "水車は九時に開く")),
        ("/思い出して 水車はいつ開く？", ChatCommand("recall", "水車はいつ開く？")),
        ("/忘れて 水車", ChatCommand("forget", "水車")),
        ("/ヘルプ", ChatCommand("help", "")),
        ("/get", ChatCommand("get", "")),
        ("/recall@other_bot when?", None),
        ("/weather today", None),
        ("remember the milk", None),
        ("see /recall for more", None),
        ("/", None),
        ("", None),
        ("/" + "x" * 100_000, None),
    ],
)
def test_a_command_is_told_from_other_messages(text: str, command: ChatCommand | None) -> None:
    assert parse_chat_command(text, "mill_bot") == command


def test_a_chat_keeps_recalls_and_opens_in_two_languages(memory: Memory) -> None:
    bot = chat(memory)

    kept = bot.reply("／覚えて 水車小屋は月曜日に休む")
    memory.remember("The mill is closed on Mondays.", kind="todo", key="todo:mill_days")
    english, japanese = bot.reply("/recall mill closed Mondays"), bot.reply("/思い出して 水車小屋")
    opened = bot.reply("/get todo:mill_days")

    assert kept == "kept: stored"
    assert "1. The mill is closed on Mondays. (" in str(english)
    assert "水車小屋は月曜日に休む" in str(japanese)
    assert "The mill is closed on Mondays." in str(opened)


def test_forgetting_is_shown_and_left_to_the_person(memory: Memory) -> None:
    memory.remember("The mill is closed on Mondays.", kind="todo")

    told = str(chat(memory).reply("/forget mill closed"))

    assert "The mill is closed on Mondays." in told
    assert "nothing is forgotten yet" in told
    assert "hooklore forget" in told
    assert len(memory.search("mill closed")) == 1


def test_an_agent_with_the_permission_proposes_to_forget_a_key_and_the_person_decides(
    home: Path, memory: Memory
) -> None:
    config = home / ".config" / "ai" / "memory" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[agents.chatgpt]\npermission = "owner"\n')
    memory.remember("The mill is closed on Mondays.", kind="todo", key="todo:mill_days")

    told = str(chat(memory).reply("/forget todo:mill_days"))

    assert told.startswith("proposed to delete ")
    assert "a person decides: `hooklore approve " in told
    assert len(memory.search("mill closed")) == 1


def test_a_group_keeps_nothing_privately_and_is_told_and_counted_nothing_private(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, group = chat(memory), chat(memory, is_group=True)

    kept = alone.reply("/private The safe holds the ledger")
    refused = group.reply("/private The safe holds the ledger")
    found = {"id": "1", "short_id": "1", "kind": "fact", "ts": "2026-03-01", "agent_id": "chatgpt"}
    both = {
        "memories": [
            found | {"text": "the private one", "private": True},
            found | {"text": "the public one", "private": False},
        ]
    }
    told = Response(success=True, text="2 related memories", content=both)
    monkeypatch.setattr(Memory, "ask", lambda *_, **__: told)

    assert kept == "kept privately: stored"
    assert str(refused).startswith("nothing is kept")
    for command in ("/recall ledger", "/get ledger", "/forget the ledger"):
        assert "private one" in str(alone.reply(command))
        heard = str(group.reply(command))
        assert "private one" not in heard
        assert "2" not in heard.replace("2026", "")
        assert heard.startswith("1. the public one")


@pytest.mark.parametrize("is_over_the_resident", [False, True])
def test_a_group_cannot_tell_a_private_name_from_one_that_nobody_gave(
    home: Path, *, is_over_the_resident: bool
) -> None:
    config = home / ".config" / "ai" / "memory" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[agents.chatgpt]\npermission = "owner"\n')
    folder = repository(home / "mill")
    with Memory("chatgpt", folder=folder, in_process=not is_over_the_resident) as memory:
        for key, title, is_private in (
            ("todo:safe_code", "Ledger in the safe", True),
            ("todo:mill_days", "Days of the mill", False),
        ):
            memory.remember(f"{title}!", kind="todo", key=key, title=title, private=is_private)
        alone, group = chat(memory), chat(memory, is_group=True)

        for command in ("/get", "/forget", "/recall"):
            for taken, free in (
                ("todo:safe_code", "todo:rose_code"),
                ("Ledger in the safe", "Ladder on the roof"),
                ("Ledger in the safes", "Ladder on the roofs"),
            ):
                told = str(group.reply(f"{command} {taken}"))
                assert told == str(group.reply(f"{command} {free}")).replace(free, taken)
        assert "Ledger in the safe!" in str(alone.reply("/get todo:safe_code"))
        assert "Days of the mill!" in str(group.reply("/get todo:mill_days"))
    end_residents(home)


def test_a_reply_is_bounded_and_a_problem_says_what_to_do(memory: Memory) -> None:
    bot = ChatCommands(memory, is_group=True, longest=200)
    for number in range(8):
        memory.remember(f"Stone {number} of the mill was dressed, {'grain ' * 20}", kind="todo")

    assert len(str(bot.reply("/recall stone of the mill"))) == 200
    assert "could not find" in str(bot.reply("/get no such thing"))
    assert bot.reply("/remember") == bot.reply("/help")
    assert bot.reply(None) is None  # type: ignore[arg-type]


def test_a_secret_in_a_command_is_refused_and_not_repeated(memory: Memory) -> None:
    secret = "-".join(("sk", "ant", "api03", "Zt7" * 16))

    told = str(chat(memory).reply(f"/remember the key is {secret}"))

    assert told.startswith("could not keep it")
    assert secret not in told
