"""Classes of URLs: which are kept, which are reduced to their topic, and which are replaced."""

import re

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.redaction.urls import UrlClass, redact_body_urls, redact_urls
from tests.support.agent import Agent
from tests.support.writers import draft, records

PUBLIC = [
    "https://docs.python.org/3/library/re.html",
    "https://github.com/pallets/click/commit/9a6918f",
    "HTTPS://GitHub.com/pallets/click.git",
    "http://www.rfc-editor.org./rfc/rfc9110",
    "https://en.wikipedia.org/wiki/UTF-8?action=raw",
    "git+https://github.com/pallets/click",
    "https://example.com:8443/a",
]
INTERNAL = [
    "http://localhost:3000/",
    "localhost:3000",
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
    "https://build.corp/job/7",
    "https://git.acme.internal/team/repo",
    "http://printer.local",
    "http://nas.home.arpa/",
    "postgres://db.default.svc:5432/app",
    "http://github.com.internal/",
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
STAY = [
    "git@github.com:pallets/click.git",
    "ssh://git@gitlab.com/team/repo.git",
    "curl https://$HOST/health",
    "https://<host>/x",
    "listening on 10.0.0.3",
    "self.internal.call(local)",
    "file:///srv/notes.md",
    "no address at all",
]


def classify_url(url: str) -> UrlClass:
    """The class that a text with nothing but the address is given, unknown for an address that has none."""
    return next(iter(redact_urls(url)[1].values()), "unknown")


@pytest.mark.req("RD-04")
@pytest.mark.parametrize("url", PUBLIC)
def test_a_well_known_site_is_public(url: str) -> None:
    assert classify_url(url) == "public"


@pytest.mark.req("RD-04")
@pytest.mark.parametrize("url", INTERNAL)
def test_an_address_of_this_network_is_internal(url: str) -> None:
    assert classify_url(url) == "internal"


@pytest.mark.req("RD-04")
@pytest.mark.parametrize("url", UNKNOWN)
def test_every_other_address_is_unknown(url: str) -> None:
    assert classify_url(url) == "unknown"


@pytest.mark.req("RD-04", "RD-05")
@pytest.mark.parametrize(
    ("text", "kept", "classes"),
    [
        (
            "see https://docs.python.org/3/library/re.html?highlight=x#flags.",
            "see https://docs.python.org/3/library/re.html#flags.",
            {"https://docs.python.org/3/library/re.html#flags": "public"},
        ),
        (
            "http://wiki.acme.internal/guides/Deploy?id=4 を参照",
            "[internal address: guides/Deploy] を参照",
            {"[internal address: guides/Deploy]": "internal"},
        ),
        ("http://10.0.0.3/x", "[internal address]", {"[internal address]": "internal"}),
        (
            "curl localhost:3000/api/users -v",
            "curl [internal address: localhost/api/users] -v",
            {"[internal address: localhost/api/users]": "internal"},
        ),
        (
            "（https://acme.atlassian.net/wiki/x）に書いた",
            "（[unknown address]）に書いた",
            {"[unknown address]": "unknown"},
        ),
        (
            "wget https://pypi.org/f.whl?X-Amz-Signature=ab12",
            "wget [unknown address]",
            {"[unknown address]": "unknown"},
        ),
    ],
)
def test_an_address_is_kept_reduced_to_its_topic_or_replaced(
    text: str, kept: str, classes: dict[str, UrlClass]
) -> None:
    assert redact_urls(text) == (kept, classes)


@pytest.mark.parametrize("text", STAY)
def test_an_address_outside_the_web_is_unchanged(text: str) -> None:
    assert redact_urls(text) == (text, {})


@pytest.mark.parametrize("url", [*PUBLIC, *INTERNAL, *UNKNOWN, *STAY])
def test_a_second_pass_changes_nothing(url: str) -> None:
    once, classes = redact_urls(f"a {url}, b \ud800「{url}」")

    assert redact_urls(once) == (once, classes)


def test_a_body_of_any_depth_is_redacted() -> None:
    deep: object = "http://10.0.0.3/Deploy"
    for _ in range(50_000):
        deep = [deep]

    body = redact_body_urls({"text": deep, "n": 7, "x": None, "y": {"z": ["https://a.dev/q"]}})

    assert body["url_class"] == {
        "[internal address: Deploy]": "internal",
        "[unknown address]": "unknown",
    }
    assert (body["n"], body["x"], body["y"]) == (7, None, {"z": ["[unknown address]"]})


@pytest.mark.req("RD-04", "RD-05")
@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"stream": "memory", "kind": "fact", "body": None},
        {"stream": "synthesis", "kind": "summary", "body": None},
    ],
)
def test_a_written_record_has_no_internal_address_and_classifies_the_others(
    store: StoreLocation, fields: dict[str, object]
) -> None:
    text = (
        "see https://docs.python.org/3/?q=1, http://10.0.0.3/Deploy, http://ci.acme.internal/job, "
        "localhost:3000 and https://maple-river.dev/plan"
    )
    if "body" in fields:
        fields = fields | {"body": {"content_md": text, "text": text}}
    broker = Broker(store)

    receipts = broker.append([draft("one", text, **fields)])

    kept = records(store)[-1]
    log = store.log.read_text("utf-8")
    assert receipts[0].status == "stored"
    assert not re.search(r"10\.0\.0\.3|acme|:3000|maple-river|\?q=1", log)
    assert "https://docs.python.org/3/" in log
    assert kept["body"]["url_class"] == {
        "https://docs.python.org/3/": "public",
        "[internal address: Deploy]": "internal",
        "[internal address: job]": "internal",
        "[internal address: localhost]": "internal",
        "[unknown address]": "unknown",
    }
    broker.close()


@pytest.mark.req("RD-04", "RD-05")
def test_a_captured_failure_has_classified_addresses_and_is_recognised_again(
    store: StoreLocation, home: object, tmp_path: object
) -> None:
    agent = Agent(store, store.directory.parent / "project", store.directory.parent)
    (agent.project / ".git").mkdir(parents=True)
    agent.starts("s1")
    command = "curl http://10.0.0.3:8080/health"

    agent.fails(command, "curl: (7) Failed to connect to 10.0.0.3:8080/health")
    agent.passes(command)
    agent.broker.index()
    told = agent.fails(command, "curl: (7) Failed to connect to 10.0.0.3:8080/health")

    failure, again = (r for r in agent.records() if r["kind"] == "error")
    assert failure["body"]["signature"] == again["body"]["signature"] is not None
    assert "health" in failure["body"]["key"]
    assert failure["body"]["key"] == again["body"]["key"]
    assert "10.0.0.3" not in store.log.read_text("utf-8")
    assert failure["body"]["url_class"] == {"[internal address: health]": "internal"}
    assert "10.0.0.3" not in told
    agent.broker.close()
