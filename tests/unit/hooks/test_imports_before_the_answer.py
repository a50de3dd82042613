"""What reads an agent's memory files is imported when the hook is answered, not before."""

import subprocess
import sys
from pathlib import Path

from hooklore.config import StoreLocation

CODE = """
import json, sys, time
from pathlib import Path
import hooklore.resident.server
from hooklore.broker import Broker
from hooklore.config import store_location_at
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner

store, home, project = sys.argv[1:]
runner = Runner(broker := Broker(store_location_at(Path(store))), home, time.time_ns)
path = f"{home}/.claude/projects/-api/s.jsonl"
given = {"session_id": "s", "cwd": project, "transcript_path": path, "source": "startup"}
(pending,) = runner.record([Delivery("claude", "SessionStart", "d", json.dumps(given).encode())])
runner.answer(pending)
print(*(name for name in sys.modules if "memory_file" in name or "memory_folder" in name))
list(runner.learn(pending))
print(*(name for name in sys.modules if "memory_file" in name or "memory_folder" in name))
"""


def test_nothing_that_reads_memory_files_is_imported_before_the_answer_of_a_start(
    store: StoreLocation, home: Path, tmp_path: Path
) -> None:
    words = (str(store.root), str(home), str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", CODE, *words], capture_output=True, text=True, check=True
    )

    before, after = (line.split() for line in done.stdout.splitlines())
    assert before == []
    assert "hooklore.instructions.memory_file_look" in after
