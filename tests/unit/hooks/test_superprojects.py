"""Which folders are submodules of which repositories, as git makes them and as nobody should believe."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hooklore.hooks import git_repository, project
from hooklore.hooks.project import explain_project_keys, project_keys
from tests.support.submodules import add_submodule, committed_repository, git


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the test counts as no temporary one, and nothing is cached."""
    monkeypatch.setattr(project, "_TEMPORARY", (str(tmp_path / "tmp"),))
    monkeypatch.setattr(project, "_cache", {})
    monkeypatch.setattr(project, "_PLACE_SECONDS", 0.0)


@pytest.fixture
def outer(tmp_path: Path) -> Path:
    return committed_repository(tmp_path / "outer")


def around(folder: Path, home: str = "/nowhere") -> list[str]:
    """Return the tops of the superprojects of a folder, the nearest first."""
    found = project_keys(str(folder), None, home)
    assert found is not None
    return [each.root for each in found.around]


def set_work_tree(held: Path, folder: str) -> None:
    git(Path("/"), "config", "-f", str(held / "config"), "core.worktree", folder)


def set_path(outer: Path, name: str, path: str) -> None:
    git(outer, "config", "-f", ".gitmodules", f"submodule.{name}.path", path)


NAMES = (
    ("lib", None),
    ("libs/core", None),
    ("lib", "a/name with/slashes"),
    ("こあ/部品", None),
    ('od"d', None),
    ("back\\slash", None),
    ("a #comment; or not", None),
    (" space ", None),
    ("lib", 'od"d\\name'),
    ("[section]", None),
    ("tab\there", None),
)


@pytest.mark.parametrize(("path", "name"), NAMES)
def test_a_submodule_knows_its_superproject_whatever_the_two_are_called(
    outer: Path, path: str, name: str | None
) -> None:
    inner = add_submodule(outer, path, name)
    (inner / "deep" / "er").mkdir(parents=True)

    assert around(inner) == [str(outer)]
    assert around(inner / "deep" / "er") == [str(outer)]
    assert around(outer) == []


def test_nested_submodules_know_each_repository_around_the_nearest_first(outer: Path) -> None:
    middle = add_submodule(outer, "middle")
    inner = add_submodule(middle, "inner")

    assert around(inner) == [str(middle), str(outer)]
    assert around(middle) == [str(outer)]

    (outer / ".gitmodules").unlink()
    assert around(inner) == [str(middle)]


def test_no_more_superprojects_are_looked_for_than_anybody_nests(
    outer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_repository, "_MOST", 1)
    middle = add_submodule(outer, "middle")

    assert around(add_submodule(middle, "inner")) == [str(middle)]


def test_a_submodule_that_was_moved_keeps_its_superproject_by_its_old_name(outer: Path) -> None:
    inner = add_submodule(outer, "lib")
    git(outer, "mv", "lib", "vendor")

    assert not inner.exists()
    assert around(outer / "vendor") == [str(outer)]


def test_one_with_a_git_directory_of_its_own_has_none_until_git_absorbs_it(outer: Path) -> None:
    inner = committed_repository(outer / "lib")
    set_path(outer, "lib", "lib")
    git(outer, "add", ".gitmodules", "lib")
    before = around(inner)

    git(outer, "submodule", "absorbgitdirs")

    assert before == []
    assert around(inner) == [str(outer)]


def test_in_a_worktree_of_the_superproject_its_submodules_are_its_own(
    outer: Path, tmp_path: Path
) -> None:
    add_submodule(outer, "lib")
    git(outer, "worktree", "add", "-q", str(tmp_path / "tree"))
    git(tmp_path / "tree", "submodule", "update", "-q", "--init")

    found = project_keys(str(tmp_path / "tree" / "lib"), None, "/nowhere")

    assert found is not None
    assert [each.root for each in found.around] == [str(tmp_path / "tree")]
    assert found.around[0].keys == (f"dir:{outer}/.git",)


def test_a_sparse_checkout_stays_a_submodule(outer: Path) -> None:
    inner = add_submodule(outer, "lib")
    git(inner, "sparse-checkout", "set", "src")

    assert "worktree" not in (outer / ".git/modules/lib/config").read_text().casefold().split()
    assert around(inner) == [str(outer)]


def test_a_home_directory_is_nobodys_superproject(outer: Path) -> None:
    inner = add_submodule(outer, "lib")

    assert around(inner, str(outer)) == []


def test_a_change_of_the_list_counts_at_once(outer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project, "_PLACE_SECONDS", 3_600.0)
    monkeypatch.setattr(project, "_places", {})
    inner = add_submodule(outer, "lib")
    first = around(inner)

    git(outer, "rm", "-q", "--cached", "lib")
    git(outer, "config", "-f", ".gitmodules", "--remove-section", "submodule.lib")
    second = around(inner)
    set_path(outer, "lib", "lib")

    assert (first, second, around(inner)) == ([str(outer)], [], [str(outer)])


def dots(modules: Path, _: Path) -> None:
    modules.write_text('[submodule "lib"]\n\tpath = ..\n[submodule "../lib"]\n\tpath = lib\n')


def itself(modules: Path, _: Path) -> None:
    modules.write_text('[submodule "lib"]\n\tpath = .\n[submodule "."]\n\tpath =\n')


def way_round(modules: Path, _: Path) -> None:
    modules.write_text('[submodule "lib"]\n\tpath = ./lib/../lib\n')


def absolute(modules: Path, inner: Path) -> None:
    modules.write_text(f'[submodule "lib"]\n\tpath = {inner}\n')


def another_name(modules: Path, _: Path) -> None:
    modules.write_text('[submodule "core"]\n\tpath = lib\n')


def another_section(modules: Path, _: Path) -> None:
    modules.write_text('[remote "lib"]\n\tpath = lib\n[submodule\n\tpath = lib\n')


def comment(modules: Path, _: Path) -> None:
    modules.write_text('[submodule "lib"]\n# path = lib\n\tpath = ;lib\n')


def folder(modules: Path, _: Path) -> None:
    modules.unlink()
    modules.mkdir()


def fifo(modules: Path, _: Path) -> None:
    modules.unlink()
    os.mkfifo(modules)


def link(modules: Path, _: Path) -> None:
    modules.rename(modules.with_name("listed"))
    modules.symlink_to("listed")


def loop(modules: Path, _: Path) -> None:
    modules.unlink()
    modules.symlink_to(".gitmodules")


def huge(modules: Path, _: Path) -> None:
    modules.write_bytes(modules.read_bytes() + b"#" * 300_000)


def binary(modules: Path, _: Path) -> None:
    modules.write_bytes(bytes(range(256)) * 16 + b"\\" * 10_000)


def brackets(modules: Path, _: Path) -> None:
    modules.write_bytes(b"[" * 100_000 + b'[submodule "' + b"\\" * 100_000)


def nothing(modules: Path, _: Path) -> None:
    modules.unlink()


BAD = (
    dots, itself, way_round, absolute, another_name, another_section, comment, folder, fifo, link,
    loop, huge, binary, brackets, nothing,
)  # fmt: skip


@pytest.mark.timeout(20)
@pytest.mark.parametrize("spoil", BAD)
def test_a_list_that_does_not_plainly_name_the_folder_names_none(
    outer: Path, spoil: Callable[[Path, Path], None]
) -> None:
    inner = add_submodule(outer, "lib")

    spoil(outer / ".gitmodules", inner)

    assert around(inner) == []
    assert explain_project_keys(str(inner), None, "/nowhere")


def test_a_list_of_a_thousand_submodules_is_read_whole(outer: Path) -> None:
    inner = add_submodule(outer, "lib")
    modules = outer / ".gitmodules"
    many = "".join(
        f'[submodule "m{n}"]\n\tpath = vendor/m{n}\n\turl = ../m{n}\n' for n in range(2_000)
    )
    modules.write_text(many + modules.read_text())

    assert modules.stat().st_size > git_repository.LARGEST
    assert around(inner) == [str(outer)]


def copied_beside(inner: Path) -> Path:
    subprocess.run(["cp", "-a", str(inner), str(inner.parent / "copy")], check=True)
    return inner.parent / "copy"


def moved_out(inner: Path) -> Path:
    return Path(shutil.move(inner, inner.parent.parent / "elsewhere"))


def reached_by_a_link(inner: Path) -> Path:
    moved = Path(shutil.move(inner, inner.parent.parent / "elsewhere"))
    inner.symlink_to(moved)
    return inner


def with_a_git_directory_elsewhere(inner: Path) -> Path:
    held = inner.parent / ".git" / "modules" / "lib"
    moved = shutil.move(held, inner.parent.parent / "held")
    held.symlink_to(moved)
    set_work_tree(held, str(inner))
    return inner


def that_names_another_folder(inner: Path) -> Path:
    set_work_tree(inner.parent / ".git" / "modules" / "lib", "../../../other")
    return inner


def with_a_repository_between(inner: Path) -> Path:
    deep = inner.parent / "between"
    committed_repository(deep)
    moved = Path(shutil.move(inner, deep / "lib"))
    held = inner.parent / ".git" / "modules" / "lib"
    (moved / ".git").write_text(f"gitdir: {held}\n")
    set_work_tree(held, str(moved))
    set_path(inner.parent, "lib", "between/lib")
    return moved


def whose_superproject_only_claims_its_own(inner: Path) -> Path:
    outer = inner.parent
    shutil.move(outer / ".git", outer.parent / "stolen")
    (outer / ".git").write_text("gitdir: ../stolen\n")
    (inner / ".git").write_text(f"gitdir: {outer.parent}/stolen/modules/lib\n")
    set_work_tree(outer.parent / "stolen" / "modules" / "lib", str(inner))
    return inner


LIES = (
    copied_beside, moved_out, reached_by_a_link, with_a_git_directory_elsewhere,
    that_names_another_folder, with_a_repository_between, whose_superproject_only_claims_its_own,
)  # fmt: skip


@pytest.mark.req("AC-18", "AC-20")
@pytest.mark.parametrize("lie", LIES)
def test_a_folder_that_only_claims_to_be_a_submodule_has_no_superproject(
    outer: Path, lie: Callable[[Path], Path]
) -> None:
    inner = add_submodule(outer, "lib")

    assert around(lie(inner)) == []


@pytest.mark.req("AC-18", "AC-20")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to another user")
@pytest.mark.parametrize("given", ["lib", ".gitmodules", ".git", ".git/modules/lib", "."])
def test_where_two_users_own_them_nothing_is_believed(outer: Path, given: str) -> None:
    inner = add_submodule(outer, "lib")

    os.chown(outer / given, 12_345, 12_345)

    assert around(inner) == []


def test_an_archive_that_brings_a_superproject_along_brings_no_known_one(
    outer: Path, tmp_path: Path
) -> None:
    add_submodule(outer, "lib")
    unpacked = Path(shutil.copytree(outer, outer / "vendor" / "archive", symlinks=True))

    found = project_keys(str(unpacked / "lib"), None, "/nowhere")

    assert found is not None
    assert [each.keys for each in found.around] == [(f"dir:{unpacked}/.git",)]


class Disk:
    """The files that are opened, and those whose state is asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.opened: list[str] = []
        self.asked: list[str] = []
        really_open, really_stat = os.open, os.stat

        def note_opened(path: Any, *more: Any, **how: Any) -> int:
            self.opened.append(str(path))
            return really_open(path, *more, **how)

        def note_asked(path: Any, **how: Any) -> os.stat_result:
            self.asked.append(str(path))
            return really_stat(path, **how)

        monkeypatch.setattr(os, "open", note_opened)
        monkeypatch.setattr(os, "stat", note_asked)

    def of(self, folder: Path) -> tuple[list[str], list[str]]:
        """What is opened and asked for to know a folder."""
        self.opened, self.asked = [], []
        around(folder)
        return self.opened, self.asked


def test_what_is_opened_grows_for_submodules_alone_and_only_until_they_are_known(
    outer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner, git_folder = add_submodule(outer, "lib"), outer / ".git"
    monkeypatch.setattr(project, "_PLACE_SECONDS", 3_600.0)
    monkeypatch.setattr(project, "_places", {})
    disk = Disk(monkeypatch)

    first = disk.of(outer)[0], disk.of(inner)[0]
    then = disk.of(outer), disk.of(inner)

    of_module = git_folder / "modules" / "lib"
    assert first[0] == [f"{git_folder}/config", f"{git_folder}/HEAD"]
    assert first[1].count(f"{outer}/.gitmodules") == 1
    assert then[0] == ([], [f"{git_folder}/{name}" for name in ("HEAD", "config", "commondir")])
    stamped = [f"{of_module}/{name}" for name in ("HEAD", "config", "commondir")]
    assert then[1] == ([], [*stamped, f"{outer}/.gitmodules"])
