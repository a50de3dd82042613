"""Secrets in commands of programs that no rule knows, and in the words that announce such a command."""

import time
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from hooklore.records.record import Record
from hooklore.redaction import redact
from hooklore.redaction.finding import make_mask
from hooklore.redaction.record_redactor import redact_record
from hooklore.redaction.rules.command_model import COMMAND, find_in_command
from tests.redaction import draw
from tests.support.agent import Agent, repository

_DRAW = draw.Draw("commands")
_CHOSEN = draw.glue("Tanuki", _DRAW.chars("23456789", 4), _DRAW.chars("abcdefgh", 2))
_COMMANDS = (
    "vaultik unlock store.vk '{}' --timeout 30",
    "acmectl session open -D prod -s auth_word {}",
    "remount-share //nas/backup svc_batch '{}' /mnt/backup",
)
"""Commands of programs that nobody has written."""

_HONEST = (
    "git checkout feature/HL-204-login && git log --oneline -5",
    "docker run --rm -p 8080:8080 registry.example.dev/app:v2.14.0-rc1",
    "kubectl logs deploy/api-7d9f8b6c5-x2x9p --since=10m",
    "aws ec2 start-instances --instance-ids i-0a1b2c3d4e5f67890 --region eu-west-1",
    "python -m pytest tests/unit/test_login.py::test_token_2 -k 'not slow'",
    "grep -rn 'password' src/ | head -20",
    "psql -U app2 -h db01 -c 'select count(*) from users_v2'",
    "printf '%s\\n' \"$TOKEN\" | gh auth login --with-token",
)


@pytest.mark.parametrize("command", _COMMANDS)
def test_a_secret_in_a_command_of_an_unknown_program_is_masked(command: str) -> None:
    said = command.format(_CHOSEN)

    kept = _kept({"command": said})

    assert redact(said, is_printed=True).text == said  # else a rule knows it, and nothing is shown
    assert kept["command"] == command.format(make_mask(COMMAND))
    assert kept["redacted"] == [COMMAND]


def _kept(body: dict[str, object]) -> dict[str, object]:
    record = Record({"stream": "observation", "kind": "tool_result", "body": body})
    kept: dict[str, object] = redact_record(record).body.to_json()
    return kept


@pytest.mark.parametrize("command", _HONEST)
def test_an_honest_command_stays(command: str) -> None:
    assert _kept({"command": command})["command"] == command


@pytest.mark.parametrize(
    ("command", "size"),
    [
        ('echo "{}  firmware.bin" | md5sum -c', 32),
        (
            "python3 -c \"import hashlib; print(hashlib.sha1(open('a', 'rb').read()).hexdigest() == '{}')\"",
            40,
        ),
        ("test $(sha256sum app.tar | cut -d' ' -f1) = {}", 64),
    ],
)
def test_a_digest_beside_what_makes_digests_stays(command: str, size: int) -> None:
    said = command.format(_DRAW.chars("0123456789abcdef", size))

    assert _kept({"command": said})["command"] == said


def test_what_a_command_prints_is_read_by_the_rules_alone() -> None:
    printed = _COMMANDS[0].format(_CHOSEN)

    assert _kept({"stdout": printed})["stdout"] == printed


def test_a_draft_and_its_record_are_judged_alike() -> None:
    """A draft holds the texts of its event in a field of their own until they are cut."""
    texts = {"command": _COMMANDS[0].format(_CHOSEN), "intent": "open the store"}
    told = f"oh and the backup is encrypted, restic wants {_CHOSEN}"
    record = Record({"stream": "observation", "kind": "tool_intent", "body": {"parts": texts}})
    printed = record.with_fields(
        body=record.body.with_fields(parts={"command": "make", "stdout": told})
    )

    assert redact_record(record).body.extra("parts") == texts | {
        "command": _COMMANDS[0].format(make_mask(COMMAND))
    }
    assert redact_record(printed).body.extra("parts")["stdout"] == told


def test_the_words_that_announce_a_command_are_read_as_prose() -> None:
    told = f"log in w svc_batch n {_CHOSEN} and grab the latest csv"

    kept = _kept({"command": "make fetch", "intent": told})

    assert _CHOSEN not in str(kept)
    assert kept["command"] == "make fetch"


@pytest.mark.req("RD-01")
def test_a_command_with_a_secret_leaves_it_in_no_file(store: StoreLocation, tmp_path: Path) -> None:
    agent = Agent(store, repository(tmp_path / "w"), tmp_path)
    agent.starts("s1")
    call = {
        "tool_name": "Bash",
        "tool_input": {"command": _COMMANDS[0].format(_CHOSEN), "description": "open the store"},
        "tool_use_id": "t1",
    }
    agent.hook("PreToolUse", **call)
    agent.hook("PostToolUse", **call, tool_response={"stdout": f"unlocked with {_CHOSEN}"})
    agent.broker.close()
    kept = b"".join(path.read_bytes() for path in Path(store.root).rglob("*") if path.is_file())

    assert b"vaultik unlock store.vk" in kept
    assert b"unlocked with" in kept
    assert _CHOSEN.encode() not in kept


def test_the_time_of_a_long_command_is_bounded() -> None:
    dense = "".join(f"tanuki{number}x " for number in range(10_000, 14_000))

    started = time.process_time()
    find_in_command(dense)

    assert time.process_time() - started < 1.0
