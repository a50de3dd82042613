"""Forms of the tokens that carry their issuer's mark.

A row is the vendor's name in the mask, the token's literal beginning, and the pattern of its end. The comment above
a vendor's first row names the vendor's page that states the form, its beginning or its length. A row without one
has the form of tokens that the vendor issues; no page that states it was found.
"""

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

DISTINCT: tuple[tuple[str, str, str], ...] = (
    # docs.github.com/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
    ("github", "ghp_|gho_|ghu_|ghs_|ghr_", "[A-Za-z0-9]{30}[A-Za-z0-9]*"),
    ("github", "github_pat_", "[A-Za-z0-9_]{22}[A-Za-z0-9_]*"),
    # docs.gitlab.com/security/tokens/#token-prefixes
    (
        "gitlab",
        "glpat-|gldt-|glrt-|glcbt-|glptt-|glft-|glimt-|glagent-|gloas-|glsoat-",
        r"[\w.-]{20}[\w.-]*",
    ),
    ("gitlab", "GR1348941", r"[\w-]{20}"),
    ("anthropic", "sk-ant-", r"[\w-]{20}[\w-]*"),
    ("openai", "sk-proj-|sk-svcacct-|sk-admin-", r"[\w-]{20}[\w-]*"),
    ("openrouter", "sk-or-v1-", "[0-9a-f]{32}[0-9a-f]*"),
    ("google", "AIza", r"[\w-]{35}"),
    ("google", "GOCSPX-", r"[\w-]{28}"),
    ("google", r"ya29\.", r"[\w.-]{20}[\w.-]*"),
    # docs.slack.dev/authentication/tokens
    ("slack", r"xox[abcdeoprs]-|xoxe\.xox[bp]-|xwfp-", r"[\w%-]{10}[\w%-]*"),
    ("slack", "xapp-", r"\d-[A-Z0-9]+-\d+-[a-z0-9]+"),
    (
        "slack",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/",
        "[A-Za-z0-9+/]{20}[A-Za-z0-9+/]*",
    ),
    # docs.metamask.io/services/get-started/endpoints
    ("infura", r"\.infura\.io/(?:ws/)?v3/", "[0-9a-f]{32}"),
    ("quicknode", r"\.quiknode\.pro/", "[0-9a-f]{40}"),
    ("discord", r"discord(?:app)?\.com/api/webhooks/", r"\d{10,20}/[\w-]{40}[\w-]*"),
    ("teams", r"\.webhook\.office\.com/webhookb2/", r"[\w@-]{30}[\w@/-]*"),
    # docs.stripe.com/keys; pk_ is public
    (
        "stripe",
        "sk_live_|sk_test_|sk_org_(?:live_|test_)?|rk_live_|rk_test_|sk_prod_|rk_prod_",
        "[A-Za-z0-9]{10}[A-Za-z0-9]*",
    ),
    ("stripe", "whsec_|whsk_", "[A-Za-z0-9+/]{20}[A-Za-z0-9+/=]*"),
    ("npm", "npm_", "[A-Za-z0-9]{36}"),
    # docs.pypi.org/api/secrets
    ("pypi", "pypi-AgE", r"[\w-]{30}[\w-]*"),
    ("rubygems", "rubygems_", "[0-9a-f]{48}"),
    ("docker", "dckr_pat_|dckr_oat_", r"[\w-]{20}[\w-]*"),
    # huggingface.co/docs/hub/security-tokens
    ("huggingface", "hf_|api_org_", "[A-Za-z]{34}|(?:hf_)?[A-Za-z0-9]{34}"),
    ("sendgrid", r"SG\.", r"[\w-]{16,32}\.[\w-]{16,64}"),
    ("sendinblue", "xkeysib-|xsmtpsib-", "[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    ("digitalocean", "dop_v1_|doo_v1_|dor_v1_", "[0-9a-f]{64}"),
    # shopify.dev/changelog/length-of-the-shopify-access-token-is-increasing
    ("shopify", "shpat_|shpca_|shppa_|shpss_|shpua_|shptka_", "[0-9a-fA-F]{32}"),
    # developer.squareup.com/docs/build-basics/access-tokens lists the kinds; an application's id is public
    ("square", "sq0atp-|sq0csp-", r"[\w-]{22}[\w-]*"),
    ("atlassian", "ATATT3|ATCTT3", r"[\w=-]{50}[\w=-]*"),
    ("databricks", "dapi", r"[0-9a-f]{32}(?:-\d)?"),
    # developer.hashicorp.com/vault/docs/concepts/tokens#token-formats
    ("vault", r"hvs\.|hvb\.|hvr\.", r"[\w-]{20}[\w-]*"),
    ("doppler", r"dp\.(?:pt|st|ct|sa|scim|audit)\.", "[A-Za-z0-9._-]{40}[A-Za-z0-9]*"),
    ("pulumi", "pul-", "[0-9a-f]{40}"),
    (
        "newrelic",
        "NRAK-|NRII-|NRIQ-|NRRA-|NRJS-|NRSP-|NRAA-|NRBR-",
        "[A-Za-z0-9_-]{19}[A-Za-z0-9_-]*",
    ),
    # grafana.com/docs/grafana/latest/administration/service-accounts
    ("grafana", "glc_|glsa_", "[A-Za-z0-9+/_=]{32}[A-Za-z0-9+/_=]*"),
    # docs.sentry.io/security-legal-pii/security/token-formats
    ("sentry", "sntry[suai]_", "[A-Za-z0-9+/=_]{40}[A-Za-z0-9+/=_]*"),
    # supabase.com/docs/guides/api/api-keys; sb_publishable_ is public
    ("supabase", "sbp_", "[0-9a-f]{40}"),
    ("supabase", "sb_secret_", r"[\w-]{20}[\w-]*"),
    ("planetscale", "pscale_tkn_|pscale_pw_|pscale_oauth_", r"[\w.=-]{32}[\w.=-]*"),
    ("postman", "PMAK-", "[0-9a-fA-F]{24}-[0-9a-fA-F]{34}"),
    ("figma", "figd_", r"[\w-]{38}[\w-]*"),
    ("linear", "lin_api_|lin_oauth_|lin_wh_", "[A-Za-z0-9]{32}[A-Za-z0-9]*"),
    ("notion", "ntn_", "[A-Za-z0-9]{40}[A-Za-z0-9]*"),
    ("groq", "gsk_", "[A-Za-z0-9]{40}[A-Za-z0-9]*"),
    ("xai", "xai-", "[A-Za-z0-9]{60}[A-Za-z0-9]*"),
    ("perplexity", "pplx-", "[A-Za-z0-9]{40}[A-Za-z0-9]*"),
    ("langsmith", "lsv2_pt_|lsv2_sk_", "[0-9a-f]{32}_[0-9a-f]{10}"),
    ("pinecone", "pcsk_", r"\w{40}\w*"),
    ("tavily", "tvly-", r"[\w-]{20}[\w-]*"),
    # tailscale.com/docs/reference/key-prefixes
    (
        "tailscale",
        "tskey-api-|tskey-auth-|tskey-client-|tskey-scim-|tskey-webhook-",
        r"[\w-]{10}[\w-]*",
    ),
    # github.com/FiloSottile/age/blob/main/doc/age-keygen.1.ronn
    ("age", "AGE-SECRET-KEY-(?:PQ-)?1", "[A-Z0-9]{58}"),
    ("easypost", "EZAK|EZTK", "[A-Za-z0-9]{54}"),
    # docs.dynatrace.com/docs/shortlink/token
    ("dynatrace", r"dt0[a-z]\d\d\.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    ("prefect", "pnu_|pnb_", "[A-Za-z0-9]{36}"),
    ("clojars", "CLOJARS_", "[a-z0-9]{60}"),
    ("shippo", "shippo_live_|shippo_test_", "[0-9a-f]{40}"),
    ("readme", "rdme_", "[a-z0-9]{70}"),
    ("netlify", "nfp_", "[A-Za-z0-9]{36}[A-Za-z0-9]*"),
    ("fly", "fo1_|fm1r_|fm1a_|fm2_", r"[\w+/=-]{40}[\w+/=-]*"),
    ("bedrock", "ABSK", "[A-Za-z0-9+/]{100}[A-Za-z0-9+/=]*"),
    ("google", "1//0", r"[\w-]{40}[\w-]*"),
    ("heroku", "HRKU-AA", r"[\w-]{50}[\w-]*"),
    ("langfuse", "sk-lf-", _UUID),
    ("plaid", "access-(?:production|sandbox|development)-", _UUID),
    ("braintree", r"access_token\$(?:production|sandbox)\$", r"[0-9a-z]{16}\$[0-9a-f]{32}"),
    ("hubspot", "pat-(?:na|eu|ap)[0-9]-", _UUID),
    ("axiom", "xaat-|xapt-", _UUID),
    ("amazon", r"amzn\.mws\.", _UUID),
    ("amazon", r"amzn1\.oa2-cs\.v1\.", "[0-9a-f]{64}"),
    ("amazon", r"Atza\||Atzr\|", r"[\w-]{60}[\w-]*"),
    ("typeform", "tfp_", r"[\w.-]{40}[\w.-]*"),
    ("sourcegraph", "sgp_|sgd_|slk_", "(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40,64}"),
    # buildkite.com/docs/platform/security/tokens
    ("buildkite", "bk(?:ua|aa|aj|ar|ct|pt|pat|ps)_", r"[\w.-]{40}[\w.-]*"),
    # circleci.com/changelog/new-format-for-api-access-tokens
    ("circleci", "CCIPAT_|CCIPRJ_", "[A-Za-z0-9]{22}_[0-9a-f]{40}"),
    ("onepassword", "ops_eyJ", r"[\w+/=-]{100}[\w+/=-]*"),
    ("contentful", "CFPAT-", r"[\w-]{43}"),
    ("django", "django-insecure-", "[a-z0-9!@#$%^&*(_=+)-]{40}[a-z0-9!@#$%^&*(_=+)-]{0,20}"),
    ("duffel", "duffel_live_|duffel_test_", r"[\w=-]{43}"),
    ("frameio", "fio-u-", r"[\w=-]{64}"),
    ("flutterwave", "FLWSECK(?:_TEST)?-", "[0-9A-Za-z]{12,40}(?:-X)?"),
    ("artifactory", "AKCp", "[A-Za-z0-9]{69}"),
    ("artifactory", "cmVmdGtu", "[A-Za-z0-9]{56}"),
    # neon.com/docs/manage/api-keys
    ("neon", "napi_", "[a-z0-9]{60}[a-z0-9]*"),
    ("neon", "neon_(?:api|org|project)_key_", "[0-9a-z]{32}[0-9a-z]*"),
    ("nvidia", "nvapi-", r"[\w-]{50}[\w-]*"),
    ("jina", "jina_", r"[0-9a-f]{32}[\w-]{20}[\w-]*"),
    ("snyk", r"snyk_[us]at\.", r"[0-9a-f]{8}\.eyJ[\w.-]{40}[\w.-]*"),
    ("posthog", "phx_", "[A-Za-z0-9_]{40}[A-Za-z0-9_]*"),
    # docs.honeycomb.io/api/authentication; without its secret a key's id is shorter
    ("honeycomb", "hc[a-z][im]k_", "[a-z0-9]{50}[a-z0-9]*"),
    ("inngest", "signkey-(?:prod|test|branch)-", "[0-9a-f]{64}"),
    ("trello", "ATTA", "[0-9a-f]{64}"),
    ("openshift", "sha256~", r"[\w-]{43}"),
    # developer.paddle.com/api-reference/about/authentication
    ("paddle", "pdl_(?:live|sdbx|test)_apikey_", "[a-z0-9]{26}_[A-Za-z0-9_]{20}[A-Za-z0-9_]*"),
    ("xendit", "xnd_(?:production|development)_", "[A-Za-z0-9]{40}[A-Za-z0-9]*"),
    ("midtrans", "Mid-server-", r"[\w-]{20}[\w-]*"),
    ("omise", "skey_(?:test_|live_)", "[a-z0-9]{15}[a-z0-9]*"),
    ("baidu", "bce-v3/ALTAK-", "[A-Za-z0-9]{21}/[0-9a-f]{40}"),
    ("onesignal", "os_v2_app_|os_v2_org_", "[a-z0-9]{80}[a-z0-9]*"),
    ("vercel", "vercel_blob_rw_", "[A-Za-z0-9]{16}_[A-Za-z0-9]{20}[A-Za-z0-9]*"),
    ("grafana", "eyJrIjoi", "[A-Za-z0-9]{60}[A-Za-z0-9]*={0,2}"),
    ("socket", "sktsec_", r"[\w-]{40}[\w-]*"),
    ("planetscale", "pscale_api_", r"[\w.=-]{32}[\w.=-]*"),
    ("ifttt", r"maker\.ifttt\.com/use/|/with/key/", r"[\w-]{20}[\w-]*"),
    ("zapier", r"hooks\.zapier\.com/hooks/catch/", r"\d+/[a-z0-9]{5}[a-z0-9]*"),
    ("feishu", r"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/", r"[\w-]{20}[\w-]*"),
    ("teams", r"\.logic\.azure\.com(?::443)?/workflows/", "[0-9a-f]{32}"),
    ("teams", r"outlook\.office(?:365)?\.com/webhook/", r"[\w@-]{30}[\w@/-]*"),
    ("yandex", "AQVN", r"[\w-]{35}[\w-]{0,3}"),
    ("gitlab", "glffct-|glrtr-|glwt-", r"[\w.-]{20}[\w.-]*"),
    ("runpod", "rpa_", "[A-Z0-9]{36}[A-Za-z0-9]*"),
    ("together", "tgp_v1_", r"[\w-]{40}[\w-]*"),
    ("llamaindex", "llx-", "[A-Za-z0-9]{40}[A-Za-z0-9]*"),
    ("deno", "ddp_|ddo_", "[A-Za-z0-9]{36}"),
    ("aiven", "AVNS_", r"[\w-]{16}[\w-]*"),
    ("cockroach", "CCDB1_", "[A-Za-z0-9]{22}_[A-Za-z0-9]{40}"),
    ("mongodb", "mdb_sa_sk_", r"[\w-]{30}[\w-]*"),
    ("bedrock", "bedrock-api-key-", "[A-Za-z0-9+/=]{40}[A-Za-z0-9+/=]*"),
    ("paypal", "A21AA", r"[\w-]{80}[\w-]*"),
    ("intercom", "dG9rO", "[A-Za-z0-9+/]{50}[A-Za-z0-9+/]*={0,2}"),
    ("salesforce", "00D[A-Za-z0-9]{11,15}!", r"[\w.]{60}[\w.]*"),
    # docs.docker.com/engine/swarm/join-nodes
    ("swarm", "SWMTKN-1-", "[0-9a-z]{50}-[0-9a-z]{25}"),
    ("sidekiq", "BUNDLE_[A-Z_]{3,40}=", r"[0-9a-f]{8}:[0-9a-f]{8}\b"),
    ("cloudflare", "cfut_|cfat_|cfk_|cfoat_", "[A-Za-z0-9_-]{30}[A-Za-z0-9_-]*"),
    ("mapbox", r"[spt]k\.eyJ", r"[\w-]{20}[\w-]*\.[\w-]{20}[\w-]*"),
    ("cloudflare", "eyJhIjoi", "[A-Za-z0-9+/]{100}[A-Za-z0-9+/]*={0,2}"),
    # github.com/nostr-protocol/nips/blob/master/19.md
    ("nostr", "nsec1", "[a-z0-9]{58}"),
    ("wallet", "[xyz]prv", "[1-9A-HJ-NP-Za-km-z]{100}[1-9A-HJ-NP-Za-km-z]*"),
    ("aws", "IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz", "[A-Za-z0-9+/%]{60}[A-Za-z0-9+/%]*={0,2}"),
    ("google", "GOOG1E", "[A-Z0-9]{55}"),
    (
        "adyen",
        "AQ[EF][a-z]hmf",
        r"""[A-Za-z0-9+/=]{60,120}-[A-Za-z0-9+/=]{20,60}-[^\s"'\\]{8,24}""",
    ),
    ("mercadopago", "APP_USR-", r"\d{10,20}-\d{6,8}-[0-9a-f]{32}-\d{5,12}"),
    ("pubnub", "sec-c-", r"[\w+/-]{32}[\w+/-]*={0,2}"),
    ("riot", "RGAPI-", _UUID),
    ("mailersend", r"mlsn\.", "[0-9a-f]{64}"),
    # docs.wandb.ai/support/models/articles/why-does-my-api-key-fail-with-must-be-40-characters
    ("wandb", "wandb_v1_", r"[\w-]{40}[\w-]*"),
    ("cursor", "crsr_", "[0-9a-f]{64}"),
    ("openvsx", "ovsxp_", _UUID),
    # ory.com/docs/concepts/personal-access-token
    ("ory", "ory_(?:pat|at|st|rt|ac)_", r"[\w.-]{20}[\w.-]*"),
    ("wecom", r"/webhook/send\?key=", _UUID),
    # RFC 8959
    ("secret", "secret-token:", r"[\w.~%!$*+=:@-]{12}[\w.~%!$*+=:@-]*"),
    ("jwt", "eyJ", r"[\w-]{8}[\w-]*\.[\w-]{8}[\w-]*(?:\.[\w-]*)*"),
)
"""Tokens whose beginning occurs in no word. They may follow any byte: `\\nghp_…` in an escaped log line."""

AT_WORD_START: tuple[tuple[str, str, str], ...] = (
    ("dropbox", r"sl\.(?:[uB]\.)?", r"[\w-]{100}[\w-]*"),
    # developers.cloudflare.com/fundamentals/api/get-started/token-formats
    ("cloudflare", r"v1\.0-", "[0-9a-f]{24}-[0-9a-f]{140}[0-9a-f]*"),
    ("infisical", r"st\.", r"[0-9a-f-]{36}\.[0-9a-f]{32}\.[0-9a-f]{32}"),
    # yandex.cloud/en/docs/iam/concepts/authorization/iam-token
    ("yandex", r"t1\.", r"[A-Z0-9a-z_-]{20,}={0,2}\.[A-Z0-9a-z_-]{86}={0,2}"),
    ("google", "4/0A", r"[\w-]{40}[\w-]*"),
    ("google", r"AQ\.Ab", r"[\w-]{40}[\w-]*"),
    ("toss", "(?:live|test)_g?sk_", "[A-Za-z0-9]{20}[A-Za-z0-9]*"),
    ("zoho", r"1000\.", r"[0-9a-f]{32}\.[0-9a-f]{32}"),
    ("harness", r"[ps]at\.", r"[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}"),
    ("woocommerce", "c[ks]_", "[0-9a-f]{40}"),
    ("rancher", "token-[a-z0-9]{5}:", "[a-z0-9]{54}"),
    # docs.k3s.io/cli/token#token-format
    ("k3s", "K10", r"[0-9a-f]{50}[0-9a-f]*::(?:[\w-]+:)?[\w.-]{12}[\w-]*"),
    # github.com/paseto-standard/paseto-spec
    ("paseto", r"v[1-4]\.(?:local|public)\.", r"[\w-]{40}[\w-]*(?:\.[\w-]+)?"),
    # docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
    ("aws", "AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9]", r"[A-Z0-9]{16}\b"),
    ("atlassian", "ATBB", r"[A-Za-z0-9]{32}\b"),
    ("telegram", r"(?:bot)?\d{8,10}:", r"[A-Za-z][\w-]{34}\b"),
    (
        "onepassword",
        "A3-",
        r"[A-Z0-9]{6}-(?:[A-Z0-9]{6}-[A-Z0-9]{5}|[A-Z0-9]{11})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\b",
    ),
    ("cursor", "key_", r"[0-9a-f]{64}\b"),
    ("alibaba", "LTAI", r"[A-Za-z0-9]{12,24}\b"),
    ("openai", "sk-", r"(?:[A-Za-z0-9]{1,12}-){0,2}[A-Za-z0-9_]{20}[\w-]*"),
    ("twilio", "SK", r"[0-9a-f]{32}\b"),
    ("mailgun", "key-", r"[0-9a-f]{32}\b"),
    ("notion", "secret_", r"[A-Za-z0-9]{43}\b"),
    ("replicate", "r8_", r"[A-Za-z0-9]{37}\b"),
    # learn.microsoft.com/windows/security/operating-system-security/data-protection/bitlocker/recovery-overview
    ("bitlocker", r"\d{6}-\d{6}-\d{6}-", r"(?:\d{6}-){4}\d{6}\b"),
    ("nuget", "oy2", r"[a-z0-9]{43}\b"),
    # github.com/rust-lang/crates.io/blob/main/src/util/token.rs
    ("crates", "cio", r"[A-Za-z0-9]{32}\b"),
    ("airtable", "pat[A-Za-z0-9]{8}", r"[A-Za-z0-9]{6}\.[0-9a-f]{64}"),
    ("resend", "re_", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b"),
    ("facebook", "EAA", r"[\w-]{60}[\w-]*"),
    ("sonarqube", "squ_|sqp_|sqa_", r"[0-9a-f]{40}\b"),
    (
        "discord",
        "[MNO][A-Za-z0-9_-]{16}",
        r"[A-Za-z0-9_-]{7,9}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}[A-Za-z0-9_-]*",
    ),
    ("yandex", "y0__?", r"[\w-]{50}[\w-]*"),
    ("vault", r"[sb]\.[A-Za-z0-9]{12}", r"[A-Za-z0-9]{12}\b"),
    ("tencent", "AKID", r"[A-Za-z0-9]{32}\b"),
    ("volcengine", "AKLT", "[A-Za-z0-9]{40}[A-Za-z0-9]*={0,2}"),
    ("alibaba", r"STS\.", r"[A-Za-z0-9]{20,30}\b"),
    ("render", "rnd_", "[A-Za-z0-9]{28}[A-Za-z0-9]*"),
    ("adafruit", "aio_", r"[A-Za-z0-9]{28}\b"),
    ("laravel", "base64:", "[A-Za-z0-9+/]{43}="),
    ("twitter", "A{21}", r"A{0,5}[A-Za-z0-9%]{60,110}\b"),
    ("asana", "[0-9]/[0-9]{13,17}", r"(?:/[0-9]{13,17})?:[0-9a-f]{32}\b"),
    ("telnyx", "KEY[0-9A-F]{4}", r"[0-9A-F]{28}_[A-Za-z0-9]{22}\b"),
    ("clickup", "pk_[0-9]{5,10}_", r"[A-Z0-9]{32}\b"),
    ("octopus", "API-", r"[A-Z0-9]{25,32}\b"),
    ("infracost", "ico-", r"[A-Za-z0-9]{32}\b"),
    ("backblaze", "K00[0-9]", r"[A-Za-z0-9/+]{27}\b"),
    ("scaleway", "SCW", r"[A-Z0-9]{17}\b"),
    ("cerebras", "csk-", "[a-z0-9]{40}[a-z0-9]*"),
    ("voyage", r"pa-[\w-]{12}", r"[\w-]{31}\b"),
    ("firecrawl", "fc-", r"[0-9a-f]{32}\b"),
    ("fireworks", "fw_", r"[A-Za-z0-9]{22,26}\b"),
    ("anyscale", "esecret_", r"[A-Za-z0-9]{24,40}\b"),
    ("modal", "a[ks]-", r"[A-Za-z0-9]{22}\b"),
    ("e2b", "e2b_", r"[0-9a-f]{40}\b"),
    ("elevenlabs", "sk_", r"[0-9a-f]{48}\b"),
    ("checkly", "cu_", r"[0-9a-f]{32}\b"),
    ("chromatic", "chpt_", r"[0-9a-f]{12,20}\b"),
    ("triggerdev", "tr_(?:dev|prod|stg)_", "[A-Za-z0-9]{20}[A-Za-z0-9]*"),
    ("statsig", "secret-", "[A-Za-z0-9]{40}[A-Za-z0-9]*"),
    # github.com/nats-io/nkeys; stellar.org's seeds are two characters shorter
    ("stellar", "S[A-Z2-7]{15}", r"[A-Z2-7]{40}(?:[A-Z2-7]{2})?\b"),
    ("twitch", "oauth:", r"[a-z0-9]{30}\b"),
    ("lob", "(?:live|test)_", r"[0-9a-f]{35}\b"),
    ("mollie", "(?:live|test)_", r"[A-Za-z0-9]{30}\b"),
    ("figma", "figo_|figdr_|figur_", r"[\w-]{30}[\w-]*"),
    ("gitbook", "gb_api_", r"[A-Za-z0-9]{40}\b"),
    ("langsmith", "ls__", r"[0-9a-f]{32}\b"),
    # launchdarkly.com/docs/home/account/environment/keys; mobile keys (mob-) are public
    (
        "launchdarkly",
        "(?:sdk|api)-[0-9a-f]{8}-",
        r"[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
    ),
    # jetbrains.com/help/youtrack/devportal/authentication-with-permanent-token.html
    (
        "youtrack",
        "perm[:-][A-Za-z0-9+/]{4}",
        r"[\w+/=-]*\.[\w+/=-]{4}[\w+/=-]*\.[A-Za-z0-9]{20}[A-Za-z0-9]*",
    ),
    # github.com/bitwarden/sdk-internal/blob/main/crates/bitwarden-core/src/auth/access_token.rs
    (
        "bitwarden",
        r"0\.[0-9a-f]{8}-",
        r"[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{22}={0,2}",
    ),
    # developer.close.com/api/overview/api-authentication
    ("close", "api_[A-Za-z0-9]{12}", r"[A-Za-z0-9]{10}\.[A-Za-z0-9]{22}\b"),
    # developer.tbank.ru/invest/intro/intro/token
    ("tinkoff", r"t\.[\w-]{12}", r"[\w-]{68}[\w-]*"),
    ("vercel", "vc[piark]_", "[A-Za-z0-9]{24}[A-Za-z0-9]*"),
    ("netlify", "nf[cobu]_", "[A-Za-z0-9]{36}[A-Za-z0-9]*"),
    ("stytch", "secret-(?:live|test)-", r"[\w-]{30}[\w-]*={0,2}"),
    ("token", "[a-z]{2,12}_(?:live|test|prod|sandbox|production)_", "[A-Za-z0-9]{20}[A-Za-z0-9]*"),
)
"""Tokens whose beginning also occurs inside words."""

MARKED_INSIDE: tuple[tuple[str, str, str], ...] = (
    ("newrelic", "NRAL", "[0-9a-f]{32}[0-9a-f]{0,8}$"),
    ("azure", "AZDO[A-Za-z0-9]{4}", "[A-Za-z0-9]{76}$"),
    ("azure", "JQQJ99[A-Za-z0-9]{10}[A-Za-z0-9]*", "[A-Za-z0-9]{48}[A-Za-z0-9]{0,8}$"),
    ("azure", r"\dQ~[\w~.-]{31}[\w~.-]{0,3}", "[A-Za-z0-9_~.]{3}$"),
    ("firebase", r":APA91b[\w-]{130}[\w-]*", r"AAAA[\w-]{7}$"),
    ("rapidapi", "jsn[0-9a-z]{12}", "[0-9a-z]{10}msh[0-9a-z]{10}[0-9a-z]{0,15}$"),
    ("mailchimp", r"-us[0-9]{1,2}\b", r"\b[0-9a-f]{32}$"),
    # developer.hashicorp.com/terraform/cli/config/config-file#credentials
    ("terraform", r"\.atlasv1\.[\w=-]{60}[\w=-]*", "[A-Za-z0-9]{14}$"),
    ("line", "dB04t89/1O/w1cDnyilFU=", "[A-Za-z0-9+/]{100,150}$"),
    # developers.deepl.com/docs/getting-started/auth
    ("deepl", r":fx\b", rf"{_UUID}$"),
    # the number of an enterprise behind a token in structured data (RFC 5424, section 7.2.2)
    ("loggly", r"@41058\b", rf"{_UUID}$"),
    ("sidekiq", r"@(?:gems|enterprise)\.contribsys\.com", "[0-9a-f]{8}:[0-9a-f]{8}$"),
)
"""Tokens with their mark in the middle or at the end: vendor, mark, and the pattern before the mark."""
