"""`hooks doctor`: proves life rather than configuration, and names the command that mends what is broken."""

import time

from hooklore.cli import output
from hooklore.cli.doctor import report
from hooklore.cli.doctor.checks import judge
from hooklore.cli.doctor.gather import gather
from hooklore.config import StoreLocation, read_environment

__all__ = ["run"]


def run(
    place: StoreLocation,
    home: str,
    project_dir: str | None,
    *,
    as_json: bool = False,
    claude_config_dir: str | None = None,
) -> int:
    """Print the report on this store and home; 0 when nothing failed, else 1.

    `project_dir` is the folder in which Claude Code is started, `claude_config_dir` what
    CLAUDE_CONFIG_DIR says. Takes less than 8 s, and changes nothing but for two canaries.
    """
    started = time.monotonic()
    facts = gather(
        place, home, project_dir, env=read_environment(), claude_config_dir=claude_config_dir
    )
    checks = judge(facts)
    if as_json:
        output.json(report.fields(checks, time.monotonic() - started), indent=True)
    else:
        output.data(report.text(checks, home))
    return 0 if report.is_healthy(checks) else 1
