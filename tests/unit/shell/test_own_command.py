import shlex
import time

import pytest

from hooklore.shell.own_command import find_decision, is_free_call, without_token


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
        "env -u CLAUDECODE python3 -c \"import pty; pty.spawn(['hooklore', 'approve', '01'])\"",
        "python3 - <<'EOF'\nimport pty\npty.spawn(('hooklore','approve','01'))\nEOF",
        "node -e \"require('node-pty').spawn('hooklore', ['approve', '01'])\"",
        "tmux new -d 'env -u CLAUDECODE hooklore approve 01'",
        "tmux send-keys -t 0 'hooklore approve 01' Enter",
        "screen -dm hooklore approve 01",
        "expect -c 'spawn hooklore approve 01'",
        "socat - EXEC:'hooklore approve 01',pty",
        "ruby -rpty -e \"PTY.spawn('hooklore approve 01')\"",
        "perl -MIO::Pty -e 'exec qw(hooklore approve 01)'",
        "zsh -c 'zmodload zsh/zpty; zpty t env -u CLAUDECODE hooklore approve 01'",
        "asciinema rec -c 'hooklore approve 01' /dev/null",
        "systemd-run --user --pty hooklore approve 01",
        "rlwrap hooklore approve 01",
        "nvim --headless -c 'term hooklore approve 01'",
        "script -qec 'h\\ooklore approve 01' /dev/null",
        "script -qec \"hook''lore approve 01\" /dev/null",
        "script -qc hooklore\\ approve\\ 01",
        "script out -c 'h=hooklore; hooklore -- approve 01'",
        "echo 'hooklore approve 01' | env -u CLAUDECODE script",
        "echo 'hooklore approve 01' > s.sh; script -qec 'sh s.sh' /dev/null",
        ": 1;" * 600 + "script -qec 'hooklore approve 01' /dev/null",
        "true " + "x" * 8000 + "; script -qec 'hooklore approve 01' /dev/null",
    ],
    ids=range(23),
)
def test_a_call_at_a_terminal_that_the_command_makes_is_found(command: str) -> None:
    found = find_decision(command)

    assert found is not None
    assert (found.verb, found.is_alone) == ("approve", False)


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m 'tests: hooklore approve under a pty, by script -qec'",
        "grep -rn 'hooklore approve' tests | grep pty",
        "script -qec 'hooklore list' /dev/null",
        "test -z empty && make approve && hooklore list",
        "tmux new -d 'hooks doctor'",
        "python3 -c \"import pty; pty.spawn(['make', 'test'])\"",
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
        "cd x && hooklore",
        "sh -c hooklore",
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


@pytest.mark.parametrize(
    "command",
    [
        "hooklore get config:db",
        "hooklore get \"keep customers' results apart\" 'Kestrel data: export control'",
        "hooklore get topic:demo 01a2b3c4",
        'hooklore recall "how do we store money?"',
        "hooklore get '請求書の書き方'",
        'hooklore remember --title "Locks" --when "slot sync" --when \'鍵の同期\' "Each lock alone."',
        "hooklore remember 'x' --kind decision --key decision:x --tag a --path 'src/**' --private",
        "hooklore remember --scope project --supersedes 0198ab 'We use pnpm.'",
        "hooklore remember --scope=project --conflicts=0198ab 'We use pnpm.'",
    ],
)
def test_a_literal_call_that_needs_nobody_is_free(command: str) -> None:
    assert is_free_call(command)


@pytest.mark.parametrize(
    "command",
    [
        "hooklore get $(cat id)",
        "hooklore get `cat id`",
        'hooklore get "$(cat id)"',
        'hooklore get "$HOME"',
        'hooklore get "a\\" b"',
        "hooklore get $'a'",
        "hooklore get a | head",
        "hooklore get a > out",
        "hooklore get a < in",
        "hooklore get a && rm -r x",
        "hooklore get a; rm -r x",
        "hooklore get a\nrm -r x",
        "hooklore get a &",
        "hooklore get {a,b}",
        "hooklore get *",
        "hooklore get ~/x",
        "hooklore get =ls",
        "hooklore get 'a",
        "HOOKLORE_HOME=/x hooklore get a",
        "cd /x && hooklore get a",
        "sudo hooklore get a",
        "/tmp/hooklore get a",
        "./hooklore get a",
        "hooks get a",
        "hooklore",
        "hooklore get",
        "hooklore get --json a",
        "hooklore get a --agent codex",
        "hooklore recall -",
        "hooklore list",
        "hooklore memory get a",
        "hooklore forget a",
        "hooklore remember --basis user x",
        "hooklore remember --basis=user x",
        "hooklore remember x --confirmed 0123456789abcdef",
        "hooklore remember --title --confirmed x",
        "hooklore remember --agent codex x",
        "hooklore remember --scope global x",
        "hooklore remember --scope=agent:codex x",
        "hooklore remember --stake high x",
        "hooklore remember -",
        "hooklore remember --title",
        "hooklore remember a b",
        "hooklore get " + "a" * 5000,
        "",
    ],
)
def test_any_other_command_is_not(command: str) -> None:
    assert not is_free_call(command)


def test_a_long_word_before_an_expansion_is_read_at_once() -> None:
    started = time.perf_counter()

    found = find_decision("hooklore get " + "a" * 4000 + "$(hooklore forget 01)")

    assert found is not None
    assert found.verb == "forget"
    assert time.perf_counter() - started < 1.0


@pytest.mark.parametrize(
    "own_path",
    [
        "/home/u/.local/share/hooklore/hooklore",
        "/home/a b/.local/share/hooklore/hooklore",
        "/home/東京/.local/share/hooklore/hooklore",
        "/home/o'brien/.local/share/hooklore/hooklore",
    ],
)
def test_the_launchers_path_is_as_good_as_the_name_and_no_other_path_is(own_path: str) -> None:
    program = shlex.quote(own_path)
    decided = find_decision(f"{program} approve 0198ab", own_path)
    wrapped = find_decision(f"cd /x && {program} approve 0198ab", own_path)

    assert is_free_call(f'{program} remember --when "鍵" "Each lock alone."', own_path)
    assert is_free_call("hooklore get a", own_path)
    assert not is_free_call(f"{program} get $(cat id)", own_path)
    assert not is_free_call(f"/tmp{own_path} get a".replace("'", ""), own_path)
    assert decided is not None
    assert (decided.verb, decided.words, decided.is_alone) == (
        "approve",
        ("approve", "0198ab"),
        True,
    )
    assert wrapped is not None
    assert (wrapped.verb, wrapped.is_alone) == ("approve", False)


@pytest.mark.parametrize("command", ["'' remember x", '"" get a'])
def test_an_empty_word_is_no_program_of_ours(command: str) -> None:
    assert not is_free_call(command)
    assert find_decision(command.replace("get a", "approve hooklore")) is None
