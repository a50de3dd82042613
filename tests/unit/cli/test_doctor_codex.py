"""The doctor's part for Codex CLI: its files, and its user's trust in the hooks."""

import json
import sys
from pathlib import Path

import pytest

from hooklore.agents.codex import AGENT
from hooklore.agents.codex.app_server import COMPLAINT, hook_trust
from hooklore.agents.codex.registering import GROUPS, REGISTRATION
from hooklore.agents.diagnosis import SettingsFacts, SettingsFile

CHECKS = dict(AGENT.diagnosis().checks)
OURS = tuple(REGISTRATION.entries(home=Path("/h")).items())
USER = SettingsFile("user", "/h/.codex/hooks.json", True, {}, None, OURS)

SERVER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("id") == 1:
        print(json.dumps({"id": 1, "result": json.loads(ANSWER)}), flush=True)
"""


def facts(*files: SettingsFile, told: dict[str, str] | None = None) -> SettingsFacts:
    return SettingsFacts("/p", None, None, files, told=told or {})


def test_trusted_hooks_pass_and_all_others_fail_with_the_clients_own_word() -> None:
    trusted = CHECKS["hook trust"](facts(USER, told={"stop": "trusted", "sessionEnd": "managed"}))
    changed = CHECKS["hook trust"](facts(USER, told={"stop": "trusted", "sessionEnd": "modified"}))

    assert (trusted.ok, trusted.detail) == (True, "Codex CLI trusts 2 hooks")
    assert (changed.ok, changed.fix) == (False, "codex, then `/hooks`")
    assert changed.detail == "1 modified: Codex CLI skips these hooks"


def test_where_the_client_is_not_asked_the_user_is_told_to_look() -> None:
    found = CHECKS["hook trust"](facts(USER))

    assert found.ok is None
    assert "`/hooks`" in found.detail


def test_a_file_that_the_client_complains_of_fails() -> None:
    told = facts(USER, told={COMPLAINT: "failed to parse hooks config /h: unknown field `x`"})
    broken = facts(SettingsFile("user", "/h", True, None, "line 1 column 2: a comment"))

    assert CHECKS["settings files"](told).ok is False
    assert "unknown field `x`" in CHECKS["settings files"](told).detail
    assert CHECKS["settings files"](broken).fix == "correct `/h`"
    assert CHECKS["settings files"](facts(USER)).ok
    assert CHECKS["hook trust"](told).ok is None


def test_hooks_in_the_default_folder_do_not_count_where_a_variable_moves_it() -> None:
    moved = SettingsFile("default user", "/h/.codex/hooks.json", False, {}, None, OURS)

    found = AGENT.diagnosis().unregistered(SettingsFacts("/p", None, "/c", (moved,)))

    assert "CODEX_HOME is `/c`" in found.detail
    assert found.fix == "hooks install --agent codex"


def test_the_client_is_asked_only_where_hooks_of_ours_are_registered(tmp_path: Path) -> None:
    none = SettingsFile("user", "/h", True, {})

    assert AGENT.diagnosis().ask_client(facts(none), {"PATH": str(tmp_path)}) == {}


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("{}", {}),
        ('{"data": null}', {}),
        ("[]", {}),
        ("3", {}),
        ('{"data": [1, {"hooks": 2, "warnings": null}]}', {}),
    ],
)
def test_an_answer_of_another_form_tells_nothing(
    tmp_path: Path, answer: str, found: dict[str, str]
) -> None:
    assert hook_trust(str(tmp_path), environment(tmp_path, answer)) == found


def test_a_client_that_prints_no_object_tells_nothing(tmp_path: Path) -> None:
    found = environment(tmp_path, "{}")
    (tmp_path / "server.py").write_text("print('[1]', flush=True)")

    assert hook_trust(str(tmp_path), found) == {}


def test_the_clients_server_tells_of_our_hooks_alone(tmp_path: Path) -> None:
    ours = {"eventName": "stop", "trustStatus": "untrusted", "command": GROUPS.command("Stop")}
    other = {"eventName": "stop", "trustStatus": "trusted", "command": "true"}
    answer = json.dumps({"data": [{"hooks": [ours, other], "warnings": ["bad hooks file"]}]})

    found = hook_trust(str(tmp_path), environment(tmp_path, answer))

    assert found == {"stop": "untrusted", COMPLAINT: "bad hooks file"}


def test_without_the_client_nothing_is_told(tmp_path: Path) -> None:
    assert hook_trust(str(tmp_path), {"PATH": str(tmp_path)}) == {}


def environment(folder: Path, answer: str) -> dict[str, str]:
    """A PATH whose `codex` is a server that gives this answer."""
    (folder / "server.py").write_text(SERVER.replace("ANSWER", repr(answer)))
    program = folder / "codex"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{folder}/server.py"\n')
    program.chmod(0o755)
    return {"PATH": str(folder), "HOME": str(folder)}
