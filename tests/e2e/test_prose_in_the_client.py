"""In the real Claude Code: a user tells the agent a secret in a sentence, and the agent says it again."""

from pathlib import Path

import pytest

from tests.claude.api import bash, say
from tests.claude.session import Claude
from tests.conftest import wait_until
from tests.redaction.draw import Draw, glue
from tests.support.installed import install
from tests.support.scenario import widgets

pytestmark = pytest.mark.client

_SECRET = glue("tanuki", Draw("client").chars("23456789", 3))


@pytest.mark.req("RD-01", "RD-02")
def test_a_secret_that_a_sentence_tells_is_in_no_file(claude_binary: Path, tmp_path: Path) -> None:
    story = widgets(tmp_path / "widgets")
    machine = install(Claude(claude_binary, tmp_path / "home", story.project))
    told = f"oh and the backup is encrypted, the restic password is {_SECRET}"

    machine.claude.run(
        told, (say(f"ok, so the backup is encrypted and the restic password is {_SECRET}"),)
    )
    wait_until(lambda: any(r["kind"] == "answer" for r in machine.records()), "the answer")

    store = tmp_path / "home" / ".config" / "ai" / "memory"
    kept = b"".join(path.read_bytes() for path in store.rglob("*") if path.is_file())
    assert kept.count(b"restic password is") >= 2
    assert _SECRET.encode() not in kept


@pytest.mark.req("RD-01", "RD-02")
def test_what_the_agent_repeats_in_other_words_is_in_no_file(
    claude_binary: Path, tmp_path: Path
) -> None:
    story = widgets(tmp_path / "widgets")
    machine = install(Claude(claude_binary, tmp_path / "home", story.project))
    told = f"oh and the backup is encrypted, the restic password is {_SECRET}"
    command = f"printf '%s\\n' {_SECRET} > .restic && wc -c .restic && cat .restic"

    machine.claude.run(
        told,
        (
            bash(command),
            say(f"done: {_SECRET} stands in .restic, the nightly backup runs at 02:00"),
        ),
    )
    wait_until(lambda: any(r["kind"] == "answer" for r in machine.records()), "the answer")

    store = tmp_path / "home" / ".config" / "ai" / "memory"
    kept = b"".join(path.read_bytes() for path in store.rglob("*") if path.is_file())
    assert b"nightly backup runs at 02:00" in kept
    assert b"wc -c .restic" in kept
    assert _SECRET.encode() not in kept
