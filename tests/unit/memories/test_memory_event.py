"""Check the rules that need no store: keys, texts, similarity, contradiction, and the event's form."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hooklore.errors import RecordInvalid
from hooklore.memories import content_lint, dedupe_key
from hooklore.memories.memory_event import MemoryEvent
from hooklore.prompt.pin_rule import extract_pin_text, pin_length_problem
from hooklore.records.record import Record
from hooklore.text.contradiction import extract_subjects
from hooklore.text.opposite_statements import is_contradiction
from hooklore.text.similarity import is_same_text, is_similar_text

PROTOCOL = Path(__file__).parents[2] / "fixtures" / "protocol"
KEYS = json.loads((PROTOCOL / "dedupe_keys.json").read_text("utf-8"))
NOW = datetime(2026, 2, 2, 12, tzinfo=UTC)
PERIODS = "- first point\n- second point\n"


def event(**changed: Any) -> dict[str, Any]:
    given = {
        "agent_id": "claude", "scope": "global", "kind": "fact", "confidence": "high",
        "content_md": "The press needs torque", "source": {"system": "cli"},
    }  # fmt: skip
    return {n: v for n, v in (given | changed).items() if v is not ...}


def problems(**changed: Any) -> str:
    with pytest.raises(RecordInvalid) as caught:
        MemoryEvent.read(event(**changed), NOW, registry="/home/me/config.toml")
    return str(caught.value)


# ---- keys


@pytest.mark.req("EV-13")
@pytest.mark.parametrize("key", KEYS["good"])
def test_the_seeds_good_keys_are_keys_without_a_warning(key: str) -> None:
    assert dedupe_key.validate_dedupe_key(key) is None
    assert dedupe_key.lint_dedupe_key(key) == []


@pytest.mark.req("EV-13")
def test_each_of_the_seeds_bad_keys_has_a_reason_of_its_own() -> None:
    weak, upper, foreign, long = KEYS["bad"]

    codes = [dedupe_key.validate_dedupe_key(key) for key in (upper, foreign, long)]

    assert [code and code[0] for code in codes] == [
        "dedupe_key_upper_case", "dedupe_key_not_ascii", "dedupe_key_too_long",
    ]  # fmt: skip
    assert dedupe_key.validate_dedupe_key(weak) is None
    assert dedupe_key.lint_dedupe_key(weak) == ["weak_key"]


@pytest.mark.req("EV-14")
def test_a_key_has_at_most_64_characters() -> None:
    assert dedupe_key.validate_dedupe_key("a" * 64) is None
    assert dedupe_key.validate_dedupe_key("a" * 65) == (
        "dedupe_key_too_long", "65 characters, at most 64",
    )  # fmt: skip


@pytest.mark.parametrize("key", ["a:b:c", "a b", "a.b", "a/b", ":a", "a:", "", "a\n"])
def test_what_has_another_form_is_no_key(key: str) -> None:
    assert dedupe_key.validate_dedupe_key(key) is not None


@pytest.mark.parametrize("key", ["x1", "test", "tmp-2", "config:foo", "deadbeef42", "note_1"])
def test_a_key_that_says_nothing_is_weak(key: str) -> None:
    assert "weak_key" in dedupe_key.lint_dedupe_key(key)


@pytest.mark.parametrize(
    "key", ["database", "gateway_auth_401_issue", "memory_protocol_v1", "uv-lock"]
)
def test_a_key_with_a_word_in_it_is_not_weak(key: str) -> None:
    assert dedupe_key.lint_dedupe_key(key) == []


def test_a_prefix_that_is_no_kind_is_warned_of() -> None:
    assert dedupe_key.lint_dedupe_key("settings:db_engine") == ["unknown_prefix"]


# ---- texts


def test_the_seeds_good_text_draws_no_warning_and_its_bad_one_does() -> None:
    good, bad = ((PROTOCOL / f"{n}_example.md").read_text("utf-8").strip() for n in ("good", "bad"))

    assert content_lint.lint_content_style(good) == []
    assert "style" in content_lint.lint_content_style(bad)


def test_1200_characters_are_fine_and_1201_too_long() -> None:
    assert "content_too_long" not in content_lint.lint_content_style("word " * 240)
    assert "content_too_long" in content_lint.lint_content_style("word " * 240 + "x")


@pytest.mark.parametrize(
    "text", ["\n\n".join(["a line"] * 6), "\n".join(["a line"] * 6), "word " * 80]
)
def test_long_or_many_paragraphs_are_no_style(text: str) -> None:
    assert "style" in content_lint.lint_content_style(text)


def test_bullets_are_not_counted_as_lines() -> None:
    assert content_lint.lint_content_style("What changed:\n" + PERIODS * 4) == []


KEEP = (
    "Answer in Japanese, short sentences.",
    "We use JWT because sessions did not scale (since 2026-01-10).",
    "Across our projects: pin the Python version in CI, or wheels differ.",
    "When the press stalls, raise `torque` in widgets.toml and run `make press` again.",
    "PRのタイトルは日本語にする。",
    "認証方式はJWTを採用。理由: セッションは水平分割できないため。",
    "The build fails on Python 3.10: match statements are used.",
    "TELEGRAM_BOT_TOKEN は ~/claude-telegram-bot/.env に保存（2026-02-02から有効）",
    "The retry limit of the gateway is 5.",
    "Files under legacy/ are never touched: they are generated.",
)
DROP = {
    "I am working on the login form": "work_in_progress",
    "Step 3 of 7 is done": "progress",
    "進捗: 60%完了": "progress",
    "The registry had a temporary error, it timed out": "temporary_error",
    "一時的なエラーメッセージが出た": "temporary_error",
    "The intermediate files are in /tmp/out": "intermediate",
    "作業中の中間成果物は out/ にある": "work_in_progress",
    "Probably the cache is stale": "guess",
    "キャッシュが原因かもしれない": "guess",
    "user: can you fix it?\nassistant: sure, I will\nuser: thanks": "chat_log",
    "word " * 200: "discussion",
}


@pytest.mark.parametrize("text", KEEP)
def test_what_is_worth_keeping_is_known(text: str) -> None:
    assert content_lint.find_rejection_reason(text) is None


@pytest.mark.parametrize(("text", "reason"), DROP.items())
def test_what_is_not_worth_keeping_has_a_reason(text: str, reason: str) -> None:
    assert content_lint.find_rejection_reason(text) == reason


def test_words_in_code_are_no_reason() -> None:
    assert content_lint.find_rejection_reason("`maybe` is the option type of the parser") is None


# ---- likeness and contradiction


@pytest.mark.req("WF-11")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The engine listens on port 8080", "Engine listening on port 8081"),
        ("テストは pytest で実行する", "テストはpytestで実行します"),
        ("PRのタイトルは日本語にする", "PRのタイトルを日本語にする"),
    ],
)
def test_near_duplicates_are_near_in_both_languages(one: str, other: str) -> None:
    assert is_similar_text(one, other)
    assert not is_same_text(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs for indentation", "The press needs torque"),
        ("テストは pytest で実行する", "本番の鍵は金庫にある"),
        ("The API returns JSON", "The UI is written in Elm"),
    ],
)
def test_other_statements_are_not_near(one: str, other: str) -> None:
    assert not is_similar_text(one, other)


@pytest.mark.parametrize("other", ["use TABS!", "  Use tabs. ", "Ｕｓｅ　ｔａｂｓ"])
def test_case_width_and_punctuation_are_no_difference(other: str) -> None:
    assert is_same_text("Use tabs", other)


@pytest.mark.req("RF-04")
@pytest.mark.parametrize(
    ("one", "other", "subject"),
    [
        (
            "Run `make lint` before each commit",
            "Never run `make lint` before a commit",
            "make lint",
        ),
        ("src/app.py holds 3 handlers", "src/app.py holds 5 handlers", "src/app.py"),
        ("`npm ci` を毎回使う", "`npm ci` を毎回使わない、禁止", "npm ci"),
    ],
)
def test_opposites_about_one_thing_contradict(one: str, other: str, subject: str) -> None:
    record = Record({"body": {"content_md": one}})

    assert subject in extract_subjects(record)
    assert is_contradiction(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Run `make lint` before each commit", "`make lint` needs ruff 0.9"),
        ("Run `make lint` before each commit", "Run `make lint` before each commit, please"),
        ("Run `make lint` locally", "Do not put secrets into `make lint` logs of CI"),
    ],
)
def test_two_rules_about_one_thing_need_not_clash(one: str, other: str) -> None:
    assert not is_contradiction(one, other)


# ---- pins


@pytest.mark.req("CO-02")
def test_a_pin_is_the_first_paragraph_and_at_most_two_lines() -> None:
    good = (PROTOCOL / "good_example.md").read_text("utf-8")
    record = Record({"body": {"content_md": good}})

    assert extract_pin_text(record) == good.split("\n", maxsplit=1)[0]
    assert pin_length_problem(record) is None
    assert "3 lines" in str(pin_length_problem(Record({"body": {"content_md": "a\nb\nc"}})))
    assert "columns" in str(pin_length_problem(Record({"body": {"content_md": "あ" * 121}})))


# ---- the event's form


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_seeds_examples_are_events(number: int) -> None:
    given = json.loads((PROTOCOL / f"example_{number}.json").read_text("utf-8"))

    found = MemoryEvent.read(given, NOW)

    assert {n: v for n, v in given.items() if v is not None}.items() <= found.to_json().items()


@pytest.mark.req("EV-02")
@pytest.mark.parametrize("agent", ["Claude", "grok", "", 5, None])
def test_an_agent_that_is_not_registered_is_told_which_are(agent: Any) -> None:
    told = problems(agent_id=agent)

    assert "agent_id: " in told
    if agent is not None:
        assert "chatgpt" in told
        assert "/home/me/config.toml" in told
    assert "grok" not in told


@pytest.mark.req("EV-04")
@pytest.mark.parametrize("scope", ["global", "project:memory-gateway", "agent:claude"])
def test_a_scope_of_three_forms(scope: str) -> None:
    assert MemoryEvent.read(event(scope=scope), NOW).scope == scope


@pytest.mark.req("EV-04")
@pytest.mark.parametrize(
    "scope",
    ["project:", "Project:x", "agent:nobody", "shared", "agent:", "project:A", "global:x", 7],
)
def test_no_other_scope(scope: Any) -> None:
    assert "scope: " in problems(scope=scope)


@pytest.mark.req("EV-05")
def test_nine_kinds_and_preference() -> None:
    nine = "decision config constraint workflow fact bug todo log deprecation".split()

    assert [MemoryEvent.read(event(kind=kind), NOW).kind for kind in nine] == nine
    told = problems(kind="idea")
    assert all(kind in told for kind in nine)


@pytest.mark.parametrize("confidence", ["medium", 0.9, "HIGH", True])
def test_no_other_confidence(confidence: Any) -> None:
    assert "must be one of high, med, low" in problems(confidence=confidence)


@pytest.mark.req("EV-08")
@pytest.mark.parametrize("source", [{}, {"system": "hook"}, {"system": None}, "cli", ["cli"]])
def test_a_source_has_one_of_four_systems(source: Any) -> None:
    assert "source: " in problems(source=source)


@pytest.mark.req("EV-10")
@pytest.mark.parametrize("days", [-1, 1.5, "7", True, 10**9])
def test_a_life_is_a_whole_number_of_days(days: Any) -> None:
    assert "ttl_days: " in problems(ttl_days=days)


@pytest.mark.req("EV-10")
def test_a_life_of_0_is_for_ever_and_90_days_end() -> None:
    assert MemoryEvent.read(event(ttl_days=0), NOW).expires_at is None
    ends = MemoryEvent.read(event(ttl_days=90), NOW).expires_at
    assert str(ends).startswith("2026-05-03T12:00:00")
    assert MemoryEvent.read(event(expires_at="2026-02-12T12:00:00Z"), NOW).ttl_days == 10


@pytest.mark.req("EV-10")
def test_a_life_and_another_end_are_refused() -> None:
    told = problems(ttl_days=90, expires_at="2026-03-01T00:00:00Z")

    assert "expires_at: it is another day" in told


@pytest.mark.parametrize(
    "field", ["id", "ts", "hash", "project", "waits", "approves", "trust", "natural_key"]
)
def test_what_the_broker_says_nobody_else_does(field: str) -> None:
    assert f"{field}: it is set by the broker" in problems(**{field: "x"})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content_md", ""), ("content_md", 5), ("content_md", "x" * 8001), ("tags", "a"),
        ("tags", [5]), ("tags", ["x"] * 99), ("paths", {}), ("supersedes", "zanzibar"),
        ("run_id", ""), ("basis", "gossip"), ("role", "zanzibar"), ("visibility", "zanzibar"),
        ("stake", "zanzibar"), ("is_private", []), ("expires_at", "tomorrow zanzibar"),
        ("dedupe_key", 5), ("dedupe_key", "Zanzibar"), ("idempotency_key", []),
    ],
)  # fmt: skip
def test_every_wrong_field_is_named_and_never_its_value(field: str, value: Any) -> None:
    told = problems(**{field: value})

    assert f"{field}: " in told
    assert "zanzibar" not in told.lower()


def test_everything_wrong_is_said_at_once() -> None:
    told = problems(kind="x", scope="y", confidence=1, source=...)

    assert all(f"{name}: " in told for name in ("kind", "scope", "confidence", "source"))


@pytest.mark.req("WF-18")
def test_the_entry_form_is_the_same_event_by_other_names() -> None:
    found = MemoryEvent.read(
        {
            "key": "api-auth-decision", "content": "JWT", "tags": ["api"], "caller_agent_id": "claude",
            "scope": "global", "kind": "decision", "source": {"system": "other"},
        },
        NOW,
    )  # fmt: skip

    assert (found.dedupe_key, found.extra("content_md"), found.agent_id) == (
        "api-auth-decision", "JWT", "claude",
    )  # fmt: skip


# ---- titles and phrases


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", ""), ("title", "x" * 51), ("title", "x" * (1 << 20)), ("title", ["x"]),
        ("when", "prices"), ("when", ["x"] * 9), ("when", ["ab"]), ("when", ["x" * 61]),
        ("when", ["how much"] * 10_000), ("when", ["x" * (1 << 20)]), ("when", [5]),
        ("when", [f"{n} " + "x" * 50 for n in range(8)]),
        ("contradicts", "zanzibar"), ("through", "claude"),
    ],
)  # fmt: skip
def test_a_wrong_title_or_phrase_is_named_and_never_its_value(field: str, value: Any) -> None:
    told = problems(**{field: value})

    assert told.count(f"{field}") >= 1
    assert "x" * 20 not in told
    assert len(told) < 2_000


@pytest.mark.parametrize(
    "phrase", ["the press needs torque", "Press needs TORQUE!", "torque the press needs"]
)
def test_a_phrase_that_only_repeats_the_text_is_refused_with_the_reason(phrase: str) -> None:
    told = problems(when=["which limit for the bolts", phrase])

    assert "when[1]: it only repeats the text" in told
    assert "when[0]" not in told


def test_phrases_with_words_of_their_own_are_kept() -> None:
    phrases = ["bolts come loose", "プレスのボルト", "torque limit"]

    assert MemoryEvent.read(event(when=phrases, title="press"), NOW).extra("when") == phrases
