import pytest

from hooklore.shell.own_command import find_decision, without_token


@pytest.mark.parametrize(
    ("command", "verb"),
    [
        ("hooklore approve 0198ab", "approve"),
        ("  hooklore  memory approve 0198ab ", "approve"),
        ("hooklore delete 'config:db engine'", "delete"),
        ("hooklore remember 'use pnpm' --basis user", "remember"),
        ('hooklore remember "use pnpm" --basis=user', "remember"),
        ("hooklore cleanup --older-than=30d --yes", "cleanup"),
        ("hooklore archive config:port", "archive"),
        ("hooks uninstall --purge", "uninstall"),
    ],
)
def test_one_plain_command_that_decides_stands_alone(command: str, verb: str) -> None:
    found = find_decision(command)

    assert found is not None
    assert (found.verb, found.is_alone) == (verb, True)


@pytest.mark.parametrize(
    "command",
    [
        "hooklore approve $(cat id)",
        "hooklore approve `cat id`",
        "hooklore approve 01 | cat",
        "hooklore approve 01 > out",
        "hooklore list && hooklore approve 01",
        "hooklore list; hooklore approve 01",
        "hooklore list\nhooklore approve 01",
        "sh -c 'hooklore approve 01'",
        'bash -lc "cd x && hooklore approve 01"',
        "env -i hooklore approve 01",
        "HOOKLORE_HOME=/x hooklore approve 01",
        "setsid hooklore approve 01",
        "timeout 5 hooklore approve 01",
        "nohup hooklore approve 01 &",
        "script -qec 'hooklore approve 01' /dev/null",
        "script -qec \"env -u CLAUDECODE sh -c 'hooklore approve 01'\" /dev/null",
        "/opt/venv/bin/hooklore approve 01",
        "~/.local/bin/hooklore approve 01",
        "python3 -m hooklore approve 01",
        "uv run hooklore approve 01",
        'eval "hooklore approve 01"',
        "echo 01 | xargs hooklore approve",
        "echo $(hooklore approve 01)",
        "(hooklore approve 01)",
        "if true; then hooklore approve 01; fi",
    ],
)
def test_a_wrapped_call_is_found_and_does_not_stand_alone(command: str) -> None:
    found = find_decision(command)

    assert found is not None
    assert (found.verb, found.is_alone) == ("approve", False)


@pytest.mark.parametrize(
    "command",
    [
        "grep -rn 'hooklore approve' docs",
        "git commit -m 'hooklore forget: say what it ends'",
        "echo hooklore approve 01 >> notes.md",
        "hooklore list --kind decision",
        "hooklore remember 'we approve releases on fridays'",
        "hooklore cleanup --older-than=30d",
        "hooklore scrub --literal x --dry-run",
        "hooklore archive",
        "hooklore delete config:port --approve feed",
        "hooks uninstall",
        "make approve",
    ],
)
def test_what_decides_nothing_needs_nobody(command: str) -> None:
    assert find_decision(command) is None


def test_the_token_of_a_confirmation_is_taken_off_a_command() -> None:
    token = "ab12" * 6

    assert without_token(f"hooklore approve 01 --confirmed {token}") == "hooklore approve 01"
    assert without_token(f"hooklore approve 01 --confirmed={token}") == "hooklore approve 01"
    assert without_token("make --confirmed yes") == "make --confirmed yes"
