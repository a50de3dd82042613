"""`/hooklore:memory` in the real client: what the command line prints reaches the model, and no more."""

import sys
from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.cli.main import hooks_main
from hooklore.config import store_location_at
from hooklore.memories.write_gate import remember
from tests.claude.api import said, say
from tests.claude.session import Claude, Session
from tests.support.desk import PERSON

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.client


@pytest.fixture
def claude(claude_binary: Path, tmp_path: Path) -> Claude:
    """The client in a project, with the plugin's command and a `hooklore` that it can call."""
    project, home = tmp_path / "project", tmp_path / "home"
    project.mkdir()
    (home / "bin").mkdir(parents=True, exist_ok=True)
    program = home / "bin" / "hooklore"
    main = "import sys; from hooklore.cli.main import hooklore_main as main; sys.exit(main())"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{main}' \"$@\"\n")
    program.chmod(0o755)
    return Claude(claude_binary, home, project)


@pytest.fixture
def kept(claude: Claude) -> None:
    """Two memories of the user's."""
    broker = Broker(store_location_at(claude.home / ".config" / "ai" / "memory"))
    for key, text in (("fact:press", "共有記憶は一行である"), ("fact:mill", "the mill is old")):
        event = {
            "agent_id": "person", "kind": "fact", "confidence": "high", "basis": "user",
            "scope": "global", "content_md": text, "dedupe_key": key, "source": {"system": "cli"},
        }  # fmt: skip
        assert remember(broker, event, PERSON).status == "stored"
    broker.close()


def told(session: Session) -> str:
    """Everything that the model was given in the first turn."""
    return "\n".join(said(message) for message in session.turns()[0].messages)


def test_memory_search_shows_what_the_command_prints(claude: Claude, kept: None) -> None:
    session = claude.run(
        "/hooklore:memory search 記憶", [say("shown")], args=("--plugin-dir", str(ROOT))
    )

    assert session.rc == 0
    assert "fact:press: 共有記憶は一行である" in told(session)
    assert "the mill is old" not in told(session)


@pytest.mark.parametrize("plugin", [False, True])
def test_an_install_for_the_user_is_enough_and_with_the_plugin_there_is_one(
    claude: Claude, kept: None, monkeypatch: pytest.MonkeyPatch, *, plugin: bool
) -> None:
    monkeypatch.setenv("HOME", str(claude.home))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    before = {path.name for path in claude.home.rglob("*.md")}
    assert hooks_main(("install", "--user")) == 0

    args = ("--plugin-dir", str(ROOT)) if plugin else ()
    session = claude.run("/hooklore:memory search 記憶", [say("shown")], args=args)
    assert hooks_main(("uninstall",)) == 0

    assert session.rc == 0
    assert told(session).count("fact:press: 共有記憶は一行である") >= 1
    assert told(session).count("`hooklore memory search 記憶` printed:") == 1
    assert "fact:mill" not in told(session)
    assert "memory.md" not in {path.name for path in claude.home.rglob("*.md")} - before


@pytest.mark.req("CL-03", "CL-05")
def test_memory_cleanup_ends_nothing_without_a_person(claude: Claude, kept: None) -> None:
    session = claude.run(
        "/hooklore:memory cleanup --older-than=30d --scope=agent:*",
        [say("shown")],
        args=("--plugin-dir", str(ROOT)),
    )

    assert session.rc == 0
    assert "nothing is to be cleaned up" in told(session)
