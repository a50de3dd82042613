"""Decisions, unresolved points and next actions of an agent's final answer."""

import pytest

from hooklore.text.answer_sections import AnswerSections, extract_answer_sections

ENGLISH = """\
The widget tests pass again.

## Decisions
- Use **orjson** for the log
- Keep the index disposable

### Known issues
1. The press is flaky on ARM
2. None

**Next steps:**
- [ ] Oil the press
- [x] Write the test
- Tag the release

That is all."""

JAPANESE = """\
テストを直しました。

■決定事項
・ログはorjsonで書く

## 未解決
- ARMでプレスが不安定

### 次にやること
1. リリースにタグを付ける

以上です。"""


def test_what_stands_under_headings_is_taken() -> None:
    found = extract_answer_sections(ENGLISH)

    assert found == AnswerSections(
        ("Use orjson for the log", "Keep the index disposable"),
        ("The press is flaky on ARM",),
        ("Oil the press", "Tag the release"),
        done=("The widget tests pass again", "Write the test"),
        listed=2,
    )


def test_japanese_headings_are_known() -> None:
    found = extract_answer_sections(JAPANESE)

    assert found == AnswerSections(
        ("ログはorjsonで書く",),
        ("ARMでプレスが不安定",),
        ("リリースにタグを付ける",),
        done=("テストを直しました",),
        listed=1,
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "Decision: keep SQLite",
        "**Decision:** keep SQLite",
        "I decided to keep SQLite.",
        "We settled on SQLite for the catalog.",
        "SQLiteを使うことにしました。",
        "カタログはSQLiteに決めました。",
        "決定: SQLiteを使う",
    ],
)
def test_a_decision_in_a_sentence(sentence: str) -> None:
    assert len(extract_answer_sections(f"The work is done. \n\n{sentence}").decisions) == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "Unresolved: the press is flaky",
        "I could not reproduce the crash.",
        "未解決: プレスが不安定",
        "クラッシュは再現できていません。",
    ],
)
def test_an_unresolved_point_in_a_sentence(sentence: str) -> None:
    assert len(extract_answer_sections(f"The work is done.\n{sentence}").unresolved) == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "Next step: tag the release",
        "Next, I will tag the release.",
        "TODO: tag the release",
        "残り: リリースにタグを付ける",
        "次はリリースにタグを付けます。",
        "リリースにタグを付ける必要があります。",
    ],
)
def test_a_next_action_in_a_sentence(sentence: str) -> None:
    assert len(extract_answer_sections(f"The work is done.\n{sentence}").next_actions) == 1


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "```\nDecision: keep SQLite\nTODO: x marks it\n```",
        "> Next steps:\n> - tag the release",
        "Open issues: none",
        "未解決: なし",
        "Next steps:\n- None",
        "👍",
    ],
)
def test_answers_that_name_nothing_give_nothing(answer: str) -> None:
    assert extract_answer_sections(answer) == AnswerSections()


@pytest.mark.parametrize(
    "answer",
    [
        "The tests pass.",
        "Decisions are made by the planner in plan.py.",
        "残りのテストはすべて通りました。",
        "Nothing is left.",
        "残りはありません。",
        "The text is moved to the left.",
        "All three steps are done.",
    ],
)
def test_what_is_done_leaves_nothing(answer: str) -> None:
    found = extract_answer_sections(answer)

    left = (found.next_actions, found.blocked, found.waiting, found.ideas, found.unresolved)
    assert left == ((),) * len(left)
    assert found.decisions == ()


@pytest.mark.parametrize(
    ("sentence", "part", "said"),
    [
        ("Barcodes done; margins are left.", "next_actions", "margins"),
        ("Barcodes are done, margins are left.", "next_actions", "margins"),
        ("Still to do: margins", "next_actions", "margins"),
        ("Only the margins are missing.", "next_actions", "the margins"),
        ("The margins are unchanged so far.", "next_actions", "The margins"),
        ("Everything is done except the margins.", "next_actions", "the margins"),
        ("余白が残っています", "next_actions", "余白"),
        ("テストはまだです", "next_actions", "テスト"),
        ("残りは余白です", "next_actions", "余白"),
        ("バーコードは完了しましたが、余白が残っています", "next_actions", "余白"),
        ("Two tests are still failing on ARM.", "blocked", "Two tests are still failing on ARM"),
        ("ARMのテストはまだ通っていません。", "blocked", "ARMのテストはまだ通っていません"),
        ("CIが通るまで公開できません", "blocked", "CIが通るまで公開できません"),
        ("Which printer is it?", "waiting", "Which printer is it?"),
        ("This needs your decision.", "waiting", "This needs your decision"),
        ("サイズをご確認ください", "waiting", "サイズをご確認ください"),
        ("We could also cache the fonts.", "ideas", "We could also cache the fonts"),
        ("よければキャッシュも追加できます", "ideas", "よければキャッシュも追加できます"),
        ("Skipped the export as you asked.", "dropped", "Skipped the export as you asked"),
    ],
)
def test_a_sentence_says_how_work_stands(sentence: str, part: str, said: str) -> None:
    assert getattr(extract_answer_sections(sentence), part) == (said,)


def test_the_parts_of_an_enumeration_are_steps_each() -> None:
    found = extract_answer_sections("Left: margins, the parser test and docs")

    assert found.next_actions == ("margins", "the parser test", "docs")


def test_a_table_says_how_its_rows_stand() -> None:
    found = extract_answer_sections(
        "| step | state |\n|---|---|\n| barcodes | done |\n| margins | to do |"
    )

    assert (found.done, found.next_actions) == (("barcodes",), ("margins",))


def test_a_huge_answer_gives_twelve_lines_at_most() -> None:
    answer = "Next steps:\n" + "\n".join(f"- tag release {n}" for n in range(100_000))

    assert len(extract_answer_sections(answer).next_actions) == 12
