import pytest

from hooklore.shell.command import (
    command_key,
    command_stem,
    find_written_file,
    has_hidden_exit_status,
    is_test_command,
    may_print_file,
)

SAME = [
    ("cd x && FOO=1 pytest -q tests/a.py 2>&1 | tail -20", "pytest tests/a.py -q"),
    ("pytest tests/a.py", "uv run python -m pytest 'tests/a.py'"),
    ("timeout 60 .venv/bin/pytest tests/a.py > /tmp/out 2>&1", "pytest tests/a.py --tb=short"),
    ("npm run build", "cd web; npm run build 2>/dev/null || true"),
    ("make all", "env CC=clang make all | tee build.log"),
    ("go test ./...", "time go test ./... -v 2>&1 | grep -v '^ok'"),
    ("doppler run --project p -- bun test", "bun test"),
    (
        "git commit -m \"$(cat <<'EOF'\none\nEOF\n)\"",
        "git commit -m \"$(cat <<'EOF'\ntwo\nEOF\n)\"",
    ),
    ("./gradlew build", "gradlew build"),
    ("cat /tmp/pytest-1/out", "cat /tmp/pytest-2/out"),
    (
        "cat > a.py <<EOF\nimport os\nEOF\npython a.py",
        "cat > a.py <<EOF\nimport sys\nEOF\npython a.py",
    ),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_command_in_another_form_has_the_same_key(one: str, other: str) -> None:
    assert command_key(one) == command_key(other)
    assert command_key(one)


def test_different_commands_have_different_keys() -> None:
    commands = ["pytest a.py", "pytest b.py", "npm run build", "npm run lint", "cp a b", "cp b a",
                "git push", "git pull", "grep -v x", "grep x"]  # fmt: skip

    keys = {command_key(command) for command in commands}

    assert len(keys) == len(commands)


@pytest.mark.parametrize(
    "command",
    ["", " ", "'", '"', "$(", "`", "\\", "a\\\n b", "| | |", "&&", ">", "<<", "<<EOF", "((((", "a &",
     "\x00", "テスト 実行", "'" * 5000, "$(" * 3000, "<<A\n" * 500, "a;" * 3000],
)  # fmt: skip
def test_a_malformed_command_raises_nothing(command: str) -> None:
    key = command_key(command)

    assert len(key) <= 300
    assert is_test_command(command) in (True, False)
    assert has_hidden_exit_status(command) in (True, False)


@pytest.mark.parametrize(
    "command",
    ["pytest", "cd a && python -m pytest -x", "go test ./...", "cargo test --all", "npm test",
     "npm run test:unit", "yarn test", "bun run verify", "make check", "tox -e py311",
     "python manage.py test", "python tests/run_tests.py", "./gradlew test", "mise run test:integration",
     "npx vitest run", "FOO=1 timeout 9 pytest | tail -3"],
)  # fmt: skip
def test_a_test_run_is_recognised(command: str) -> None:
    assert is_test_command(command)


@pytest.mark.parametrize(
    "command",
    ["cat pytest.ini", "git commit -m 'test it'", "grep -rn pytest .", "make", "npm run build",
     "echo pytest", "ls tests", "pip install pytest", "python test_data.py", ""],
)  # fmt: skip
def test_a_command_that_only_mentions_tests_is_no_test_run(command: str) -> None:
    assert not is_test_command(command)


@pytest.mark.parametrize(
    ("command", "hidden"),
    [
        ("pytest", False),
        ("pytest | tail -3", True),
        ("pytest |& tee log", True),
        ("set -o pipefail; pytest | tail -3", False),
        ("pytest || true", True),
        ("pytest; echo $?", True),
        ("pytest &", True),
        ("cd a && pytest", False),
        ("pytest 2>&1", False),
        ("pytest &> log", False),
        ("echo 'a | b'", False),
    ],
)
def test_a_hidden_exit_status_is_noticed(command: str, hidden: bool) -> None:
    assert has_hidden_exit_status(command) is hidden


def is_env(word: str) -> bool:
    return word.rsplit("/", 1)[-1].startswith(".env")


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("cat .env", True),
        ("cd a && grep KEY config/.env | head", True),
        ("python -c \"print(open('.env').read())\"", True),
        ('echo "$(cat .env)"', True),
        ("sed -n 1p < .env", True),
        ("source .env && npm test", False),
        ("docker compose --env-file .env up", False),
        ("ls -la .env", False),
        ("npm test", False),
    ],
)
def test_a_command_that_may_print_a_file_is_recognised(command: str, named: bool) -> None:
    assert may_print_file(command, is_env) is named


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("echo A=1 > .env", ".env"),
        ("echo A=1 >>config/.env", "config/.env"),
        ("cat <<EOF > .env\nA=1\nEOF", ".env"),
        ("echo A=1 | tee -a .env", ".env"),
        ("cat .env > copy", None),
        ("make &", None),
    ],
)
def test_a_command_that_writes_a_file_is_recognised(command: str, written: str | None) -> None:
    assert find_written_file(command, is_env) == written


@pytest.mark.parametrize(
    ("command", "stem"),
    [
        ("gh pr create --title 'a b' --label docs", "gh pr create"),
        ("cd /x && git add a.py && git commit -m 'docs: one'", "git commit"),
        ("npm install --save-dev left-pad 2>&1 | tail -3", "npm install left-pad"),
        ("python3 tools/sync.py --all", "python3 sync.py"),
        ("docker compose up -d", "docker compose up"),
        ("pytest -q tests/one.py", None),
        ("ls -la src", None),
        ("curl -s localhost:8080", None),
        ("python -c 'print(1)'", None),
        ("> out.txt", None),
        ("", None),
    ],
)
def test_a_stem_lacks_the_parts_that_a_repair_may_change(command: str, stem: str | None) -> None:
    assert command_stem(command) == stem
