"""Tell the programming language of a file by its name, and its code from its comments and strings."""

from functools import lru_cache

from hooklore.late_pattern import compile_late

_ENDINGS = {
    "python": "py pyi",
    "typescript": "ts tsx mts cts",
    "javascript": "js jsx mjs cjs vue svelte",
    "go": "go",
    "rust": "rs",
    "ruby": "rb rake",
    "php": "php",
    "java": "java",
    "kotlin": "kt kts",
    "swift": "swift",
    "csharp": "cs",
    "c": "c h",
    "cpp": "cc cpp cxx hpp hh",
    "scala": "scala",
    "dart": "dart",
    "lua": "lua",
    "elixir": "ex exs",
    "perl": "pl pm",
    "shell": "sh bash zsh",
    "sql": "sql",
    "css": "css scss sass less",
}
_BY_ENDING = {end: language for language, ends in _ENDINGS.items() for end in ends.split()}
_MAX_LENGTH = 64 * 1024
"""Characters of each side of a change that are read. What stands behind them is not judged."""

_QUOTED = r'"(?:\\.|[^"\\\n])*+"?'
_SINGLE = r"'(?:\\.|[^'\\\n])*+'?"
_CHARACTER = r"'(?:\\.|[^'\\\n])'"
_BLOCK = r"/\*[\s\S]*?(?:\*/|\Z)"
_LONG = r'"""[\s\S]*?(?:"""|\Z)|' + r"'''[\s\S]*?(?:'''|\Z)"
_HASH_PARTS = compile_late(rf"(?P<string>{_LONG}|{_QUOTED}|{_SINGLE})|#[^\n]*")
_DASH_PARTS = compile_late(rf"(?P<string>{_QUOTED}|{_SINGLE})|--[^\n]*|{_BLOCK}")
_SCRIPT_PARTS = compile_late(
    rf"(?P<string>{_QUOTED}|{_SINGLE}|`(?:\\[\s\S]|[^`\\])*+`?)|//[^\n]*|{_BLOCK}"
)
_CSS_PARTS = compile_late(rf"(?P<string>{_QUOTED}|{_SINGLE})|{_BLOCK}")
_OTHER_PARTS = compile_late(rf"(?P<string>{_QUOTED}|{_CHARACTER})|//[^\n]*|{_BLOCK}")
_PARTS = (
    dict.fromkeys("python ruby elixir perl shell".split(), _HASH_PARTS)
    | dict.fromkeys(("sql", "lua"), _DASH_PARTS)
    | dict.fromkeys("javascript typescript php dart swift kotlin".split(), _SCRIPT_PARTS)
    | {"css": _CSS_PARTS}
)


def language_of(path: str) -> str:
    """Return the language of a file, "" for prose, markup, settings and what is unknown."""
    return _BY_ENDING.get(path.rpartition("/")[2].rpartition(".")[2].lower(), "")


@lru_cache(maxsize=16)
def without_comments(code: str, language: str) -> str:
    """Return the first 64 KiB of a piece of code without its comments."""
    return _PARTS.get(language, _OTHER_PARTS).sub(
        lambda part: part["string"] or " ", code[:_MAX_LENGTH]
    )


@lru_cache(maxsize=16)
def without_strings(code: str, language: str) -> str:
    """Return the first 64 KiB of a piece of code without its comments and the text of its strings."""
    return _PARTS.get(language, _OTHER_PARTS).sub(
        lambda part: '""' if part["string"] else " ", code[:_MAX_LENGTH]
    )
