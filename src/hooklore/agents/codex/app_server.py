"""Questions to the client's own server, which `codex app-server` starts: JSON-RPC, one message a line."""

import json
import os
import selectors
import shutil
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from hooklore.agents.codex.registering import GROUPS

_SECONDS = 5.0
_PASSED_ON = ("HOME", "PATH", "CODEX_HOME", "LANG", "TMPDIR", "USER")
"""Variables that the server gets. It answers from files, and needs no key."""

COMPLAINT = ""
"""The key of the client's complaint about a file of hooks. Every other key is an event."""


def hook_trust(folder: str, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the trust of each hook of ours by event, as the client says it for a session in `folder`.

    A complaint of the client about a file of hooks stands under `COMPLAINT`: no hook of that file runs. Return {}
    where the client is not installed, or does not answer in five seconds.
    """
    program = shutil.which("codex", path=environment.get("PATH"))
    answer = _list_hooks(program, folder, environment) if program else None
    places = _objects(answer.get("data")) if isinstance(answer, dict) else []
    ours = [h for place in places for h in _objects(place.get("hooks")) if GROUPS.is_ours(h)]
    found = {str(hook.get("eventName")): str(hook.get("trustStatus")) for hook in ours}
    complaints = [str(text) for place in places for text in place.get("warnings") or ()]
    about_hooks = [text for text in complaints if "hooks" in text]
    return found | ({COMPLAINT: about_hooks[0]} if about_hooks else {})


def _objects(values: object) -> list[Mapping[str, Any]]:
    """Return the objects of a list; nothing else that a client may answer."""
    return [each for each in values if isinstance(each, dict)] if isinstance(values, list) else []


def _list_hooks(program: str, folder: str, environment: Mapping[str, str]) -> Any:
    """Return the client's answer about the hooks of a session in `folder`, None without one."""
    client = {"clientInfo": {"name": "hooklore", "title": "hooklore", "version": "1"}}
    messages = (
        {"id": 0, "method": "initialize", "params": client},
        {"method": "initialized"},
        {"id": 1, "method": "hooks/list", "params": {"cwds": [folder]}},
    )
    named = {name: environment[name] for name in _PASSED_ON if name in environment}
    try:
        server = subprocess.Popen(
            [program, "app-server"], cwd=folder, env=named, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
        )  # fmt: skip
    except OSError:
        return None
    with server, suppress(OSError, ValueError):
        try:
            return _talk(server, b"".join(json.dumps(each).encode() + b"\n" for each in messages))
        finally:
            server.terminate()
            try:
                server.wait(1.0)
            except subprocess.TimeoutExpired:
                server.kill()
    return None


def _talk(server: "subprocess.Popen[bytes]", messages: bytes) -> Any:
    """Write the messages and return the result of the message with the id 1."""
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(messages)
    deadline, rest = time.monotonic() + _SECONDS, b""
    with selectors.DefaultSelector() as selector:
        selector.register(server.stdout, selectors.EVENT_READ)
        while selector.select(max(0.0, deadline - time.monotonic())):
            chunk = os.read(server.stdout.fileno(), 1 << 16)
            *lines, rest = (rest + chunk).split(b"\n")
            for line in filter(None, lines):
                message = json.loads(line)
                if isinstance(message, dict) and message.get("id") == 1:
                    return message.get("result")
            if not chunk:
                break
    return None
