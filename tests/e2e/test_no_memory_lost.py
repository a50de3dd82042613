"""No memory is lost for a detail: on every way in it is kept, and what was left out is named."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from hooklore import Memory
from hooklore.errors import RequestRefused
from hooklore.requests.verbs.remember import RememberOptions
from tests.e2e.test_who_speaks import World
from tests.support.untried import needs_mcp

MEMORIES: Final = json.loads(
    (Path(__file__).parents[1] / "fixtures" / "labels" / "memories.json").read_text("utf-8")
)
"""Memories with title, key and five phrases each, by somebody who did not know the rules."""

Keep = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Keep one memory, and return its status and what was left out."""


def by_command(world: World) -> Iterator[Keep]:
    def keep(given: Mapping[str, Any]) -> Mapping[str, Any]:
        options = [("--title", given["title"]), *(("--when", each) for each in given["when"])]
        options += [("--key", given["key"])] if given["key"] else []
        words = [word for option in options for word in option]
        done = world.program("remember", "--agent", "codex", "--json", *words, "--", given["text"])
        assert done.returncode == 0, done.stderr
        found: Mapping[str, Any] = json.loads(done.stdout)
        return found

    yield keep


def by_python(world: World) -> Iterator[Keep]:
    with Memory(
        "chatgpt", folder=world.project, store=world.broker.place.directory, in_process=True
    ) as memory:

        def keep(given: Mapping[str, Any]) -> Mapping[str, Any]:
            kept = memory.remember(
                given["text"], title=given["title"], when=given["when"], key=given["key"] or ""
            )
            return {
                "status": kept.status,
                "warnings": kept.warnings,
                "left_out": kept.left_out,
                "id": kept.id,
            }

        yield keep


def by_mcp(world: World) -> Iterator[Keep]:
    from tests.support.mcp import content_of, open_server, server

    with open_server(server(world.home, "--agent", "gemini", folder=world.project)) as call:

        def keep(given: Mapping[str, Any]) -> Mapping[str, Any]:
            arguments = {name: given[name] for name in ("title", "when", "key")}
            result = call("remember", {"content": given["text"], **arguments})
            assert not result.is_error, result
            return content_of(result)

        yield keep


WAYS: Final = [by_command, by_python, pytest.param(by_mcp, marks=needs_mcp)]


@pytest.fixture(params=WAYS)
def keep(world: World, request: pytest.FixtureRequest) -> Iterator[Keep]:
    world.broker.place.directory.mkdir(parents=True, exist_ok=True)
    world.broker.place.config.write_text("[curated]\nrun_limit = 1000\n")
    yield from request.param(world)


def test_of_120_memories_none_is_refused_and_each_label_is_kept_or_named(
    world: World, keep: Keep
) -> None:
    answers = [keep(each) for each in MEMORIES]

    assert {each["status"] for each in answers} <= {"stored", "pending", "updated", "conflict"}
    assert sum(each["status"] == "pending" for each in answers) <= 3
    records = {r["id"]: r for r in world.records()}
    for given, answer in zip(MEMORIES, answers, strict=True):
        record, named = records[answer["id"]], "\n".join(answer["left_out"])
        assert record["body"]["content_md"] == given["text"]
        for phrase in given["when"]:
            is_kept = phrase in record["body"].get("when", ())
            assert is_kept or f"phrase “{phrase[:50]}" in named or "masked" in answer["warnings"]
        is_whole = record["body"]["title"] == given["title"]
        assert is_whole or "title: cut to" in named
        key = record.get("dedupe_key")
        assert key == given["key"] or f"kept as `{key}`" in named


@needs_mcp
def test_a_client_that_sends_null_or_texts_for_all_it_can_leave_out_is_understood(
    world: World,
) -> None:
    from tests.support.mcp import content_of, open_server, server, text_of

    with open_server(server(world.home, "--agent", "gemini", folder=world.project)) as call:
        optional = dict.fromkeys(RememberOptions.model_fields)
        plain = call("remember", {"content": "The press is oiled.", **optional})
        texts = {
            "private": "false", "ttl_days": "3", "when": "dry bearing", "tags": '["press", "oil"]',
            "mood": "calm",
        }  # fmt: skip
        typed = call("remember", {"content": "The mill is cleaned.", **texts})
        found = call("search_memories", {"query": "mill", "limit": "5"})

    assert [each.is_error for each in (plain, typed, found)] == [False] * 3
    assert text_of(typed).endswith("ignored: mood: there is no such argument")
    records = {r["id"]: r for r in world.records()}
    kept = records[content_of(typed)["id"]]
    assert (kept["ttl_days"], kept.get("is_private")) == (3, False)
    assert (kept["body"]["when"], kept["body"]["tags"]) == (["dry bearing"], ["press", "oil"])
    assert records[content_of(plain)["id"]]["body"] == {"content_md": "The press is oiled."}


def test_a_refusal_is_no_next_action_of_the_session(world: World) -> None:
    secret = "ghp_" + "x7Kq" * 9
    command = f"hooklore remember 'The token is {secret}'"

    refused = world.agent("remember", f"The token is {secret}")
    for each in (
        command,
        f"printf 'x' | {command}",
        f"{command} 2>&1 | tail -3",
        f'bash -c "{command}"',
    ):
        world.failed(each, refused.stderr)
    world.failed("bin/hooks test", "AssertionError: the press is hot")
    world.ends()

    (end,) = (r for r in world.records() if r["kind"] == "session_end")
    assert refused.returncode == 1
    assert "hooklore remember" not in json.dumps(end["body"])
    assert "bin/hooks test" in json.dumps(end["body"]["sections"]["unresolved"])


SECRETS: Final = {
    "a service's token": "ghp_" + "x7Kq" * 9,
    "an address with a password": "postgres://admin:S3cretPassw0rdLong@db.example.com/prod",
    "a password": "password=" + "Tr0ub4dor" + "&3xyz",
    "a person's address": "hans.mueller" + "@" + "firma-mueller.de",
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
@pytest.mark.parametrize("label", ["key", "title", "emotion", "when", "tags", "source"])
def test_no_label_is_put_into_form_before_it_was_read_for_secrets(
    world: World, label: str, secret: str
) -> None:
    given = f"{'接続先は次のとおりです、本番環境のもの: ' if label == 'title' else ''}{secret}"
    with (
        Memory(
            "chatgpt", folder=world.project, store=world.broker.place.directory, in_process=True
        ) as memory,
        pytest.raises(RequestRefused, match="could not keep it"),
    ):
        memory.remember("The valve is closed by hand.", **{label: given})  # type: ignore[arg-type]

    assert not world.broker.place.log.exists()


@pytest.mark.parametrize(
    "given",
    [
        {"is_private": True}, {"Private": "true"}, {"visibility": "private"}, {"privacy": "Private"},
        {"private": " yes "},
    ],
)  # fmt: skip
def test_what_a_client_calls_private_is_private(world: World, given: dict[str, Any]) -> None:
    with Memory(
        "chatgpt", folder=world.project, store=world.broker.place.directory, in_process=True
    ) as memory:
        kept = memory.ask("remember", content="The takeover is called bluebird.", **given)

    assert kept.content["private"] is True
    (record,) = (r for r in world.records() if r["stream"] == "memory")
    assert record["is_private"] is True


@pytest.mark.parametrize(
    ("verb", "given"),
    [
        ("remember", {"content": "x is y", "visibility": "agent-only"}),
        ("save_to_memory", {"content": "x is y", "key": "todo:x", "is_private": True}),
        ("save_to_memory", {"content": "x is y", "key": "todo:x", "session": "this"}),
        ("remember", {"content": "x is y", "role": "executor", "session": "this"}),
    ],
)
def test_no_limit_of_who_is_told_is_ignored(world: World, verb: str, given: dict[str, Any]) -> None:
    with Memory("chatgpt", session_id="s-1", folder=world.project, store=world.broker.place.directory,
                in_process=True) as memory, pytest.raises(RequestRefused):  # fmt: skip
        memory.ask(verb, **given)

    assert not world.broker.place.log.exists()


def test_private_parts_of_labels_are_in_no_line_of_the_log(world: World) -> None:
    label = "config:<private>Acme</private>door"
    world.agent("remember", "The door is blue.", "--key", label, "--title", label, "--when", label)

    assert b"acme" not in world.broker.place.log.read_bytes().lower()
    only = "<private>Acme</private>"
    kept = world.agent(
        "remember", "The lamp is red.", "--title", only, "--when", only, "--source", only
    )
    assert kept.returncode == 0, kept.stderr


def test_a_label_that_is_no_text_of_utf_8_loses_nothing(world: World) -> None:
    kept = world.agent_shell(
        "hooklore remember --title \"$(printf 'caf\\351')\" 'The cafe is shut.'"
    )

    assert kept.returncode == 0, kept.stderr
    (record,) = (r for r in world.records() if r["stream"] == "memory")
    assert record["body"]["title"] == "caf?"


def test_the_form_of_a_key_finds_the_memory_again(world: World) -> None:
    world.person("remember", "Labels are printed at 203 dpi.", "--key", "labels.dpi")

    assert world.person("get", "labels.dpi").stdout == "Labels are printed at 203 dpi.\n"
    updated = world.person("remember", "Labels are printed at 300 dpi.", "--key", "labels.dpi")
    assert updated.stdout.startswith("updated ")


def test_an_agents_decision_is_one_though_it_names_no_kind(world: World) -> None:
    text = "We decided to use integer yen in src/money.py, because the gateway refuses fractions."
    kept = world.agent("remember", text)

    assert kept.returncode == 0
    (record,) = (r for r in world.records() if r["stream"] == "memory")
    assert (record["kind"], record["basis"]) == ("decision", "agent")
    assert text in world.edits("src/money.py")
    assert text not in world.edits("src/other.py")
    assert text in world.begins_subagent()


def test_what_a_caller_says_of_its_source_is_kept_and_shows_nothing(world: World) -> None:
    for detail in ("learnt", "terminal", "native:notes.md", "hook:Stop", "import:mem0"):
        said = f"The valve {detail} is closed by hand."
        world.agent("remember", said, "--source", detail)
        with Memory(
            "claude", folder=world.project, store=world.broker.place.directory, in_process=True
        ) as memory:
            memory.remember(f"{said} By Python.", source=detail)
            memory.append({
                "agent_id": "claude", "scope": "project:widgets", "kind": "fact", "confidence": "high",
                "content_md": f"{said} As an event.", "source": {"system": "cli", "detail": detail},
            })  # fmt: skip

    found = [r for r in world.records() if r["stream"] == "memory"]
    assert len(found) == 15
    assert {r["source"]["claim"] for r in found} == {
        "learnt", "terminal", "native:notes.md", "hook:Stop", "import:mem0",
    }  # fmt: skip
    assert {r["source"].get("detail") for r in found} == {None, "request"}
    assert {(r["basis"], r["agent_id"]) for r in found} == {("agent", "claude")}
    assert world.person("pending", "--doubtful").stdout.count("valve") == 0
