"""The 19 tools of seed 004: what each does, and who may call it."""

import re
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import parse_settings
from hooklore.memories.archive import archive_memory
from hooklore.requests.verb_table import tools
from tests.unit.requests.conftest import Service, memories

EVERYBODY = frozenset(("owner", "admin", "worker"))
DECIDING = frozenset(("owner", "admin"))

TABLE = {
    "save_to_memory": EVERYBODY,
    "retrieve_from_memory": EVERYBODY,
    "get_memory_entry": EVERYBODY,
    "list_memory_entries": EVERYBODY,
    "delete_memory_entry": DECIDING,
    "get_memory_summary": EVERYBODY,
    "search_memory_archive": EVERYBODY,
    "list_memory_archive": EVERYBODY,
    "restore_from_memory_archive": DECIDING,
    "get_memory_archive_summary": EVERYBODY,
    "save_to_global_memory": EVERYBODY,
    "retrieve_from_global_memory": EVERYBODY,
    "list_global_memory_entries": EVERYBODY,
    "get_global_memory_summary": EVERYBODY,
    "delete_global_memory_entry": DECIDING,
    "search_global_memory_archive": EVERYBODY,
    "list_global_memory_archive": EVERYBODY,
    "restore_from_global_memory_archive": DECIDING,
    "get_global_memory_archive_summary": EVERYBODY,
}
AGENTS = {"owner": "claude", "admin": "gemini", "worker": "codex"}
SETTINGS = parse_settings({"agents": {"gemini": {"permission": "admin"}}}, "config.toml")


@pytest.fixture
def service(home: Path) -> Service:
    return Service(home, SETTINGS)


def keep(service: Service, key: str, text: str, *, scope: str | None = "global") -> str:
    """Keep an entry as the person, and return its id."""
    more = {"scope": scope} if scope else {"scope": None}
    written = service.people.says(text, key, tags=["api"], **more)
    assert written.id is not None
    return written.id


@pytest.fixture
def shelves(service: Service) -> Service:
    """Entries in the project and for all projects, and one archived in each."""
    service.ask("save_to_memory", key="todo:old-api", content="Drop the old API in May.")
    for scope, place in (("project:widgets", ""), ("global", "global_")):
        for name in ("kept", "archived"):
            text = f"The {place}{name} API speaks JSON."
            keep(service, f"config:{place}{name}-api", text, scope=scope)
    return service


def archive(service: Service, *keys: str) -> None:
    person = service.people.who()
    places = ["global", f"project:{service.project_id}"]
    for key in keys:
        archive_memory(service.broker, key, person, places)


@pytest.mark.req("MA-04")
@pytest.mark.parametrize("permission", AGENTS)
@pytest.mark.parametrize("name", TABLE)
def test_a_tool_is_there_for_exactly_the_permissions_of_the_table(
    shelves: Service, name: str, permission: str
) -> None:
    archive(shelves, "config:archived-api", "config:global_archived-api")
    of_global = "global_" if "global" in name else ""
    given: dict[str, Any] = {"key": f"config:{of_global}kept-api"}
    if name.startswith("restore_"):
        given = {"key": f"config:{of_global}archived-api"}
    elif name.startswith("save_"):
        given = {"key": "todo:new-entry", "content": "Something new to do."}
    elif "retrieve" in name or name.startswith("search_"):
        given = {"query": "API JSON"}
    elif name.startswith(("list_", "get_")) and name != "get_memory_entry":
        given = {}

    told = shelves.ask(name, AGENTS[permission], **given)

    assert tools()[name].permissions == TABLE[name]
    assert told.success == (permission in TABLE[name]), told
    if not told.success:
        assert told.problem.endswith("admin and owner may do it")
        assert "ask the user" in told.hint


@pytest.mark.req("MA-04")
def test_the_description_of_a_tool_says_who_may_call_it() -> None:
    for name, permissions in TABLE.items():
        order = [each.capitalize() for each in ("owner", "admin", "worker") if each in permissions]
        assert tools()[name].summary.endswith(f"({', '.join(order)})")


@pytest.mark.req("MA-04")
@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("agent", ["", "nobody", "person", "program"])
def test_a_missing_or_unknown_caller_is_refused(service: Service, name: str, agent: str) -> None:
    told = service.ask(name, agent)

    assert not told.success
    assert told.problem.startswith("could not act as that agent")


@pytest.mark.req("MA-04")
@pytest.mark.parametrize("named", ["claude", "conductor", "person", "program", "nobody"])
def test_a_caller_that_gives_another_name_is_refused(service: Service, named: str) -> None:
    told = service.ask("list_memory_entries", "codex", caller_agent_id=named)

    assert not told.success
    assert "as another agent" in told.problem
    assert service.ask("list_memory_entries", "claude", caller_agent_id="conductor").success


@pytest.mark.req("MA-04")
def test_a_name_of_another_program_is_read_as_its_callers_own(service: Service) -> None:
    kept = service.ask(
        "save_to_memory", "codex", key="todo:gate", content="The gate is to be painted.",
        caller_agent_id="admin_xxx",
    )  # fmt: skip
    named = service.ask("list_memory_entries", "codex", caller_agent_id="worker_codex")

    assert (kept.success, named.success) == (True, True)
    assert service.people.get(str(kept.content["id"])).agent_id == "codex"
    for other in ("admin_claude", "owner_conductor", "boss_xxx", "admin_"):
        told = service.ask("list_memory_entries", "codex", caller_agent_id=other)
        assert "as another agent" in told.problem, other


@pytest.mark.req("MC-07")
@pytest.mark.parametrize(
    "name",
    [
        "get_memory_entry", "delete_memory_entry", "delete_global_memory_entry",
        "restore_from_memory_archive", "restore_from_global_memory_archive",
    ],
)  # fmt: skip
def test_an_unknown_key_is_no_success_and_no_exception(service: Service, name: str) -> None:
    told = service.ask(name, key="no-such-key")

    assert not told.success
    assert told.problem
    assert told.hint


@pytest.mark.req("MC-05")
@pytest.mark.req("MC-07")
def test_an_entry_saved_again_is_the_same_entry_with_a_newer_text(service: Service) -> None:
    service.ask("save_to_memory", key="todo:step", content="Write the parser.", tags=["api", "v2"])
    service.ask("save_to_memory", key="todo:step", content="Test the parser.", tags=["api"])

    entry = service.ask("get_memory_entry", key="todo:step")
    assert "Test the parser." in entry.text
    assert entry.content["tags"] == ["api"]
    assert str(entry.content["created_at"]) < str(entry.content["updated_at"])


@pytest.mark.req("MC-08")
def test_a_list_is_filtered_by_tags_and_says_how_many_there_are(service: Service) -> None:
    for number, tags in enumerate((["api"], ["api", "v2"], ["v2"])):
        text = f"Task {number} {'abc'[number] * 9}."
        service.ask("save_to_memory", key=f"todo:t-{number}", content=text, tags=tags)

    listed = service.ask("list_memory_entries", tags=["api"], limit=1)
    assert listed.content["count"] == 2
    assert [each["key"] for each in memories(listed, "entries")] == ["todo:t-1"]
    both = service.ask("retrieve_from_memory", query="task", tags=["api", "v2"])
    assert [each["key"] for each in memories(both, "entries")] == ["todo:t-1"]


@pytest.mark.parametrize("name", [name for name in TABLE if TABLE[name] == DECIDING])
def test_a_tool_that_decides_says_that_a_person_does(name: str) -> None:
    assert re.search(r"Propose .* It waits until a person approves it\.", tools()[name].summary)
