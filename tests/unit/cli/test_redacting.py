"""`hooklore redact` prints one line for each line of stdin, and opens no store."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.conftest import Printed, Run

SECRET = "tig" + "er7" + "Zq19"


@pytest.fixture
def redact(hooklore: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs `hooklore redact` on lines of stdin."""

    def run(*lines: bytes) -> Printed:
        given = io.TextIOWrapper(io.BytesIO(b"\n".join(lines)))
        monkeypatch.setattr("sys.stdin", given)
        return hooklore("redact")

    return run


def line(text: str) -> bytes:
    return json.dumps({"text": text}).encode()


def test_each_line_is_answered_by_its_text_masked_and_what_was_found(redact: Run) -> None:
    printed = redact(line(f"password={SECRET} now"), line("nothing here"))

    assert printed.rc == 0
    assert printed.records == [
        {
            "text": "password=[REDACTED:assigned] now",
            "findings": [{"rule": "assigned", "start": 9, "end": 19}],
        },
        {"text": "nothing here", "findings": []},
    ]


def test_offsets_count_characters_of_the_text_that_came_in(redact: Run) -> None:
    text = f"日本語😀 password={SECRET}"

    (answer,) = redact(line(text)).records

    (found,) = answer["findings"]
    assert text[found["start"] : found["end"]] == SECRET


@pytest.mark.parametrize(
    "damaged",
    [
        b"", b"{", b"[]", b"null", b'"text"', b'{"text": 7}', b'{"txt": "a"}', b"\xff\xfe",
        b'{"text": "a"} x', b"[" * 100_000, b'{"text": ["a"]}',
    ],
)  # fmt: skip
def test_a_damaged_line_is_an_error_in_its_place(redact: Run, damaged: bytes) -> None:
    printed = redact(line("one"), damaged, line("two"))

    first, error, second = printed.records
    assert printed.rc == 1
    assert (first["text"], second["text"]) == ("one", "two")
    assert list(error) == ["error"]
    assert printed.err == ""


def test_half_a_character_and_nul_pass(redact: Run) -> None:
    printed = redact(b'{"text": "a\\ud800b\\u0000"}', line("two"))

    assert printed.rc == 0
    assert [answer["text"] for answer in printed.records] == ["a\ud800b\x00", "two"]


def test_more_fields_are_let_go(redact: Run) -> None:
    (answer,) = redact(b'{"id": 7, "text": "a", "label": "b"}').records

    assert answer == {"text": "a", "findings": []}


def test_nothing_in_is_nothing_out(redact: Run) -> None:
    printed = redact()

    assert (printed.rc, printed.out) == (0, "")


def test_each_answer_comes_before_the_next_line_is_asked_for(home: Path) -> None:
    with subprocess.Popen(
        [str(Path(sys.executable).parent / "hooklore"), "redact"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"HOME": str(home), "PATH": ""},
    ) as process:  # fmt: skip
        answers: list[Any] = []
        assert process.stdin
        assert process.stdout
        for text in ("one", f"password={SECRET}", "three"):
            process.stdin.write(line(text) + b"\n")
            process.stdin.flush()
            answers.append(json.loads(process.stdout.readline())["text"])
        process.stdin.close()

        assert answers == ["one", "password=[REDACTED:assigned]", "three"]
        assert process.wait() == 0
    assert list(home.iterdir()) == []


def test_a_reader_that_left_ends_it_quietly(home: Path) -> None:
    command = (
        f"yes '{line('one').decode()}' | {Path(sys.executable).parent}/hooklore redact | head -1"
    )

    done = subprocess.run(
        ["/bin/sh", "-c", command], capture_output=True, env={"HOME": str(home), "PATH": "/usr/bin:/bin"}
    )  # fmt: skip

    assert json.loads(done.stdout)["text"] == "one"
    assert done.stderr == b""
