"""The registry of agents: ids, roles, permissions and aliases, on every path."""

from pathlib import Path

import pytest

from hooklore.config import load_settings
from hooklore.memories.agent_registry import agents_of
from tests.unit.requests.conftest import Service, memories

REGISTRY = """
[curated]
agents = ["butler"]

[agents.codex]
role = "executor"
permission = "admin"
aliases = ["coder"]

[agents.my_bot]
role = "researcher"
"""


def registry(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(text)
    return path


@pytest.mark.req("MA-02")
def test_the_agents_of_the_seeds_have_their_roles_without_any_setting(tmp_path: Path) -> None:
    agents = agents_of(load_settings(tmp_path / "none.toml"))

    roles = {name: agents.agents[name].role for name in ("musician", "codex", "gemini", "copilot")}
    assert roles == {
        "musician": "executor", "codex": "reasoner", "gemini": "researcher", "copilot": "general",
    }  # fmt: skip
    conductor = agents.find("conductor")
    assert conductor is not None
    assert (conductor.id, conductor.role) == ("claude", "orchestrator")
    assert {"chatgpt", "openclaw"} <= set(agents.ids)
    assert {each.permission for each in agents.agents.values()} == {"owner", "worker"}


@pytest.mark.req("MA-02")
def test_settings_add_agents_and_change_built_in_ones(tmp_path: Path) -> None:
    agents = agents_of(load_settings(registry(tmp_path, REGISTRY)))

    coder = agents.find("coder")
    assert coder is not None
    assert (coder.id, coder.role, coder.permission) == ("codex", "executor", "admin")
    assert agents.of_record("my_bot").role == "researcher"
    assert agents.of_record("butler").permission == "worker"


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ('[agents.claude]\npermission = "wroker"', "agents.claude"),
        ("[agents.claude]\nrole = 3", "agents.claude"),
        ("[agents]\nclaude = 3", "agents.claude"),
    ],
)
def test_an_entry_that_cannot_be_read_gives_no_more_than_a_workers_rights(
    tmp_path: Path, table: str, problem: str
) -> None:
    settings = load_settings(registry(tmp_path, table))

    assert problem in str(settings.problems[0])
    assert agents_of(settings).of_record("claude").permission == "worker"


@pytest.mark.parametrize("name", ["person", "program", "system", "unknown"])
def test_no_agent_takes_the_name_of_the_person_or_a_program(tmp_path: Path, name: str) -> None:
    for text in (f'[agents.{name}]\nrole = "general"', f'[agents.codex]\naliases = ["{name}"]'):
        settings = load_settings(registry(tmp_path, text))

        assert settings.problems
        assert agents_of(settings).find(name) is None


@pytest.mark.parametrize("name", ["person", "program", "system", "unknown"])
def test_the_list_of_curated_agents_registers_no_writer_that_is_no_agent(
    home: Path, tmp_path: Path, name: str
) -> None:
    text = f'[curated]\nagents = ["{name}", "butler"]'
    service = Service(home, load_settings(registry(tmp_path, text)))

    refused = service.ask("remember", name, content="Tokens live in the vault.", kind="todo")

    assert "could not act as that agent" in refused.problem
    assert agents_of(service.settings).ids.count(name) == 0
    assert service.ask("remember", "butler", content="Keys hang here.", kind="todo").success


def test_an_alias_never_takes_the_place_of_an_id(tmp_path: Path) -> None:
    settings = load_settings(registry(tmp_path, '[agents.gemini]\naliases = ["claude"]'))

    found = agents_of(settings).find("claude")
    assert found is not None
    assert found.id == "claude"


@pytest.mark.req("MA-02")
@pytest.mark.req("MA-03")
def test_a_memory_by_an_alias_is_the_agents_own(service: Service) -> None:
    kept = service.ask("remember", "conductor", content="Tokens live in the vault.", kind="todo")

    record = service.people.get(str(kept.content["id"]))
    assert (record.agent_id, record.role) == ("claude", "orchestrator")


@pytest.mark.req("MA-03")
def test_every_agent_writes_under_its_own_id_and_reads_the_others(service: Service) -> None:
    for agent in ("claude", "codex", "gemini", "copilot", "musician"):
        text = f"The {agent} job runs at night."
        assert service.ask("remember", agent, content=text, kind="todo", session=agent).success

    found = memories(service.ask("search_memories", "gemini", query="job runs at night"))
    assert {each["agent_id"] for each in found} == {
        "claude", "codex", "gemini", "copilot", "musician",
    }  # fmt: skip
