"""Tokens that carry their issuer's prefix, as each vendor publishes its format."""

from collections.abc import Iterator

from hooklore.policy.redact.checks import DIGITS, without
from hooklore.policy.redact.pattern import Candidate, Pattern, Rule

# A row: what the mask says, how the token begins (literally), what follows. A prefix that is no
# part of a word anywhere may follow any byte (`\nghp_…` in an escaped log line); the others may not.
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
    ("terraform", r"\.atlasv1\.", r"[\w=-]{60}[\w=-]*"),
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
    ("jwt", "eyJ", r"[\w-]{8}[\w-]*\.[\w-]{8}[\w-]*(?:\.[\w-]*)*"),
)
_APART: tuple[tuple[str, str, str], ...] = (
    ("aws", "AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9]", r"[A-Z0-9]{16}\b"),
    ("atlassian", "ATBB", r"[A-Za-z0-9]{32}\b"),
    ("telegram", r"(?:bot)?\d{8,10}:", r"AA[\w-]{33}"),
    ("alibaba", "LTAI", r"[A-Za-z0-9]{12,24}\b"),
    ("openai", "sk-", r"(?:[A-Za-z0-9]{1,12}-){0,2}[A-Za-z0-9_]{20}[\w-]*"),
    ("twilio", "SK", r"[0-9a-f]{32}\b"),
    ("mailgun", "key-", r"[0-9a-f]{32}\b"),
    ("mailchimp", r"[0-9a-f]{32}-us", r"\d{1,2}\b"),
    ("notion", "secret_", r"[A-Za-z0-9]{43}\b"),
    ("replicate", "r8_", r"[A-Za-z0-9]{37}\b"),
    ("nuget", "oy2", r"[a-z0-9]{43}\b"),
    ("crates", "cio", r"[A-Za-z0-9]{32}\b"),
    ("airtable", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("resend", "re_", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b"),
    ("facebook", "EAA", r"[A-Za-z0-9]{60}[A-Za-z0-9]*"),
    ("sonarqube", "squ_|sqp_|sqa_", r"[0-9a-f]{40}\b"),
    (
        "discord",
        "[MNO]",
        r"[A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}[A-Za-z0-9_-]*",
    ),
    ("token", "[a-z]{2,12}_(?:live|test|prod|sandbox)_", r"[A-Za-z0-9]{20}[A-Za-z0-9]*"),
)


def _either(rows: tuple[tuple[str, str, str], ...]) -> str:
    return "|".join(f"(?:{start})(?:{rest})" for _, start, rest in rows)


_TOKEN = Pattern(rf"({_either(_DISTINCT)})|(?:\b|\\[nrt])({_either(_APART)})")
_BEGINS = tuple((name, Pattern(rf"^(?:{start})")) for name, start, _ in _DISTINCT + _APART)
_GATE = "|".join(start for _, start, _ in _DISTINCT + _APART)


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, distinct, apart in _TOKEN.each(raw, start, end):
        first, last = distinct if distinct[0] >= 0 else apart
        token = raw[first:last]
        yield (_vendor(token), first, last) if _is_token(token) else ("token", first, first)


def _is_token(token: bytes) -> bool:
    """Prefix and words joined by dashes make a name (`sk-learn-…`); a documented example is none."""
    if b"example" in token.lower() or not without(token[-20:], b"xX*.0-_"):
        return False
    return token[:3] != b"sk-" or len(token) - len(without(token, DIGITS)) >= 2


def _vendor(token: bytes) -> str:
    for name, begins in _BEGINS:
        if begins.finds(token):
            return name
    return "token"


VENDOR_TOKENS = Rule(_GATE, _find)
