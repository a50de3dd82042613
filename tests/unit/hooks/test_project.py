import os
import subprocess
from pathlib import Path

import pytest

from hooklore.hooks import project
from hooklore.hooks.project import explain_project_keys, normalize_remote, project_keys


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the test counts as no temporary one, and nothing is cached."""
    monkeypatch.setattr(project, "_TEMPORARY", (str(tmp_path / "tmp"),))
    monkeypatch.setattr(project, "_cache", {})


def git(folder: Path, *words: str) -> None:
    quiet = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    who = ["-c", "user.name=t", "-c", "user.email=t@e.example", "-c", "protocol.file.allow=always"]
    subprocess.run(
        ["git", *who, *words], cwd=folder, check=True, capture_output=True, env=os.environ | quiet
    )


def repository(folder: Path, remote: str | None = None) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")
    return folder


def keys(
    folder: Path, home: Path | None = None, given: Path | None = None
) -> tuple[str, ...] | None:
    found = project_keys(str(folder), str(given) if given else None, str(home or "/nowhere"))
    return found.keys if found else None


REMOTES = [
    "https://github.com/Owner/repo.git",
    "https://GitHub.com/Owner/repo",
    "https://github.com:443/Owner/repo/",
    "git@github.com:Owner/repo.git",
    "ssh://git@github.com/Owner/repo.git",
    "ssh://git@github.com:22/Owner/repo",
    "ssh://git@ssh.github.com:443/Owner/repo.git",
    "git://github.com/Owner/repo.git",
    "git+ssh://git@github.com/Owner/repo",
    "github.com:Owner/repo.git",
    "https://user:" + "pw" + "@github.com/Owner/repo.git",
    "https://user:p@w" + "@github.com/Owner/repo.git",
    "https://" + "tok" + "@github.com/Owner/repo.git?x=1",
]


@pytest.mark.parametrize("url", REMOTES)
def test_every_form_of_one_remote_is_one_name(url: str) -> None:
    assert normalize_remote(url) == "github.com/Owner/repo"


@pytest.mark.parametrize(
    "url",
    ["", "/srv/repo.git", "../repo", "~/repo", "file:///srv/repo.git", "repo", "https://", "https://h",
     "https://u:1/p@h.example/x"],
)  # fmt: skip
def test_what_is_no_address_names_nothing(url: str) -> None:
    assert normalize_remote(url) is None


def test_a_repository_is_known_by_remote_and_directory(tmp_path: Path) -> None:
    top = repository(tmp_path / "repo", "git@github.com:o/api.git")
    (top / "a" / "b").mkdir(parents=True)

    found = project_keys(str(top / "a" / "b"), None, "/nowhere")

    assert found is not None
    assert found.keys == ("remote:github.com/o/api", f"dir:{top}/.git")
    assert (found.name, found.root, found.branch) == ("api", str(top), "main")


def test_two_repositories_are_two_projects_and_two_clones_share_a_key(tmp_path: Path) -> None:
    one = repository(tmp_path / "one", "https://h.example/o/api")
    two = repository(tmp_path / "two", "https://h.example/o/web")
    clone = repository(tmp_path / "clone", "git@h.example:o/api.git")

    of_one, of_two, of_clone = keys(one), keys(two), keys(clone)

    assert of_one is not None
    assert of_two is not None
    assert of_clone is not None
    assert not set(of_one) & set(of_two)
    assert set(of_one) & set(of_clone) == {"remote:h.example/o/api"}


def test_worktrees_of_one_repository_are_one_project_on_their_own_branches(tmp_path: Path) -> None:
    top = repository(tmp_path / "repo")
    git(top, "worktree", "add", "-q", "-b", "feature/x", str(tmp_path / "tree"))

    main = project_keys(str(top), None, "/nowhere")
    tree = project_keys(str(tmp_path / "tree"), None, "/nowhere")

    assert main is not None
    assert tree is not None
    assert main.keys == tree.keys
    assert (main.branch, tree.branch) == ("main", "feature/x")
    assert tree.name == "repo"


def test_a_submodule_is_its_own_project(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner")
    outer = repository(tmp_path / "outer")
    git(outer, "submodule", "add", "-q", str(inner), "lib")

    of_lib = keys(outer / "lib")

    assert of_lib == (f"dir:{outer}/.git/modules/lib",)
    assert of_lib != keys(outer)


def test_a_change_of_branch_or_remote_is_seen(tmp_path: Path) -> None:
    top = repository(tmp_path / "repo")
    before = project_keys(str(top), None, "/nowhere")

    git(top, "checkout", "-q", "-b", "other")
    git(top, "remote", "add", "origin", "https://h.example/o/r")
    after = project_keys(str(top), None, "/nowhere")

    assert before is not None
    assert after is not None
    assert (before.branch, after.branch) == ("main", "other")
    assert after.keys[0] == "remote:h.example/o/r"


def test_an_unchanged_repository_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = repository(tmp_path / "repo")
    first = project_keys(str(top), None, "/nowhere")
    monkeypatch.setattr(project, "_remotes", lambda _: pytest.fail("read again"))

    assert project_keys(str(top), None, "/nowhere") is first


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (("fork", "upstream", "origin"), "origin"),
        (("fork", "upstream"), "upstream"),
        (("fork",), "fork"),
        (("fork", "other"), None),
        ((), None),
    ],
)
def test_origin_goes_before_upstream_before_the_only_one(
    tmp_path: Path, names: tuple[str, ...], chosen: str | None
) -> None:
    top = repository(tmp_path / "repo")
    for name in names:
        git(top, "remote", "add", name, f"https://h.example/o/{name}")

    found = keys(top)

    assert found is not None
    assert found[0] == (f"remote:h.example/o/{chosen}" if chosen else f"dir:{top}/.git")


def test_a_detached_head_has_no_branch(tmp_path: Path) -> None:
    top = repository(tmp_path / "repo")
    git(top, "checkout", "-q", "--detach")

    found = project_keys(str(top), None, "/nowhere")

    assert found is not None
    assert found.branch is None


def test_home_and_the_root_are_never_a_project(tmp_path: Path) -> None:
    home = repository(tmp_path / "home2")
    (home / "plain").mkdir()

    assert keys(home, home) is None
    assert keys(Path("/"), home) is None
    assert keys(tmp_path, home) is None
    assert keys(home / "plain", home) == (f"dir:{home}/plain",)


def test_a_temporary_folder_is_no_project_but_a_repository_below_it_is(tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    (temporary / "x" / "y").mkdir(parents=True)
    top = repository(temporary / "repo")

    assert keys(temporary) is None
    assert keys(temporary / "x" / "y") is None
    assert keys(top) == (f"dir:{top}/.git",)


def test_a_plain_folder_is_known_by_its_real_path(tmp_path: Path) -> None:
    (tmp_path / "plain" / "sub").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "plain")

    assert keys(tmp_path / "link") == (f"dir:{tmp_path}/plain",)
    assert keys(tmp_path / "plain" / "sub", given=tmp_path / "plain") == (f"dir:{tmp_path}/plain",)
    assert keys(tmp_path / "plain", given=tmp_path / "plain" / "sub") == (f"dir:{tmp_path}/plain",)


@pytest.mark.parametrize("cwd", [None, "", "relative/path", "../..", "/no/such/folder", "/a\0b"])
def test_what_is_no_folder_is_no_project(cwd: str | None) -> None:
    assert project_keys(cwd, None, "/nowhere") is None
    assert explain_project_keys(cwd, None, "/nowhere")


def test_a_folder_that_is_gone_is_replaced_by_the_clients_project(tmp_path: Path) -> None:
    top = repository(tmp_path / "repo")

    assert keys(tmp_path / "gone", given=top) == (f"dir:{top}/.git",)


def test_links_in_circles_are_no_project(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")

    assert keys(tmp_path / "a") is None


@pytest.mark.parametrize(
    "make", ["fifo", "garbage", "self", "endless", "nowhere", "link", "empty", "binary"]
)
def test_a_strange_dot_git_makes_a_plain_folder(tmp_path: Path, make: str) -> None:
    folder = tmp_path / "repo"
    folder.mkdir()
    dot_git = folder / ".git"
    if make == "fifo":
        os.mkfifo(dot_git)
    elif make == "link":
        dot_git.symlink_to(dot_git)
    elif make == "empty":
        dot_git.mkdir()
    else:
        content = {
            "garbage": b"hello",
            "self": b"gitdir: .git",
            "endless": b"gitdir: " + b"../" * 100_000,
            "nowhere": b"gitdir: /no/such/place",
            "binary": b"gitdir: \x00\xff",
        }[make]
        dot_git.write_bytes(content)

    assert keys(folder) == (f"dir:{folder}",)


@pytest.mark.parametrize("name", ["config", "HEAD", "commondir"])
@pytest.mark.parametrize("make", ["fifo", "folder", "huge", "binary"])
def test_strange_files_of_a_repository_are_no_trouble(tmp_path: Path, name: str, make: str) -> None:
    git_folder = tmp_path / "repo" / ".git"
    git_folder.mkdir(parents=True)
    (git_folder / "HEAD").write_text("ref: refs/heads/main\n")
    target = git_folder / name
    target.unlink(missing_ok=True)
    if make == "fifo":
        os.mkfifo(target)
    elif make == "folder":
        target.mkdir()
    else:
        target.write_bytes(b"[" * 5_000_000 if make == "huge" else b"\x00\xff\n" * 100)

    found = project_keys(str(tmp_path / "repo"), None, "/nowhere")

    assert found is not None
    assert found.keys == (f"dir:{git_folder}",)


def test_user_and_password_of_a_remote_are_told_to_nobody(tmp_path: Path) -> None:
    secret = "hun" + "ter"
    top = repository(tmp_path / "repo", f"https://user:{secret}@h.example/o/r.git")

    told = f"{project_keys(str(top), None, '/nowhere')} {explain_project_keys(str(top), None, '/nowhere')}"

    assert secret not in told
    assert "remote:h.example/o/r" in told


def test_an_explanation_says_why(tmp_path: Path) -> None:
    top = repository(tmp_path / "repo", "https://h.example/o/r")

    lines = explain_project_keys(str(top), None, "/nowhere")

    assert lines == [
        f"{top}: top of a git repository",
        "remote:h.example/o/r: remote `origin`, without user and password",
        "branch main",
    ]


def test_no_process_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = repository(tmp_path / "repo")
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("started"))
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("forked"))

    assert keys(top) is not None
