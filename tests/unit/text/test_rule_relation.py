"""A later rule adds to an earlier one, replaces it or stands beside it, by the words of the two."""

import time

import pytest

from hooklore.text.rule_relation import explain_relation, relate_rules


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Never use npm in this project.", "Never use yarn in this project."),
        ("Never use pip, always uv.", "Don't use conda in this project."),
        ("Always use uv", "Never use pip"),
        ("Run make fmt before you commit", "Run make lint before you commit"),
        ("Never deploy on Fridays", "Never deploy on Mondays"),
        ("Always write tests", "Never use mocks"),
        ("Use npm", "In the legacy folder use yarn"),
        ("Use npm", "Use yarn for the docs site"),
        ("Use npm", "Use yarn as well"),
        ("Write PR titles in English", "Write PR descriptions in Japanese"),
        ("Use black for formatting", "Use ruff for linting"),
        ("Never use port 8080", "Never use port 3000"),
        ("Always check part 3 first", "Always check part 4 first"),
        ("Use tabs", "Use table tests"),
        ("Use pytest", "Use jest"),
        ("npmは使わないで", "yarnは使わないで"),
        ("コメントは日本語で書いて", "コミットは英語で書いて"),
        ("コミットをまとめないで", "コミットをわけて"),
    ],
)
def test_rules_about_different_things_both_stand(earlier: str, later: str) -> None:
    assert relate_rules(earlier, later) == "adds"


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Use npm.", "use pnpm, not npm"),
        ("Use npm", "We moved from npm to pnpm"),
        ("Prefer npm", "Prefer pnpm over npm"),
        ("Always use npm", "Never use npm"),
        ("Never use npm", "You may use npm again"),
        ("Always squash commits", "Don't squash commits"),
        ("Always run the linter before committing", "You no longer need to run the linter before committing"),
        ("Line length 100", "The maximum line length is 120 now"),
        ("Use 2 spaces for indentation", "Use 4 spaces for indentation"),
        ("Target Node 18", "Target Node 20"),
        ("Deploy only on Tuesdays", "Deploy only on Thursdays"),
        ("Write commit messages in English", "コミットメッセージは日本語で書いて"),
        ("Squash every PR when merging", "No squashing any more"),
        ("npmを使って", "npmではなくpnpmを使って"),
        ("yarnを使って", "yarnはやめてpnpmにして"),
        ("mainに直接pushしないで", "mainにpushしていいです"),
        ("リリースは金曜にする。", "リリースは金曜にしない。"),
        ("PRは日本語にして", "これからはPRを英語にして"),
    ],
)  # fmt: skip
def test_a_rule_that_says_the_opposite_or_another_value_replaces(earlier: str, later: str) -> None:
    assert relate_rules(earlier, later) == "replaces"


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("use npm", "use pnpm"),
        ("Use jest for tests.", "Use vitest for the tests."),
        ("Use tabs", "Use 4 spaces for indentation"),
        ("Use snake_case for file names", "Use kebab-case for file names"),
        ("パッケージ管理はnpmを使って", "pnpmを使って"),
        ("Never use pip, always use uv", "Don't use uv"),
    ],
)
def test_another_choice_of_one_kind_and_half_a_rule_are_marked(earlier: str, later: str) -> None:
    assert relate_rules(earlier, later) == "marks"


def test_the_words_that_show_it_are_named() -> None:
    assert explain_relation("Always use npm", "Use pnpm, not npm") == (
        "replaces", "always use npm", "not npm",
    )  # fmt: skip


@pytest.mark.parametrize(
    "part", ["use npm, not ", "never ", "、", "npmではなく", "a ", "(", "no longer ", "1 "]
)
def test_a_long_rule_takes_no_longer_than_a_short_one(part: str) -> None:
    began = time.perf_counter()

    relate_rules(part * 100_000, f"use pnpm {part * 1_000}")

    assert time.perf_counter() - began < 0.5
