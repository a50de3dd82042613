"""The acts that rules of order speak of, in one table: the words for an act, and the commands that show it.

Rules say commit, lint or デプロイ. A step shows an act by its program and subcommand, or by the name of a
target or of a script. Words somewhere in a command show nothing: `echo commit`, `git log --grep commit`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from hooklore.shell.calls import Call
from hooklore.shell.command import is_test_command


class Act(NamedTuple):
    """One act.

    - `english`, `japanese`: patterns of the words by which a rule names the act.
    - `runs`: the calls that show the act, each a program and its subcommands.
    - `targets`: the names of targets and scripts that show the act.
    - `needs`: options of which the call must have one.
    - `unless`: options with which the call does not show the act.
    - `files`: a pattern of the paths whose change shows the act.
    - `of_files`: the act reads or rewrites the files of the project, so that a change makes it due again.
    - `closes`: the act hands the work on.
    """

    name: str
    english: str
    japanese: str
    runs: str = ""
    targets: str = ""
    needs: str = ""
    unless: str = ""
    files: str = ""
    of_files: bool = False
    closes: bool = False


ACTS: tuple[Act, ...] = (
    Act(
        "bump the version",
        r"(?:bump|updat|increas|increment|rais|set)\w* (?:the )?(?:package |crate )?version(?: number)?|"
        r"version bump",
        r"バージョン(?:番号)?を?(?:上げ|更新|変更|バンプ)",
        "npm version|pnpm version|yarn version|poetry version|hatch version|uv version|cargo set-version|"
        "bump2version|bumpversion|bump-my-version|changeset version|lerna version|standard-version|cz bump",
        "bump version bump-version",
        files=r"(?:^|/)(?:package\.json|pyproject\.toml|cargo\.toml|setup\.(?:py|cfg)|pubspec\.yaml|"
        r"pom\.xml|mix\.exs|"
        r"build\.gradle(?:\.kts)?|[^/]*version[^/]*|__init__\.py|[^/]+\.(?:gemspec|csproj|podspec))$",
    ),
    Act(
        "update the changelog", r"change ?log(?:\.md)?|release notes|"
        r"history\.md", r"変更履歴|チェンジログ|リリースノート|change ?log",
        "changeset add|changeset .|towncrier create|towncrier build|git-cliff|changie "
        "new", "changelog release-notes",
        files=r"change|history|news|release",
    ),
    Act(
        "update the documents",
        r"(?:updat|writ|edit|add|chang|revis|document)\w* (?:to )?(?:the |any |its )?(?:api |relevant "
        r")?(?:docs|documentation|readme)\b",
        r"(?:ドキュメント|README|文書)[^、。]{0,4}(?:更新|修正|追記|書)", "", "docs",
        files=r"(?:^|/)docs?/|readme|\.(?:md|rst|adoc|mdx)$",
    ),
    Act(
        "write tests",
        r"(?:writ|add|creat|updat|extend)\w* (?:an? |the |new |some |more |its )*(?:unit |failing |"
        r"regression |integration )*tests?(?: cases?)?",
        r"テスト(?:コード|ケース)?を(?:書|追加|足|用意)",
        files=r"test|spec",
    ),
    Act(
        "flash the firmware",
        r"(?:re)?flash(?:ing|es)?(?: (?:the |a |any )?(?:device|board|firmware|chip|mcu|image|unit))?|"
        r"burn(?:ing)?(?= (?:the|a|it)\b|$)",
        r"焼[くきい]|ファーム(?:ウェア)?を?(?:書き込|更新)[むみん]?|書き込[むみん]",
        "avrdude *|esptool write_flash|esptool.py write_flash|esptool write-flash|dfu-util *|dfu-util .|"
        "openocd *|openocd .|st-flash write|"
        "probe-rs download|probe-rs run|west flash|idf.py flash|picotool load|cargo flash|bossac *|"
        "fastboot flash|nrfjprog .|dd *",
        "flash burn upload",
    ),
    Act(
        "stop",
        r"(?:stop|shut(?:ting)? down|bring(?:ing)? down|tak(?:e|ing) down|halt)(?:p?ing)? (?:the |all |"
        r"your )?(?:\w+ )?(?:server|app|application|"
        r"services?|containers?|workers?|stack|process(?:es)?|daemon|jobs?|vm|cluster)",
        r"(?:アプリ|サーバー?|サービス|コンテナ|ワーカー|プロセス|ジョブ)を?(?:全部|いったん|"
        r"一旦)?(?:止め|停止|落と)",
        "docker compose stop|docker compose down|docker stop|docker kill|systemctl stop|service * stop|"
        "pm2 stop|supervisorctl stop|"
        "kill *|pkill *|killall *|brew services stop|kubectl scale|launchctl stop|vagrant halt|nomad job stop",
        "stop down halt shutdown",
    ),
    Act(
        "clear the cache",
        r"(?:clear|flush|empty|purg|wip|invalidat|bust|delet)\w* (?:out )?(?:the |all |any )?(?:\w+ )?caches?",
        r"キャッシュ(?:を|の)?(?:消[すしさ]?|クリア|削除|フラッシュ|捨て|パージ)",
        "redis-cli flushdb|redis-cli flushall|artisan cache:clear|artisan optimize:clear|npm cache|yarn "
        "cache|manage.py clear_cache|"
        "rails tmp:cache:clear|varnishadm *|ccache *|console cache:clear|aws cloudfront create-invalidation",
        "clear-cache cache:clear flush-cache",
    ),
    Act(
        "change the database",
        r"(?:alter(?:ing)?|drop(?:ping)?|truncat(?:e|ing))(?: or (?:alter|drop|truncate))?(?= "
        r"(?:something|anything|an?|the|any|tables?|columns?|"
        r"index(?:es)?|databases?)\b)|destructive (?:sql|quer(?:y|ies)|statements?)",
        r"(?:テーブル|カラム|インデックス|データベース|DB)を?(?:削除|変更|落と|消[すしさ]?|いじ|弄)|ALTER|"
        r"DROP|TRUNCATE",
        "dropdb *|mysqladmin drop",
    ),
    Act(
        "connect to the database",
        r"(?:connect(?:ing)?|log(?:ging)? in(?:to)?) (?:to )?(?:the |a )?(?:\w+ )?(?:db|database)|"
        r"(?:quer(?:y|ying)|touch(?:ing)?|access(?:ing)?) (?:the )?(?:production|prod|live|staging) (?:db|"
        r"database)",
        r"(?:DB|データベース)(?:に|へ|を)?(?:接続|つな[ぐいが]|繋[ぐいが]|触|ログイン|入)",
        "psql *|psql .|mysql *|mysql .|mongosh *|mongo *|sqlcmd *|pgcli *|mycli *|clickhouse-client *|"
        "manage.py dbshell|rails dbconsole",
    ),
    Act(
        "apply",
        r"appl(?:y|ying|ies)(?= (?:terraform|the plan|a plan|infra\w*|manifests?|changes|to|any|it|"
        r"anything|the manifests?)\b|$)",
        r"適用|apply",
        "terraform apply|tofu apply|terragrunt apply|kubectl apply|pulumi up|helm upgrade|helm install|"
        "cdk deploy|helmfile apply|"
        "argocd app sync|ansible-playbook *",
        "apply",
    ),
    Act(
        "validate", r"validat(?:e|es|ing|ion|ed)", r"バリデート|検証|validate",
        "terraform validate|tofu validate|kubeconform|kubeval|docker compose config|nginx -t|packer "
        "validate|helm template|"
        "caddy validate|apachectl configtest|sam validate|promtool check|visudo -c|cue vet|check-jsonschema",
        "validate validation", of_files=True,
    ),
    Act(
        "clean", r"clean(?=[,;]|$| (?:first|before|the build|build|everything)\b)", r"クリーン",
        "cargo clean|gradle clean|mvn clean|go clean|flutter clean|dotnet clean|bazel clean|swift package "
        "clean|ninja clean",
        "clean distclean mrproper",
    ),
    Act("stash", r"stash(?:ing)?", r"スタッシュ|stash|退避", "git stash"),
    Act(
        "force-push", r"force[- ]?push(?:ing|es)?", r"(?:強制|force[- ]?)(?:プッシュ|push)",
        "git push", needs="-f --force --force-with-lease", unless="-n", closes=True,
    ),
    Act(
        "pull request",
        r"(?:pull|merge)[- ]requests?|\bprs?\b|\bmrs?\b", r"プルリク(?:エスト)?|PR|MR|マージリクエスト",
        "gh pr create|gh pr new|gh pr ready|glab mr create|glab mr new|hub pull-request|az repos pr "
        "create|gt submit",
        closes=True,
    ),
    Act(
        "amend", r"amend(?:ing)?", r"amend|アメンド", "git commit", needs="--amend", closes=True,
    ),
    Act(
        "commit", r"commit(?:t?ing|t?ed|s)?|check(?:ing)? in(?= (?:code|changes|anything)|$)", r"コミット|commit",
        "git commit|git ci|hg commit|hg ci|jj commit|svn commit|svn ci|gt create|gt modify", "commit",
        of_files=True, closes=True,
    ),
    Act(
        "push", r"push(?:ing|es|ed)?", r"プッシュ|push",
        "git push|hg push|jj git push|gt submit", "push", unless="-n --delete -d", closes=True,
    ),
    Act(
        "merge", r"merg(?:e|ing|es|ed)", r"マージ|merge",
        "git merge|gh pr merge|glab mr merge|hg merge", "merge",
        unless="--abort --quit --continue", closes=True,
    ),
    Act(
        "rebase", r"rebas(?:e|ing|es|ed)", r"リベース|rebase", "git rebase|hg rebase|jj rebase|gt restack",
        unless="--abort --quit --continue --skip --edit-todo",
    ),
    Act(
        "switch", r"(?:switch(?:ing)?|chang(?:e|ing)|creat(?:e|ing)|cut(?:ting)?) (?:an? |the |new |"
        r"feature |to |another |different )*branch(?:es)?",
        r"ブランチ(?:を|の)?(?:切り替え|切替|変え|移動|切[るりっ]|作[るりっ]|作成)", "git switch|git checkout",
    ),
    Act(
        "tag", r"tag(?:ging|s|ged)?", r"タグ", "git tag", "tag",
        unless="-l --list -d --delete -v --verify -n --contains --points-at --merged", closes=True,
    ),
    Act(
        "deploy", r"deploy(?:ing|s|ments?|ed)?|(?:go(?:es|ing)?) (?:live|to prod(?:uction)?)|roll(?:ing)? "
        r"out|ship(?:ping|"
        r"s)?", r"デプロイ|deploy|本番(?:に|へ)(?:反映|出)|反映",
        "kubectl apply|kubectl rollout restart|kubectl set image|helm upgrade|helm install|terraform apply|"
        "tofu apply|pulumi up|fly deploy|flyctl deploy|vercel .|vercel deploy|netlify deploy|firebase "
        "deploy|gcloud app deploy|"
        "gcloud run deploy|gcloud functions deploy|serverless deploy|sls deploy|cdk deploy|sam deploy|railway up|"
        "wrangler deploy|eb deploy|cap deploy|cap production deploy|cap staging deploy|kamal deploy|"
        "docker stack deploy|dokku deploy|"
        "aws ecs update-service|aws deploy create-deployment|az webapp up|az webapp deploy|mage deploy|"
        "ansible-playbook deploy.yml|ansible-playbook deploy.yaml|ansible-playbook playbooks/deploy.yml|"
        "argocd app sync|skaffold run|aws s3 sync|aws lambda update-function-code",
        "deploy deployment ship rollout", closes=True,
    ),
    Act(
        "publish", r"publish(?:ing|es|ed)?", r"公開|パブリッシュ|publish",
        "npm publish|pnpm publish|yarn publish|yarn npm publish|bun publish|cargo publish|twine upload|"
        "poetry publish|"
        "uv publish|flit publish|hatch publish|pdm publish|gem push|vsce publish|ovsx publish|dotnet nuget push|"
        "nuget push|dart pub publish|flutter pub publish|lerna publish|changeset publish|gradle publish|mvn deploy|"
        "mix hex.publish|wrangler publish|jsr publish|docker push",
        "publish", closes=True,
    ),
    Act(
        "release", r"releas(?:e|ing|es|ed)", r"リリース|release|出荷",
        "gh release create|glab release create|goreleaser release|goreleaser|release-it|semantic-release|"
        "standard-version|cargo release|npm publish|pnpm publish|yarn publish|cargo publish|twine upload|"
        "poetry publish|uv publish|gem push|npm version|git tag|np",
        "release publish", unless="-l --list -d --delete -v --verify -n --contains --points-at "
        "--merged", closes=True,
    ),
    Act(
        "migration file", r"(?:mak|creat|generat)(?:e|ing) (?:a |the |new "
        r")*migrations?", r"マイグレーション(?:ファイル)?を?(?:作|生成)",
        "manage.py makemigrations|django-admin makemigrations|alembic revision|rails generate migration|"
        "rails g migration|prisma migrate dev|knex migrate:make|typeorm migration:generate|diesel "
        "migration generate|"
        "sqlx migrate add|flask db migrate|artisan make:migration",
        "makemigrations", of_files=True,
    ),
    Act(
        "migrate", r"migrat(?:e|ing)|migrations?", r"マイグレーション|マイグレート|migrate|migration",
        "manage.py migrate|django-admin migrate|alembic upgrade|alembic downgrade|rails db:migrate|rake db:migrate|"
        "prisma migrate deploy|prisma migrate dev|prisma migrate reset|prisma db push|knex migrate:latest|"
        "sequelize db:migrate|sequelize-cli db:migrate|typeorm migration:run|flyway migrate|liquibase update|"
        "dbmate up|dbmate migrate|goose up|sqlx migrate run|diesel migration run|artisan migrate|mix ecto.migrate|"
        "dotnet ef database update|drizzle-kit push|drizzle-kit migrate|supabase db push|flask db upgrade|"
        "migrate up|"
        "atlas migrate apply|atlas schema apply|skeema push",
        "migrate migration migrations db:migrate", unless="--plan --check --list --sql",
    ),
    Act(
        "add a dependency",
        r"(?:add|install|introduc|upgrad|updat|bump|pull)(?:e|ing|ping)?(?: in)?(?: [a-z-]+){0,3}? "
        r"(?:dependenc(?:y|ies)|packages?|librar(?:y|ies)|deps)",
        r"(?:依存(?:関係|パッケージ|ライブラリ)?|パッケージ|ライブラリ)(?:を|の)?(?:追加|入れ|"
        r"インストール|更新|増や)",
        "npm install *|npm i *|npm add *|pnpm add *|pnpm install *|yarn add *|bun add *|pip install *|"
        "pip3 install *|"
        "uv add *|cargo update|uv lock|npm update|pnpm update|pnpm up|yarn up|poetry update|bundle update|"
        "go mod tidy|composer update|uv pip install *|poetry add *|pdm add *|pipenv install *|cargo add *|"
        "go get *|gem install *|"
        "bundle add *|composer require *|dotnet add package *|conda install *|mix deps.get *|apt install *|"
        "apt-get install *|brew install *",
        unless="-r --requirement -e",
    ),
    Act(
        "install", r"install(?:ing|s)?(?: (?:the |all )?(?:dependenc(?:y|ies)|packages|deps))?",
        r"インストール|依存(?:関係)?を?入れ",
        "npm install|npm i|npm ci|pnpm install|pnpm i|yarn install|yarn .|bun install|pip install|pip3 install|"
        "uv sync|uv pip install|uv pip sync|poetry install|poetry sync|pdm install|pdm sync|pipenv "
        "install|pipenv sync|"
        "bundle install|bundle .|composer install|cargo fetch|go mod download|mix deps.get|dotnet restore|"
        "pod install|"
        "flutter pub get|dart pub get|conda env update",
        "install setup bootstrap deps sync",
    ),
    Act(
        "delete", r"(?:delet|remov|eras)(?:e|ing)(?= (?:any|a|the|some|old|files?|anything|something|"
        r"directories|folders?|"
        r"branch(?:es)?|data)\b|$)|\brm(?:ing)?\b",
        r"(?:ファイル|フォルダ|ディレクトリ|ブランチ)[^、。]{0,6}(?:削除|"
        r"消[すしさ]?)", "rm *|git rm|rmdir *|unlink *|git clean|trash *|shred *",
    ),
    Act(
        "start", r"(?:start|launch|boot|run|restart)(?:ing)?(?: up)? (?:the |a )?(?:dev |development |"
        r"local |web |app )*"
        r"(?:server|app|application|stack|services?|containers?)",
        r"(?:サーバー?|アプリ|コンテナ)(?:を|の)?(?:起動|立ち上げ|再起動)|\bup(?= ?(?:する|して|し))",
        "npm start|npm dev|npm serve|pnpm start|pnpm dev|yarn start|yarn dev|bun dev|docker compose up|"
        "podman compose up|"
        "manage.py runserver|rails server|rails s|uvicorn *|gunicorn *|flask run|next dev|next start|vite "
        ".|vite dev|"
        "artisan serve|hugo server|mix phx.server|foreman start|overmind start|systemctl start|systemctl restart",
        "start serve dev run up server",
    ),
    Act(
        "format", r"format(?:t?ing|t?ers?|s|ted)?|fmt|prettier|prettif(?:y|"
        r"ying)", r"フォーマッ(?:ト|タ)|整形|format|fmt|prettier",
        "prettier|black|ruff format|gofmt|gofumpt|goimports|go fmt|cargo fmt|rustfmt|dotnet format|mix format|"
        "terraform fmt|tofu fmt|clang-format|biome format|biome check|dprint fmt|deno fmt|isort|yapf|"
        "autopep8|shfmt|"
        "zig fmt|stylua|swiftformat|swift-format|dart format|scalafmt|php-cs-fixer|pint|rufo|treefmt|"
        "nixfmt|alejandra|"
        "ocamlformat|dune fmt|dune build @fmt|gleam format|elm-format|buf format|ktfmt|google-java-format|"
        "gradle spotlessapply|mvn spotless:apply|pre-commit run|prek run|npm prettier|lint-staged|nix fmt",
        "fmt format formatting prettier prettify", of_files=True,
    ),
    Act(
        "lint", r"lint(?:ing|ers?|s|ed)?|static analysis|clippy", r"リント|リンタ|lint|静的解析",
        "eslint|ruff check|ruff|flake8|pylint|golangci-lint run|golangci-lint|cargo clippy|rubocop|stylelint|"
        "shellcheck|biome check|biome lint|biome ci|oxlint|standard|xo|pre-commit run|prek run|ktlint|"
        "swiftlint|hadolint|"
        "markdownlint|go vet|staticcheck|revive|mix credo|tflint|sqlfluff lint|trunk check|next lint|ng "
        "lint|tslint|"
        "buf lint|yamllint|actionlint|ansible-lint|phpstan|psalm|phpcs|dotnet format|detekt|gradle lint|"
        "dart analyze|"
        "flutter analyze|deno lint|lint-staged|npm eslint|semgrep|bandit|helm lint|cfn-lint|djlint|vale|nx lint",
        "lint lints linter eslint vet analyze", of_files=True,
    ),
    Act(
        "type check", r"type[- ]?check(?:ing|er|s|ed)?|static types|\btypes\b(?= (?:pass|check))",
        r"型(?:の)?(?:チェック|検査|を?確認)|type[- ]?check",
        "mypy|dmypy run|pyright|basedpyright|pyre check|pyre|tsc|vue-tsc|flow check|flow|srb tc|cargo "
        "check|ty check|"
        "pyrefly check|svelte-check|npm tsc|dialyzer|mix dialyzer|steep check|go vet|pytype|nuxi typecheck",
        "typecheck type-check types tsc mypy pyright", of_files=True,
    ),
    Act(
        "test", r"(?:unit |integration |e2e |end-to-end |smoke |full |whole |entire |all |regression "
        r")*test(?:s|ing|ed)?(?:[- ]suites?)?|specs|\bsuite\b|pytest|jest|vitest|rspec|mocha|e2e",
        r"(?:全|フル|すべての|全部の)?テスト|test|tests", "", "test tests e2e spec specs smoke", of_files=True,
    ),
    Act(
        "build", r"(?:re)?buil(?:d(?:ing|s)?|t)|compil(?:e|ing|es|"
        r"ation)", r"ビルド|build|コンパイル|イメージ(?:を|の)?(?:作り直|再?作成|焼き直)",
        "make all|make .|cargo build|go build|go install|docker build|docker buildx build|docker compose "
        "build|podman build|tsc|vite build|"
        "next build|nuxt build|astro build|gradle build|gradle assemble|mvn package|mvn install|mvn "
        "compile|mvn verify|cmake --build|ninja|"
        "bazel build|dotnet build|dotnet publish|swift build|xcodebuild|webpack|rollup|esbuild|build|"
        "hatch build|poetry build|"
        "uv build|flit build|gem build|mkdocs build|hugo|ng build|zig build|dune build|stack build|cabal build|"
        "sbt compile|mix compile|turbo build|nx build|flutter build|meson compile|tsup|parcel build|trunk build|"
        "latexmk|pdflatex|xelatex|tectonic|typst compile|quarto render|wasm-pack build|sphinx-build|pnpm "
        "build|npm build|yarn build|bun build",
        "build compile bundle dist package", of_files=True,
    ),
    Act(
        "generate", r"(?:re-?)?generat(?:e|ing|es|ion|ed)|code-?gen|regen", r"(?:再)?生成|generate|codegen",
        "go generate|buf generate|protoc|openapi-generator|openapi-generator-cli|swagger-codegen|graphql-codegen|"
        "prisma generate|sqlc generate|orval|build_runner build|dart run build_runner|relay-compiler|"
        "gqlgen|gqlgen generate|"
        "openapi-typescript|oapi-codegen|wire|mockgen|mockery|kubebuilder create|controller-gen|datamodel-codegen|"
        "ariadne-codegen|kysely-codegen|supabase gen|graphql-code-generator|npm codegen",
        "generate regenerate gen regen codegen proto protos client types openapi graphql schema", of_files=True,
    ),
    Act(
        "pull", r"(?:git )?pull(?:ing|s|ed)?(?! request)|fetch(?:ing|es)?|sync(?:ing)?(?= with)|updat(?:e|"
        r"ing) from|"
        r"rebas(?:e|ing) (?:on|onto)",
        r"プル(?!リク)|pull|フェッチ|fetch|最新(?:を|の(?:main|変更)を)?(?:取り込|取得|化|に(?:する|して|し))",
        "git pull|git fetch|git rebase|hg pull|jj git fetch|gt sync|gh repo sync|git merge", "pull sync fetch",
        unless="--abort --quit --continue --skip",
    ),
    Act(
        "back up", r"back(?:ing|ed)?[- ]?ups?|\bdump(?:ing|s)?\b|"
        r"snapshots?", r"バックアップ|ダンプ|スナップショット|backup|dump",
        "pg_dump|pg_dumpall|mysqldump|mariadb-dump|mongodump|restic backup|borg create|pg_basebackup|"
        "aws rds create-db-snapshot|aws rds create-db-cluster-snapshot|velero backup create|heroku "
        "pg:backups:capture|"
        "gcloud sql backups create|gcloud sql export|supabase db dump|wp db export|manage.py dumpdata|"
        "redis-cli save|redis-cli bgsave",
        "backup backups dump snapshot",
    ),
    Act(
        "diff", r"\bdiffs?\b|staged changes", r"差分|diff", "git diff|git show|git status -v|delta|hg "
        "diff|jj diff|gh pr diff",
        "diff", of_files=True,
    ),
    Act(
        "plan", r"\bplan\b(?= (?:before|first|and|then)|$)|dry[- ]?run", r"プラン|ドライラン|plan|dry-run",
        "terraform plan|tofu plan|pulumi preview|cdk diff|helm diff|kubectl diff|terragrunt "
        "plan", "plan dry-run dryrun preview",
        of_files=True,
    ),
)  # fmt: skip
"""The table. A name in a rule is read as the first act whose words begin there."""

_OF_EVERY_CHECK = frozenset(("format", "lint", "type check", "test"))
_CHECKS = frozenset(
    "check checks ci verify precommit pre-commit validate qa all-checks preflight".split()
)
"""Names of targets and scripts that run every check."""

_RUNNERS = frozenset(
    "make just task rake npm pnpm yarn bun nx turbo mise poe invoke nox tox hatch composer gradle mvn ant "
    "grunt gulp"
    " lerna moon deno pixi pdm mage earthly doit xtask x meson ninja rails mix cargo-make fab bazel dagger".split()
)
_SCRIPT = re.compile(r"[\w.-]+\.(?:sh|bash|py|[mc]?[jt]s|rb|pl|php|ps1)$")
_NO_SUBCOMMANDS = frozenset(
    "git echo cat ls cd rm mv cp mkdir touch chmod chown find grep rg sed awk head tail less vim nano "
    "code open diff test"
    " [ [[ printf which man curl wget tee tar zip unzip ln stat du tree bat kill export source read set gh docker"
    " pytest python node npx".split()
)
_NOT_DONE = frozenset(
    "--dry-run --dryrun --dry --help --version --collect-only --co --no-op --list-tests --listTests".split()
)
_PRELIMINARY = frozenset(
    "dry dryrun check checks status plan notes diff preview list help pre lint test validate undo".split()
)
"""Parts of a name that make something else of an act: `deploy:check`, `release-notes`."""

_GENERIC = {
    "deploy": "deploy",
    "publish": "publish",
    "migrate": "migrate",
    "codegen": "generate",
    "backup": "back up",
}
"""Subcommands that mean the same in any program."""

_LIVE_REMOTES = tuple(
    (name,) for name in ("heroku", "dokku", "production", "prod", "live", "deploy")
)
_LIVE_PLACE = re.compile(r"^[\w.@-]+:.*|^rsync://", re.IGNORECASE)
_DATABASES = frozenset(
    "psql mysql mariadb sqlite3 sqlcmd mongosh clickhouse-client cockroach duckdb bq".split()
)
_CHANGING_SQL = re.compile(r"\b(?:alter|drop|truncate)\b|\bdelete\s+from\b", re.IGNORECASE)
_COPYING = frozenset(("cp", "tar", "rsync", "rclone", "zip", "sqlite3", "redis-cli"))
_COPY = re.compile(r"backup|\.bak\b|\.dump\b|snapshot", re.IGNORECASE)

_PARTS = re.compile(r"[:._/-]+")
_BY_NAME = {act.name: act for act in ACTS}
_BY_RUN: dict[str, list[Act]] = {}
_BY_TARGET: dict[str, list[Act]] = {}
for _act in ACTS:
    for _run in filter(None, _act.runs.split("|")):
        _BY_RUN.setdefault(_run, []).append(_act)
    for _target in _act.targets.split():
        _BY_TARGET.setdefault(_target, []).append(_act)


@lru_cache(maxsize=1024)
def acts_shown(call: Call) -> frozenset[str]:
    """Return the names of the acts that a call shows."""
    if not _NOT_DONE.isdisjoint(call.options) or (call.program == "make" and "-n" in call.options):
        return frozenset(("plan",)) if "--dry-run" in call.options else frozenset()
    run = (act for prefix in call.prefixes for act in _BY_RUN.get(prefix, ()))
    word = "" if call.program in _NO_SUBCOMMANDS else "".join(call.operands[:1])
    general = filter(None, (_BY_NAME.get(_GENERIC.get(word, "")),))
    found = {act.name for act in (*run, *general) if _is_meant(act, call)}
    if _is_sent_to_live(call):
        found.add("deploy")
    if call.program in _DATABASES and any(map(_CHANGING_SQL.search, call.operands)):
        found.add("change the database")
    if call.program in ("pnpm", "yarn", "bun") and call.operands:
        found |= acts_shown(call._replace(program=call.operands[0], operands=call.operands[1:]))
    found.update(name for word in _names(call) for name in _acts_named(word))
    if is_test_command(" ".join((call.program, *call.operands[:3]))):
        found.add("test")
    if call.program in _COPYING and any(_COPY.search(word) for word in call.operands):
        found.add("back up")
    return frozenset(found)


def is_shown_by_change(name: str, path: str) -> bool:
    """Return whether the change of a file shows an act."""
    files = _BY_NAME[name].files
    return bool(files) and re.search(files, path, re.IGNORECASE) is not None


def is_of_files(name: str) -> bool:
    """Return whether an act reads or rewrites the files of the project."""
    return _BY_NAME[name].of_files


CLOSING: frozenset[str] = frozenset(act.name for act in ACTS if act.closes)
"""The acts that hand the work on."""


def _is_meant(act: Act, call: Call) -> bool:
    """Return whether a call's options make it the act."""
    options = {option.partition("=")[0] for option in call.options}
    if act.needs and options.isdisjoint(act.needs.split()):
        return False
    if not options.isdisjoint(act.unless.split()):
        return False
    if act.name in ("tag", "release") and call.operands[:1] == ("tag",):
        return len(call.operands) > 1
    if call.program == "avrdude":
        return any(word.startswith("flash:w:") for word in call.operands)
    if call.program == "dd":
        return any(word.startswith("of=/dev/") for word in call.operands)
    if act.name == "switch":
        return "--" not in options and not any("." in word for word in call.operands[1:])
    return True


def _names(call: Call) -> tuple[str, ...]:
    """Return the names of targets and scripts that a call runs."""
    if call.program in _RUNNERS:
        return tuple(word.lower() for word in call.operands[:4])
    if call.program == "ansible-playbook" or call.operands[:2] == ("workflow", "run"):
        return tuple(word.rpartition("/")[2].lower() for word in call.operands)
    is_script = _SCRIPT.match(call.program) or ("/" in call.named and "." not in call.program)
    return (call.program,) if is_script else ()


def _is_sent_to_live(call: Call) -> bool:
    """Return whether a push or a copy goes to a machine that serves: `git push heroku main`."""
    if call.program == "git":
        return call.operands[:1] == ("push",) and call.operands[1:2] in _LIVE_REMOTES
    return call.program in ("rsync", "scp") and any(map(_LIVE_PLACE.search, call.operands))


def _acts_named(name: str) -> Iterator[str]:
    """Yield the acts of a target or a script by its name: `deploy-prod`, `lint:fix`, `run_tests.sh`."""
    stem = re.sub(r"\.(?:sh|bash|py|[mc]?[jt]s|rb|pl|php|ps1|ya?ml)$", "", name).replace("_", "-")
    parts = [part for part in _PARTS.split(stem) if part]
    if stem in _CHECKS or parts[:1] in (["check"], ["verify"]):
        yield from _OF_EVERY_CHECK
    ends = {stem, *parts[:1], *parts[-1:], *("".join(parts[:2]),), "-".join(parts[:2])}
    for end in ends:
        for act in _BY_TARGET.get(end, ()):
            if not (act.closes and not _PRELIMINARY.isdisjoint(parts)):
                yield act.name
