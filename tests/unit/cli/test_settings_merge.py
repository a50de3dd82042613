import json
from pathlib import Path

import pytest

from hooklore.agents.claude_code.registering import GROUPS, PERMISSIONS, REGISTRATION
from hooklore.cli.install.edit import SettingsEdit, apply_insertions, is_registered, write
from hooklore.cli.install.manifest import Place
from hooklore.errors import SettingsError
from tests.support.settings_edit import plan_install, plan_uninstall

WANTED = GROUPS.entries()
FORMAT = REGISTRATION.format
FOREIGN = {"matcher": "Bash", "hooks": [{"type": "command", "command": "echo theirs"}]}


def merged(before: str, wanted: dict[str, dict[str, object]] = WANTED) -> str:
    return apply_insertions(before, FORMAT.add(before, wanted, "settings.json"))


def installed(path: Path, before: bytes) -> Place:
    path.write_bytes(before)
    edit, place = plan_install("user", path, "user", None, WANTED)
    write(edit)
    return place


def uninstalled(path: Path, place: Place | None) -> bytes | None:
    edit = plan_uninstall("user", path, place)
    write(edit)
    return path.read_bytes() if path.exists() else None


ODD = {
    "two spaces": '{\n  "model": "opus",\n  "env": {"A": "1"}\n}\n',
    "four spaces": '{\n    "model": "opus"\n}\n',
    "tabs": '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n',
    "carriage returns": '{\r\n  "model": "opus"\r\n}\r\n',
    "no newline at the end": '{\n  "model": "opus"\n}',
    "one line": '{"model":"opus","hooks":{}}',
    "one airy line": '{ "model": "opus", "hooks": { "Stop": [ ] } }\n',
    "empty object": "{}",
    "empty object on two lines": "{\n}\n",
    "empty": "",
    "blank": " \n\n",
    "byte order mark": '\ufeff{\n  "model": "opus"\n}\n',
    "repeated keys": '{\n  "hooks": {"Stop": []},\n  "hooks": {"Stop": [], "Stop": []}\n}\n',
    "brackets in strings": '{"a": "]}{[,\\"", "hooks": {"Stop": ["\\\\"]}}',
    "comma first": '{\n    "a": 1\n  , "hooks":\n      { "Stop" : [ ] }\n}\n',
    "Japanese": '{\n  "言語": "日本語",\n  "hooks": {"Stop": [{"hooks": []}]}\n}\n',
    "a huge number": '{\n  "n": ' + "7" * 5000 + "\n}\n",
    "foreign nonsense": '{"hooks": {"Zzz": 3, "Stop": [null, 4, {"hooks": 5}, {"hooks": [6]}]}}',
    "a foreign group": json.dumps({"hooks": {"PostToolUse": [FOREIGN]}}, indent=3),
    "column zero": '{\n"model": "opus",\n"hooks": {\n"Stop": [\n]\n}\n}\n',
}


@pytest.mark.parametrize("before", ODD.values(), ids=ODD.keys())
def test_install_then_uninstall_gives_the_same_bytes(tmp_path: Path, before: str) -> None:
    path = tmp_path / "settings.json"

    place = installed(path, before.encode())
    between = path.read_bytes()
    after = uninstalled(path, place)

    assert after == before.encode()
    text = between.decode().removeprefix("\ufeff")
    assert is_registered(FORMAT, text, WANTED)


@pytest.mark.parametrize("before", ODD.values(), ids=ODD.keys())
def test_what_is_not_ours_is_still_there_in_order(tmp_path: Path, before: str) -> None:
    path = tmp_path / "settings.json"

    installed(path, before.encode())

    rest = iter(path.read_bytes())
    assert all(byte in rest for byte in before.encode())


@pytest.mark.parametrize("before", ODD.values(), ids=ODD.keys())
def test_twice_is_once(tmp_path: Path, before: str) -> None:
    path = tmp_path / "settings.json"
    place = installed(path, before.encode())

    again, same = plan_install("user", path, "user", place, WANTED)

    assert not again.changed
    assert same == place


def test_bytes_that_are_not_utf8_survive(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    before = b'{"x": "\xff\xfe\x80", "model": "opus"}'

    place = installed(path, before)
    between = path.read_bytes()

    assert before[:-1] in between
    assert uninstalled(path, place) == before


@pytest.mark.parametrize(
    ("before", "cause"),
    [
        ('{\n  // mine\n  "a": 1\n}', "line 2 column 3: a comment"),
        ('/* mine */ {"a": 1}', "line 1 column 1: a comment"),
        ('{"a": 1} // mine', "line 1 column 10: a comment"),
        ('{\n  "a": 1,\n}', "line 2 column (9|10): illegal trailing comma|line 3 column 1"),
        ('{"a": 1', "line 1 column 8"),
        ('{"a": "x\ty"}', "line 1 column 9: invalid control character"),
        ('{"a": NaN}', "`NaN` is not JSON"),
        ("{'a': 1}", "line 1 column 2"),
        ("{} {}", "line 1 column 4: extra data"),
        ("null", "it does not hold a JSON object"),
        ("[]", "it does not hold a JSON object"),
        ('{"hooks": null}', '"hooks" must be an object'),
        ('{"hooks": []}', '"hooks" must be an object'),
        ('{"hooks": {"Stop": {}}}', '"hooks.Stop" must be an array'),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "it is nested too deeply"),
        ("\0\0", "line 1 column 1"),
    ],
)
def test_a_file_that_the_client_would_not_read_is_refused(
    tmp_path: Path, before: str, cause: str
) -> None:
    path = tmp_path / "settings.json"
    path.write_text(before)

    with pytest.raises(SettingsError, match=f"(?i){cause}") as refused:
        plan_install("user", path, "user", None, WANTED)

    assert str(path) in str(refused.value)
    assert str(path) in refused.value.fix
    assert path.read_text() == before


def test_utf16_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes("{}".encode("utf-16"))

    with pytest.raises(SettingsError, match="UTF-16"):
        plan_install("user", path, "user", None, WANTED)


def test_the_file_s_own_indentation_is_followed() -> None:
    before = '{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{"hooks": []}\n\t\t]\n\t}\n}\n'

    after = merged(before, {"Stop": {"hooks": [{"type": "x"}]}, "SessionEnd": {"hooks": []}})

    assert after == (
        '{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{"hooks": []},\n\t\t\t{\n\t\t\t\t"hooks": [\n'
        '\t\t\t\t\t{\n\t\t\t\t\t\t"type": "x"\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t],\n'
        '\t\t"SessionEnd": [\n\t\t\t{\n\t\t\t\t"hooks": []\n\t\t\t}\n\t\t]\n\t}\n}\n'
    )


def test_one_line_stays_one_line() -> None:
    after = merged('{"a":1,"hooks":{"Stop":[]}}', {"Stop": {"hooks": []}, "X": {"hooks": [1]}})

    assert after == '{"a":1,"hooks":{"Stop":[{"hooks":[]}],"X":[{"hooks":[1]}]}}'


def test_every_line_of_a_file_with_carriage_returns_ends_with_one() -> None:
    after = merged('{\r\n  "a": 1\r\n}\r\n')

    assert after.count("\n") == after.count("\r\n") > 50


def test_of_repeated_keys_the_one_that_counts_is_filled() -> None:
    after = merged('{"hooks": {}, "hooks": {"Stop": [1], "Stop": [2]}}')

    assert json.loads(after)["hooks"]["Stop"] == [2, WANTED["Stop"]]


def test_hooks_that_a_later_key_hides_are_put_in_again(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    installed(path, b'{"a": 1}')
    hidden = path.read_text()[:-1] + ', "hooks": {"Stop": [7]}}'
    path.write_text(hidden)

    edit, _ = plan_install("user", path, "user", None, WANTED)

    after = (edit.after or b"").decode()
    assert json.loads(after)["hooks"]["Stop"] == [7, WANTED["Stop"]]
    assert after.count("/stop.py") == 1


def test_a_changed_registration_replaces_the_old_one_and_still_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    before = b'{\n "hooks": {"PostToolUse": [ ]}\n}\n'
    first = installed(path, before)

    edit, place = plan_install("user", path, "user", first, GROUPS.entries(capture_reads=True))
    write(edit)

    (group,) = json.loads(path.read_text())["hooks"]["PostToolUse"]
    assert "matcher" not in group
    assert uninstalled(path, place) == before


def with_foreign_edit(path: Path) -> dict[str, object]:
    """What a user does after the install: another program's hooks, one of them in our group."""
    document: dict[str, object] = json.loads(path.read_text())
    document["model"] = "other"
    hooks = document["hooks"]
    assert isinstance(hooks, dict)
    hooks["Stop"].insert(0, FOREIGN)
    hooks["PostToolUse"][0]["hooks"].append({"type": "command", "command": "echo mine"})
    hooks["Notification"] = [FOREIGN]
    path.write_text(json.dumps(document, indent=4))
    return document


@pytest.mark.parametrize("with_manifest", [True, False])
def test_after_a_foreign_edit_only_ours_goes(tmp_path: Path, with_manifest: bool) -> None:
    path = tmp_path / "settings.json"
    place = installed(path, b'{"env": {"A": "1"}}')
    with_foreign_edit(path)

    after = uninstalled(path, place if with_manifest else None)

    assert json.loads(after or b"") == {
        "env": {"A": "1"},
        "model": "other",
        "hooks": {
            "PostToolUse": [
                {
                    "matcher": WANTED["PostToolUse"]["matcher"],
                    "hooks": [{"type": "command", "command": "echo mine"}],
                }
            ],
            "Stop": [FOREIGN],
            "Notification": [FOREIGN],
        },
    }


def test_empty_arrays_that_were_there_before_us_stay(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    place = installed(path, b'{"hooks": {"Stop": []}}')
    path.write_text(path.read_text() + "\n")

    after = uninstalled(path, place)

    assert after == b'{"hooks": {"Stop": []}}\n'


def test_without_a_manifest_what_was_appended_is_cut_exactly(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    before = json.dumps({"hooks": {e: [FOREIGN] for e in WANTED}, "z": [1, 2]}, indent=2).encode()
    installed(path, before)

    assert uninstalled(path, None) == before


def test_a_foreign_command_that_only_looks_like_ours_stays(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    theirs = [
        "echo hooklore",
        "ls $HOME/.local/share/hooklore/hooks/",
        "/opt/.local/share/hooklore/hooks/stop.pyc",
        "/x/.local/share/other/hooks/stop.py",
    ]
    entries = [{"type": "command", "command": each} for each in theirs]
    before = json.dumps({"hooks": {"Stop": [{"hooks": entries}]}}).encode()
    path.write_bytes(before)

    assert uninstalled(path, None) == before


def test_a_broken_file_without_anything_of_ours_does_not_stop_an_uninstall(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{ // mine\n}")

    assert not plan_uninstall("user", path, None).changed


def test_a_broken_file_that_names_us_does(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    installed(path, b"{}")
    path.write_text("// mine\n" + path.read_text())

    with pytest.raises(SettingsError, match="line 1 column 1: a comment"):
        plan_uninstall("user", path, None)


def test_a_file_that_changed_since_it_was_read_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{}")
    edit, _ = plan_install("user", path, "user", None, WANTED)
    path.write_text('{"model": "other"}')

    with pytest.raises(SettingsError, match="changed meanwhile"):
        write(edit)

    assert path.read_text() == '{"model": "other"}'


def test_the_diff_shows_added_lines_only_and_nothing_when_nothing_changes(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{\n  "hooks": {}\n}\n')

    edit, _ = plan_install("user", path, "user", None, WANTED)

    lines = edit.diff.splitlines()
    assert lines[:2] == [f"--- {path}", f"+++ {path}"]
    removed = [line for line in lines[2:] if line.startswith("-")]
    assert removed == ['-  "hooks": {}']
    assert SettingsEdit("user", path, edit.after, edit.after).diff == ""


def test_line_and_column_count_characters(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="line 3 column 7"):
        FORMAT.check('{\n"日本語": 1,\n"記憶": x}', str(tmp_path))


# ---- permission rules

RULES = list(PERMISSIONS.rules)
PERMITTED = {
    "no permissions": '{"model": "opus"}',
    "other permissions": '{\n  "permissions": {\n    "deny": ["Read(.env)"]\n  }\n}\n',
    "an empty list": '{"permissions": {"allow": [ ]}}',
    "other rules": '{"permissions": {"allow": ["Bash(make:*)"], "ask": []}, "hooks": {}}',
    "one of ours": f'{{"permissions": {{"allow": ["{RULES[1]}", "Bash(make:*)"]}}}}',
    "all of ours": json.dumps({"permissions": {"allow": RULES}}),
    "repeated keys": '{"permissions": {"allow": ["A"]}, "permissions": {"allow": [], "allow": ["B"]}}',
    "no file": "",
}


def rules_of(raw: bytes | None) -> list[str]:
    return list(json.loads(raw or b"{}").get("permissions", {}).get("allow", []))


@pytest.mark.parametrize("before", PERMITTED.values(), ids=PERMITTED.keys())
def test_rules_are_put_in_once_and_only_those_go_again(tmp_path: Path, before: str) -> None:
    path = tmp_path / "settings.json"
    theirs = rules_of(before.encode())

    place = installed(path, before.encode())
    between = path.read_bytes()
    again, _ = plan_install("user", path, "user", place, WANTED)

    assert rules_of(between) == [*theirs, *(rule for rule in RULES if rule not in theirs)]
    assert place.rules == [rule for rule in RULES if rule not in theirs]
    assert not again.changed
    assert uninstalled(path, place) == before.encode()


@pytest.mark.parametrize("before", PERMITTED.values(), ids=PERMITTED.keys())
def test_after_a_foreign_edit_the_rules_of_the_user_stay(tmp_path: Path, before: str) -> None:
    path = tmp_path / "settings.json"
    place = installed(path, before.encode())
    edited = json.loads(path.read_bytes())
    edited["permissions"]["allow"].insert(0, "Bash(theirs:*)")
    path.write_text(json.dumps(edited))

    after = uninstalled(path, place)

    assert rules_of(after) == ["Bash(theirs:*)", *rules_of(before.encode())]
    assert "hooks" not in json.loads(after or b"") or "hooks" in before


def test_an_install_without_rules_takes_those_of_an_earlier_one_back(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    before = b'{"model": "opus"}'
    place = installed(path, before)

    edit, without = plan_install("user", path, "user", place, WANTED, permits=False)
    write(edit)
    same, _ = plan_install("user", path, "user", without, WANTED, permits=False)
    between = path.read_bytes()
    more, again = plan_install("user", path, "user", without, WANTED)
    write(more)

    assert "permissions" not in json.loads(between)
    assert is_registered(FORMAT, between.decode(), WANTED)
    assert not same.changed
    assert rules_of(path.read_bytes()) == RULES
    assert uninstalled(path, again) == before


def test_entries_that_a_team_mate_committed_get_the_rules_beside_them(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    write(plan_install("user", path, "user", None, WANTED, permits=False)[0])
    committed = path.read_bytes()

    edit, place = plan_install("user", path, "user", None, WANTED)
    write(edit)

    assert rules_of(path.read_bytes()) == RULES
    assert json.loads(path.read_bytes())["hooks"] == json.loads(committed)["hooks"]
    assert uninstalled(path, place) == b"{}\n"


@pytest.mark.parametrize("odd", ['{"permissions": 3}', '{"permissions": {"allow": "all"}}'])
def test_permissions_of_another_form_are_an_error_with_the_way_around(
    tmp_path: Path, odd: str
) -> None:
    path = tmp_path / "settings.json"
    path.write_text(odd)

    with pytest.raises(SettingsError) as caught:
        plan_install("user", path, "user", None, WANTED)
    write(plan_install("user", path, "user", None, WANTED, permits=False)[0])

    assert "--no-permissions" in caught.value.fix
    assert is_registered(FORMAT, path.read_text(), WANTED)
