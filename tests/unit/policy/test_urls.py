"""Which addresses may be kept, which lie inside a network, and of which nothing is known."""

import pytest

from hooklore.policy.redact.urls import url_class

PUBLIC = [
    "https://docs.python.org/3/library/re.html",
    "https://github.com/pallets/click/commit/9a6918f",
    "HTTPS://GitHub.com/pallets/click.git",
    "http://www.rfc-editor.org./rfc/rfc9110",
    "https://en.wikipedia.org/wiki/UTF-8?action=raw",
    "git+https://github.com/pallets/click",
    "pypi.org/project/pydantic",
    "https://example.com:8443/a",
]
INTERNAL = [
    "http://localhost:3000/",
    "http://127.0.0.1:8080/x?y=1",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://[::1]:9000/",
    "http://[fe80::1%25eth0]/",
    "http://[::ffff:10.0.0.3]/",
    "http://10.0.0.3/x",
    "http://172.16.4.4/",
    "http://192.168.1.1/admin",
    "http://169.254.169.254/latest/meta-data",
    "http://100.64.0.9/",
    "http://wiki/Deploy",
    "jenkins:8080/job/deploy",
    "https://build.corp/job/7",
    "https://git.acme.internal/team/repo",
    "http://printer.local",
    "http://nas.home.arpa/",
    "postgres://db.default.svc:5432/app",
    "http://github.com.internal/",
    "file:///srv/notes.md",
]
UNKNOWN = [
    "https://maple-river.dev/plan",
    "https://acme.atlassian.net/wiki/x",
    "https://docs.google.com/document/d/1abc/edit",
    "https://team.slack.com/archives/C1",
    "https://mygithub.com/x",
    "https://github.com.evil.net/x",
    "https://bucket.s3.amazonaws.com/k",
    "http://203.0.114.7/x",
    "http://8.8.8.8/",
    "https://alice@github.com/team/repo.git",
    "ssh://git@github.com/team/repo.git",
    "https://github.com/a?access_token=x",
    "https://pypi.org/f?X-Amz-Signature=x",
    "http://[::1/broken",
    "http://999.999.999.999/",
    "javascript:alert(1)",
    "",
    "   ",
    "://",
    "\x00",
]


@pytest.mark.parametrize("url", PUBLIC)
def test_a_well_known_site_is_public(url: str) -> None:
    assert url_class(url) == "public"


@pytest.mark.parametrize("url", INTERNAL)
def test_what_only_this_network_reaches_is_internal(url: str) -> None:
    assert url_class(url) == "internal"


@pytest.mark.parametrize("url", UNKNOWN)
def test_of_every_other_address_nothing_is_known(url: str) -> None:
    assert url_class(url) == "unknown"
