"""Classes of addresses: what may be kept as it is, and what is to be named without its address."""

import ipaddress
from typing import Literal
from urllib.parse import SplitResult, parse_qsl, urlsplit

from hooklore.policy.redact.names import names_a_secret

UrlClass = Literal["public", "internal", "unknown"]

_INTERNAL_ENDS = frozenset(
    b"local localhost localdomain internal intranet corp lan home private test invalid svc".decode().split()
)
"""Last labels that no public name server answers for (RFC 2606, RFC 6762, ICANN's `internal`)."""

_PUBLIC_DOMAINS = frozenset(
    (
        b"github.com githubusercontent.com gitlab.com bitbucket.org codeberg.org sourceforge.net sr.ht gnu.org "
        b"kernel.org apache.org "
        b""
        b"docker.com debian.org ubuntu.com fedoraproject.org archlinux.org "
        b"alpinelinux.org nixos.org brew.sh huggingface.co jsdelivr.net unpkg.com "
        b"cdnjs.com deno.land bun.sh python.org readthedocs.io readthedocs.org docs.rs rust-lang.org "
        b"go.dev nodejs.org typescriptlang.org mozilla.org w3.org whatwg.org ietf.org rfc-editor.org iana.org "
        b"iso.org unicode.org ecma-international.org json.org json-schema.org yaml.org toml.io openapis.org "
        b"swagger.io spdx.org semver.org keepachangelog.com react.dev vuejs.org angular.dev svelte.dev "
        b"nextjs.org nuxt.com vite.dev webpack.js.org babeljs.io eslint.org prettier.io jestjs.io "
        b"playwright.dev tailwindcss.com getbootstrap.com djangoproject.com palletsprojects.com "
        b"fastapi.tiangolo.com pydantic.dev sqlalchemy.org rubyonrails.org ruby-lang.org php.net laravel.com "
        b"spring.io kotlinlang.org swift.org oracle.com openjdk.org gradle.org scala-lang.org haskell.org "
        b"elixir-lang.org postgresql.org mysql.com mariadb.org sqlite.org mongodb.com redis.io elastic.co "
        b"kubernetes.io helm.sh terraform.io hashicorp.com ansible.com nginx.org git-scm.com docs.github.com "
        b"pytest.org pre-commit.com modelcontextprotocol.io agents.md anthropic.com claude.com openai.com "
        b"google.dev android.com flutter.dev dart.dev apple.com microsoft.com cloudflare.com vercel.com "
        b"netlify.com stripe.com jetbrains.com astral.sh wikipedia.org wikimedia.org wiktionary.org "
        b"stackoverflow.com stackexchange.com serverfault.com superuser.com arxiv.org doi.org acm.org ieee.org "
        b"usenix.org news.ycombinator.com lobste.rs reddit.com medium.com dev.to youtube.com archive.org "
        b"creativecommons.org opensource.org qiita.com zenn.dev e-gov.go.jp ipa.go.jp nist.gov mitre.org "
        b"owasp.org first.org example.com example.org example.net "
    )
    .decode()
    .split()
)
"""Sites that anyone may read. Where users keep documents under a link (drives, chats, wikis of a
company, storage) is not among them."""

_NOT_PUBLIC = frozenset(["gist.github.com", "raw.githubusercontent.com", "chat.openai.com"])
"""Below a public domain, and yet a link can be the only thing that protects what it shows."""

_READABLE = frozenset(("http", "https", "ftp", "git", "git+https", ""))


def url_class(url: str) -> UrlClass:
    """Whether an address is public, internal, or neither can be said (decision C15).

    Internal: private, loopback and link-local addresses, names of one label, and ends such as
    `.local`, `.internal`, `.corp`; `file:` too. Public: a list of well-known domains. All else is
    unknown, as is an address of those that carries a user, a signature or a token. It never raises
    and asks no name server.
    """
    try:
        parts = urlsplit(url.strip() if "://" in url else f"//{url.strip()}")
        host = (parts.hostname or "").rstrip(".").lower()
    except ValueError:
        return "unknown"
    if parts.scheme == "file":
        return "internal"
    if not host:
        return "unknown"
    if address := _address(host):
        return "unknown" if address.is_global else "internal"
    labels = host.split(".")
    if len(labels) == 1 or labels[-1] in _INTERNAL_ENDS or labels[-2:] == ["home", "arpa"]:
        return "internal"
    return "public" if _is_public(host, labels, parts) else "unknown"


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that stands in place of a name, in any of the forms that resolvers take."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        number = _number(host)
        return None if number is None else ipaddress.IPv4Address(number)
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found


def _number(host: str) -> int | None:
    """`127.1`, `0x7f000001`, `2130706433`, `0177.0.0.1`: up to four numbers, the last fills the rest."""
    values: list[int] = []
    for part in host.split("."):
        base = 16 if part.startswith("0x") else 8 if part.startswith("0") and len(part) > 1 else 10
        try:
            values.append(int(part.removeprefix("0x"), base))
        except ValueError:
            return None
    *heads, last = values
    room = 256 ** (4 - len(heads))
    if len(heads) > 3 or last not in range(room) or any(head not in range(256) for head in heads):
        return None
    return sum(head << 8 * (3 - place) for place, head in enumerate(heads)) + last


def _is_public(host: str, labels: list[str], parts: SplitResult) -> bool:
    if parts.scheme not in _READABLE or parts.username is not None or host in _NOT_PUBLIC:
        return False
    ends = {".".join(labels[-count:]) for count in (2, 3, 4)}
    return not ends.isdisjoint(_PUBLIC_DOMAINS) and not _carries_a_secret(parts.query)


def _carries_a_secret(query: str) -> bool:
    """Whether a name of the query is that of a token, a signature or a key."""
    return any(names_a_secret(name) for name, _ in parse_qsl(query, keep_blank_values=True))
