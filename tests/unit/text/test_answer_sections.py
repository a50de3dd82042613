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
    )


def test_japanese_headings_are_known() -> None:
    found = extract_answer_sections(JAPANESE)

    assert found == AnswerSections(
        ("ログはorjsonで書く",), ("ARMでプレスが不安定",), ("リリースにタグを付ける",)
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
        "Two tests are still failing on ARM.",
        "未解決: プレスが不安定",
        "ARMのテストはまだ通っていません。",
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
        "The tests pass.",
        "Should I decide to use SQLite? What are the next steps?",
        "```\nDecision: keep SQLite\nTODO: x marks it\n```",
        "> Next steps:\n> - tag the release",
        "Open issues: none",
        "未解決: なし",
        "Next steps:\n- None",
        "The function `next_step` decides what comes next.",
        "次に進みますか?",
        "Decisions are made by the planner in plan.py.",
        "残りのテストはすべて通りました。",
        "The next page shows the TODO list of the user.",
    ],
)
def test_answers_that_name_nothing_give_nothing(answer: str) -> None:
    assert extract_answer_sections(answer) == AnswerSections()


def test_a_huge_answer_gives_six_lines_at_most() -> None:
    answer = "Next steps:\n" + "\n".join(f"- tag release {n}" for n in range(100_000))

    assert len(extract_answer_sections(answer).next_actions) == 6
