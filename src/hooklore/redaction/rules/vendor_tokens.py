"""Tokens with their issuer's prefix, in the formats that the vendors publish."""

import functools
from collections.abc import Iterator
from typing import Any

import re2

from hooklore.redaction.pattern import Candidate, Pattern, Rule, quiet_options
from hooklore.redaction.rules.candidate_checks import DIGITS, LETTERS, remove_bytes

# A row is the vendor's name in the mask, the token's literal beginning, and the pattern of its end. A
# prefix that occurs in no word may follow any byte (`\nghp_…` in an escaped log line), others may not.
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

_DISTINCT: tuple[tuple[str, str, str], ...] = (
    ("github", "ghp_|gho_|ghu_|ghs_|ghr_", r"[A-Za-z0-9]{30}[A-Za-z0-9]*"),
    ("github", "github_pat_", r"[A-Za-z0-9_]{22}[A-Za-z0-9_]*"),
    (
        "gitlab",
        "glpat-|gldt-|glrt-|glcbt-|glptt-|glft-|glimt-|glagent-|gloas-|glsoat-",
        r"[\w.-]{20}[\w.-]*",
    ),
    ("gitlab", "GR1348941", r"[\w-]{20}"),
    ("anthropic", "sk-ant-", r"[\w-]{20}[\w-]*"),
    ("openai", "sk-proj-|sk-svcacct-|sk-admin-", r"[\w-]{20}[\w-]*"),
    ("openrouter", "sk-or-v1-", r"[0-9a-f]{32}[0-9a-f]*"),
    ("google", "AIza", r"[\w-]{35}"),
    ("google", "GOCSPX-", r"[\w-]{28}"),
    ("google", r"ya29\.", r"[\w.-]{20}[\w.-]*"),
    (
        "slack",
        "xoxa-|xoxb-|xoxc-|xoxd-|xoxe-|xoxo-|xoxp-|xoxr-|xoxs-|xoxe\\.xox[bp]-",
        r"[\w%-]{10}[\w%-]*",
    ),
    ("slack", "xapp-", r"\d-[A-Z0-9]+-\d+-[a-z0-9]+"),
    (
        "slack",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/",
        r"[A-Za-z0-9+/]{20}[A-Za-z0-9+/]*",
    ),
    ("discord", r"discord(?:app)?\.com/api/webhooks/", r"\d{10,20}/[\w-]{40}[\w-]*"),
    ("teams", r"\.webhook\.office\.com/webhookb2/", r"[\w@-]{30}[\w@/-]*"),
    (
        "stripe",
        "sk_live_|sk_test_|rk_live_|rk_test_|sk_prod_|rk_prod_",
        r"[A-Za-z0-9]{10}[A-Za-z0-9]*",
    ),
    ("stripe", "whsec_", r"[A-Za-z0-9+/]{20}[A-Za-z0-9+/=]*"),
    ("npm", "npm_", r"[A-Za-z0-9]{36}"),
    ("pypi", "pypi-AgE", r"[\w-]{30}[\w-]*"),
    ("rubygems", "rubygems_", r"[0-9a-f]{48}"),
    ("docker", "dckr_pat_|dckr_oat_", r"[\w-]{20}[\w-]*"),
    ("huggingface", "hf_|api_org_", r"[A-Za-z]{34}|(?:hf_)?[A-Za-z0-9]{34}"),
    ("sendgrid", r"SG\.", r"[\w-]{16,32}\.[\w-]{16,64}"),
    ("sendinblue", "xkeysib-|xsmtpsib-", r"[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    ("digitalocean", "dop_v1_|doo_v1_|dor_v1_", r"[0-9a-f]{64}"),
    ("shopify", "shpat_|shpca_|shppa_|shpss_", r"[0-9a-fA-F]{32}"),
    ("square", "sq0atp-|sq0csp-|sq0idp-", r"[\w-]{22}[\w-]*"),
    ("atlassian", "ATATT3|ATCTT3", r"[\w=-]{50}[\w=-]*"),
    ("databricks", "dapi", r"[0-9a-f]{32}(?:-\d)?"),
    ("vault", r"hvs\.|hvb\.|hvr\.", r"[\w-]{20}[\w-]*"),
    ("doppler", r"dp\.(?:pt|st|ct|sa|scim|audit)\.", r"[A-Za-z0-9._-]{40}[A-Za-z0-9]*"),
    ("pulumi", "pul-", r"[0-9a-f]{40}"),
    (
        "newrelic",
        "NRAK-|NRII-|NRIQ-|NRRA-|NRJS-|NRSP-|NRAA-|NRBR-",
        r"[A-Za-z0-9_-]{19}[A-Za-z0-9_-]*",
    ),
    ("grafana", "glc_|glsa_", r"[A-Za-z0-9+/_=]{32}[A-Za-z0-9+/_=]*"),
    ("sentry", "sntrys_|sntryu_", r"[A-Za-z0-9+/=_]{40}[A-Za-z0-9+/=_]*"),
    ("supabase", "sbp_", r"[0-9a-f]{40}"),
    ("supabase", "sb_secret_", r"[\w-]{20}[\w-]*"),
    ("planetscale", "pscale_tkn_|pscale_pw_|pscale_oauth_", r"[\w.=-]{32}[\w.=-]*"),
    ("postman", "PMAK-", r"[0-9a-fA-F]{24}-[0-9a-fA-F]{34}"),
    ("figma", "figd_", r"[\w-]{38}[\w-]*"),
    ("linear", "lin_api_|lin_oauth_", r"[A-Za-z0-9]{32}[A-Za-z0-9]*"),
    ("notion", "ntn_", r"[A-Za-z0-9]{40}[A-Za-z0-9]*"),
    ("groq", "gsk_", r"[A-Za-z0-9]{40}[A-Za-z0-9]*"),
    ("xai", "xai-", r"[A-Za-z0-9]{60}[A-Za-z0-9]*"),
    ("perplexity", "pplx-", r"[A-Za-z0-9]{40}[A-Za-z0-9]*"),
    ("langsmith", "lsv2_pt_|lsv2_sk_", r"[0-9a-f]{32}_[0-9a-f]{10}"),
    ("pinecone", "pcsk_", r"\w{40}\w*"),
    ("tavily", "tvly-", r"[\w-]{20}[\w-]*"),
    (
        "tailscale",
        "tskey-api-|tskey-auth-|tskey-client-|tskey-scim-|tskey-webhook-",
        r"[\w-]{10}[\w-]*",
    ),
    ("age", "AGE-SECRET-KEY-1", r"[A-Z0-9]{58}"),
    ("easypost", "EZAK|EZTK", r"[A-Za-z0-9]{54}"),
    ("dynatrace", r"dt0[a-z]\d\d\.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    ("prefect", "pnu_|pnb_", r"[A-Za-z0-9]{36}"),
    ("clojars", "CLOJARS_", r"[a-z0-9]{60}"),
    ("shippo", "shippo_live_|shippo_test_", r"[0-9a-f]{40}"),
    ("readme", "rdme_", r"[a-z0-9]{70}"),
    ("netlify", "nfp_", r"[A-Za-z0-9]{36}[A-Za-z0-9]*"),
    ("fly", "fo1_|fm1r_|fm1a_|fm2_", r"[\w+/=-]{40}[\w+/=-]*"),
    ("bedrock", "ABSK", r"[A-Za-z0-9+/]{100}[A-Za-z0-9+/=]*"),
    ("azure", r"[A-Za-z0-9_~.]{3}\dQ~", r"[\w~.-]{31}[\w~.-]{0,3}"),
    ("google", "1//0", r"[\w-]{40}[\w-]*"),
    ("heroku", "HRKU-AA", r"[\w-]{50}[\w-]*"),
    ("langfuse", "sk-lf-", _UUID),
    ("plaid", "access-(?:production|sandbox|development)-", _UUID),
    ("braintree", r"access_token\$(?:production|sandbox)\$", r"[0-9a-z]{16}\$[0-9a-f]{32}"),
    ("hubspot", "pat-(?:na|eu|ap)[0-9]-", _UUID),
    ("axiom", "xaat-|xapt-", _UUID),
    ("amazon", r"amzn\.mws\.", _UUID),
    ("amazon", r"amzn1\.oa2-cs\.v1\.", r"[0-9a-f]{64}"),
    ("amazon", r"Atza\||Atzr\|", r"[\w-]{60}[\w-]*"),
    ("dropbox", r"\bsl\.(?:[uB]\.)?", r"[\w-]{100}[\w-]*"),
    ("typeform", "tfp_", r"[\w.-]{40}[\w.-]*"),
    ("sourcegraph", "sgp_|sgd_|slk_", r"(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40,64}"),
    ("buildkite", "bkua_|bkpat_|bkct_", r"[0-9a-f]{40}[0-9a-f]*"),
    ("circleci", "CCIPAT_|CCIPRJ_", r"[A-Za-z0-9]{22}_[0-9a-f]{40}"),
    ("onepassword", "ops_eyJ", r"[\w+/=-]{100}[\w+/=-]*"),
    ("contentful", "CFPAT-", r"[\w-]{43}"),
    ("cloudflare", r"\bv1\.0-", r"[0-9a-f]{24}-[0-9a-f]{140}[0-9a-f]*"),
    ("django", "django-insecure-", r"[a-z0-9!@#$%^&*(_=+)-]{40}[a-z0-9!@#$%^&*(_=+)-]{0,20}"),
    ("duffel", "duffel_live_|duffel_test_", r"[\w=-]{43}"),
    ("frameio", "fio-u-", r"[\w=-]{64}"),
    ("flutterwave", "FLWSECK(?:_TEST)?-", r"[0-9A-Za-z]{12,40}(?:-X)?"),
    ("artifactory", "AKCp", r"[A-Za-z0-9]{69}"),
    ("artifactory", "cmVmdGtu", r"[A-Za-z0-9]{56}"),
    ("neon", "napi_", r"[a-z0-9]{60}[a-z0-9]*"),
    ("nvidia", "nvapi-", r"[\w-]{50}[\w-]*"),
    ("jina", "jina_", r"[0-9a-f]{32}[\w-]{20}[\w-]*"),
    ("infisical", r"\bst\.", r"[0-9a-f-]{36}\.[0-9a-f]{32}\.[0-9a-f]{32}"),
    ("snyk", r"snyk_[us]at\.", r"[0-9a-f]{8}\.eyJ[\w.-]{40}[\w.-]*"),
    ("posthog", "phx_", r"[A-Za-z0-9_]{40}[A-Za-z0-9_]*"),
    ("honeycomb", "hcaik_|hcxik_|hcbik_|hcamk_", r"[a-z0-9]{50}[a-z0-9]*"),
    ("inngest", "signkey-(?:prod|test|branch)-", r"[0-9a-f]{64}"),
    ("trello", "ATTA", r"[0-9a-f]{64}"),
    ("openshift", "sha256~", r"[\w-]{43}"),
    ("lemon", "pdl_(?:live|sdbx)_apikey_", r"[a-z0-9]{26}_[A-Za-z0-9_]{20}[A-Za-z0-9_]*"),
    ("xendit", "xnd_(?:production|development)_", r"[A-Za-z0-9]{40}[A-Za-z0-9]*"),
    ("midtrans", "Mid-server-", r"[\w-]{20}[\w-]*"),
    ("omise", "skey_(?:test_|live_)", r"[a-z0-9]{15}[a-z0-9]*"),
    ("baidu", "bce-v3/ALTAK-", r"[A-Za-z0-9]{21}/[0-9a-f]{40}"),
    ("firebase", r"AAAA[\w-]{7}:APA91b", r"[\w-]{130}[\w-]*"),
    ("onesignal", "os_v2_app_|os_v2_org_", r"[a-z0-9]{80}[a-z0-9]*"),
    ("vercel", "vercel_blob_rw_", r"[A-Za-z0-9]{16}_[A-Za-z0-9]{20}[A-Za-z0-9]*"),
    ("grafana", "eyJrIjoi", r"[A-Za-z0-9]{60}[A-Za-z0-9]*={0,2}"),
    ("socket", "sktsec_", r"[\w-]{40}[\w-]*"),
    ("planetscale", "pscale_api_", r"[\w.=-]{32}[\w.=-]*"),
    ("ifttt", r"maker\.ifttt\.com/use/|/with/key/", r"[\w-]{20}[\w-]*"),
    ("zapier", r"hooks\.zapier\.com/hooks/catch/", r"\d+/[a-z0-9]{5}[a-z0-9]*"),
    ("feishu", r"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/", r"[\w-]{20}[\w-]*"),
    ("teams", r"\.logic\.azure\.com(?::443)?/workflows/", r"[0-9a-f]{32}"),
    ("teams", r"outlook\.office(?:365)?\.com/webhook/", r"[\w@-]{30}[\w@/-]*"),
    ("yandex", r"\bt1\.", r"[A-Z0-9a-z_-]{20,}={0,2}\.[A-Z0-9a-z_-]{86}={0,2}"),
    ("yandex", "AQVN", r"[\w-]{35}[\w-]{0,3}"),
    ("gitlab", "glffct-|glrtr-|glwt-", r"[\w.-]{20}[\w.-]*"),
    ("runpod", "rpa_", r"[A-Z0-9]{36}[A-Za-z0-9]*"),
    ("together", "tgp_v1_", r"[\w-]{40}[\w-]*"),
    ("llamaindex", "llx-", r"[A-Za-z0-9]{40}[A-Za-z0-9]*"),
    ("deno", "ddp_|ddo_", r"[A-Za-z0-9]{36}"),
    ("aiven", "AVNS_", r"[\w-]{16}[\w-]*"),
    ("cockroach", "CCDB1_", r"[A-Za-z0-9]{22}_[A-Za-z0-9]{40}"),
    ("mongodb", "mdb_sa_sk_", r"[\w-]{30}[\w-]*"),
    ("bedrock", "bedrock-api-key-", r"[A-Za-z0-9+/=]{40}[A-Za-z0-9+/=]*"),
    ("google", r"\b4/0A", r"[\w-]{40}[\w-]*"),
    ("google", r"\bAQ\.Ab", r"[\w-]{40}[\w-]*"),
    ("paypal", "A21AA", r"[\w-]{80}[\w-]*"),
    ("toss", r"\b(?:live|test)_g?[cs]k_", r"[A-Za-z0-9]{20}[A-Za-z0-9]*"),
    ("intercom", "dG9rO", r"[A-Za-z0-9+/]{50}[A-Za-z0-9+/]*={0,2}"),
    ("salesforce", "00D[A-Za-z0-9]{12,15}!", r"[\w.]{60}[\w.]*"),
    ("zoho", r"\b1000\.", r"[0-9a-f]{32}\.[0-9a-f]{32}"),
    ("harness", r"\b[ps]at\.", r"[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}"),
    ("woocommerce", r"\bc[ks]_", r"[0-9a-f]{40}"),
    ("swarm", "SWMTKN-1-", r"[0-9a-z]{50}-[0-9a-z]{25}"),
    ("rancher", r"\btoken-[a-z0-9]{5}:", r"[a-z0-9]{54}"),
    ("k3s", r"\bK10", r"[0-9a-f]{50}[0-9a-f]*::[\w-]+:[\w-]{12}[\w-]*"),
    ("sidekiq", "BUNDLE_[A-Z_]{3,40}=", r"[0-9a-f]{8}:[0-9a-f]{8}\b"),
    ("cloudflare", "cfut_|cfat_|cfk_", r"[A-Za-z0-9_-]{30}[A-Za-z0-9_-]*"),
    ("mapbox", r"[sp]k\.eyJ", r"[\w-]{20}[\w-]*\.[\w-]{20}[\w-]*"),
    ("cloudflare", "eyJhIjoi", r"[A-Za-z0-9+/]{100}[A-Za-z0-9+/]*={0,2}"),
    ("paseto", r"\bv[1-4]\.(?:local|public)\.", r"[\w-]{40}[\w-]*(?:\.[\w-]+)?"),
    ("nostr", "nsec1", r"[a-z0-9]{58}"),
    ("wallet", "[xyz]prv", r"[1-9A-HJ-NP-Za-km-z]{100}[1-9A-HJ-NP-Za-km-z]*"),
    ("jwt", "eyJ", r"[\w-]{8}[\w-]*\.[\w-]{8}[\w-]*(?:\.[\w-]*)*"),
)
_AT_WORD_START: tuple[tuple[str, str, str], ...] = (
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
    ("nuget", "oy2", r"[a-z0-9]{43}\b"),
    ("crates", "cio", r"[A-Za-z0-9]{32}\b"),
    ("airtable", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
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
    ("volcengine", "AKLT", r"[A-Za-z0-9]{40}[A-Za-z0-9]*={0,2}"),
    ("alibaba", r"STS\.", r"[A-Za-z0-9]{20,30}\b"),
    ("render", "rnd_", r"[A-Za-z0-9]{28}[A-Za-z0-9]*"),
    ("adafruit", "aio_", r"[A-Za-z0-9]{28}\b"),
    ("laravel", "base64:", r"[A-Za-z0-9+/]{43}="),
    ("twitter", "A{21}", r"A{0,5}[A-Za-z0-9%]{60,110}\b"),
    ("asana", r"[0-9]/[0-9]{13,17}", r"(?:/[0-9]{13,17})?:[0-9a-f]{32}\b"),
    ("telnyx", "KEY", r"[0-9A-F]{32}_[A-Za-z0-9]{22}\b"),
    ("clickup", r"pk_[0-9]{5,10}_", r"[A-Z0-9]{32}\b"),
    ("octopus", "API-", r"[A-Z0-9]{25,32}\b"),
    ("infracost", "ico-", r"[A-Za-z0-9]{32}\b"),
    ("backblaze", "K00[0-9]", r"[A-Za-z0-9/+]{27}\b"),
    ("scaleway", "SCW", r"[A-Z0-9]{17}\b"),
    ("cerebras", "csk-", r"[a-z0-9]{40}[a-z0-9]*"),
    ("voyage", r"pa-[\w-]{12}", r"[\w-]{31}\b"),
    ("firecrawl", "fc-", r"[0-9a-f]{32}\b"),
    ("fireworks", "fw_", r"[A-Za-z0-9]{22,26}\b"),
    ("anyscale", "esecret_", r"[A-Za-z0-9]{24,40}\b"),
    ("modal", "a[ks]-", r"[A-Za-z0-9]{22}\b"),
    ("e2b", "e2b_", r"[0-9a-f]{40}\b"),
    ("elevenlabs", "sk_", r"[0-9a-f]{48}\b"),
    ("checkly", "cu_", r"[0-9a-f]{32}\b"),
    ("chromatic", "chpt_", r"[0-9a-f]{12,20}\b"),
    ("triggerdev", "tr_(?:dev|prod|stg)_", r"[A-Za-z0-9]{20}[A-Za-z0-9]*"),
    ("statsig", "secret-", r"[A-Za-z0-9]{40}[A-Za-z0-9]*"),
    ("stellar", "S[A-Z2-7]{15}", r"[A-Z2-7]{40}\b"),
    ("twitch", "oauth:", r"[a-z0-9]{30}\b"),
    ("lob", "(?:live|test)_", r"[0-9a-f]{35}\b"),
    ("mollie", "(?:live|test)_", r"[A-Za-z0-9]{30}\b"),
    ("figma", "figo_|figdr_|figur_", r"[\w-]{30}[\w-]*"),
    ("gitbook", "gb_api_", r"[A-Za-z0-9]{40}\b"),
    ("langsmith", "ls__", r"[0-9a-f]{32}\b"),
    ("token", "[a-z]{2,12}_(?:live|test|prod|sandbox|production)_", r"[A-Za-z0-9]{20}[A-Za-z0-9]*"),
)


_MARKED_INSIDE: tuple[tuple[str, str, str], ...] = (
    ("newrelic", "NRAL", "[0-9a-f]{32}[0-9a-f]{0,8}$"),
    ("azure", "AZDO[A-Za-z0-9]{4}", "[A-Za-z0-9]{76}$"),
    ("azure", "JQQJ99[A-Za-z0-9]{10}[A-Za-z0-9]*", "[A-Za-z0-9]{48}[A-Za-z0-9]{0,8}$"),
    ("rapidapi", "jsn[0-9a-z]{12}", "[0-9a-z]{10}msh[0-9a-z]{10}[0-9a-z]{0,15}$"),
    ("mailchimp", r"-us[0-9]{1,2}\b", r"\b[0-9a-f]{32}$"),
    ("terraform", r"\.atlasv1\.[\w=-]{60}[\w=-]*", "[A-Za-z0-9]{14}$"),
)
"""Tokens with their mark in the middle: vendor, mark, and the pattern before the mark."""

_WEAK = frozenset(("vault", "modal", "mollie", "voyage", "tencent", "render", "fireworks"))
"""Vendors with a short prefix, whose tokens must have both cases and digits."""


def _any(rows: tuple[tuple[str, str, str], ...]) -> str:
    return "|".join(start for _, start, _ in rows)


_ALL = _DISTINCT + _AT_WORD_START
_START = Pattern(rf"(?:{_any(_DISTINCT)})[!-~]{{7}}")
_WORD_START = Pattern(rf"(?:\b|\\[nrt])(?:{_any(_AT_WORD_START)})")
"""Beginnings only: one pattern with the lengths of all tokens has more states than the engine keeps. A pattern of
both kinds of beginnings has several times the states of two patterns."""

_WHOLE = tuple(Pattern(f"(?:{start})(?:{rest})") for _, start, rest in _ALL)
_LONGEST_START = 64
_MARK = Pattern("|".join(f"({mark})" for _, mark, _ in _MARKED_INSIDE))
_BEFORE = tuple(Pattern(before) for _, _, before in _MARKED_INSIDE)
_LONGEST_BEFORE = 80
_BACKSLASH = 0x5C
_ESCAPES = (b"\\n", b"\\r", b"\\t")
_WORD_BYTES = LETTERS + DIGITS + b"_"


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    return _find_tokens(_START, raw, start, end)


def _find_at_word_start(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    return _find_tokens(_WORD_START, raw, start, end)


def _find_tokens(beginning: Pattern, raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while begins := beginning.search(raw, position, end):
        place = begins[0][0]
        place += 2 * (raw[place] == _BACKSLASH)
        vendor, last = _token(raw, place, end)
        found = last > place and _is_token(vendor, raw[place:last])
        yield vendor, place, last if found else place
        position = max(last, place + 1)


def _token(raw: bytes, place: int, end: int) -> tuple[str, int]:
    """Return the vendor of the token at `place`, and its end, which is `place` if there is no token."""
    for row in sorted(_prefixes().Match(raw[place : place + _LONGEST_START]) or ()):
        if row >= len(_DISTINCT) and _in_word(raw, place):
            break
        if whole := _WHOLE[row].match(raw, place, end):
            return _ALL[row][0], whole[0][1]
    return "token", place


def _in_word(raw: bytes, place: int) -> bool:
    """Return whether a letter or digit precedes `place` that is no letter of an escape."""
    before = raw[max(0, place - 2) : place]
    return before[-1:] in _WORD_BYTES and before not in _ESCAPES and before != b""


def _find_marked(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for (mark, last), *groups in _MARK.each(raw, start, end):
        place = next(index for index, span in enumerate(groups) if span[0] >= 0)
        before = raw[max(0, mark - _LONGEST_BEFORE) : mark]
        found = _BEFORE[place].search(before, 0, len(before))
        yield _MARKED_INSIDE[place][0], mark - len(before) + found[0][0] if found else last, last


def _is_token(vendor: str, token: bytes) -> bool:
    """Return whether `token` is a real token, and no compound of words (`sk-learn-…`) or documented example."""
    if b"example" in token.lower() or not remove_bytes(token[-20:], b"xX*.0-_"):
        return False
    if vendor in _WEAK:
        digits = len(token) - len(remove_bytes(token, DIGITS))
        return digits >= 2 and not token[4:].islower() and not token[4:].isupper()
    if vendor == "token":
        return len(token) - len(remove_bytes(token, DIGITS)) >= 3
    return token[:3] != b"sk-" or len(token) - len(remove_bytes(token, DIGITS)) >= 2


@functools.cache
def _prefixes() -> Any:
    """Return all beginnings as one set, which gives the row of a token."""
    prefixes = re2.Set.SearchSet(quiet_options())
    for _, start, _ in _ALL:
        prefixes.Add(f"^(?:{start})")
    prefixes.Compile()
    return prefixes


MARKED_TOKENS = Rule(r"NRAL|AZDO|JQQJ99|jsn[0-9a-z]{6}|-us[0-9]|\.atlasv1\.", _find_marked)
VENDOR_TOKENS = Rule("", _find, max_candidates=4000)
WORD_TOKENS = Rule("", _find_at_word_start, max_candidates=4000)
"""Run without a prefilter: one pass for all prefixes costs less than a prefilter with each of them."""
