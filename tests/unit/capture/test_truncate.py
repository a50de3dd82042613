import pytest

from hooklore.capture.composition import Parts, cut_parts
from hooklore.capture.excluded_folders import matches_globs

GLOBS = (".env*", "*.pem", "id_*", "node_modules/**")


@pytest.mark.parametrize(
    ("path", "matched"),
    [
        ("/repo/.env", True),
        (".env.local", True),
        ("/repo/a/b/key.pem", True),
        ("/home/u/.ssh/id_rsa", True),
        ("/repo/node_modules/a/b.js", True),
        ("/repo/environment.py", False),
        ("/repo/a.env", False),
        ("/repo/node_modules.txt", False),
        ("/repo/src/pem.py", False),
        ("", False),
    ],
)
def test_a_glob_means_a_name_or_a_folder_on_the_way(path: str, matched: bool) -> None:
    assert matches_globs(path, GLOBS) is matched


def test_no_globs_match_nothing() -> None:
    assert not matches_globs("/repo/.env", ())


def test_an_error_far_from_both_ends_is_not_looked_for() -> None:
    text = "a " * 100_000 + "middle " + "b " * 100_000

    parts = Parts()
    parts.add_ends("ends", text)
    seen = parts.windows()[0]["ends"]

    assert "middle" not in seen
    assert seen.startswith("a a")
    assert seen.endswith("b b ")


def test_nothing_is_said_of_what_was_not_cut() -> None:
    parts = Parts()
    parts.add("stdout", "short")

    assert cut_parts(*parts.windows()) == ({"stdout": "short"}, {})


def test_one_endless_word_leaves_nothing_and_says_so() -> None:
    parts = Parts()
    parts.add("stdout", "x" * 100_000)

    assert cut_parts(*parts.windows()) == ({}, {"stdout": 100_000})
