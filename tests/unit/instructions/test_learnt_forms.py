"""The forms that need a lasting subject, and the orders of the moment that look like them."""

import pytest

from hooklore.instructions.extract import extract_instructions

pytestmark = pytest.mark.req("HK-14")


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("PRは日本語にして", "preference"),
        ("no, use uv instead", "preference"),
        ("npmは違う、pnpmを使って", "preference"),
        ("npmではなくpnpmを使って", "preference"),
        ("npmよりpnpmがいい", "preference"),
        ("pnpmを使って", "preference"),
        ("npmは使わないで", "constraint"),
        ("このリポジトリでは pnpm を使ってください", "preference"),
        ("npm は使わないで", "constraint"),
        ("いつもテストを実行してから報告して", "preference"),
        ("毎回リンターを実行してください", "preference"),
        ("金額は常に整数の円で保存して", "preference"),
        ("覚えて: ポートは8443番です", "fact"),
        ("記憶して：ステージングはkestrelです", "fact"),
        ("Don't use conda in this project.", "constraint"),
        ("Don't commit directly to main", "constraint"),
        ("Never commit generated files", "constraint"),
        ("Don't commit generated files", "constraint"),
        ("use pnpm", "preference"),
        ("We switched from npm to pnpm.", "preference"),
        ("Keep functions under 40 lines.", "preference"),
        ("Line length is 100.", "preference"),
        ("Write commit messages in English.", "preference"),
        ("Every endpoint must have a test.", "preference"),
        ("コミットメッセージは英語で書いて", "preference"),
        ("Format the Python code with black.", "preference"),
        ("No printf inside ISRs", "constraint"),
    ],
)
def test_a_correction_with_a_lasting_subject_is_kept_whole(prompt: str, kind: str) -> None:
    found = extract_instructions(prompt)

    assert [(each.text, each.kind) for each in found] == [(prompt.rstrip("."), kind)]


@pytest.mark.parametrize(
    "prompt",
    [
        "この関数をasyncにして",
        "no, use the other file instead",
        "この変数名は違う",
        "ボタンを青にして",
        "赤より青がいい",
        "コミットは後にして",
        "コメントはそのままにして",
        "use httpx",
        "use pytest to run the second test",
        "write the commit message in English",
        "don't commit yet",
        "don't delete that file",
        "all tests should pass",
        "You can push now",
        "use pnpm for this one",
        "Should we use pnpm?",
        "```\nuse pnpm\n```\nwhy does it say that",
        "pnpmを使うとどうなりますか？",
        "> PRは日本語にして\n\nこれは誰の言葉?",
    ],
)
def test_an_order_of_the_moment_a_question_and_code_teach_nothing(prompt: str) -> None:
    assert extract_instructions(prompt, with_answers=True) == []


def test_a_plain_order_beside_a_task_is_the_tasks() -> None:
    assert extract_instructions("use pnpm. Install the missing packages.") == []


def test_a_correction_of_more_than_fifty_bytes_is_kept() -> None:
    said = (
        "今後プルリクエストの説明は日本語で、箇条書きにして、変更の理由を必ず最初に書いてください"
    )

    assert [each.text for each in extract_instructions(said)] == [said]
