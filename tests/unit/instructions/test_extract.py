"""A prompt is read by explicit forms: the whole sentence, once, with the kind of its form."""

import pytest

from hooklore.instructions.extract import extract_instructions


def kept(prompt: str) -> list[tuple[str, str]]:
    """Return the kind and the text of each kept sentence."""
    return [(found.kind, found.text) for found in extract_instructions(prompt)]


@pytest.mark.parametrize(
    ("english", "japanese", "kind"),
    [
        ("Never push to main.", "絶対にmainへpushしないで", "constraint"),
        ("From now on, don't use lodash.", "今後はlodashを使わないで", "constraint"),
        ("Always run the linter first.", "必ず先にリンターを実行して", "preference"),
        ("From now on answer in Japanese", "今後は日本語で答えて", "preference"),
        ("use pnpm, not npm", "npmではなくpnpmを使って", "preference"),
        ("We decided to store prices as yen", "価格は円で保存することに決めました", "decision"),
        ("Remember that the port is 8443", "ポートは8443だと覚えておいて", "fact"),
    ],
)
def test_one_form_makes_one_kind_in_both_languages(english: str, japanese: str, kind: str) -> None:
    assert [found.kind for found in extract_instructions(english)] == [kind]
    assert [found.kind for found in extract_instructions(japanese)] == [kind]


def test_a_request_not_to_forget_forbids_nothing() -> None:
    assert kept("Don't forget, the queue is Redis") == [
        ("fact", "Don't forget, the queue is Redis")
    ]
    assert kept("忘れないで、キューはRedisです") == [("fact", "忘れないで、キューはRedisです")]


def test_a_sentence_keeps_its_subject() -> None:
    said = "No, that's wrong: the port is 8443, always use it"

    assert kept(f"{said}. Now fix the test.") == [("preference", said)]


@pytest.mark.parametrize(
    "prompt", ["Always do that.", "never use it", "それを必ず", "必ずそうして"]
)
def test_a_sentence_whose_subject_stands_elsewhere_is_not_kept(prompt: str) -> None:
    assert kept(prompt) == []


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        (
            "We decided to store money as integer yen. Because floats lost a yen twice. Now go on.",
            "We decided to store money as integer yen. Because floats lost a yen twice",
        ),
        (
            "価格は整数の円で保存することに決めました。理由は端数のずれです。続けて。",
            "価格は整数の円で保存することに決めました。理由は端数のずれです",
        ),
        (
            "Let's go with Redis because we already run it. Please start.",
            "Let's go with Redis because we already run it",
        ),
    ],
)
def test_a_decision_is_kept_with_its_reason(prompt: str, text: str) -> None:
    assert kept(prompt) == [("decision", text)]


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        (
            "The staging host is called kestrel. Remember that.",
            "The staging host is called kestrel",
        ),
        ("ステージングのホストはkestrelです。覚えておいて。", "ステージングのホストはkestrelです"),
        ("Note for later:\nthe export takes forty minutes", "the export takes forty minutes"),
    ],
)
def test_a_bare_request_to_remember_means_the_sentence_beside_it(prompt: str, text: str) -> None:
    assert kept(prompt) == [("fact", text)]


def test_in_the_description_of_a_task_only_what_is_dated_or_asked_for_counts() -> None:
    task = "\n".join(f"The parser reads field {n} of the header." for n in range(10))
    rule = "From now on, write the tests first."

    assert kept(f"{task}\nAlways return a list.\n{rule}") == [("preference", rule.rstrip("."))]
    assert len(kept("\n".join(f"- always check part {n} first" for n in range(10)))) == 10


@pytest.mark.parametrize(
    "prompt",
    [
        "Should we always use uv?",
        "> never push to main\n\nwho wrote this",
        "```\n# always call this first\n```\nwhat does it do",
        'add a button "always run the linter"',
        "For now, always use the old client.",
        "今回は必ずテストを実行して",
    ],
)
def test_questions_quotations_and_orders_of_now_are_not_kept(prompt: str) -> None:
    assert kept(prompt) == []
