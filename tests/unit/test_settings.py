"""A `config.toml` with errors: each drops itself alone, and what limits recording is read strictly."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from hooklore.config import NOTHING_KEPT, Settings, load_settings

CLOSED = ("off", "off", "off")
OPEN = ("full", "full", "full")


def loaded(tmp_path: Path, text: str | bytes) -> Settings:
    path = tmp_path / "config.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_settings(path)


def modes(settings: Settings) -> tuple[str, str, str]:
    found = settings.sessions
    return found.interactive, found.headless, found.subagents


EVERY_ERROR = """
strict = true
unknown = 1
debug = "perhaps"
capture = { reads = true, exclude_projects = ["/h/secret"], frequency = 3 }
[sessions]
headless = "never"
[curated]
run_limit = 0
unused_days = 30
[importance]
novelty = 2.0
[wake_up]
line = "You must remember."
verbose = true
[recall]
brief_tokens = 900
guard = "sometimes"
[no_such_table]
key = 1
"""


def test_every_error_drops_itself_alone_and_is_named(tmp_path: Path) -> None:
    found = loaded(tmp_path, EVERY_ERROR)

    assert (found.strict, found.capture.reads, found.curated.unused_days) == (True, True, 30)
    assert (found.recall.brief_tokens, found.wake_up.verbose) == (900, True)
    assert found.capture.exclude_projects == ("/h/secret",)
    assert (found.curated.run_limit, found.recall.guard, found.debug) == (7, False, False)
    assert modes(found) == ("full", "off", "full")
    assert {problem.key for problem in found.problems} == {
        "unknown", "debug", "capture.frequency", "sessions.headless", "curated.run_limit",
        "importance.novelty", "wake_up.line", "recall.guard", "no_such_table",
    }  # fmt: skip


@pytest.mark.parametrize(
    "content",
    [
        "strict = true\nstrict = false\n", "[capture\n", "exclude = [", b"\xff\xfe", "a = " + "[" * 9_000,
        b"#" * ((1 << 20) + 1), "\x00",
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_lets_nothing_be_recorded(
    tmp_path: Path, content: str | bytes
) -> None:
    found = loaded(tmp_path, content)

    assert found.sessions == NOTHING_KEPT
    assert len(found.problems) == 1


@pytest.mark.parametrize(
    "text",
    [
        'capture.exclude_projects = "/h/secret"', 'capture.exclude_projects = ["/h/secret", 1]',
        'capture.exclude_project = ["/h/secret"]', 'exclude_projects = ["/h/secret"]',
        '[captures]\nexclude_projects = ["/h/secret"]', 'capture.Exclude-Projects = "/h/secret"',
        '[recall]\nexclude_projects = ["/h/secret"]',
    ],
)  # fmt: skip
def test_an_exclusion_in_another_form_or_place_still_excludes(tmp_path: Path, text: str) -> None:
    found = loaded(tmp_path, text)

    assert "/h/secret" in found.capture.exclude_projects
    assert modes(found) == OPEN
    assert found.problems


@pytest.mark.parametrize(
    "text",
    [
        "capture.exclude_projects = true", "capture.exclude_projects = { path = '/h/secret' }",
        "capture.exclude_projects = [['/h/secret']]", "capture = 7", "sessions = 7",
        "capture.exclude_projects = [{ path = '/h' }]", "sessions = 'none'",
    ],
)  # fmt: skip
def test_an_exclusion_that_cannot_be_read_may_cover_everything(tmp_path: Path, text: str) -> None:
    assert modes(loaded(tmp_path, text)) == CLOSED


@pytest.mark.parametrize("table", ["wake_up.line", "curated.ruleset_stamp"])
def test_a_text_for_terminals_and_models_has_no_control_characters(
    tmp_path: Path, table: str
) -> None:
    settings = loaded(tmp_path, f'{table} = "a\\u001b[2Jb"')

    assert [problem.key for problem in settings.problems] == [table]


def test_files_to_leave_out_that_cannot_be_read_are_all_files(tmp_path: Path) -> None:
    default = Settings().capture.exclude

    assert loaded(tmp_path, "capture.exclude = true").capture.exclude == (*default, "**")
    assert loaded(tmp_path, "capture.exclude = '*.key'").capture.exclude == (*default, "*.key")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[sessions]\nheadles = 'off'", ("full", "off", "full")),
        ("[session]\nsubagents = 'record'", ("full", "full", "record")),
        ("[sessions]\ninteractive = 'record'\ninteractiv = 'full'", ("record", "full", "full")),
        ("[sessions]\nheadless = ['record']", ("full", "off", "full")),
        ("headless = 'off'", ("full", "off", "full")),
        ("sessions = 'record'", ("record", "record", "record")),
        ("[sessions]\ncolour = 'off'", ("off", "off", "off")),
        ("[sessions]\ncolour = 'full'", OPEN),
    ],
)
def test_a_mode_of_sessions_is_never_wider_than_it_was_meant(
    tmp_path: Path, text: str, expected: tuple[str, ...]
) -> None:
    assert modes(loaded(tmp_path, text)) == expected


def test_a_value_of_every_type_in_every_place_never_raises(tmp_path: Path) -> None:
    values = ("1", "nan", "true", "'x'", "[]", "[1]", "[[]]", "{ x = 1 }", "1979-05-27")
    sections = {name: type(value) for name, value in Settings() if isinstance(value, BaseModel)}
    keys = [f"{name}.{key}" for name, kind in sections.items() for key in kind.model_fields]

    for key in (*Settings.model_fields, *keys, "unknown", "capture.x", "x.y.z", "'é'.''"):
        for value in values:
            loaded(tmp_path, f"{key} = {value}\n")
