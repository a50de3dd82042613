"""Check that the registered commands, and the agents' own, find what they name: pure functions."""

from hooklore.agents.check import Check, listed
from hooklore.agents.registry import DEFAULT_AGENT_ID
from hooklore.cli.doctor.facts import (
    Facts,
    FactsCheck,
    LauncherFacts,
    Probe,
    failed,
    known,
    noted,
    passed,
)
from hooklore.cli.protocol.text import VERSION

_SHIMS = "/shims/"
_HASHED = 1


def launcher(facts: Facts) -> Check:
    """Check that the folder that every registered command names has a link to an interpreter."""
    found = known(facts.launcher)
    python = f"`{found.directory}/python`"
    if not found.exists:
        return failed(f"`{found.directory}` does not exist", facts.install)
    if not found.target_exists and found.link is None:
        return failed(f"{python} is missing", facts.install)
    if not found.target_exists:
        return failed(f"{python} leads to `{found.link}`, which does not exist", facts.install)
    return passed(f"{python} leads to `{found.link or found.target}`")


def interpreter(facts: Facts) -> Check:
    """Check that the link leads to an interpreter itself: a shim makes every hook eight times slower."""
    found = known(facts.launcher)
    probe, link = found.probe, f"`{found.link}`"
    if not found.target_exists:
        return noted("there is none to look at")
    if is_shim(found):
        return failed(f"{link} is a shim, which makes every hook 8 times slower", facts.install)
    if probe is None:
        return failed(f"{link}: {found.probe_problem}", facts.install)
    if probe.hooklore is None:
        return failed(f"{link} has no hooklore", facts.install)
    if probe.hooklore != facts.version:
        return failed(
            f"{link} has hooklore {probe.hooklore}, this is {facts.version}", facts.install
        )
    return passed(f"Python {probe.python} with hooklore {probe.hooklore}")


def is_shim(found: LauncherFacts) -> bool:
    """Return whether the link leads to a script, or into a folder of shims (pyenv, asdf, mise)."""
    return found.head.startswith(b"#!") or _SHIMS in (found.link or "")


def client(facts: Facts) -> Check:
    """Check that the client is this version's, and compiled: uncompiled each hook costs a quarter more."""
    found = known(facts.launcher)
    path = f"`{found.directory}/{found.client_file}`"
    if not found.exists:
        return noted("there is no launcher")
    if found.client_is_ours is None:
        return failed(f"{path} cannot be read", facts.install)
    if not found.client_is_ours:
        return failed(f"{path} is not the one of {facts.version}", facts.install)
    if found.probe is None:
        return noted("this version's; whether it is compiled cannot be told")
    if found.compiled is None:
        detail = f"it is not compiled for Python {found.probe.python}: every hook compiles it again"
        return failed(detail, facts.install)
    if not is_fresh(found.compiled, found.probe, found.client_stamp):
        return failed("what is compiled is of another version", facts.install)
    return passed(f"that of {facts.version}, compiled")


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
        return noted("there is no launcher")
    if found.missing:
        return failed(f"missing: {listed(found.missing)}", facts.install)
    if found.changed:
        return failed(f"not of {facts.version}: {listed(found.changed)}", facts.install)
    return passed("one for each event")


def command(facts: Facts) -> Check:
    """Check that the shells of agents find the command that agents are told to run."""
    found = known(facts.user).command
    if not found.is_named:
        if found.runs:
            return passed(f"agents run `{found.launched}`, by its path")
        detail = f"agents are told to run `{found.launched}`, which does not exist"
        return failed(detail, facts.install)
    if found.found is None and found.link is not None:
        return noted(f"this shell's PATH lacks the folder of `{found.link}`")
    if found.found is None:
        detail = "`hooklore` is not on PATH: agents cannot open or keep memories"
        return failed(detail, facts.install)
    if not found.is_ours:
        detail = f"agents are told to run `hooklore`, and `{found.found}` is another program"
        return failed(detail, facts.install)
    if not found.is_same:
        return noted(f"`{found.found}` is found first, of another installation")
    return passed(f"agents run `hooklore`, which is `{found.found}`")


def protocol(facts: Facts) -> Check:
    """Check that every text of the protocol in files of instructions is of this version of the rules."""
    found = known(facts.protocol)
    for each in found:
        if not each.is_current:
            agent = "" if each.agent_id == DEFAULT_AGENT_ID else f" --agent {each.agent_id}"
            scope = "" if each.scope == "user" else f" --{each.scope}"
            has = f"version {each.version} for `{each.agent_id}`"
            fix = f"hooks install --protocol{agent}{scope}"
            return failed(f"`{each.path}` has {has}, not {VERSION}", fix)
    if not found:
        return passed("in no file of instructions: `hooks install --protocol`")
    places = [f"`{each.path}` for `{each.agent_id}`" for each in found]
    return passed(f"version {VERSION} in {listed(places)}")


CHECKS: tuple[FactsCheck, ...] = (launcher, interpreter, client, entry_files, command, protocol)
"""In the order of the report."""
