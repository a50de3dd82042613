import time

import pytest

from hooklore.failures.error_signature import (
    MAX_SIGNATURE_LENGTH,
    candidate_lines,
    extract_error_lines,
    extract_passing_errors,
)
from hooklore.records.record import Body

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
        "@a/b:c: ",
        "a-1 | ",
        "[a:b] ",
        "a\tb\t",
        "panicked at ",
        "1%|",
        "at a (a.b:1)",
        'File "a", line 1, in ',
        "FAILED ",
        "a.go:1: ",
        "no a found",
        "2026-01-03 10:00 ",
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


PYTEST = """\
____________________________ test_paper_is_counted ____________________________
tests/test_mill.py:14: in test_paper_is_counted
    assert mill.count(paper) == 3
src/mill/count.py:41: in count
    return reel["sheets"]
E   KeyError: 'sheets'
=========================== short test summary info ===========================
FAILED tests/test_mill.py::test_paper_is_counted - KeyError: 'sheets'
1 failed, 11 passed in 0.41s
"""
GO = """\
=== RUN   TestRoll
--- FAIL: TestRoll (0.01s)
    roll_test.go:18: opening the reel
    roll_test.go:22: Width() = 3, want 4
FAIL
FAIL\texample.com/mill/roll\t0.02s
"""
GO_VERBOSE = """\
=== RUN   TestRoll
    roll_test.go:18: opening the reel
    roll_test.go:22: Width() = 3, want 4
--- FAIL: TestRoll (0.01s)
FAIL
"""
BUN = """\
mill.test.ts:
error: expect(received).toBe(expected)
(fail) mill > rolls paper [0.52ms]
TypeError: reel.unwind is not a function
      at roll (/home/a/mill/src/roll.ts:12:9)
      at <anonymous> (/home/a/mill/node_modules/x/y.js:1:1)
(fail) mill > unwinds [0.61ms]
"""
JEST = """\
  ● mill › rolls paper

    TypeError: reel.unwind is not a function

      at Object.<anonymous> (node_modules/jest/a.js:3:3)
      at roll (src/roll.js:12:9)
"""
RUST = """\
---- tests::rolls stdout ----
thread 'tests::rolls' panicked at src/lib.rs:10:5:
the reel is empty
"""
PYTHON = """\
Traceback (most recent call last):
  File "/home/a/mill/main.py", line 9, in <module>
    roll()
  File "/home/a/mill/src/mill/roll.py", line 31, in roll
    json.loads(text)
  File "/usr/lib/python3.12/json/__init__.py", line 346, in loads
    return _default_decoder.decode(s)
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
"""
PANIC = """\
panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
main.roll(...)
\t/usr/local/go/src/runtime/panic.go:88 +0x1a
\t/home/a/mill/cmd/roll.go:12 +0x1d
"""
JAVA = """\
Exception in thread "main" java.lang.IllegalStateException: the reel is empty
\tat java.base/java.util.Optional.get(Optional.java:143)
\tat org.mill.Roll.turn(Roll.java:31)
"""


UNITTEST = """\
======================================================================
ERROR: test_rolls (tests.test_mill.Rolls.test_rolls)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/home/a/mill/tests/test_mill.py", line 9, in test_rolls
    roll(None)
  File "/home/a/mill/src/mill.py", line 3, in roll
    return reel + 1
TypeError: no reel to roll

======================================================================
FAIL: test_stops (tests.test_mill.Rolls.test_stops)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/home/a/mill/tests/test_mill.py", line 16, in test_stops
    self.assertEqual(1, 2)
AssertionError: 1 != 2

Ran 3 tests in 0.001s

FAILED (failures=1, errors=1)
"""
ASSERTED = """\
    def test_rolls():
>       assert roll(1) == 4
E       assert 3 == 4
E        +  where 3 = roll(1)

tests/test_mill.py:5: AssertionError
=========================== short test summary info ===========================
FAILED tests/test_mill.py::test_rolls - assert 3 == 4
"""
EXPECTED = """\
FAIL src/roll.test.js
  ● mill › rolls paper

    expect(received).toBe(expected)

    Expected: 3
    Received: 4
"""


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (UNITTEST, ["typeerror: no reel to roll", "error: test_rolls (tests.test_mill.rolls.test_rolls)"]),
        (UNITTEST, ["assertionerror: # !=", "fail: test_stops (tests.test_mill.rolls.test_stops)"]),
        (ASSERTED, ["assert # ==", "failed test_mill.py::test_rolls - assert # =="]),
        (EXPECTED, ["mill › rolls paper", "expect(received).tobe(expected)"]),
        (PYTEST, ["keyerror: 'sheets'",
                  "failed test_mill.py::test_paper_is_counted - keyerror: 'sheets'"]),
        (GO, ["roll_test.go: width() = #, want", "fail: testroll"]),
        (GO_VERBOSE, ["roll_test.go: width() = #, want", "fail: testroll"]),
        (BUN, ["(fail) mill > rolls paper", "error: expect(received).tobe(expected)"]),
        (BUN, ["typeerror: reel.unwind is not a function", "(fail) mill > unwinds"]),
        (JEST, ["typeerror: reel.unwind is not a function", "mill › rolls paper"]),
        (RUST, ["the reel is empty", "tests::rolls stdout"]),
    ],
)  # fmt: skip
def test_a_failed_test_comes_with_its_error(text: str, lines: list[str]) -> None:
    found = [line.rstrip(" #-") for line in extract_error_lines(text)]

    at = found.index(lines[0])
    assert found[at : at + len(lines)] == lines


@pytest.mark.parametrize(
    ("text", "exception", "frame"),
    [
        (PYTEST, "keyerror: 'sheets'", "count.py"),
        (RUST, "the reel is empty", "lib.rs"),
        (UNITTEST, "typeerror: no reel to roll", "mill.py"),
        (ASSERTED, "assert # ==", "test_mill.py: assertionerror"),
        (PYTHON, "json.decoder.jsondecodeerror: expecting value: line # column # (char #)", "roll.py"),
        (BUN, "typeerror: reel.unwind is not a function", "roll.ts"),
        (JEST, "typeerror: reel.unwind is not a function", "roll.js"),
        (PANIC, "panic: runtime error: index out of range [#] with length", "roll.go"),
        (JAVA, "exception in thread 'main' java.lang.illegalstateexception: the reel is empty", "roll.java"),
    ],
)  # fmt: skip
def test_an_exception_comes_with_its_frame_in_the_project(
    text: str, exception: str, frame: str
) -> None:
    found = [line.rstrip(" #") for line in extract_error_lines(text)]

    assert exception in found
    assert [line for line in found if line != exception and frame in line]
    assert not any(
        foreign in line for line in found for foreign in ("__init__", "panic.go", "optional")
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("@mill/press:test: ok 1\n@mill/press:test: error: no torque\n@mill/press:test: done",
         "error: no torque"),
        ("@mill/press test: a\n@mill/press test: b\n@mill/press test: error: no torque",
         "error: no torque"),
        ("press-1  | up\npress-1  | error: no torque\npress-1  | down", "error: no torque"),
        ("[press:go] a\n[press:go] b.go:3:4: unused reel\n[press:go] c", "b.go: unused reel"),
        ("roll 10%|███       |\rroll 90%|█████████ |\rerror: no torque", "error: no torque"),
        ('#8 3.2 npm ERR! no torque\n#8 ERROR: process "/bin/sh" did not complete: exit code: 1',
         "npm err! no torque"),
        ("TypeError [ERR_REEL]: no torque", "typeerror [err_reel]: no torque"),
        ("\x1b[31m\x1b[1merror\x1b[0m: no torque", "error: no torque"),
        ("2026-01-03T10:00:01.5Z ERROR: no torque\n", "error: no torque"),
        ("│ error: no torque          │", "error: no torque"),
        (r"C:\Users\a\mill\src\roll.py:31: error: no torque", "roll.py: error: no torque"),
        (r"Could not open 'C:\Users\a\mill\reel.toml': access denied", "could not open 'reel.toml': access denied"),
        ("hint: use the other reel\nwarning: no such file: a\nfatal: no torque", "fatal: no torque"),
        ("エラー: 用紙がありません", "エラー: 用紙がありません"),
        ("用紙を数えています\n致命的: 巻き取りに失敗しました", "致命的: 巻き取りに失敗しました"),
        ("bash: torque: コマンドが見つかりません", "bash: torque: コマンドが見つかりません"),
        ("BUILD\n[ERROR] the press has no torque\nTime: 3 s", "the press has no torque"),
        ("error: a page was not found\nRoll.kt: (3, 4): x\nentry b not found", "error: a page was not found"),
    ],
)  # fmt: skip
def test_what_surrounds_an_error_is_left_out(text: str, line: str) -> None:
    assert error_signature(text) == line


@pytest.mark.parametrize("text", ["\n".join(f"sheet {n} of the reel {'x' * n}" for n in range(9))])
def test_a_long_output_that_reports_nothing_has_no_signature(text: str) -> None:
    assert extract_error_lines(text) == {}


@pytest.mark.parametrize(
    "text",
    ["x" * (1 << 20), "error: no torque\n" * 60_000, bytes(range(256)).decode("latin-1") * 4096],
    ids=["one line", "a mebibyte", "binary"],
)
def test_an_output_of_any_size_and_kind_takes_little_time(text: str) -> None:
    begun = time.process_time()

    found = extract_error_lines(text)

    assert time.process_time() - begun < 1.0
    assert len(found) <= 8
    assert all(len(line) <= MAX_SIGNATURE_LENGTH for line in found)


def test_lines_recorded_by_an_older_version_have_the_form_of_today() -> None:
    line = "@mill/press:test: error: no torque at /home/a/mill/roll.py"
    older = Body.of(errors=[line], signature="press:test: error: no torque at roll.py")

    assert candidate_lines(older) == ["error: no torque at roll.py"]
    assert candidate_lines(Body.of(signature=older.signature)) == ["error: no torque at roll.py"]
    assert candidate_lines(Body.of()) == []


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("12 passed, 0 failed", []),
        ("ok\n" * 300, []),
        ("✓ a\nerror: the reel is gone\n✓ b\nRollError: x\n" + "✓ c\n" * 300,
         ["error: the reel is gone", "RollError: x"]),
        ("\n".join(f"error: reel {'x' * n} is gone" for n in range(99)),
         [f"error: reel {'x' * n} is gone" for n in range(8)]),
    ],
)  # fmt: skip
def test_an_output_that_passed_tells_the_errors_that_it_expects(
    text: str, errors: list[str]
) -> None:
    found = extract_passing_errors(text)

    assert [" ".join(line.split()) for line in found] == [" ".join(e.split()) for e in errors]
