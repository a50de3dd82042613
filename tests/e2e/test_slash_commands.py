"""`/hooklore:memory` in the real client: what the command line prints reaches the model, and no more."""

import sys
from pathlib import Path

import pytest

from hooklore.agents.own_program import launcher_program
from hooklore.broker import Broker
from hooklore.cli.main import hooks_main
from hooklore.config import store_location_at
from hooklore.hooks.project import project_keys
from hooklore.memories.write_gate import remember
from tests.claude.api import said, say
from tests.claude.session import Claude, Session
from tests.claude.terminal import ENTER, Terminal
from tests.support.desk import PERSON
from tests.support.own_home import MINIMAL_PATH

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


@pytest.mark.parametrize(("plugin", "is_on_path"), [(False, True), (True, True), (False, False)])
def test_an_install_for_the_user_is_enough_and_with_the_plugin_there_is_one(
    claude: Claude, kept: None, monkeypatch: pytest.MonkeyPatch, *, plugin: bool, is_on_path: bool
) -> None:
    monkeypatch.setenv("HOME", str(claude.home))
    monkeypatch.setenv("PATH", claude.environment["PATH"] if is_on_path else MINIMAL_PATH)
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    program = "hooklore" if is_on_path else launcher_program(str(claude.home))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    before = {path.name for path in claude.home.rglob("*.md")}
    assert hooks_main(("install", "--user")) == 0

    args = ("--plugin-dir", str(ROOT)) if plugin else ()
    session = claude.run("/hooklore:memory search 記憶", [say("shown")], args=args)
    assert hooks_main(("uninstall",)) == 0

    assert session.rc == 0
    assert told(session).count("fact:press: 共有記憶は一行である") >= 1
    assert told(session).count(f"`{program} memory search 記憶` printed:") == 1
    assert "fact:mill" not in told(session)
    assert "memory.md" not in {path.name for path in claude.home.rglob("*.md")} - before


@pytest.fixture
def elsewhere(claude: Claude, kept: None, tmp_path: Path) -> None:
    """A rule of the project, and one of another project."""
    broker = Broker(store_location_at(claude.home / ".config" / "ai" / "memory"))
    for folder, text in ((claude.project, "Oil the press"), (tmp_path / "other", "Drain the mill")):
        event = {
            "agent_id": "person", "kind": "constraint", "confidence": "high", "basis": "user",
            "content_md": text, "source": {"system": "cli"},
        }  # fmt: skip
        (folder / ".git").mkdir(parents=True)
        (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        keys = project_keys(str(folder), None, str(claude.home))
        assert remember(broker, event, PERSON, keys).status == "stored"
    broker.close()


@pytest.mark.parametrize("words", ["", " list", " list --limit 50", " search the"])
def test_inside_an_agent_only_this_projects_and_global_memories_are_listed(
    claude: Claude, elsewhere: None, words: str
) -> None:
    session = claude.run(
        f"/hooklore:memory{words}", [say("shown")], args=("--plugin-dir", str(ROOT))
    )

    assert session.rc == 0
    assert "Oil the press" in told(session)
    assert "the mill is old" in told(session)
    assert "Drain the mill" not in told(session)


def test_without_arguments_it_lists_where_no_command_was_allowed_before(
    claude: Claude, elsewhere: None
) -> None:
    args = ("--plugin-dir", str(ROOT))
    with Terminal(claude, [say("all is shown")], args) as session:
        session.type("/hooklore:memory list")
        session.press(ENTER)
        session.send("all is shown")

        told = "\n".join(said(m) for r in session.api.requests for m in r.messages)

    assert "Oil the press" in told
    assert "Drain the mill" not in told


def test_a_verb_that_changes_memory_is_told_to_the_model_as_a_decision_of_the_users(
    claude: Claude, kept: None
) -> None:
    session = claude.run(
        "/hooklore:memory consolidate", [say("shown")], args=("--plugin-dir", str(ROOT))
    )

    assert "only a person decides it" in told(session)
    assert "run `hooklore memory consolidate` once with the Bash tool" in told(session)


@pytest.mark.req("CL-03", "CL-05")
def test_memory_cleanup_ends_nothing_without_a_person(claude: Claude, kept: None) -> None:
    session = claude.run(
        "/hooklore:memory cleanup --older-than=30d --scope=agent:*",
        [say("shown")],
        args=("--plugin-dir", str(ROOT)),
    )

    assert session.rc == 0
    assert "nothing is to be cleaned up" in told(session)
