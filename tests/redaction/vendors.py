"""Tokens as their vendors publish the format, in the places where they are found."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.redaction.draw import (
    ALNUM,
    BASE32,
    BASE64,
    BECH32,
    DIGITS,
    HEX,
    LETTERS,
    LOWER,
    LOWNUM,
    UPHEX,
    UPNUM,
    UPPER,
    URLSAFE,
    Draw,
    Part,
    glue,
)

EACH = 6


@dataclass(frozen=True)
class Format:
    """One vendor's token.

    `names` are the variables and headers that the vendor documents. A format that is `plain` looks
    like any hash or id, so it is a secret only beside one of its names.
    """

    label: str
    parts: tuple[Part, ...]
    names: tuple[str, ...]
    plain: bool = False


_UUID: tuple[Part, ...] = (
    (HEX, 8), "-", (HEX, 4), "-4", (HEX, 3), "-", ("89ab", 1), (HEX, 3), "-", (HEX, 12),
)  # fmt: skip
_OPENAI = glue("T3Blb", "kFJ")
_DOTS = ALNUM + "_.-"

FORMATS = (
    Format("aws-access-key", ("AK", "IA", (BASE32, 16)), ("AWS_ACCESS_KEY_ID",)),
    Format("aws-session-key", ("AS", "IA", (BASE32, 16)), ("aws_access_key_id",)),
    Format(
        "aws-secret-key",
        ((BASE64, 40),),
        ("AWS_SECRET_ACCESS_KEY", "aws_secret_access_key", "SecretAccessKey"),
        plain=True,
    ),
    Format(
        "aws-session-token",
        ("IQoJ", "b3JpZ2luX2Vj", (BASE64, 260), "=="),
        ("AWS_SESSION_TOKEN", "SessionToken"),
        plain=True,
    ),
    Format("github-classic", ("gh", "p_", (ALNUM, 36)), ("GITHUB_TOKEN", "GH_TOKEN")),
    Format("github-oauth", ("gh", "o_", (ALNUM, 36)), ("oauth_token",)),
    Format("github-user", ("gh", "u_", (ALNUM, 36)), ("GITHUB_TOKEN",)),
    Format("github-server", ("gh", "s_", (ALNUM, 36)), ("GITHUB_TOKEN",)),
    Format("github-refresh", ("gh", "r_", (ALNUM, 76)), ("refresh_token",)),
    Format(
        "github-fine-grained",
        ("github", "_pat_", (ALNUM, 22), "_", (ALNUM, 59)),
        ("GITHUB_TOKEN", "GH_TOKEN"),
    ),
    Format("gitlab-personal", ("gl", "pat-", (URLSAFE, 20)), ("GITLAB_TOKEN", "PRIVATE-TOKEN")),
    Format(
        "gitlab-routable",
        ("gl", "pat-", (URLSAFE, 27), ".01.", (LOWNUM, 9)),
        ("GITLAB_TOKEN",),
    ),
    Format("gitlab-runner", ("gl", "rt-", (URLSAFE, 20)), ("CI_RUNNER_TOKEN",)),
    Format("gitlab-deploy", ("gl", "dt-", (URLSAFE, 20)), ("CI_DEPLOY_PASSWORD",)),
    Format("gitlab-trigger", ("gl", "ptt-", (HEX, 40)), ("TRIGGER_TOKEN",)),
    Format(
        "slack-bot",
        ("xo", "xb-", (DIGITS, 12), "-", (DIGITS, 13), "-", (ALNUM, 24)),
        ("SLACK_BOT_TOKEN",),
    ),
    Format(
        "slack-user",
        ("xo", "xp-", (DIGITS, 12), "-", (DIGITS, 12), "-", (DIGITS, 13), "-", (HEX, 32)),
        ("SLACK_USER_TOKEN",),
    ),
    Format(
        "slack-app",
        ("xa", "pp-1-A", (UPNUM, 10), "-", (DIGITS, 13), "-", (HEX, 64)),
        ("SLACK_APP_TOKEN",),
    ),
    Format("slack-refresh", ("xo", "xe-1-", (ALNUM, 146)), ("SLACK_REFRESH_TOKEN",)),
    Format("stripe-live", ("sk", "_live_", (ALNUM, 24)), ("STRIPE_SECRET_KEY",)),
    Format("stripe-long", ("sk", "_live_51", (ALNUM, 99)), ("STRIPE_SECRET_KEY",)),
    Format("stripe-test", ("sk", "_test_", (ALNUM, 24)), ("STRIPE_API_KEY",)),
    Format("stripe-restricted", ("rk", "_live_", (ALNUM, 24)), ("STRIPE_KEY",)),
    Format("stripe-webhook", ("wh", "sec_", (ALNUM, 32)), ("STRIPE_WEBHOOK_SECRET",)),
    Format("google-api", ("AI", "za", (URLSAFE, 35)), ("GOOGLE_API_KEY", "GEMINI_API_KEY")),
    Format("google-client", ("GOC", "SPX-", (URLSAFE, 28)), ("client_secret",)),
    Format("google-access", ("ya", "29.a0", (URLSAFE, 160)), ("access_token",)),
    Format("google-refresh", ("1/", "/0", (URLSAFE, 60)), ("refresh_token",)),
    Format("azure-storage", ((BASE64, 86), "=="), ("AccountKey", "AZURE_STORAGE_KEY"), plain=True),
    Format(
        "azure-client",
        ((ALNUM, 3), "8", "Q~", (_DOTS + "~", 34)),
        ("AZURE_CLIENT_SECRET", "clientSecret"),
    ),
    Format("azure-devops", ((LOWNUM, 52),), ("AZURE_DEVOPS_EXT_PAT",), plain=True),
    Format("azure-bus", ((BASE64, 43), "="), ("SharedAccessKey",), plain=True),
    Format("openai", ("s", "k-", (ALNUM, 20), _OPENAI, (ALNUM, 20)), ("OPENAI_API_KEY",)),
    Format(
        "openai-project",
        ("sk", "-proj-", (URLSAFE, 74), _OPENAI, (URLSAFE, 74)),
        ("OPENAI_API_KEY",),
    ),
    Format(
        "openai-service",
        ("sk", "-svcacct-", (URLSAFE, 74), _OPENAI, (URLSAFE, 74)),
        ("OPENAI_API_KEY",),
    ),
    Format(
        "anthropic",
        ("sk", "-ant-api03-", (URLSAFE, 93), "AA"),
        ("ANTHROPIC_API_KEY", "x-api-key"),
    ),
    Format("anthropic-admin", ("sk", "-ant-admin01-", (URLSAFE, 93), "AA"), ("ADMIN_API_KEY",)),
    Format(
        "anthropic-oauth",
        ("sk", "-ant-oat01-", (URLSAFE, 93), "AA"),
        ("CLAUDE_CODE_OAUTH_TOKEN", "accessToken"),
    ),
    Format("openrouter", ("sk", "-or-v1-", (HEX, 64)), ("OPENROUTER_API_KEY",)),
    Format("deepseek", ("s", "k-", (HEX, 32)), ("DEEPSEEK_API_KEY",)),
    Format("groq", ("gs", "k_", (ALNUM, 52)), ("GROQ_API_KEY",)),
    Format("xai", ("xa", "i-", (ALNUM, 80)), ("XAI_API_KEY",)),
    Format("perplexity", ("pp", "lx-", (ALNUM, 48)), ("PERPLEXITY_API_KEY",)),
    Format("replicate", ("r", "8_", (ALNUM, 37)), ("REPLICATE_API_TOKEN",)),
    Format("mistral", ((ALNUM, 32),), ("MISTRAL_API_KEY",), plain=True),
    Format("cohere", ((ALNUM, 40),), ("COHERE_API_KEY", "CO_API_KEY"), plain=True),
    Format("wandb", ((HEX, 40),), ("WANDB_API_KEY",), plain=True),
    Format("langsmith", ("lsv2", "_pt_", (HEX, 32), "_", (HEX, 10)), ("LANGSMITH_API_KEY",)),
    Format("langfuse", ("sk", "-lf-", *_UUID), ("LANGFUSE_SECRET_KEY",)),
    Format("pinecone", ("pc", "sk_", (ALNUM, 6), "_", (ALNUM, 63)), ("PINECONE_API_KEY",)),
    Format("huggingface", ("h", "f_", (LETTERS, 34)), ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")),
    Format("npm", ("np", "m_", (ALNUM, 36)), ("NPM_TOKEN", "_authToken")),
    Format("npm-legacy", _UUID, ("_authToken", "NPM_TOKEN"), plain=True),
    Format("pypi", ("py", "pi-AgEIcHlwaS5vcmc", (URLSAFE, 150)), ("TWINE_PASSWORD",)),
    Format("docker-hub", ("dckr", "_pat_", (URLSAFE, 27)), ("DOCKERHUB_TOKEN",)),
    Format("docker-org", ("dckr", "_oat_", (URLSAFE, 32)), ("DOCKER_TOKEN",)),
    Format("digitalocean", ("do", "p_v1_", (HEX, 64)), ("DIGITALOCEAN_ACCESS_TOKEN",)),
    Format("digitalocean-oauth", ("do", "o_v1_", (HEX, 64)), ("DIGITALOCEAN_TOKEN",)),
    Format("heroku", ("HR", "KU-AA", (URLSAFE, 58)), ("HEROKU_API_KEY",)),
    Format("heroku-legacy", _UUID, ("HEROKU_API_KEY",), plain=True),
    Format("twilio-key", ("S", "K", (HEX, 32)), ("TWILIO_API_KEY",)),
    Format("twilio-auth", ((HEX, 32),), ("TWILIO_AUTH_TOKEN", "auth_token"), plain=True),
    Format("sendgrid", ("S", "G.", (URLSAFE, 22), ".", (URLSAFE, 43)), ("SENDGRID_API_KEY",)),
    Format("brevo", ("xkey", "sib-", (HEX, 64), "-", (ALNUM, 16)), ("BREVO_API_KEY",)),
    Format("mailgun", ("ke", "y-", (HEX, 32)), ("MAILGUN_API_KEY",)),
    Format(
        "mailgun-new", ((HEX, 32), "-", (HEX, 8), "-", (HEX, 8)), ("MAILGUN_API_KEY",), plain=True
    ),
    Format("mailchimp", ((HEX, 32), "-us", ("123456789", 1)), ("MAILCHIMP_API_KEY",)),
    Format("resend", ("r", "e_", (ALNUM, 8), "_", (ALNUM, 24)), ("RESEND_API_KEY",)),
    Format(
        "telegram",
        (("123456789", 1), (DIGITS, 9), ":A", "A", (URLSAFE, 33)),
        ("TELEGRAM_BOT_TOKEN",),
    ),
    Format(
        "discord",
        (("MNO", 1), (ALNUM, 25), ".G", (ALNUM, 5), ".", (URLSAFE, 38)),
        ("DISCORD_TOKEN", "DISCORD_BOT_TOKEN"),
    ),
    Format("square", ("sq0", "atp-", (URLSAFE, 22)), ("SQUARE_ACCESS_TOKEN",)),
    Format("square-secret", ("sq0", "csp-", (URLSAFE, 43)), ("SQUARE_APPLICATION_SECRET",)),
    Format("square-access", ("EA", "AA", (URLSAFE, 60)), ("SQUARE_ACCESS_TOKEN",)),
    Format("shopify", ("sh", "pat_", (HEX, 32)), ("SHOPIFY_ACCESS_TOKEN",)),
    Format("shopify-secret", ("sh", "pss_", (HEX, 32)), ("SHOPIFY_API_SECRET",)),
    Format("databricks", ("da", "pi", (HEX, 32), "-2"), ("DATABRICKS_TOKEN",)),
    Format(
        "datadog-api", ((HEX, 32),), ("DD_API_KEY", "DATADOG_API_KEY", "DD-API-KEY"), plain=True
    ),
    Format("datadog-app", ((HEX, 40),), ("DD_APP_KEY", "DD_APPLICATION_KEY"), plain=True),
    Format("newrelic-user", ("NR", "AK-", (UPNUM, 27)), ("NEW_RELIC_API_KEY",)),
    Format("newrelic-licence", ((HEX, 36), "NR", "AL"), ("NEW_RELIC_LICENSE_KEY",)),
    Format(
        "sentry-org", ("sntry", "s_eyJ", (BASE64, 120), "_", (BASE64, 43)), ("SENTRY_AUTH_TOKEN",)
    ),
    Format("sentry-user", ("sntry", "u_", (HEX, 64)), ("SENTRY_AUTH_TOKEN",)),
    Format("linear", ("lin", "_api_", (ALNUM, 40)), ("LINEAR_API_KEY",)),
    Format("notion", ("secret", "_", (ALNUM, 43)), ("NOTION_TOKEN", "NOTION_API_KEY")),
    Format("notion-new", ("nt", "n_", (DIGITS, 11), (ALNUM, 35)), ("NOTION_TOKEN",)),
    Format("airtable", ("pa", "t", (ALNUM, 14), ".", (HEX, 64)), ("AIRTABLE_API_KEY",)),
    Format("airtable-key", ("ke", "y", (ALNUM, 14)), ("AIRTABLE_API_KEY",), plain=True),
    Format(
        "atlassian",
        ("ATA", "TT3xFfGF0", (URLSAFE, 171), "=", (UPHEX, 8)),
        ("JIRA_API_TOKEN", "ATLASSIAN_API_TOKEN"),
    ),
    Format("bitbucket", ("AT", "BB", (ALNUM, 24), (UPHEX, 8)), ("BITBUCKET_APP_PASSWORD",)),
    Format("figma", ("fi", "gd_", (URLSAFE, 40)), ("FIGMA_TOKEN", "X-Figma-Token")),
    Format("vault", ("hv", "s.", (URLSAFE, 95)), ("VAULT_TOKEN", "X-Vault-Token")),
    Format("vault-batch", ("hv", "b.AAAAAQ", (URLSAFE, 140)), ("VAULT_TOKEN",)),
    Format("vault-old", ("s", ".", (ALNUM, 24)), ("VAULT_TOKEN",)),
    Format(
        "terraform-cloud", ((ALNUM, 14), ".atlas", "v1.", (URLSAFE, 67)), ("TFE_TOKEN", "token")
    ),
    Format("pulumi", ("pu", "l-", (HEX, 40)), ("PULUMI_ACCESS_TOKEN",)),
    Format("grafana", ("gl", "sa_", (ALNUM, 32), "_", (HEX, 8)), ("GRAFANA_TOKEN",)),
    Format("grafana-cloud", ("gl", "c_eyJ", (BASE64, 100), "=="), ("GRAFANA_CLOUD_API_KEY",)),
    Format("planetscale", ("pscale", "_tkn_", (URLSAFE, 43)), ("PLANETSCALE_SERVICE_TOKEN",)),
    Format("planetscale-password", ("pscale", "_pw_", (URLSAFE, 43)), ("DATABASE_PASSWORD",)),
    Format("supabase", ("sb", "p_", (HEX, 40)), ("SUPABASE_ACCESS_TOKEN",)),
    Format(
        "supabase-secret", ("sb", "_secret_", (URLSAFE, 22), "_", (ALNUM, 8)), ("SUPABASE_KEY",)
    ),
    Format("vercel", ((ALNUM, 24),), ("VERCEL_TOKEN",), plain=True),
    Format("netlify", ("nf", "p_", (ALNUM, 36)), ("NETLIFY_AUTH_TOKEN",)),
    Format("netlify-old", ((URLSAFE, 43),), ("NETLIFY_AUTH_TOKEN",), plain=True),
    Format("cloudflare", ((URLSAFE, 40),), ("CLOUDFLARE_API_TOKEN", "CF_API_TOKEN"), plain=True),
    Format("cloudflare-global", ((HEX, 37),), ("CLOUDFLARE_API_KEY", "X-Auth-Key"), plain=True),
    Format("cloudflare-origin", ("v1", ".0-", (HEX, 24), "-", (HEX, 146)), ("ORIGIN_CA_KEY",)),
    Format("fastly", ((URLSAFE, 32),), ("FASTLY_API_TOKEN", "Fastly-Key"), plain=True),
    Format("algolia", ((HEX, 32),), ("ALGOLIA_ADMIN_KEY", "X-Algolia-API-Key"), plain=True),
    Format("postman", ("PM", "AK-", (HEX, 24), "-", (HEX, 34)), ("POSTMAN_API_KEY",)),
    Format("snyk", _UUID, ("SNYK_TOKEN",), plain=True),
    Format("sonarqube", ("sq", "p_", (HEX, 40)), ("SONAR_TOKEN",)),
    Format("sonarqube-user", ("sq", "u_", (HEX, 40)), ("SONAR_TOKEN", "sonar.token")),
    Format("sonarqube-plain", ((HEX, 40),), ("SONAR_TOKEN", "sonar.login"), plain=True),
    Format("age", ("AGE", "-SECRET-KEY-1", (BECH32, 58)), ("SOPS_AGE_KEY",)),
    Format("dropbox", ("s", "l.", (URLSAFE, 140)), ("DROPBOX_ACCESS_TOKEN",)),
    Format("doppler", ("dp", ".pt.", (ALNUM, 43)), ("DOPPLER_TOKEN",)),
    Format("dynatrace", ("dt0", "c01.", (BASE32, 24), ".", (BASE32, 64)), ("DT_API_TOKEN",)),
    Format("easypost", ("EZ", "AK", (ALNUM, 54)), ("EASYPOST_API_KEY",)),
    Format("fly", ("fo", "1_", (URLSAFE, 43)), ("FLY_API_TOKEN",)),
    Format("fly-macaroon", ("fm", "2_lJ", (BASE64, 200), "=="), ("FLY_API_TOKEN",)),
    Format("facebook", ("EA", "AC", (ALNUM, 160)), ("FB_ACCESS_TOKEN",)),
    Format("okta", ("0", "0", (URLSAFE, 40)), ("OKTA_API_TOKEN",), plain=True),
    Format("plaid", ("access-", "production-", *_UUID), ("PLAID_ACCESS_TOKEN",)),
    Format("prefect", ("pn", "u_", (ALNUM, 36)), ("PREFECT_API_KEY",)),
    Format("readme", ("rd", "me_", (LOWNUM, 70)), ("README_API_KEY",)),
    Format("rubygems", ("ruby", "gems_", (HEX, 48)), ("GEM_HOST_API_KEY",)),
    Format("shippo", ("shippo", "_live_", (HEX, 40)), ("SHIPPO_TOKEN",)),
    Format("tailscale", ("ts", "key-auth-k", (ALNUM, 16), "-", (ALNUM, 32)), ("TS_AUTHKEY",)),
    Format("typeform", ("tf", "p_", (ALNUM, 44), "_", (ALNUM, 14)), ("TYPEFORM_TOKEN",)),
    Format("crates", ("ci", "o", (ALNUM, 32)), ("CARGO_REGISTRY_TOKEN",)),
    Format("nuget", ("oy", "2", (LOWNUM, 43)), ("NUGET_API_KEY",)),
    Format("clojars", ("CLO", "JARS_", (HEX, 60)), ("CLOJARS_PASSWORD",)),
    Format("alibaba", ("LT", "AI5t", (ALNUM, 18)), ("ALIBABA_CLOUD_ACCESS_KEY_ID",)),
    Format("alibaba-secret", ((ALNUM, 30),), ("ALIBABA_CLOUD_ACCESS_KEY_SECRET",), plain=True),
    Format("tencent", ("AK", "ID", (ALNUM, 32)), ("TENCENTCLOUD_SECRET_ID",)),
    Format("line", ((BASE64, 170), "="), ("LINE_CHANNEL_ACCESS_TOKEN",), plain=True),
    Format("sourcegraph", ("sg", "p_", (HEX, 16), "_", (HEX, 40)), ("SRC_ACCESS_TOKEN",)),
    Format("buildkite", ("bk", "ua_", (HEX, 40)), ("BUILDKITE_API_TOKEN",)),
    Format("circleci", ("CCI", "PAT_", (ALNUM, 22), "_", (HEX, 40)), ("CIRCLE_TOKEN",)),
    Format("onepassword", ("op", "s_eyJ", (URLSAFE, 250)), ("OP_SERVICE_ACCOUNT_TOKEN",)),
    Format("contentful", ("CF", "PAT-", (URLSAFE, 43)), ("CONTENTFUL_MANAGEMENT_TOKEN",)),
    Format("launchdarkly", ("sd", "k-", *_UUID), ("LAUNCHDARKLY_SDK_KEY",), plain=True),
    Format("mapbox", ("sk", ".eyJ1Ijoi", (ALNUM, 70), ".", (URLSAFE, 22)), ("MAPBOX_TOKEN",)),
    Format("asana", ("1/", (DIGITS, 16), ":", (HEX, 32)), ("ASANA_ACCESS_TOKEN",), plain=True),
    Format(
        "braintree",
        ("access_token", "$production$", (LOWNUM, 16), "$", (HEX, 32)),
        ("BRAINTREE_ACCESS_TOKEN",),
    ),
    Format("twitch", ((LOWNUM, 30),), ("TWITCH_CLIENT_SECRET",), plain=True),
    Format("neon", ("na", "pi_", (LOWNUM, 64)), ("NEON_API_KEY",)),
    Format("render", ("rn", "d_", (ALNUM, 28)), ("RENDER_API_KEY",)),
    Format("artifactory", ("AK", "Cp", (ALNUM, 69)), ("ARTIFACTORY_API_KEY", "X-JFrog-Art-Api")),
    Format("adafruit", ("ai", "o_", (ALNUM, 28)), ("ADAFRUIT_IO_KEY",)),
    Format("duffel", ("duffel", "_live_", (URLSAFE, 43)), ("DUFFEL_ACCESS_TOKEN",)),
    Format("confluent", ((BASE64, 64),), ("CONFLUENT_CLOUD_API_SECRET",), plain=True),
    Format("rails-master", ((HEX, 32),), ("RAILS_MASTER_KEY",), plain=True),
    Format("django", ("django", "-insecure-", (LOWNUM + "^*_+", 50)), ("SECRET_KEY",)),
    Format("laravel", ("base64:", (BASE64, 43), "="), ("APP_KEY",), plain=True),
    Format("frameio", ("fi", "o-u-", (URLSAFE, 64)), ("FRAMEIO_TOKEN",)),
    Format("mandrill", ("m", "d-", (URLSAFE, 22)), ("MANDRILL_API_KEY",), plain=True),
    Format("pagerduty", ((URLSAFE, 20),), ("PAGERDUTY_TOKEN", "PD_API_KEY"), plain=True),
    Format("flutterwave", ("FLW", "SECK-", (HEX, 32), "-X"), ("FLW_SECRET_KEY",)),
    Format("yandex", ("AQ", "VN", (URLSAFE, 36)), ("YC_API_KEY",), plain=True),
    Format("twitter-bearer", ("AAAAAAAAAAAAAA", "AAAAAAAA", (ALNUM, 82)), ("BEARER_TOKEN",)),
    Format("etherscan", ((UPPER + DIGITS, 34),), ("ETHERSCAN_API_KEY",), plain=True),
    Format("age-post-quantum", ("AGE", "-SECRET-KEY-PQ-1", (BECH32, 58)), ("SOPS_AGE_KEY",)),
    Format("aws-session-old", ("FwoG", "ZXIvYXdz", (BASE64, 280)), ("AWS_SESSION_TOKEN",)),
    Format("google-hmac", ("GOO", "G1E", (UPNUM, 55)), ("GCS_ACCESS_KEY_ID",)),
    Format("gitlab-oauth-secret", ("gl", "oas-", (HEX, 64)), ("GITLAB_OAUTH_SECRET",)),
    Format("gitlab-agent", ("gl", "agent-", (URLSAFE, 50)), ("GITLAB_AGENT_TOKEN",)),
    Format("gitlab-workspace", ("gl", "wt-", (URLSAFE, 20)), ("GITLAB_WORKSPACE_TOKEN",)),
    Format("gitlab-flags", ("gl", "ffct-", (URLSAFE, 20)), ("UNLEASH_TOKEN",)),
    Format("buildkite-agent", ("bk", "ct_", (ALNUM, 73)), ("BUILDKITE_AGENT_TOKEN",)),
    Format("buildkite-session", ("bk", "aa_", (ALNUM, 75)), ("BUILDKITE_AGENT_ACCESS_TOKEN",)),
    Format("cloudflare-user", ("cf", "ut_", (ALNUM, 40), (HEX, 8)), ("CLOUDFLARE_API_TOKEN",)),
    Format("cloudflare-account", ("cf", "at_", (ALNUM, 40), (HEX, 8)), ("CF_API_TOKEN",)),
    Format("cloudflare-wrangler", ("cf", "oat_", (URLSAFE, 43)), ("CLOUDFLARE_API_TOKEN",)),
    Format("deepl-free", (*_UUID, ":f", "x"), ("DEEPL_API_KEY",)),
    Format("honeycomb-ingest", ("hc", "xik_", (LOWNUM, 58)), ("HONEYCOMB_API_KEY",)),
    Format("sentry-reserved", ("sntry", "i_", (HEX, 64)), ("SENTRY_AUTH_TOKEN",)),
    Format("launchdarkly-bare", ("sd", "k-", *_UUID), ("LAUNCHDARKLY_SDK_KEY",)),
    Format(
        "youtrack",
        ("pe", "rm:", (ALNUM, 12), ".", (ALNUM, 16), ".", (ALNUM, 30)),
        ("YOUTRACK_TOKEN",),
    ),
    Format(
        "paddle",
        ("pdl", "_live_apikey_", (LOWNUM, 26), "_", (ALNUM, 22), "_", (ALNUM, 3)),
        ("PADDLE_API_KEY",),
    ),
    Format("mailgun-bare", ((HEX, 32), "-", (HEX, 8), "-", (HEX, 8)), ("MAILGUN_API_KEY",)),
    Format("mailersend", ("ml", "sn.", (HEX, 64)), ("MAILERSEND_API_KEY",)),
    Format("neon-documented", ("neon", "_api_key_", (HEX, 32)), ("NEON_API_KEY",)),
    Format("riot", ("RG", "API-", *_UUID), ("RIOT_API_KEY",)),
    Format("nats-seed", ("S", "UA", (BASE32, 55)), ("NATS_SEED",)),
    Format("wandb-new", ("wandb", "_v1_", (URLSAFE, 77)), ("WANDB_API_KEY",)),
    Format("linear-webhook", ("lin", "_wh_", (ALNUM, 40)), ("LINEAR_WEBHOOK_SECRET",)),
    Format("slack-workflow", ("xw", "fp-", (DIGITS, 12), "-", (ALNUM, 24)), ("SLACK_TOKEN",)),
    Format("kintone", ((ALNUM, 40),), ("KINTONE_API_TOKEN", "X-Cybozu-API-Token"), plain=True),
    Format("chatwork", ((HEX, 32),), ("CHATWORK_API_TOKEN", "X-ChatWorkToken"), plain=True),
    Format("soracom", ("secret", "-", (ALNUM, 60)), ("SORACOM_AUTH_KEY", "authKey"), plain=True),
    Format(
        "adyen",
        ("AQE", "yhmfx", (BASE64, 88), "-", (BASE64, 43), "=-", (ALNUM, 16)),
        ("ADYEN_API_KEY", "X-API-Key"),
    ),
    Format("line-long-lived", ((BASE64, 149), "dB04t89/1O/", "w1cDnyilFU="), ("LINE_TOKEN",)),
    Format("yandex-iam", ("t", "1.", (URLSAFE, 60), ".", (URLSAFE, 86)), ("YC_IAM_TOKEN",)),
    Format(
        "bitwarden",
        ("0.", *_UUID, ".", (ALNUM, 30), ":", (BASE64, 22), "=="),
        ("BWS_ACCESS_TOKEN",),
    ),
    Format(
        "k3s-bootstrap",
        ("K1", "0", (HEX, 64), "::", (LOWNUM, 6), ".", (LOWNUM, 16)),
        ("K3S_TOKEN",),
    ),
    Format("swarm", ("SWM", "TKN-1-", (LOWNUM, 50), "-", (LOWNUM, 25)), ("SWARM_TOKEN",)),
    Format("nostr", ("ns", "ec1", (LOWNUM, 58)), ("NOSTR_KEY",)),
    Format("ory", ("ory", "_pat_", (ALNUM, 32)), ("ORY_API_KEY",)),
    Format("svix", ("wh", "sk_", (BASE64, 86), "=="), ("SVIX_KEY",)),
    Format(
        "salesforce",
        ("00", "D", (ALNUM, 12), "!", (ALNUM + "._", 90)),
        ("session_id",),
    ),
    Format("openvsx", ("ovs", "xp_", *_UUID), ("OVSX_PAT",)),
    Format("close", ("ap", "i_", (ALNUM, 22), ".", (ALNUM, 22)), ("CLOSE_API_KEY",)),
    Format(
        "discord-other",
        (("TXlq", 1), (ALNUM, 24), ".x", (ALNUM, 5), ".", (ALNUM, 37)),
        ("DISCORD_TOKEN",),
    ),
    Format("tinkoff", ("t", ".", (ALNUM, 1), (URLSAFE, 85)), ("INVEST_TOKEN",)),
    Format("loggly", (*_UUID, "@41", "058"), ("LOGGLY_TOKEN",)),
    Format("app-password-google", ((LOWER, 16),), ("SMTP_PASSWORD", "EMAIL_PASSWORD"), plain=True),
)

_FOUND_BARE = (
    "«v»",
    "I pasted «v» into the prompt by mistake",
    "Output: «v»\nDone in 2.1s",
    "['deploy', '--with', '«v»']",
    "次は «v» を使ってください",
    "さっきのは«v»です。",
    '-  x: "old"\n+  x: "«v»"',
    '{"event":"seen","value":"«v»","n":3}',
    "see «v», then run `make`",
    "echo «v» | tool login --stdin",
    "前のやつ（«v»）は消しておいて",
    "| prod | «v» | 2026-02-02 |",
    "stdout: b'«v»\\n'",
    "WARN request failed for «v». Retrying in 5s",
)
_FOUND_NAMED = (
    "«n»=«v»",
    'export «n»="«v»"',
    "«n»: «v»",
    '"«n»": "«v»",',
    "«n» = '«v»'",
    "set «n» to «v» and restart",
    "«n» は «v» に変えた",
    "-e «n»=«v» \\",
    "- «n»=«v»",
    "curl -H '«n»: «v»' https://api.maple-river.net/v1/me",
)


def vendor_cases() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Every format, bare where the token alone tells, else beside its documented name."""
    for form in FORMATS:
        draw = Draw(f"vendor {form.label}")
        named = EACH if form.plain else EACH // 3
        shapes = draw.some(_FOUND_BARE, EACH - named) + draw.some(_FOUND_NAMED, named)
        for shape in shapes:
            value = draw.token(form.parts)
            text = shape.replace("«n»", draw.pick(form.names)).replace("«v»", value)
            yield f"vendor/{form.label}", text, (value,)
    yield from _addresses()


def _addresses() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Vendors whose secret is a part of an address: only that part counts."""
    for number in range(EACH):
        draw = Draw(f"vendor address {number}")
        say = draw.pick(
            ("«u»", "POST «u» 200", "通知先は «u» です", "WEBHOOK_URL=«u»", '"url": "«u»"')
        )
        for label, before, secret, after in _address_parts(draw):
            yield f"vendor/{label}", say.replace("«u»", before + secret + after), (secret,)


def _address_parts(draw: Draw) -> Iterator[tuple[str, str, str, str]]:
    team, bot = draw.chars(UPNUM, 10), draw.chars(UPNUM, 10)
    slack = glue("https://hooks.slack", ".com/services/")
    yield "slack-webhook", f"{slack}T{team}/B{bot}/", draw.chars(ALNUM, 24), ""
    discord = glue("https://discord", ".com/api/webhooks/")
    yield "discord-webhook", f"{discord}{draw.chars('123456789', 18)}/", draw.chars(URLSAFE, 68), ""
    yield "sentry-dsn", "https://", draw.chars(HEX, 32), "@o4501.ingest.sentry.io/4502210"
    telegram = draw.token((("123456789", 1), (DIGITS, 9), ":A", "A", (URLSAFE, 33)))
    yield "telegram-url", glue("https://api.telegram", ".org/bot"), telegram, "/sendMessage"
    store = f"https://{draw.word()}.blob.core.windows.net/a/b.csv?sv=2024-11-04&sp=r&sig="
    yield "azure-sas", store, draw.base64(32).replace("+", "%2B").replace("=", "%3D"), "&sr=b"
    teams = f"https://{draw.word()}.webhook.office.com/webhookb2/{draw.uuid()}@{draw.uuid()}"
    yield "teams-webhook", f"{teams}/IncomingWebhook/", draw.chars(HEX, 32), f"/{draw.uuid()}"
    wecom = glue("https://qyapi.weixin.qq", ".com/cgi-bin/webhook/send?key=")
    yield "wecom-webhook", wecom, draw.uuid(), ""
    signed = f"https://{draw.word()}.s3.amazonaws.com/k?X-Amz-Expires=600&X-Amz-Signature="
    yield "aws-presigned", signed, draw.chars(HEX, 64), ""
