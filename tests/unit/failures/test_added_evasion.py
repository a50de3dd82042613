"""What a second run adds to a command so that it checks, asks or does less."""

import pytest

from hooklore.failures.added_evasion import adds_evasion


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("helm install web ./chart", "helm install web ./chart --disable-openapi-validation"),
        ("dvc push", "dvc push --no-lock"),
        ("alembic upgrade head", "alembic upgrade head --sql"),
        ("pulumi up", "pulumi up --skip-preview"),
        ("terraform apply", "terraform apply -auto-approve"),
        ("git pull", "git -c http.sslVerify=false pull"),
        ("gh pr merge 88 --squash", "gh pr merge 88 --squash --admin"),
        ("make press", "NODE_TLS_REJECT_UNAUTHORIZED=0 make press"),
        ("rails db:schema:load", "DISABLE_DATABASE_ENVIRONMENT_CHECK=1 rails db:schema:load"),
        ("pytest", "pytest --collect-only"),
        ("kubectl apply -f press.yml", "kubectl apply -f press.yml --validate=false"),
    ],
)
def test_a_run_that_adds_a_word_that_switches_off_forces_or_only_shows_evades(
    before: str, after: str
) -> None:
    assert adds_evasion(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("npx tsc --noEmti -p .", "npx tsc --noEmit -p ."),
        ("docker build --nocache .", "docker build --no-cache ."),
        ("poetry install --no-root", "poetry install --no-root --sync"),
        ("helm install web ./chart --no-hooks", "helm install web ./charts --no-hooks"),
        ("make press", "TORQUE_LIMIT=47 make press"),
        ("go vet ./...", "go vet --notes ./..."),
    ],
)
def test_what_was_there_before_or_was_spelt_wrong_is_no_evasion(before: str, after: str) -> None:
    assert not adds_evasion(before, after)
