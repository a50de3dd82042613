"""One memory shared by all of a person's coding agents.

`from hooklore import Memory` is the Python client. The import of the package itself loads nothing.
"""

TYPE_CHECKING = False  # `typing` costs a third of an interpreter's start

if TYPE_CHECKING:
    from hooklore.api.memory import Memory
else:

    def __getattr__(name: str) -> object:
        if name != "Memory":
            raise AttributeError(f"module 'hooklore' has no attribute {name!r}")
        from hooklore.api.memory import Memory

        globals()[name] = Memory
        return Memory

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


__all__ = ["Memory", "__version__"]

__version__ = "0.1.0"
