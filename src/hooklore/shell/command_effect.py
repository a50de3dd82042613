"""The effect of a shell command, told by its words: it only looks at something, or it provides something."""

import re

from hooklore.shell.command import is_check_command, is_test_command, simple_commands, written_files

_LOOKING = frozenset(
    "ls cat head tail less more bat grep egrep rg ag ack find fd tree stat file wc which type man diff cmp echo"
    " printf pwd env printenv ps top df du date sleep cd jq yq awk sort uniq cut tr column xxd od strings lsof"
    " hexdump netstat ss ping dig nslookup whoami id uname hostname history curl wget open true false test [ [["
    " for while if then do done fi wait export set source . pushd popd exit".split()
)
_LOOKING_VERBS = frozenset(
    "status log diff show list ls view get describe info help version whoami ps inspect search outdated why tree"
    " blame grep logs checks top explain rev-parse remote cat-file ls-files ls-tree fetch shortlog".split()
)
_VERBED = frozenset(
    "git gh glab npm pnpm yarn bun docker podman kubectl helm cargo go pip pip3 uv poetry brew apt systemctl"
    " terraform aws gcloud az heroku fly vercel supabase nix hg svn jj".split()
)
"""Programs whose first word says what they do."""

_PROVIDING = frozenset(
    "install i ci add sync restore bootstrap setup build generate codegen migrate init download tidy link".split()
)
_NO_PROVIDERS = frozenset(("git", "gh", "glab", "kubectl", "svn", "hg", "jj"))
_INSTALLING = frozenset(("install", "i", "add"))
_PACKAGE = re.compile(r"@?[A-Za-z][\w.@/-]{2,}(?:[\[=<>~!^].*)?$(?<!\.txt)(?<!\.toml)")
_IN_PLACE = re.compile(r"(?:^|[;&|]\s*)(?:sed|perl)\s+(?:\S+\s+)*?-\w*i")
_MENDING = re.compile(
    r"(?<!\S)(?:--(?:fix|write|apply|update)\b|-w\b|-u\b)|(?<![-\w])(?:fmt|format|fix)\b"
)


def is_looking_command(command: str) -> bool:
    """Return whether a command changes nothing: it prints, searches, or checks."""
    kept = (path for path in written_files(command) if path and not path.startswith(("/dev/", "&")))
    if _IN_PLACE.search(command) or next(kept, None):
        return False
    changes = provides_something(command) or mends_files(command)
    is_check = is_check_command(command) and not changes
    return is_check or is_test_command(command) or is_inspection(command)


def is_inspection(command: str) -> bool:
    """Return whether each part of a command prints what is there: files, settings, processes."""
    return all(_is_looking(program, words) for program, words in simple_commands(command))


def enters_folder(command: str) -> bool:
    """Return whether a command does nothing but go to a folder below."""
    steps = [words[:2] for _, words in simple_commands(command)]
    return (
        len(steps) == 1
        and steps[0][:1] == ["cd"]
        and steps[0][1:] not in ([], ["-"], [".."], ["~"])
    )


def mends_files(command: str) -> bool:
    """Return whether a check is asked to mend what it finds: `--fix`, `lint:fix`, `fmt`."""
    return _MENDING.search(command) is not None


def _is_looking(program: str, words: list[str]) -> bool:
    if not program or program in _LOOKING:
        return True
    verbs = [word for word in words[1:] if word[:1] != "-"]
    if program not in _VERBED:
        return False
    if verbs[:1] == ["config"]:
        asks = {"--get", "--get-all", "--list", "-l"}.intersection(words)
        return bool(asks) or (len(verbs), len(words)) == (2, 3)
    return not verbs or not _LOOKING_VERBS.isdisjoint(verbs[: 1 if program == "git" else 2])


_RECORDING = frozenset("add commit push tag branch switch checkout merge pr issue release".split())


def only_records_changes(command: str) -> bool:
    """Return whether a command hands changes to a version control, and changes no file itself."""
    steps = [step for step in simple_commands(command) if step[0] not in _LOOKING]
    return bool(steps) and all(
        program in ("git", "gh", "glab", "hg", "jj") and not _RECORDING.isdisjoint(words[1:2])
        for program, words in steps
    )


def provides_something(command: str) -> bool:
    """Return whether a command installs, builds or generates something."""
    for program, words in simple_commands(command):
        verbs = {part for word in words[1:4] if word[:1] != "-" for part in re.split("[:_-]", word)}
        verbs.update(word for word in words[-1:] if word.isalpha())
        if program not in _NO_PROVIDERS and not _PROVIDING.isdisjoint(verbs):
            return True
    return False


def installed_packages(command: str) -> list[str]:
    """Return the packages that a command installs by their names; [] for one that installs what is declared."""
    found: list[str] = []
    for program, words in simple_commands(command):
        verb = next((i for i, word in enumerate(words) if word in _INSTALLING), 0)
        if verb and program not in _NO_PROVIDERS:
            found += [word for word in words[verb + 1 :] if _PACKAGE.match(word)]
    return found
