"""Checks whether the registered commands, and the agents' own, find what they name: pure functions."""

from hooklore.agents.check import Check, failed, listed, noted, passed
from hooklore.cli.doctor.facts import CommandFacts, Facts, LauncherFacts, Probe, known

_SHIMS = "/shims/"
_HASHED = 1


def launcher(facts: Facts) -> Check:
    """Check the folder that every registered command names, and its link to an interpreter."""
    found = known(facts.launcher)
    if not found.exists:
        return failed("launcher", f"`{found.directory}` does not exist", facts.install)
    if not found.target_exists:
        if found.link is None:
            return failed("launcher", f"`{found.directory}/python` is missing", facts.install)
        detail = f"`{found.directory}/python` leads to `{found.link}`, which does not exist"
        return failed("launcher", detail, facts.install)
    return passed("launcher", f"`{found.directory}/python` leads to `{found.link or found.target}`")


def interpreter(facts: Facts) -> Check:
    """Check that the link leads to an interpreter itself: a shim makes every hook eight times slower."""
    found = known(facts.launcher)
    if not found.target_exists:
        return noted("interpreter", "there is none to look at")
    if is_shim(found):
        detail = f"`{found.link}` is a shim, which makes every hook 8 times slower"
        return failed("interpreter", detail, facts.install)
    if found.probe is None:
        return failed("interpreter", f"`{found.link}`: {found.probe_problem}", facts.install)
    if found.probe.hooklore is None:
        detail = f"`{found.link}` has no hooklore"
        return failed("interpreter", detail, facts.install)
    if found.probe.hooklore != facts.version:
        detail = f"`{found.link}` has hooklore {found.probe.hooklore}, this is {facts.version}"
        return failed("interpreter", detail, facts.install)
    return passed(
        "interpreter", f"Python {found.probe.python} with hooklore {found.probe.hooklore}"
    )


def is_shim(found: LauncherFacts) -> bool:
    """Return whether the link leads to a script, or into a folder of shims (pyenv, asdf, mise)."""
    return found.head.startswith(b"#!") or _SHIMS in (found.link or "")


def client(facts: Facts) -> Check:
    """Check that the client is this version's, and compiled: uncompiled each hook costs a quarter more."""
    found = known(facts.launcher)
    if not found.exists:
        return noted("client", "there is no launcher")
    if found.client_is_ours is None:
        return failed("client", f"`{found.directory}/client.py` cannot be read", facts.install)
    if not found.client_is_ours:
        detail = f"`{found.directory}/client.py` is not the one of {facts.version}"
        return failed("client", detail, facts.install)
    if found.probe is None:
        return noted("client", "this version's; whether it is compiled cannot be told")
    if found.compiled is None:
        detail = f"it is not compiled for Python {found.probe.python}: every hook compiles it again"
        return failed("client", detail, facts.install)
    if not is_fresh(found.compiled, found.probe, found.client_stamp):
        return failed("client", "what is compiled is of another version", facts.install)
    return passed("client", f"that of {facts.version}, compiled")


def is_fresh(compiled: bytes, probe: Probe, stamp: tuple[int, int]) -> bool:
    """Return whether a compiled file's head (PEP 552) fits its source: by hash, else by time and size."""
    if len(compiled) < 16 or compiled[:4].hex() != probe.magic:
        return False
    if int.from_bytes(compiled[4:8], "little") & _HASHED:
        return compiled[8:16].hex() == probe.client_hash
    written = int.from_bytes(compiled[8:12], "little"), int.from_bytes(compiled[12:16], "little")
    return written == stamp


def entry_files(facts: Facts) -> Check:
    """Check that each event has its entry file, as this version has it."""
    found = known(facts.launcher)
    if not found.exists:
        return noted("entry files", "there is no launcher")
    if found.missing:
        return failed("entry files", f"missing: {listed(found.missing)}", facts.install)
    if found.changed:
        return failed(
            "entry files", f"not of {facts.version}: {listed(found.changed)}", facts.install
        )
    return passed("entry files", "one for each event")


def command(facts: Facts) -> Check:
    """Check that the shells of agents find the command that agents are told to run, and say which it is."""
    found = known(facts.user).command
    if not found.is_named:
        return _by_path(found, facts)
    if found.found is None and found.link is not None:
        return noted("command", f"this shell's PATH lacks the folder of `{found.link}`")
    if found.found is None:
        detail = "`hooklore` is not on PATH: agents cannot open or keep memories"
        return failed("command", detail, facts.install)
    if not found.is_ours:
        detail = f"agents are told to run `hooklore`, and `{found.found}` is another program"
        return failed("command", detail, facts.install)
    if not found.is_same:
        return noted("command", f"`{found.found}` is found first, of another installation")
    return passed("command", f"agents run `hooklore`, which is `{found.found}`")


def _by_path(found: CommandFacts, facts: Facts) -> Check:
    if not found.runs:
        detail = f"agents are told to run `{found.launched}`, which does not exist"
        return failed("command", detail, facts.install)
    return passed("command", f"agents run `{found.launched}`, by its path")
