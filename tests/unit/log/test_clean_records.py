"""The log's writer and the spool take records that `clean` made, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest
from mypy import api

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner
from hooklore.log.line import Line
from hooklore.log.spool import Spool
from hooklore.log.writer import LogWriter
from hooklore.redaction.clean import CleanRecord, clean
from tests.support.agent import repository
from tests.support.writers import draft

PASSWORD = "".join(chr(97 + 7 * n % 26) + str(n % 10) for n in range(9))

ROOT = Path(__file__).parents[3]

SNIPPET = """
from hooklore.broker import Broker
from hooklore.log.line import Line, encode_line
from hooklore.log.spool import Spool
from hooklore.log.writer import LogWriter
from hooklore.records.draft import Draft
from hooklore.redaction.clean import CleanRecord, clean

def append(log: LogWriter, spool: Spool, broker: Broker, draft: Draft) -> None:
    log.append([Line(clean(draft))])
    spool.put([clean(draft)])
    broker.append_clean([clean(draft)])
    log.append([Line(draft.record)])
    log.append([encode_line(draft.record)])
    log.append([draft.record])
    spool.put([draft])
    broker.append_clean([draft])
    broker.put_aside([draft])
    CleanRecord(draft.record, None)
"""
FIRST_REFUSED = 13
"""The first line of the snippet that brings what was not cleaned."""


def test_a_type_checker_refuses_what_was_not_cleaned(tmp_path: Path) -> None:
    snippet = tmp_path / "snippet.py"
    snippet.write_text(SNIPPET)

    told, broken, _ = api.run([
        "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache"),
        str(snippet),
    ])  # fmt: skip

    refused = {int(line.split(":")[1]) for line in told.splitlines() if ": error: " in line}
    assert not broken
    assert refused == set(range(FIRST_REFUSED, FIRST_REFUSED + 7)), told


@pytest.mark.parametrize("given", [draft("raw"), draft("raw").record, b"raw"])
def test_what_was_not_cleaned_is_not_written(store: StoreLocation, given: Any) -> None:
    with LogWriter(store).appending(None) as log, pytest.raises((TypeError, AttributeError)):
        log.append([Line(given)])
    with LogWriter(store).appending(None) as log, pytest.raises((TypeError, AttributeError)):
        log.append([given])
    with pytest.raises((TypeError, AttributeError)):
        Spool(store).put([given])
    with pytest.raises((TypeError, AttributeError)):
        Broker(store).append_clean([given])

    assert store.log.read_bytes() == b""
    assert Broker(store).waiting_in_spool() == 0


def test_nobody_but_clean_makes_a_clean_record() -> None:
    given = draft("raw", f"password={PASSWORD}")

    with pytest.raises(TypeError, match="made by `clean`"):
        CleanRecord(given.record, None, object())  # type: ignore[arg-type]

    assert PASSWORD not in str(clean(given).record.body.text)


def test_a_hook_is_cleaned_before_it_is_cut_and_cut_before_it_is_appended(
    store: StoreLocation, home: Path
) -> None:
    """A secret that lies across each place where a cut may fall leaves no half of itself."""
    secret = PASSWORD
    project = repository(home / "mill")
    broker = Broker(store)
    runner = Runner(broker, str(home), lambda: 1_790_000_000 * 10**9)
    for size in range(440, 520, len(secret)):
        output = f"{'x ' * (size // 2)}password={secret} {'y ' * 4_000}"
        payload = {
            "session_id": "s", "cwd": str(project), "tool_name": "Bash", "tool_use_id": f"t{size}",
            "tool_input": {"command": "make"}, "tool_response": {"stdout": output, "stderr": ""},
        }  # fmt: skip
        raw = json.dumps(payload).encode()
        runner.run(Delivery("claude", "PostToolUse", f"d{size}", raw))
    broker.close()

    written = store.log.read_text()
    assert written.count('"cut":{') == len(range(440, 520, len(secret)))
    for size in range(4, len(secret)):
        assert secret[:size] not in written
        assert secret[-size:] not in written
