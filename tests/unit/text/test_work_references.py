"""References by which a text names a piece of work."""

import time

import pytest

from hooklore.text.work_references import (
    MAX_REFERENCES,
    branch_references,
    document_reference,
    find_branch_names,
    find_work_references,
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("fix ENT-53 and OPS-7", ("ENT-53", "OPS-7")),
        ("ENT-53の続き", ("ENT-53",)),
        ("see PR 12, issue #7, GH-9 and !31", ("#12", "#7", "#9", "#31")),
        ("https://github.com/acme/mill/pull/46#discussion_r1", ("#46",)),
        ("https://git.example.com/acme/mill/-/merge_requests/8", ("#8",)),
        ("read @docs/plans/mill.md and /home/x/mill/docs/plans/mill.md", ("plans/mill.md",)),
        ("https://docs.python.org/3/library/csv.html?x=1#top.", ("docs.python.org/3/library/csv.html",)),
        ("pr 227", ("#227",)),
    ],
)  # fmt: skip
def test_a_text_names_these_pieces_of_work(text: str, names: tuple[str, ...]) -> None:
    assert find_work_references(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "UTF-8, SHA-256 and ISO-8601",
        "#3 in the list",
        "README.md and CLAUDE.md",
        "https://example.com",
        "version 1.2.3, issue 4.5",
        "the colour #ffcc00",
        "src/mill.py",
        "CVE-2024-1234",
        " ".join(f"ENT-{number}" for number in range(MAX_REFERENCES + 1)),
    ],
)
def test_a_text_names_no_piece_of_work(text: str) -> None:
    assert find_work_references(text) == ()


@pytest.mark.parametrize(
    ("branch", "names"),
    [
        ("fix/ent-53-empty-list", ("ENT-53",)),
        ("ada/OPS-7", ("OPS-7",)),
        ("feat/6-provider", ()),
        ("main", ()),
    ],
)
def test_a_branch_is_named_after_a_ticket(branch: str, names: tuple[str, ...]) -> None:
    assert branch_references(branch) == names


def test_a_document_counts_with_its_folder() -> None:
    assert document_reference("docs/plans/mill.md") == "plans/mill.md"
    assert document_reference("README.md") is None
    assert document_reference("src/mill.py") is None


def test_words_that_may_name_a_branch_are_found() -> None:
    assert find_branch_names("merge feat/quoted-fields, then empty-list.") == [
        "feat/quoted-fields",
        "empty-list",
    ]


@pytest.mark.parametrize(
    "part", ["a/", "/", "A-", "-", "#1", "@", "x.~@+-", "http://", "PR1.1", "a.", "_"]
)
def test_no_text_takes_long(part: str) -> None:
    text = part * (16_384 // len(part))
    began = time.process_time()

    find_work_references(text)
    find_branch_names(text[:4_000])

    assert time.process_time() - began < 0.2
