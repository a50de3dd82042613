"""`hooklore protocol`, and `hooks install --protocol`: what agents are told, where, and that it goes again."""

import json
from pathlib import Path

import pytest

from hooklore.agents.registration import Places
from hooklore.agents.registry import get_agent
from hooklore.cli.protocol.text import RULES, RULES_PATH, VERSION, agent_ids
from tests.unit.cli.conftest import Run

FILES = {
    "claude": (".claude/CLAUDE.md", "CLAUDE.md"),
    "codex": (".codex/AGENTS.md", "AGENTS.md"),
    "gemini": (".gemini/GEMINI.md", "GEMINI.md"),
}
ODD = {
    "plain": b"# Notes\n\n- oil the press\n",
    "no newline at the end": b"# Notes",
    "carriage returns": b"# Notes\r\n\r\n- oil the press\r\n",
    "byte order mark": b"\xef\xbb\xbf# Notes\n",
    "empty": b"",
    "empty lines at the end": b"# Notes\n\n\n",
    "no UTF-8": b"# \xff\xfe\xfd notes\n",
    "Japanese": "# メモ\n".encode(),
}


@pytest.mark.req("HK-20")
@pytest.mark.parametrize("agent", agent_ids())
def test_the_text_has_five_points_with_their_rules_and_the_path_to_all_rules(
    hooklore: Run, agent: str
) -> None:
    printed = hooklore("protocol", "--agent", agent)

    first, *points = printed.lines
    assert f"`{agent}`" in first
    assert len(points) == 5
    assert all(point.startswith("- ") for point in points)
    for point, rule in zip(points, ("MUST-1", "MUST-2", "MUST-3", "MUST-6"), strict=False):
        assert f"({rule})" in point
    assert RULES_PATH in points[4]


def test_the_full_rules_lie_where_the_text_says_once_the_hooks_are_installed(
    hooks: Run, hooklore: Run, home: Path, project: Path
) -> None:
    hooks("install")

    laid_out = Path(RULES_PATH.replace("~", str(home)))
    assert laid_out.read_text() == RULES
    assert hooklore("protocol", "--full").out == RULES
    hooks("uninstall")
    assert not laid_out.exists()


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini"])
def test_the_page_offers_a_projects_file_where_an_install_takes_one(
    hooklore: Run, hooks: Run, home: Path, project: Path, agent: str
) -> None:
    page = hooklore("protocol", "--page").out
    (row,) = [line for line in page.splitlines() if f"| `{agent}` |" in line]

    placed = hooks("install", "--protocol", "--project", "--agent", agent)

    assert ("with `--project`" in row) == (placed.rc == 0)


def test_an_unknown_agent_is_an_error_that_names_the_known_ones(hooklore: Run) -> None:
    printed = hooklore("protocol", "--agent", "nobody")

    assert printed.rc == 1
    assert "hint: name one of: claude, " in printed.err


@pytest.mark.req("HK-20")
@pytest.mark.parametrize("agent", FILES)
@pytest.mark.parametrize("before", ODD.values(), ids=ODD.keys())
def test_the_text_is_placed_once_and_an_uninstall_gives_the_same_bytes(
    hooks: Run, hooklore: Run, home: Path, project: Path, agent: str, before: bytes
) -> None:
    path = home / FILES[agent][0]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(before)

    first = hooks("install", "--protocol", "--agent", agent)
    placed = path.read_bytes()
    again = hooks("install", "--protocol", "--agent", agent)
    gone = hooks("uninstall", "--agent", agent)

    text = hooklore("protocol", "--agent", agent).out.encode()
    assert f"put the protocol into `{path}`" in first.out
    assert f"`{path}` has it already" in again.out
    assert f"took the protocol out of `{path}`" in gone.out
    assert placed.startswith(before)
    assert placed.replace(b"\r\n", b"\n").count(text) == 1
    assert path.read_bytes() == before


@pytest.mark.parametrize("agent", FILES)
@pytest.mark.parametrize("before", [None, b"# Notes"])
@pytest.mark.parametrize("later", ["unset", "another folder"])
def test_a_text_in_a_folder_that_a_variable_named_goes_without_the_variable(
    hooks: Run, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch,
    agent: str, before: bytes | None, later: str,
) -> None:  # fmt: skip
    moved, variable = home / "moved", get_agent(agent).registration().config_variable
    path = users_file(agent, Places(home, project, moved))
    untouched = home / FILES[agent][0]
    for each in (path, untouched):
        each.parent.mkdir(parents=True, exist_ok=True)
    if before is not None:
        path.write_bytes(before)
    untouched.write_text("# Mine\n")

    monkeypatch.setenv(variable, str(moved))
    hooks("install", "--protocol", "--agent", agent)
    placed = path.read_bytes()
    monkeypatch.delenv(variable)
    if later != "unset":
        monkeypatch.setenv(variable, str(home / later))
    tried = hooks("uninstall", "--dry-run")
    gone = hooks("uninstall")

    assert f"agent id `{agent}`" in placed.decode()
    assert f"would take the protocol out of `{path}`" in tried.out
    assert f"took the protocol out of `{path}`" in gone.out
    assert (path.read_bytes() if path.exists() else None) == before
    assert untouched.read_text() == "# Mine\n"


@pytest.mark.parametrize("agent", FILES)
def test_the_users_file_of_instructions_lies_beside_the_settings_wherever_these_are(
    home: Path, project: Path, agent: str
) -> None:
    for folder in (None, home / "moved"):
        places = Places(home, project, folder)
        settings = get_agent(agent).registration().settings_path("user", places)
        assert users_file(agent, places).parent == settings.parent


def users_file(agent: str, places: Places) -> Path:
    """The user's file of instructions of an agent."""
    instructions = get_agent(agent).registration().instructions
    assert instructions is not None
    return instructions.path("user", places)


@pytest.mark.parametrize("agent", FILES)
def test_a_file_that_was_made_for_the_text_is_gone_afterwards(
    hooks: Run, home: Path, project: Path, agent: str
) -> None:
    hooks("install", "--protocol", "--agent", agent)
    assert (home / FILES[agent][0]).exists()

    hooks("uninstall")

    assert not (home / FILES[agent][0]).exists()


@pytest.mark.parametrize("agent", ["claude", "gemini"])
def test_a_projects_text_stands_in_the_projects_file(
    hooks: Run, home: Path, project: Path, agent: str
) -> None:
    hooks("install", "--protocol", "--project", "--agent", agent)

    assert f"agent id `{agent}`" in (project / FILES[agent][1]).read_text()
    assert not (home / FILES[agent][0]).exists()
    hooks("uninstall", "--project", "--agent", agent)
    assert not (project / FILES[agent][1]).exists()


def test_an_older_text_is_replaced_where_it_stands_and_what_follows_stays(
    hooks: Run, home: Path, project: Path
) -> None:
    path = home / ".claude" / "CLAUDE.md"
    path.parent.mkdir()
    path.write_text("# Notes\n")
    hooks("install", "--protocol")
    older = path.read_text().replace(f"protocol {VERSION} for", "protocol 0.9 for")
    path.write_text(older.replace("MUST-3", "MUST-30") + "\n- mine, and later\n")

    hooks("install", "--protocol")
    placed = path.read_text()
    hooks("uninstall")

    assert f"hooklore protocol {VERSION} for claude" in placed
    assert "MUST-30" not in placed
    assert path.read_text() == "# Notes\n\n- mine, and later\n"


def test_one_file_under_two_names_has_a_text_for_each_agent(
    hooks: Run, home: Path, project: Path
) -> None:
    for name in (".claude", ".codex"):
        (home / name).mkdir()
    notes = home / ".codex" / "AGENTS.md"
    notes.write_text("# Notes\n")
    (home / ".claude" / "CLAUDE.md").symlink_to(notes)

    hooks("install", "--protocol")
    hooks("install", "--protocol", "--agent", "codex")

    assert notes.read_text().count("agent id `claude`") == 1
    assert notes.read_text().count("agent id `codex`") == 1
    hooks("uninstall")
    assert notes.read_text() == "# Notes\n"
    assert (home / ".claude" / "CLAUDE.md").is_symlink()


def test_a_dry_run_shows_the_text_and_writes_nothing(hooks: Run, home: Path, project: Path) -> None:
    printed = hooks("install", "--protocol", "--dry-run")

    assert "would put the protocol into" in printed.out
    assert "MUST-6" in printed.out
    assert not (home / ".claude").exists()


@pytest.mark.req("HK-21")
def test_doctor_finds_the_three_placements_and_a_text_of_another_version(
    hooks: Run, home: Path, project: Path
) -> None:
    for agent in FILES:
        hooks("install", "--protocol", "--agent", agent)
    found = protocol_check(hooks)
    path = home / ".gemini" / "GEMINI.md"
    path.write_text(path.read_text().replace(f"protocol {VERSION} for", "protocol 0.9 for"))

    older = protocol_check(hooks)

    assert found["ok"]
    for agent, (name, _) in FILES.items():
        assert f"`{home / name}` for `{agent}`" in str(found["detail"])
    assert older["ok"] is False
    assert f"`{path}` has version 0.9 for `gemini`" in str(older["detail"])
    assert older["fix"] == "hooks install --protocol --agent gemini"


def protocol_check(hooks: Run) -> dict[str, object]:
    """The doctor's line about the protocol."""
    checks = json.loads(hooks("doctor", "--json").out)["checks"]
    (found,) = [each for each in checks if each["name"] == "protocol"]
    return dict(found)
