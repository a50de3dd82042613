"""Files that a memory's `paths` match."""

import pytest

from hooklore.text.path_globs import extract_file_paths, matches_path_glob

pytestmark = pytest.mark.req("SK-11")


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("crates/protocol/**", "crates/protocol/frame.rs"),
        ("crates/protocol/**", "crates/protocol/src/deep/frame.rs"),
        ("crates/protocol", "crates/protocol/src/frame.rs"),
        ("crates/protocol/", "crates/protocol/src/frame.rs"),
        ("gen/*.py", "gen/api.py"),
        ("./gen/*.py", "gen/api.py"),
        ("**/*.sql", "schema.sql"),
        ("**/*.sql", "db/migrations/1.sql"),
        ("*.sql", "db/migrations/1.sql"),
        ("migrations", "db/migrations/1.sql"),
        ("src/**/test_*.py", "src/test_a.py"),
        ("src/**/test_*.py", "src/a/b/test_a.py"),
        ("**", "a/b"),
        ("設計/**", "設計/図.md"),
    ],
)
def test_a_glob_matches_these_files(glob: str, path: str) -> None:
    assert matches_path_glob(["never/this", glob], path)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("crates/protocol/**", "crates/protocols/frame.rs"),
        ("crates/protocol/**", "crates/server/frame.rs"),
        ("crates/protocol/**", "vendor/crates/protocol/frame.rs"),
        ("gen/*.py", "gen/deep/api.py"),
        ("gen/*.py", "gen/api.pyi"),
        ("*.sql", "schema.sqlite"),
        ("src/**/test_*.py", "src/a/b/a.py"),
        ("", "a"),
        ("a", ""),
    ],
)
def test_a_glob_does_not_match_these_files(glob: str, path: str) -> None:
    assert not matches_path_glob([glob], path)


def test_many_stars_take_no_longer_than_few() -> None:
    glob, path = "/".join(["**", "*a*b*a"] * 15), "/".join(["ab" * 100] * 500)

    assert matches_path_glob([glob + "/*never*"], path) is False


def test_the_files_that_a_prompt_names_are_found() -> None:
    text = "Fix crates/protocol/frame.rs and Makefile.am, see docs/api. Not 1.5 or e.g. this/that?"

    assert extract_file_paths(text) == [
        "crates/protocol/frame.rs",
        "Makefile.am",
        "docs/api",
        "e.g",
        "this/that",
    ]
