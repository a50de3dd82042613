"""A command shows an act by what it runs, and never by words that only stand in it."""

import time

import pytest

from hooklore.shell.acts import acts_shown
from hooklore.shell.calls import list_calls


def acts_of(command: str) -> set[str]:
    return {act for call in list_calls(command) for act in acts_shown(call)}


@pytest.mark.parametrize(
    ("command", "act"),
    [
        ("git commit -m 'Add margins'", "commit"),
        ("cd app && git add . && git commit -m x", "commit"),
        ("git -C app -c user.name=x commit -m x", "commit"),
        ("git push origin main", "push"),
        ("git push -f", "force-push"),
        ("gh pr create --fill", "pull request"),
        ("gh pr merge 3 --squash", "merge"),
        ("npm run deploy", "deploy"),
        ("make deploy-prod", "deploy"),
        ("./scripts/deploy.sh", "deploy"),
        ("bash scripts/deploy.sh prod", "deploy"),
        ("npx wrangler deploy --env production", "deploy"),
        ("git tag -a v1 -m x", "tag"),
        ("cargo publish", "publish"),
        ("python manage.py migrate", "migrate"),
        ("bin/rails db:migrate", "migrate"),
        ("docker compose exec -T app make fmt", "format"),
        ("docker exec -it app bash -lc 'cd x && make fmt'", "format"),
        ("kubectl exec -it pod -- make fmt", "format"),
        ("ssh host 'make deploy'", "deploy"),
        ("if make fmt; then git commit -m x; fi", "format"),
        ("npm run lint -- --fix", "lint"),
        ("make check", "lint"),
        ("git push heroku main", "deploy"),
        ("gh workflow run deploy.yml", "deploy"),
        ("ansible-playbook -i hosts playbooks/deploy.yml", "deploy"),
        ("rsync -a dist/ www@host:/srv/www", "deploy"),
        ("uv run mypy src", "type check"),
        ("pnpm vitest run src/cart", "test"),
        ("docker compose exec -T db pg_dump -U app -Fc depot > depot.dump", "back up"),
        ("cp app.db app.db.bak", "back up"),
        ("psql -c 'DROP TABLE parcels'", "change the database"),
        ("docker compose exec redis redis-cli -n 2 FLUSHDB", "clear the cache"),
    ],
)
def test_a_command_shows_the_act_that_it_runs(command: str, act: str) -> None:
    assert act in acts_of(command)


@pytest.mark.parametrize(
    ("command", "act"),
    [
        ("git commit-graph write", "commit"),
        ("git commit --dry-run --short", "commit"),
        ("git log --grep commit", "commit"),
        ("echo commit", "commit"),
        ("grep -rn 'git commit' src", "commit"),
        ("cat <<EOF\ngit commit\nEOF", "commit"),
        ("make pre-commit", "commit"),
        ("git stash push", "push"),
        ("git push --dry-run", "push"),
        ("git push", "force-push"),
        ("git merge --abort", "merge"),
        ("git tag --list 'v2.*' --sort=-creatordate", "tag"),
        ("make -n release", "release"),
        ("make release-notes", "release"),
        ("cat deploy/notes", "deploy"),
        ("mkdir deploy", "deploy"),
        ("pytest tests/deploy", "deploy"),
        ("grep -rn deploy .github", "deploy"),
        ("python manage.py migrate --plan", "migrate"),
        ("pip install -r requirements.txt", "add a dependency"),
        ("npm ci", "add a dependency"),
        ("psql -c 'select 1'", "change the database"),
        ("test -f fmt", "test"),
        ("git checkout -- src/labels.py", "switch"),
    ],
)
def test_a_command_shows_no_act_that_it_only_names(command: str, act: str) -> None:
    assert act not in acts_of(command)


@pytest.mark.parametrize(
    "command",
    [
        "make fmt && " * 400,
        "bash -c '" * 200,
        "'" * 4000,
        "docker compose exec " * 300,
        "git " + "-C " * 1500,
        "",
        "&& || ;",
    ],
)
def test_an_odd_command_is_read_quickly(command: str) -> None:
    begun = time.process_time()
    acts_of(command)

    assert time.process_time() - begun < 0.2
