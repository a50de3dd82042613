"""`hooks install` makes `hooklore` reachable for the shells of agents: by a link, or by the launcher's own path."""

import json
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import end_residents
from tests.support.own_home import MINIMAL_PATH, SCRIPTS, OwnHome

NAMES = ["plain", "a home 東京", "o'brien"]
FOREIGN = "#!/bin/sh\necho somebody else\n"
KEPT = "The press runs at 203 dpi."


@pytest.fixture(params=NAMES)
def any_home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OwnHome]:
    yield from made(tmp_path / request.param)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[OwnHome]:
    yield from made(tmp_path / "own")


def made(folder: Path) -> Iterator[OwnHome]:
    folder.mkdir()
    yield OwnHome(folder)
    end_residents(folder)


def on_path(home: OwnHome) -> OwnHome:
    home.path = f"{home.links}:{MINIMAL_PATH}"
    return home


def named_in_the_brief(home: OwnHome) -> str:
    """Return what the brief says that a shell runs to keep a memory, before its arguments."""
    told = home.hook("session_start", hook_event_name="SessionStart", source="startup")
    found = re.search(r"`([^`]*hooklore\S*) remember ", str(told["additionalContext"]))
    assert found is not None, told
    return found[1]


def is_permitted(home: OwnHome, command: str) -> bool:
    told = home.hook(
        "pre_tool_use", hook_event_name="PreToolUse", tool_name="Bash", tool_use_id=os.urandom(4).hex(),
        tool_input={"command": command},
    )  # fmt: skip
    return told.get("permissionDecision") == "allow"


def rules(home: OwnHome) -> list[str]:
    allowed: list[str] = json.loads(home.settings.read_text())["permissions"]["allow"]
    return [rule for rule in allowed if rule.startswith("Bash(")]


def told_by_doctor(home: OwnHome) -> str:
    done = home.run(str(SCRIPTS / "hooks"), "doctor")
    (line,) = (line for line in done.out.splitlines() if line.split()[1:2] == ["command"])
    return line


def test_off_path_the_line_of_the_brief_names_the_launchers_path_and_a_minimal_shell_runs_it(
    any_home: OwnHome,
) -> None:
    planned = any_home.hooks("install", "--no-server", "--dry-run")
    printed = any_home.hooks("install", "--no-server")
    program = named_in_the_brief(any_home)
    command = f'{program} remember --title "Dpi" "{KEPT}"'

    done = any_home.shell(command)

    assert f"agents would be told to run `{any_home.launched}`" in planned
    assert f"agents are told to run `{any_home.launched}`: `~/.local/bin` is not on PATH" in printed
    assert program == shlex.quote(str(any_home.launched))
    assert (done.rc, list(any_home.memories())) == (0, [KEPT]), done
    assert is_permitted(any_home, command)
    assert not is_permitted(any_home, f"{command} && {program} remember x")
    assert f"Bash({program} remember:*)" in rules(any_home)
    assert not any_home.links.exists()

    opened = any_home.shell(f"{program} get Dpi")
    any_home.hooks("uninstall")

    assert KEPT in opened.out
    assert not any_home.launched.parent.exists()


def test_on_path_a_link_is_made_and_an_uninstall_removes_it_with_its_folder(
    any_home: OwnHome,
) -> None:
    on_path(any_home)
    planned = any_home.hooks("install", "--no-server", "--dry-run")
    was_there = any_home.links.exists()
    printed = any_home.hooks("install", "--no-server")
    done = any_home.shell(f'{named_in_the_brief(any_home)} remember "{KEPT}"')

    assert f"would link `{any_home.link}`" in planned
    assert not was_there
    assert f"linked `{any_home.link}`" in printed
    assert os.readlink(any_home.link) == str(any_home.launched)
    assert named_in_the_brief(any_home) == "hooklore"
    assert (done.rc, list(any_home.memories())) == (0, [KEPT]), done
    assert "Bash(hooklore remember:*)" in rules(any_home)

    planned = any_home.hooks("uninstall", "--dry-run")
    printed = any_home.hooks("uninstall")

    assert f"would remove `{any_home.link}`" in planned
    assert f"removed `{any_home.link}`" in printed
    assert not any_home.links.exists()
    assert "removed" not in any_home.hooks("uninstall")


def test_the_program_of_somebody_else_stays_and_agents_are_told_the_path(own: OwnHome) -> None:
    on_path(own)
    own.links.mkdir(parents=True)
    own.link.write_text(FOREIGN)
    own.link.chmod(0o755)

    printed = own.hooks("install", "--no-server")
    program = named_in_the_brief(own)
    own.shell(f'{program} remember "{KEPT}"')
    told = told_by_doctor(own)
    permitted = [is_permitted(own, f"{each} get x") for each in ("hooklore", program)]
    own.hooks("uninstall")

    assert f"`{own.link}` is another program" in printed
    assert program == str(own.launched)
    assert permitted == [False, True]
    assert list(own.memories()) == [KEPT]
    assert told.startswith("ok")
    assert "by its path" in told
    assert own.link.read_text() == FOREIGN


@pytest.mark.parametrize("target", ["/gone/hooklore", "hooklore"])
def test_a_link_of_somebody_else_stays_even_where_it_leads_nowhere(
    own: OwnHome, target: str
) -> None:
    on_path(own)
    own.links.mkdir(parents=True)
    own.link.symlink_to(target)

    own.hooks("install", "--no-server")
    told = named_in_the_brief(own)
    own.hooks("uninstall")

    assert told == str(own.launched)
    assert os.readlink(own.link) == target


def test_a_program_of_that_name_further_behind_is_not_hidden_by_a_link(
    own: OwnHome, tmp_path: Path
) -> None:
    behind = tmp_path / "behind"
    behind.mkdir()
    (behind / "hooklore").write_text(FOREIGN)
    (behind / "hooklore").chmod(0o755)
    own.path = f"{own.links}:{behind}:{MINIMAL_PATH}"

    printed = own.hooks("install", "--no-server")

    assert f"`{behind / 'hooklore'}` is another program" in printed
    assert not own.link.exists()


def test_where_it_is_reachable_already_nothing_is_done(own: OwnHome) -> None:
    own.path = f"{own.links}:{SCRIPTS}:{MINIMAL_PATH}"

    printed = own.hooks("install", "--no-server")

    assert "link" not in printed
    assert "told to run" not in printed
    assert not own.links.exists()
    assert named_in_the_brief(own) == "hooklore"
    assert told_by_doctor(own).startswith("ok")


def test_an_environment_that_is_active_in_this_shell_alone_does_not_count(own: OwnHome) -> None:
    own.path = f"{SCRIPTS}:{own.links}:{MINIMAL_PATH}"
    own.variables = {"VIRTUAL_ENV": str(SCRIPTS.parent)}

    own.hooks("install", "--no-server")

    assert os.readlink(own.link) == str(own.launched)


def test_a_link_that_led_to_a_former_home_is_renewed(tmp_path: Path) -> None:
    for before in made(tmp_path / "before"):
        on_path(before).hooks("install", "--no-server")
    os.rename(tmp_path / "before", tmp_path / "after")
    after = on_path(OwnHome(tmp_path / "after"))
    led_to = os.readlink(after.link)

    after.hooks("install", "--no-server")

    assert led_to != str(after.launched)
    assert os.readlink(after.link) == str(after.launched)


def test_a_second_install_changes_the_way_with_the_path_of_its_shell(own: OwnHome) -> None:
    own.hooks("install", "--no-server")
    by_path = named_in_the_brief(own), rules(own)
    on_path(own).hooks("install", "--no-server")
    linked = named_in_the_brief(own), rules(own)
    own.hooks("install", "--no-server")

    assert by_path[0] == str(own.launched)
    assert f"Bash({own.launched} get:*)" in by_path[1]
    assert linked[0] == "hooklore"
    assert "Bash(hooklore get:*)" in linked[1]
    assert not any(str(own.launched) in rule for rule in linked[1])
    assert told_by_doctor(own).startswith("ok")


def test_a_link_without_its_note_in_the_manifest_is_found_by_its_target(own: OwnHome) -> None:
    on_path(own).hooks("install", "--no-server")
    manifest = own.launched.parent / "manifest.json"
    document = json.loads(manifest.read_text())
    del document["link"]
    manifest.write_text(json.dumps(document))

    own.hooks("uninstall")

    assert not os.path.lexists(own.link)


def test_a_link_that_was_made_to_lead_elsewhere_outlives_an_uninstall(
    own: OwnHome, tmp_path: Path
) -> None:
    on_path(own).hooks("install", "--no-server")
    own.link.unlink()
    own.link.symlink_to(tmp_path)

    own.hooks("uninstall")

    assert os.readlink(own.link) == str(tmp_path)


def test_the_link_stays_while_another_agent_is_registered(own: OwnHome) -> None:
    on_path(own).hooks("install", "--no-server")
    own.hooks("install", "--agent", "codex", "--no-server")

    own.hooks("uninstall", "--agent", "codex")
    is_left = own.link.exists()
    own.hooks("uninstall", "--agent", "claude")

    assert is_left
    assert not os.path.lexists(own.link)


def test_the_settings_of_a_project_name_no_path_of_this_home(own: OwnHome) -> None:
    own.hooks("install", "--project", "--no-server")

    text = (own.folder / ".claude" / "settings.json").read_text()

    assert "Bash(hooklore get:*)" in text
    assert str(own.folder) not in text
    assert is_permitted(own, f"{own.launched} get x")


def test_the_slash_command_runs_the_launchers_path(own: OwnHome) -> None:
    own.hooks("install")
    (command,) = own.folder.rglob("memory.md")
    text = command.read_text()

    own.hooks("uninstall")

    assert f"!`{own.launched} memory $ARGUMENTS" in text
    assert not command.exists()


def test_the_plugins_launcher_is_reached_alike(own: OwnHome) -> None:
    printed = on_path(own).hooks("install", "--plugin")

    assert f"linked `{own.link}`" in printed
    assert own.run(str(own.link), "--version").rc == 0
