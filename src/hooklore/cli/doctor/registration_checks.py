"""Whether Claude Code runs our hooks when it is started here: pure functions."""

from hooklore.cli.doctor import shape
from hooklore.cli.doctor.check import Check, failed, listed, noted, passed, shell
from hooklore.cli.doctor.facts import Facts, SettingsFacts, SettingsFile, Unknown, known
from hooklore.cli.doctor.registered import EVENTS, differences, events_of, hidden, loaded, runs

_ENVIRONMENT = ("HOOKLORE_HOME", "AI_MEMORY_PATH", "HOOKLORE_OFF", "HOOKLORE_DEPTH")


def registration(facts: Facts) -> Check:
    """Every event is registered in a file that the client loads here."""
    settings = known(facts.settings)
    places = [f"`{file.path}`" for file in loaded(settings) if events_of(file)]
    found = {event for file in loaded(settings) for event in events_of(file)}
    absent = [event for event in EVENTS if event not in found]
    if not found:
        return _elsewhere(settings)
    if absent:
        return failed("registration", f"not registered: {listed(absent, 5)}", "hooks install")
    return passed("registration", f"{len(EVENTS)} events in {listed(places)}")


def _elsewhere(settings: SettingsFacts) -> Check:
    """Nothing is registered here; but perhaps where somebody expects it to count."""
    others = {f.scope: f for f in settings.files if not f.is_loaded and events_of(f)}
    if "root" in others:
        detail = (
            f"Claude Code started in `{settings.start}` does not load `{others['root'].path}`: "
            "it reads the settings of the folder it is started in"
        )
        return failed("registration", detail, shell("cd", str(settings.top)))
    if "default user" in others:
        detail = (
            f"CLAUDE_CONFIG_DIR is `{settings.config_dir}`, "
            f"so `{others['default user'].path}` is not loaded"
        )
        return failed("registration", detail, "hooks install --user")
    if "plugin" in others:
        return failed(
            "registration",
            "the plugin is installed and not enabled",
            "claude plugin enable hooklore",
        )
    return failed("registration", "no settings file registers the hooks", "hooks install")


def subdirectory(facts: Facts) -> Check:
    """A repository's own settings are loaded only when the client is started in its root."""
    settings = known(facts.settings)
    if settings.top is None or settings.top == settings.start:
        return passed("subdirectory", f"`{settings.start}` is where a session's settings are read")
    unused = [f.path for f in settings.files if f.scope == "root" and f.document is not None]
    detail = f"`{settings.start}` lies in the repository `{settings.top}`"
    if unused:
        return noted(
            "subdirectory", f"{detail}; started here, Claude Code ignores {listed(unused)}"
        )
    return passed("subdirectory", detail)


def settings_files(facts: Facts) -> Check:
    """The client can read every file: one mistake, and it silently ignores all of it."""
    settings = known(facts.settings)
    for file in settings.files:
        if file.is_loaded:
            problem = _problem(file)
            if problem is not None:
                return failed("settings files", problem, f"correct `{file.path}`")
    count = sum(1 for file in settings.files if file.is_loaded and file.document is not None)
    return passed("settings files", f"{count} loaded here, all valid")


def _problem(file: SettingsFile) -> str | None:
    if file.problem is not None:
        return f"`{file.path}`: {file.problem}"
    document = file.document or {}
    dropping = shape.dropping(document)
    if dropping:
        return f"`{file.path}`: {listed(dropping)}; Claude Code ignores this whole file"
    invalid = shape.invalid_entries(document)
    if invalid:
        return (
            f"`{file.path}`: {listed(invalid)}; "
            "Claude Code skips that entry, older versions ignore this whole file"
        )
    return None


def hooks_enabled(facts: Facts) -> Check:
    """No file switches all hooks off, and no administrator allows only their own."""
    for file in known(facts.settings).files:
        document = file.document or {}
        if file.is_loaded and document.get("disableAllHooks") is True:
            return failed(
                "hooks enabled",
                f"`disableAllHooks` in `{file.path}` stops every hook",
                f"remove `disableAllHooks` from `{file.path}`",
            )
        if file.scope == "managed" and document.get("allowManagedHooksOnly") is True:
            return failed(
                "hooks enabled",
                f"`{file.path}` allows only an administrator's hooks",
                "ask your administrator to register hooklore",
            )
    return passed("hooks enabled", "no settings file switches hooks off")


def config_directory(facts: Facts) -> Check:
    """Which folder holds the user's settings."""
    settings = known(facts.settings)
    if not settings.config_dir:
        return passed("config directory", "the user's settings are those in `~/.claude`")
    return noted(
        "config directory",
        f"CLAUDE_CONFIG_DIR is `{settings.config_dir}`; a session without it loads `~/.claude`",
    )


def runs_once(facts: Facts) -> Check:
    """Each event runs us once: equal texts count once across settings, not across settings and a plugin."""
    settings = known(facts.settings)
    counts = runs(settings)
    more = [f"{event} {count} times" for event, count in counts.items() if count > 1]
    if not counts:
        return noted("runs once", "nothing is registered")
    if not more:
        return passed("runs once", f"{len(counts)} events, one command each")
    paths = [f"`{file.path}`" for file in loaded(settings) if events_of(file)]
    return failed("runs once", f"{listed(more)}, from {listed(paths)}", "hooks install")


def registered_text(facts: Facts) -> Check:
    """The lines are those that this version writes: an older one's may miss an event or a limit."""
    user = facts.user
    reads = False if isinstance(user, Unknown) else user.capture_reads
    files = [file for file in loaded(known(facts.settings)) if file.groups]
    for file in files:
        different = differences(file, capture_reads=reads)
        if different:
            detail = f"`{file.path}` differs in {listed(different)} from what this version writes"
            return failed("registered text", detail, _install(file))
        if hidden(file):
            detail = f"`{file.path}` has a second key that hides {hidden(file)} of our entries"
            return failed("registered text", detail, f"correct `{file.path}`")
    if not files:
        return noted("registered text", "nothing is registered")
    return passed("registered text", f"as {facts.version} writes it")


def _install(file: SettingsFile) -> str:
    if file.scope == "plugin":
        return "claude plugin update hooklore"
    return (
        f"hooks install --{file.scope}" if file.scope in ("project", "local") else "hooks install"
    )


def session_environment(facts: Facts) -> Check:
    """Sessions write to the store that this command reads: `env` in settings may say otherwise."""
    for file in loaded(known(facts.settings)):
        named = (file.document or {}).get("env")
        ours = [name for name in _ENVIRONMENT if isinstance(named, dict) and name in named]
        if ours:
            return noted(
                "session environment",
                f"`env` in `{file.path}` sets {listed(ours)}: sessions may use another store than this one",
                f"remove {listed(ours)} from `env` in `{file.path}`",
            )
    return passed("session environment", "no settings file sets a variable of ours")
