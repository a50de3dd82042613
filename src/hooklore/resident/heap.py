"""The memory of a resident, kept small because a resident is mostly idle. Without glibc the heap is left alone."""

import contextlib
import ctypes
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from types import ModuleType

_M_ARENA_MAX = -8
_M_MMAP_THRESHOLD = -3
_MAPPED_BYTES = 128 * 1024
"""Blocks from this size on are mapped, and go back to the system when they are freed. The C library raises its
own threshold to the largest block that was freed, up to 32 MiB, and keeps what is below it in its heap."""


_METADATA = "importlib.metadata"
_OWN_HASHES = (
    "_md5",
    "_sha1",
    "_sha2" if sys.version_info >= (3, 12) else "_sha256",
    "_sha3",
    "_blake2",
)


def leave_openssl_out() -> None:
    """Have `hashlib` use the interpreter's own hashes: OpenSSL takes 3.4 MB for others that nobody uses.

    Call this before anything imports `hashlib`. An interpreter that was built without its own hashes keeps OpenSSL.
    """
    if "_hashlib" not in sys.modules and all(map(find_spec, _OWN_HASHES)):
        sys.modules["_hashlib"] = None  # type: ignore[assignment]  # `import _hashlib` fails, as hashlib expects


@contextlib.contextmanager
def no_package_metadata() -> Iterator[None]:
    """Have the block's imports find no installed package: pydantic asks for plugins of its own at its first model.

    The search takes 28 ms, and 3 MB for archives and mail that nobody reads. What is imported after the block
    finds the packages.
    """
    if _METADATA in sys.modules:
        yield
        return
    empty = ModuleType(_METADATA)
    vars(empty).update(dict.fromkeys(("entry_points", "distributions"), lambda **_: ()))
    sys.modules[_METADATA] = empty
    try:
        yield
    finally:
        del sys.modules[_METADATA]


def use_one_arena() -> None:
    """Use one arena for all threads, and map blocks from one size on: else indexing leaves memory in pieces.

    It was 10 to 25 MB of pieces. Call this before the first thread starts.
    """
    with contextlib.suppress(AttributeError, OSError):
        library = ctypes.CDLL(None)
        library.mallopt(_M_ARENA_MAX, 1)
        library.mallopt(_M_MMAP_THRESHOLD, _MAPPED_BYTES)


def trim_heap() -> None:
    """Return free memory to the system."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
