"""One run of the real `codex exec` in a home of its own, and what its model was shown."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.codex.api import Json, Request, ScriptedModel, Turns
from tests.support.client_home import closed_environment, make_folders, put_python_on_path
from tests.support.early_resident import start_early

CONFIGURATION: Final = """\
# the user's own settings
model = "gpt-5.5"
model_provider = "scripted"   # on loopback
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
allow_login_shell = false   # PATH stays the one of this environment

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "{url}"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
"""
TRUSTING: Final = "--dangerously-bypass-hook-trust"
_EXEC: Final = ("--skip-git-repo-check", "--json")


@dataclass(frozen=True)
class CodexSession:
    """What a run left: the requests for an answer, and what the client printed."""

    rc: int
    requests: tuple[Request, ...]
    events: tuple[Json, ...]
    stderr: str


@dataclass(frozen=True)
class Codex:
    """The client on a machine of its own: a home, a project, and an environment from nothing.

    `config` is the text of the user's settings, in which `{url}` is the model's address.
    """

    program: Path
    home: Path
    project: Path
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The client's own folder."""
        return self.home / ".codex"

    @property
    def settings(self) -> Path:
        """The user's settings."""
        return self.folder / "config.toml"

    @property
    def environment(self) -> dict[str, str]:
        """What a program of this machine's user sees."""
        own = {"TERM": "dumb", "SCRIPTED_KEY": "unused"}
        return closed_environment(self.home) | own | dict(self.env)

    def furnish(self) -> None:
        """Make the home's folders, the settings, and the interpreter that commands find."""
        make_folders(self.home / "bin", self.home / "tmp", self.folder, self.project)
        put_python_on_path(self.home)
        if not self.settings.exists():
            self.settings.write_text(CONFIGURATION)

    def run(
        self,
        prompt: str,
        turns: Turns,
        *,
        resume: bool = False,
        trusting: bool = True,
        args: Sequence[str] = (),
        timeout: float = 120.0,
    ) -> CodexSession:
        """Run one prompt to its end. With `resume` the last session goes on."""
        self.furnish()
        start_early(self.environment)
        with ScriptedModel(turns) as model:
            given = f"model_providers.scripted.base_url={json.dumps(model.url)}"
            trust = (TRUSTING,) if trusting else ()
            again = ("resume", "--last") if resume else ()
            done = subprocess.run(
                [str(self.program), "exec", *trust, "-c", given, *_EXEC, *args, *again, prompt],
                cwd=self.project, env=self.environment, stdin=subprocess.DEVNULL,
                capture_output=True, text=True, timeout=timeout, check=False,
            )  # fmt: skip
        events = tuple(json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{")
        return CodexSession(done.returncode, model.requests, events, done.stderr)
