"""The orders of steps that rules say, in English and Japanese, and what only looks like one."""

import time

import pytest

from hooklore.retrieval.step_order import StepOrder, find_step_orders
from hooklore.shell.calls import list_calls
from hooklore.shell.named_step import NamedStep


def is_shown(steps: tuple[NamedStep, ...], command: str) -> bool:
    return any(step.is_shown_by(call) for step in steps for call in list_calls(command))


def the_order(rule: str) -> StepOrder:
    return find_step_orders(rule)[-1]


@pytest.mark.parametrize(
    ("rule", "first", "then"),
    [
        ("Always run `make fmt` before you commit.", "make fmt", "git commit"),
        ("Run make lint before pushing.", "make lint", "git push"),
        ("Before you commit, run the linter.", "eslint src", "git commit"),
        ("Before every commit run `cargo fmt`.", "cargo fmt --all", "git commit"),
        ("Never push without running the tests.", "pytest -q", "git push"),
        ("Don't push until the tests pass.", "npm test", "git push"),
        ("Nothing gets pushed until the tests are green.", "make test", "git push"),
        ("Never commit code that hasn't been formatted.", "black .", "git commit"),
        ("Don't open a PR with failing tests.", "go test ./...", "gh pr create"),
        ("Only commit after the tests pass.", "pytest", "git commit"),
        ("You may only tag after `make dist` went through.", "make dist", "git tag v1"),
        ("First run the tests, then commit.", "pytest", "git commit"),
        ("Rebase on main first, PR second.", "git rebase main", "gh pr create"),
        ("lint first, push later", "ruff check", "git push"),
        ("typecheck, lint, push. In that order.", "mypy src", "git push"),
        ("format → lint → commit", "ruff check", "git commit"),
        ("Every deploy is preceded by a backup.", "pg_dump app", "make deploy"),
        ("Whenever you push, run the tests first.", "pytest", "git push"),
        ("Update CHANGELOG.md before you release.", None, "gh release create v1"),
        ("Run the linter before you build the docker image.", "ruff check", "docker build ."),
        ("Run `terraform plan` before `terraform apply`.", "terraform plan", "terraform apply"),
        ("Restart nginx only after `nginx -t` passes.", "nginx -t", "systemctl restart nginx"),
        ("コミット前に必ず lint を通して", "make lint", "git commit"),
        ("コミットする前に必ず `make fmt` を実行してください。", "make fmt", "git commit"),
        ("テストを通してからコミットして", "pytest", "git commit"),
        ("テストが通るまでプッシュしないで", "pytest", "git push"),
        ("lintせずにコミットしない", "make lint", "git commit"),
        ("コミットはテストが通ってから", "pytest", "git commit"),
        ("PR出すときは先にrebaseしといて", "git rebase main", "gh pr create"),
        ("テスト→コミットの順で", "pytest", "git commit"),
        ("まずバックアップ。その後マイグレーション", "pg_dump app", "alembic upgrade head"),
        ("型チェック通してないコードはpushしないで", "mypy src", "git push"),
        ("テストの前にコミットしない", "pytest", "git commit"),
    ],
)  # fmt: skip
def test_a_rule_says_which_step_comes_before_which(rule: str, first: str | None, then: str) -> None:
    order = the_order(rule)

    assert is_shown(order.then, then)
    assert first is None or any(is_shown(group, first) for group in order.first)
    assert not is_shown(order.then, first or "git status")


@pytest.mark.parametrize(
    ("rule", "then"),
    [
        ("Ask me before you deploy.", "make deploy"),
        ("Never deploy without asking me.", "make deploy"),
        ("Confirm with me before force-pushing.", "git push --force"),
        ("Ask me before adding a dependency.", "npm install left-pad"),
        ("Never merge on your own.", "gh pr merge 1"),
        ("デプロイする前に聞いて", "npm run deploy"),
        ("許可なく本番にデプロイしないで", "make deploy"),
        ("勝手にデプロイすんな、先に一声かけて", "make deploy"),
    ],
)
def test_a_question_to_the_person_is_due_at_its_step(rule: str, then: str) -> None:
    order = the_order(rule)

    assert order.first == ()
    assert is_shown(order.then, then)


@pytest.mark.parametrize(
    ("rule", "words", "due"),
    [
        ("After you change a schema, regenerate the client.", {"schema"}, "make generate"),
        ("After editing .proto files, run `buf generate`.", {".proto"}, "buf generate"),
        ("When you touch the API, run `make api` before you commit.", {"api"}, "make api"),
        ("スキーマを変更した後は、クライアントを再生成して", {"schema"}, "make generate"),
        ("proto 直したら buf lint → buf generate の順番で", {"proto"}, "buf lint"),
    ],
)
def test_an_order_after_a_change_names_the_files(rule: str, words: set[str], due: str) -> None:
    order = the_order(rule)

    assert set(order.changed or ()) == words
    assert any(is_shown(group, due) for group in order.first)


@pytest.mark.parametrize(
    "rule",
    [
        "We used Python 2 before 2020.",
        "Use type hints, as before.",
        "Keep the line before the loop empty.",
        "Put imports before the test functions.",
        "Add a blank line before the commit trailer.",
        "Never deploy on Fridays.",
        "Never deploy before Monday.",
        "Use pnpm, not npm.",
        "The migration that ran before broke the index.",
        "以前のAPIは使わない",
        "前のバージョンに戻さない",
        "目の前の問題に集中する",
        "変数名は前のまま",
        "",
    ],
)
def test_what_only_looks_like_an_order_of_steps_is_none(rule: str) -> None:
    assert find_step_orders(rule) == ()


ODD = {
    "words": "lantern and barn " * 700,
    "before": "before " * 1500,
    "commits": "run make fmt before commit " * 400,
    "firsts": "first a, then b, " * 600,
    "never": "never commit without " * 500,
    "arrows": "a → b " * 1500,
    "cases": "when you change the api, " * 400,
    "tests": "the unit test " * 800,
    "Japanese": "コミットする前に" * 1200,
    "undone": "てないコードはテスト" * 900,
    "paths": "a.b/" * 2500,
    "blanks": "a" + " " * 9998,
    "commas": ", , , " * 2500 + "in that order",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_an_odd_text_is_read_quickly(text: str) -> None:
    begun = time.process_time()
    find_step_orders(text)

    assert time.process_time() - begun < 0.2
