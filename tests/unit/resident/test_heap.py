"""What a resident leaves unloaded, in a process of its own: these tests have it all loaded."""

import subprocess
import sys


def _printed(program: str) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    return ran.stdout.split()


def test_a_resident_loads_no_package_metadata_with_its_models() -> None:
    program = """
import sys
from hooklore.resident import heap
heap.leave_openssl_out()
with heap.no_package_metadata():
    import hooklore.config
import hooklore.resident.run
print(*(name in sys.modules for name in ("importlib.metadata", "email")))
"""
    assert _printed(program) == ["False", "False"]


def test_a_resident_keeps_no_library_that_only_rare_questions_need() -> None:
    program = """
import sys
from hooklore.resident import heap
heap.leave_openssl_out()
with heap.no_package_metadata():
    import hooklore.resident.run
from hooklore.resident.later_imports import load_later_imports
load_later_imports(lambda: None)
rare = ("difflib", "shutil", "bz2", "lzma", "statistics", "subprocess")
print("loaded:", *(name for name in rare if name in sys.modules))
"""
    assert _printed(program) == ["loaded:"]


def test_what_is_imported_later_finds_the_installed_packages() -> None:
    program = """
from hooklore.resident import heap
with heap.no_package_metadata():
    import hooklore.config
from importlib.metadata import version
print(version("hooklore"))
with heap.no_package_metadata():
    from importlib.metadata import entry_points
print(len(entry_points(group="console_scripts")) > 0)
"""
    found, still = _printed(program)
    assert found.startswith("0.")
    assert still == "True"
