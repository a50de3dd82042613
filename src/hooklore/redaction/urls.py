"""URLs in a text: public ones are kept, internal and unknown ones are replaced.

A public URL loses its query. An internal one keeps only its topic, and an unknown one leaves a marker.
Readers of the memory then know that a page was meant, and not its address.
"""

import functools
import pkgutil
from typing import Any, Literal

from hooklore.agents.registry import public_sites
from hooklore.records.record import strings_of
from hooklore.redaction.finding import CleanTextCache
from hooklore.redaction.pattern import Groups, Pattern

UrlClass = Literal["public", "internal", "unknown"]

_INTERNAL_ENDS = frozenset(
    "local localhost localdomain internal intranet corp lan home private test invalid svc".split()
)
"""Top-level labels that no public name server answers for (RFC 2606, RFC 6762, ICANN's `internal`)."""

_LISTED = (pkgutil.get_data(__name__, "public_sites.txt") or b"").decode().split("\n")
_PUBLIC_DOMAINS = frozenset(line for line in _LISTED if line[:1] != "#").union(public_sites())
"""Sites that anyone may read."""

_NOT_PUBLIC = frozenset(("gist.github.com", "raw.githubusercontent.com"))
"""Hosts below a public domain where the link can be the only protection of the content."""

_WEB = frozenset(("", "http", "https", "ftp", "ws", "wss", "git+http", "git+https"))
"""Schemes whose unknown URLs are replaced. With other schemes, a git remote for example, only internal ones are."""

_PRIVATE = (
    r"(?:10|127)\.\d{1,3}\.\d{1,3}\.\d{1,3}|192\.168\.\d{1,3}\.\d{1,3}|169\.254\.\d{1,3}\.\d{1,3}"
    r"|172\.(?:1[6-9]|2\d|3[01])\.\d{1,3}\.\d{1,3}"
)
_SCHEME = r"(?:\b([A-Za-z][A-Za-z0-9+.-]{1,15})://)"
_USER = r"""([^\s/?#"'<>`@\x{80}-\x{10FFFF}]*@)?"""
_HOST = r"(\[[0-9A-Za-z:.%]{2,60}\]|[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,250}[A-Za-z0-9_])?\.?)"
_BARE = rf"(?:^|[^\w.:/@\[-])(localhost|{_PRIVATE}|(?:[A-Za-z0-9-]{{1,63}}\.)+(?:internal|intranet|corp|lan))"
_PATH = r"""((?:/[^\s?#"'<>`\x{80}-\x{10FFFF}]*)?)"""
_QUERY = r"""((?:\?[^\s#"'<>`\x{80}-\x{10FFFF}]*)?)((?:#[^\s"'<>`\x{80}-\x{10FFFF}]*)?)"""
_ADDRESS = Pattern(
    rf"{_SCHEME}{_USER}{_HOST}(:[0-9]{{1,5}})?{_PATH}{_QUERY}"
    rf"|{_BARE}(?:(:[0-9]{{2,5}})\b{_PATH}|(/[\w./-]*))"
    r"|\[(internal|unknown) address(?:: [\w./-]{1,120})?\]"
)
_GATE = Pattern(
    rf"://| address|localhost:|(?:^|[^\w.])(?:{_PRIVATE})|\.(?:internal|intranet|corp|lan)[:/]"
)
_TRAILING_PUNCTUATION = b".,;:!?)]}*|\\"
_PATH_WORD = Pattern(r"^[A-Za-z][A-Za-z_.-]{1,39}[0-9]{0,3}$")
_SECRET_NAME = Pattern(
    r"(?i)[?&](?:[\w.-]*(?:token|signature|secret|password|passwd|credential|api_?key)|sig|key|auth|code|jwt|sas)="
)
_MAX_CLASSES = 32


def redact_urls(text: str) -> tuple[str, dict[str, UrlClass]]:
    """Return the text with its URLs redacted, and the class of each by the text that now stands there.

    `http://wiki.acme.internal/guides/Deploy?x=1` becomes `[internal address: guides/Deploy]`, an
    unknown one `[unknown address]`, and a public one loses its query. A second pass changes nothing.
    """
    if not _may_contain_url(text):
        return text, {}
    raw = text.encode("utf-8", "surrogatepass")
    parts: list[bytes] = []
    classes: dict[str, UrlClass] = {}
    copied = 0
    for groups in _ADDRESS.each(raw, 0, len(raw)):
        if groups[-1][0] >= 0:
            classes |= _class_of_marker(raw, groups)
            continue
        first = groups[8][0] if groups[8][0] >= 0 else groups[0][0]
        last = first + len(raw[first : groups[0][1]].rstrip(_TRAILING_PUNCTUATION))
        found = _class_of(raw, groups)
        replacement = _replacement(raw, groups, found, (first, last))
        if replacement is None:
            continue
        if len(classes) < _MAX_CLASSES:
            classes[replacement.decode("utf-8", "replace")] = found
        parts += (raw[copied:first], replacement)
        copied = last
    parts.append(raw[copied:])
    return b"".join(parts).decode("utf-8", "surrogatepass"), classes


def _class_of_marker(raw: bytes, groups: Groups) -> dict[str, UrlClass]:
    """Return the class of an earlier pass's marker: a record may quote another one."""
    found: UrlClass = "internal" if raw[slice(*groups[-1])] == b"internal" else "unknown"
    return {raw[slice(*groups[0])].decode(): found}


def redact_body_urls(body: object) -> Any:
    """Return a copy of a record's body with its URLs redacted and classified under `url_class`.

    Keys are unchanged. The walk does not recurse, so a body of any depth is accepted.
    """
    unknown = [text for text in strings_of(body) if text not in _without_url]
    if not unknown or not _has_gate("\n".join(unknown)):
        for text in unknown:
            _without_url.add(text)
        return body
    found: dict[str, UrlClass] = {}
    root: list[Any] = [body]
    pending: list[tuple[Any, Any]] = [(root, 0)]
    while pending:
        container, slot = pending.pop()
        item = container[slot]
        if isinstance(item, dict):
            container[slot] = dict(item)
            pending += [(container[slot], name) for name in item if name != "url_class"]
        elif isinstance(item, list):
            container[slot] = list(item)
            pending += [(container[slot], place) for place in range(len(item))]
        elif isinstance(item, str):
            container[slot], classes = redact_urls(item)
            found |= classes
    if found and isinstance(root[0], dict):
        root[0]["url_class"] = dict(list(found.items())[:_MAX_CLASSES])
    return root[0]


_without_url = CleanTextCache()


def _may_contain_url(text: str) -> bool:
    """Return whether `text` may contain a URL."""
    if text in _without_url:
        return False
    if _has_gate(text):
        return True
    _without_url.add(text)
    return False


def _has_gate(text: str) -> bool:
    return _GATE.occurs_in(text.encode("utf-8", "surrogatepass"))


def _replacement(
    raw: bytes, groups: Groups, found: UrlClass, span: tuple[int, int]
) -> bytes | None:
    """Return the replacement of a URL. Return None for one that stays without a class: a remote, a placeholder."""
    _, scheme, _, host, _, path, query, _, bare, _, bare_path, bare_rest, _ = groups
    is_web = raw[slice(*scheme)].lower().decode() in _WEB if scheme[0] >= 0 else True
    if found == "internal":
        name = host if host[0] >= 0 else bare
        paths = path if host[0] >= 0 else max(bare_path, bare_rest)
        return _internal_marker(raw[slice(*name)], raw[paths[0] : min(paths[1], span[1])])
    if not is_web:
        return None
    if found == "unknown":
        return b"[unknown address]"
    if query[0] < query[1]:
        return raw[span[0] : query[0]] + raw[query[1] : max(query[1], span[1])]
    return raw[slice(*span)]


def _internal_marker(host: bytes, path: bytes) -> bytes:
    """Return the marker of an internal URL: the last words of its path, and the name of this machine."""
    words = [part for part in path.split(b"/") if _PATH_WORD.occurs_in(part)][-2:]
    if host.lower() in (b"localhost", b"127.0.0.1", b"[::1]"):
        words.insert(0, b"localhost")
    return b"[internal address: " + b"/".join(words) + b"]" if words else b"[internal address]"


def _class_of(raw: bytes, groups: Groups) -> UrlClass:
    _, scheme, user, host, _, _, query, _, bare, *_ = groups
    if bare[0] >= 0:
        return "internal"
    found = _class_of_host(raw[slice(*host)].decode().rstrip(".").lower())
    if found != "public":
        return found
    if raw[slice(*scheme)].lower().decode() not in (*_WEB, "xx") or user[0] >= 0:
        return "unknown"
    return "unknown" if _SECRET_NAME.occurs_in(raw[slice(*query)]) else "public"


@functools.lru_cache(maxsize=512)
def _class_of_host(host: str) -> UrlClass:
    if host[:1] == "[" or host.replace(".", "").isdigit() or host.startswith("0x"):
        return _class_of_number(host.strip("[]"))
    labels = host.split(".")
    if len(labels) == 1 or labels[-1] in _INTERNAL_ENDS or labels[-2:] == ["home", "arpa"]:
        return "internal"
    ends = {".".join(labels[-count:]) for count in (2, 3, 4)}
    return "unknown" if host in _NOT_PUBLIC or ends.isdisjoint(_PUBLIC_DOMAINS) else "public"


def _class_of_number(host: str) -> UrlClass:
    """Return the class of a numeric host, in any of the forms that resolvers accept."""
    import ipaddress  # most texts hold no numeric host

    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        number = _number(host)
        if number is None:
            return "unknown"
        found = ipaddress.IPv4Address(number)
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return "unknown" if (mapped or found).is_global else "internal"


def _number(host: str) -> int | None:
    """Return the value of up to four numbers, the last of which fills the rest: `127.1`, `0x7f000001`."""
    try:
        *heads, last = (
            int(part, 8 if part[:1] == "0" and part.isdigit() else 0) for part in host.split(".")
        )
    except ValueError:
        return None
    is_valid = len(heads) <= 3 and all(head in range(256) for head in heads)
    if not is_valid or last not in range(256 ** (4 - len(heads))):
        return None
    return sum(head << 8 * (3 - place) for place, head in enumerate(heads)) + last
