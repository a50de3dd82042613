"""The references by which a text names a piece of work: tickets, pull requests, documents and addresses."""

import re
from collections.abc import Iterator

MAX_REFERENCES = 12
"""References of one text. A text with more is a log or a list, and is about none of the others."""

_LONGEST = 4_000
_ADDRESS = re.compile(r"https?://[^\s<>\"'`)\]}|、。」]{4,300}")
_DIGIT = re.compile("[0-9]")
_FORGE_PATH = re.compile(r"/(?:pull|pulls|issues|merge_requests|pull-requests)/(\d{1,6})(?!\d)")
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_])(?:(?:PRs?|MR|GH|pull[ -]request|merge[ -]request|issue|ticket)[ -]?[#!]?|[#!](?=\d\d))"
    r"(\d{1,6})(?![\w.]*\w)",
    re.IGNORECASE | re.ASCII,
)
_TICKET = re.compile(r"(?<![\w-])([A-Z][A-Z0-9]{1,9}-\d{1,6})(?![\w-])", re.ASCII)
_BRANCH = re.compile(
    r"(?<![\w./@-])[\w.]{0,60}[A-Za-z][\w.]{0,60}+(?:[/-][\w.]{1,60}+){1,20}", re.ASCII
)
_MAX_BRANCHES = 8
_BRANCH_TICKET = re.compile(r"(?:^|[/_])([A-Za-z][A-Za-z0-9]{1,9}-\d{1,6})(?=$|[-_/])", re.ASCII)
_STANDARD = re.compile(
    r"(?:UTF|UCS|SHA|MD|AES|DES|RSA|CRC|BLAKE|ISO|RFC|IEEE|ANSI|ECMA|ES|HTTP|TLS|SSL|IPV|UTC|GMT|GPT|CVE|GH|PR|MR)-"
)
"""Names of standards, which are written like tickets. `GH-12` is the number 12."""
_DOCUMENT = re.compile(
    r"(?<![\w./~@+-])@?(/?(?:[\w.~+-][\w.~@+-]{0,99}+/){1,16}[\w.@+-]{1,100}\.(?:md|mdx|rst|adoc|org|txt))(?![\w/])",
    re.ASCII,
)


def find_work_references(text: str) -> tuple[str, ...]:
    """Return the references in the first 4,000 characters of `text`, each once, in a form that compares.

    A pull request is the same by its address and by its number (`#46`). A document counts with its folder
    alone, as `README.md` names no piece of work. Return none where there are more than `MAX_REFERENCES`.
    """
    found = dict.fromkeys(_references(text[:_LONGEST]))
    return tuple(found) if len(found) <= MAX_REFERENCES else ()


def document_reference(path: str) -> str | None:
    """Return the reference of a document's path, or None for a file of another sort."""
    named = _DOCUMENT.fullmatch(path)
    return _of_document(named[1]) if named else None


def may_name_work(text: str) -> bool:
    """Return whether the first 4,000 characters of a text may name a piece of work, or a branch."""
    beginning = text[:_LONGEST]
    return bool(find_branch_names(beginning) or find_work_references(beginning))


def find_branch_names(text: str) -> list[str]:
    """Return the words of a text that may be names of branches: `fix/empty-list`, `empty-list`."""
    names = (name.rstrip(".") for name in _BRANCH.findall(text))
    return list(dict.fromkeys(names))[:_MAX_BRANCHES]


def branch_references(branch: str) -> tuple[str, ...]:
    """Return the tickets that a branch is named after: `ENT-53` for `fix/ent-53-empty-list`."""
    return tuple(dict.fromkeys(name.upper() for name in _BRANCH_TICKET.findall(branch[:255])))


def _references(text: str) -> Iterator[str]:
    has_digit = _DIGIT.search(text) is not None  # most texts have none, and need no slow search
    if has_digit and "-" in text:
        yield from (name for name in _TICKET.findall(text) if not _STANDARD.match(name))
    plain = text
    if "://" in text:
        yield from filter(None, map(_of_address, _ADDRESS.findall(text)))
        plain = _ADDRESS.sub(" ", text)
    if has_digit:
        yield from (f"#{int(number)}" for number in _NUMBER.findall(plain))
    if "/" in plain:
        yield from map(_of_document, _DOCUMENT.findall(plain))


def _of_address(address: str) -> str | None:
    """Return an address without its scheme, query and fragment, or the number that it leads to.

    The address of a whole site names no piece of work.
    """
    place = re.split(r"[?#]", address.partition("://")[2], maxsplit=1)[0].rstrip("/.,;:!*\\")
    number = _FORGE_PATH.search(place)
    if number:
        return f"#{int(number[1])}"
    return place.lower() if "/" in place else None


def _of_document(path: str) -> str:
    """Return the last folder and the name of a document, as users name it by any part of its path."""
    return "/".join(path.rsplit("/", 2)[-2:])
