import time

import pytest

from hooklore.shell.error_signature import MAX_SIGNATURE_LENGTH, extract_error_lines

SAME = [
    (
        (
            'Traceback (most recent call last):\n  File "/tmp/pytest-12/a.py", line 3, in <module>\n'
            "ModuleNotFoundError: No module named 'yaml'"
        ),
        (
            'Traceback (most recent call last):\n  File "/home/u/p/a.py", line 99, in <module>\n'
            "ModuleNotFoundError: No module named 'yaml'"
        ),
    ),
    (
        "2026-01-03 10:00:01 ERROR could not connect to 127.0.0.1:5432 after 3.2s",
        "2026-11-20 23:59:59 ERROR could not connect to 127.0.0.1:6543 after 12s",
    ),
    (
        "src/app/list.go:153:49: branch.Sessions undefined",
        "other/worktree/app/list.go:160:2: branch.Sessions undefined",
    ),
    (
        "Error: ENOENT: no such file or directory, open '/tmp/tmpab12cd34/out.json'",
        "Error: ENOENT: no such file or directory, open '/var/folders/zz/T/tmpzz98yy76/out.json'",
    ),
    (
        "panic: runtime error at 0xc000123abc\ngoroutine 7",
        "panic: runtime error at 0xdeadbeef\ngoroutine 9",
    ),
    (
        "fatal: bad object 3f2a9c1d7e",
        "fatal: bad object 91bb02c4fd",
    ),
    (
        "\x1b[31mFAILED\x1b[0m tests/test_a.py::test_x - KeyError: 'a' [12.5ms]",
        "FAILED tests/test_a.py::test_x - KeyError: 'a' [9ms]",
    ),
    (
        "request 5d1e3c9a-0000-4000-8000-aaaaaaaaaaaa failed: timeout",
        "request 11111111-2222-4333-8444-bbbbbbbbbbbb failed: timeout",
    ),
]

DIFFERENT = [
    "ModuleNotFoundError: No module named 'yaml'",
    "ModuleNotFoundError: No module named 'toml'",
    "list.go:1:1: branch.Sessions undefined",
    "FAILED tests/test_a.py::test_x - KeyError: 'a'",
    "FAILED tests/test_a.py::test_y - KeyError: 'a'",
    "Request failed with status code 404",
    "Request failed with status code 500",
    "error TS2322: Type 'A' is not assignable to type 'B'",
    "error TS7006: Parameter 'p' implicitly has an 'any' type",
    "bash: alembic: command not found",
    "bash: cargo: command not found",
    "設定ファイルが見つかりません",
]


def error_signature(text: str) -> str | None:
    """Return the most specific line of the failure."""
    return next(iter(extract_error_lines(text)), None)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_failure_on_another_day_has_the_same_signature(one: str, other: str) -> None:
    signature = error_signature(one)

    assert signature
    assert signature == error_signature(other)


def test_different_failures_have_different_signatures() -> None:
    signatures = [error_signature(text) for text in DIFFERENT]

    assert len(set(signatures)) == len(DIFFERENT)


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        ("Exit code 3\noops", "oops"),
        ("Exit code 1\n\nRan 3 tests\n1 failed\nTypeError: x is null\n    at f (a.js:1)",
         "typeerror: x is null"),
        ("$ make\nmake: *** [all] Error 2\ncc: error: a.c: No such file", "cc: error: a.c: no such file"),
        ("error: expect(received).toBe(expected)\n(fail) cli > prints help [3ms]",
         "(fail) cli > prints help"),
    ],
)  # fmt: skip
def test_the_most_specific_line_is_chosen(text: str, signature: str) -> None:
    assert error_signature(text) == signature


@pytest.mark.parametrize("text", ["", "\n\n", "Exit code 1", "  ^^^^\n", "12345", "\x1b[31m"])
def test_an_output_without_an_error_has_no_signature(text: str) -> None:
    assert error_signature(text) is None


def test_a_signature_is_short_lower_case_and_on_one_line() -> None:
    signature = error_signature("Error: " + "Long Words Of Failure " * 100)

    assert signature is not None
    assert len(signature) <= MAX_SIGNATURE_LENGTH
    assert signature == signature.lower()
    assert "\n" not in signature


def test_the_lines_of_several_errors_are_returned_unchanged() -> None:
    text = "a.ts(1,2): error TS1: One\nb.ts(3,4): error TS2: Two\na.ts(9,9): error TS1: One\n"

    lines = extract_error_lines(text)

    assert list(lines.values()) == ["a.ts(1,2): error TS1: One", "b.ts(3,4): error TS2: Two"]


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "a.",
        "/a",
        "[a] ",
        "error ",
        "1:",
        "> ",
        "\x1b]",
        "エラー",
        "a1",
        "a=1-",
        "Error",
        "-",
        "(1",
    ],
)
def test_hostile_output_takes_time_in_proportion(unit: str) -> None:
    def seconds(size: int) -> float:
        text = (unit * 390)[:390] + "\n"
        text *= size
        begun = time.process_time()
        extract_error_lines(text)
        return time.process_time() - begun

    small = max(min(seconds(40) for _ in range(3)), 0.0005)

    assert min(seconds(160) for _ in range(3)) < small * 16
