"""The answers of `hooklore remember` about titles, phrases, near memories and named conflicts."""

import pytest

from tests.unit.cli.conftest import Memory, Run

TEXT = "The kestrel gateway listens on port 7341"


def test_the_answer_names_near_memories_and_says_how_to_add_phrases(
    hooklore: Run, memory: Memory
) -> None:
    first = hooklore("remember", TEXT, "--key", "config:port", "--title", "gateway port", "--json")
    (known,) = first.records

    printed = hooklore("remember", "The kestrel gateway is restarted at night")

    assert f"near: {known['id']} (config:port): gateway port" in printed.err
    assert "no_when: " in printed.err
    assert known["no_when"]
    assert known["near"] == []


def test_with_phrases_nothing_is_asked_for(hooklore: Run, memory: Memory) -> None:
    (said,) = hooklore("remember", TEXT, "--when", "connection refused locally", "--json").records

    assert "no_when" not in said


def test_labels_without_use_are_left_out_and_named_and_the_memory_is_kept(
    hooklore: Run, memory: Memory
) -> None:
    printed = hooklore(
        "remember", TEXT, "--when", "kestrel gateway listens on port", "--when", "綴り", "--when", "ci",
        "--title", "where the gateway of the kestrel project listens for its clients", "--key", "labels.dpi",
    )  # fmt: skip

    assert printed.rc == 0
    assert printed.out.count("left out: ") + printed.out.count("changed: ") == 4
    for named in (
        "phrase “kestrel gateway listens on port”: it adds no word to the text", "phrase “ci”: it has fewer",
        "title: cut to “where the gateway of the kestrel project listens…”",
        "key “labels.dpi”: kept as `labels-dpi`",
    ):  # fmt: skip
        assert named in printed.out
    (kept,) = [r for r in memory.records() if r["stream"] == "memory"]
    assert kept["dedupe_key"] == "labels-dpi"
    assert kept["body"]["when"] == ["綴り"]
    assert kept["body"]["title"] == "where the gateway of the kestrel project listens…"
    assert TEXT in hooklore("get", "labels.dpi").out


def test_a_secret_in_a_title_or_a_phrase_is_refused_as_in_the_text(
    hooklore: Run, memory: Memory
) -> None:
    secret = "ghp_" + "x7Kq" * 9

    printed = hooklore("remember", TEXT, "--title", secret)
    also = hooklore("remember", TEXT, "--when", secret)

    assert (printed.rc, also.rc) == (1, 1)
    assert not memory.broker.place.log.exists()


def test_a_named_conflict_is_open_until_a_person_settles_it(hooklore: Run, memory: Memory) -> None:
    (first,) = hooklore("remember", TEXT, "--json").records

    (second,) = hooklore(
        "remember", "Requests to it are answered on 7342", "--conflicts", first["id"], "--json"
    ).records

    assert second["status"] == "conflict"
    assert second["conflict"] in hooklore("conflicts").out
    assert hooklore("resolve", second["conflict"], "--keep", "A").rc == 0
    assert second["conflict"] not in hooklore("conflicts").out


def test_a_conflict_with_nothing_that_is_known_is_refused(hooklore: Run, memory: Memory) -> None:
    printed = hooklore("remember", TEXT, "--conflicts", "01890000-0000-7000-8000-000000000000")

    assert printed.rc == 1
    assert "contradicts: no memory has this id" in printed.err


def test_titles_and_phrases_take_no_part_in_telling_the_same_from_the_new(
    hooklore: Run, memory: Memory
) -> None:
    label = ("--title", "gateway port", "--when", "connection refused locally")
    hooklore("remember", TEXT, *label)

    (other,) = hooklore("remember", "Invoices are numbered without gaps", *label, "--json").records
    (same,) = hooklore("remember", TEXT, "--json").records

    assert other["similar"] == []
    assert same["status"] == "duplicate"


@pytest.mark.parametrize("title", ["api of the gateway", "the port of the gateway"])
def test_the_same_text_with_another_title_gives_the_memory_that_title(
    hooklore: Run, memory: Memory, title: str
) -> None:
    hooklore("remember", TEXT, "--title", "gateway port")

    (again,) = hooklore("remember", TEXT, "--title", title, "--json").records

    assert again["status"] == "updated"
    (listed,) = hooklore("list", "--json").records
    assert listed["body"]["title"] == title
