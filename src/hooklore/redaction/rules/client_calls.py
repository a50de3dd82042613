"""Keys in a call that makes a client or signs in, beside no name: `Client("…", "…")`, `client.login("…")`."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule, TextPattern
from hooklore.redaction.rules import candidate_checks
from hooklore.redaction.rules.published import begins_as_published
from hooklore.redaction.rules.service_keys import calls_service
from hooklore.redaction.rules.value_forms import Form, count_in_words, form_of, is_drawn

_MAKES = (
    "client|api|sdk|session|configure|config|login|auth|authenticate|connect|connection|notifier|init|initialize"
    "|setup|credentials?|provider"
)
"""Last words of a function that takes a key. One behind `search`, and any class (`new Name("…")`), is a client's
where a service's name stands."""

_FUNCTION = rf"(?:({_MAKES})|(search)|\bnew[ ](\w+))(?:(?:\.|::|->)(?:new|create|connect|from_?token))?[ \t]?\("
_CALL = Pattern(rf"(?i){_FUNCTION}")
_LONGEST_CALL = 400
_ARGUMENT = TextPattern(
    rb"""\s*+(?:[\w:]++[ ]?[=:][ ]?)?(?:[bruf]?(["'`])([^"'`\r\n\\]*+)\1"""
    rb"""|[\w.:$@&\[\]]++(?:\([^()"']*+\))?)\s*+(?:,|\)|$)"""
)
"""One argument, quoted or not, and the sign behind it."""

_MOST_ARGUMENTS = 4
_VALUE = Pattern(r"^[A-Za-z0-9][A-Za-z0-9+/_.=~-]{15,}$")
_ID = Pattern(
    r"^AC[0-9a-f]{32}$|^(?:i|vpc|subnet|sg|ami|vol|snap|eni|igw|rtb|acl)-[0-9a-f]+$"
    r"|^(?:user|sess|session|conn|connection|org|team|proj|project|app|acct|account|run|thread|msg|file)[_-]"
    r"|/.*[/.]|\.[A-Za-z]{1,5}$"
)
"""Ids of an account, of resources and of what an application counts; paths and files."""

_SHORTEST_HEX = 32
_SHORTEST_DRAWN = 20


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for (_, place), makes, search, made in _CALL.each(raw, start, end):
        function = max(makes, search, made)
        is_service = calls_service(raw, function[0] if search[0] >= 0 else function[1])
        if search[0] >= 0 and not (is_service and raw[search[0] - 1 : search[0]].isalpha()):
            continue
        is_client = makes[0] >= 0 or _MAKES_CLIENT.occurs_in(raw[slice(*function)])
        name = raw[max(0, function[0] - _LONGEST_NAME) : function[1]]
        takes_digits = is_service or _TAKES_HEXADECIMAL.occurs_in(name)
        yield "service", place, place
        for first, last in _quoted_arguments(raw, place):
            value = raw[first:last]
            is_digits = not candidate_checks.remove_bytes(value, _HEXADECIMAL)
            is_certain = (
                takes_digits if is_digits else is_service or _is_certain(value, is_client=is_client)
            )
            if is_certain and _is_key(value):
                yield "service", first, last


_LONGEST_NAME = 24
_TAKES_HEXADECIMAL = Pattern(
    r"(?i)(?:client|api|sdk|auth|authenticate|notifier|credentials?|provider|login|config|configure)$"
    r"|(?:sdk|api|client)\.?\w+$"
)
"""Functions whose argument of hexadecimal digits is a key. Sessions and connections have ids of that form."""

_MAKES_CLIENT = Pattern(rf"(?i)(?:{_MAKES})$")


def _is_certain(value: bytes, *, is_client: bool) -> bool:
    """Return whether a value is a key without a service's name, and neither joined words nor encoded text."""
    if is_client and count_in_words(value) * 3 <= len(value):
        return not candidate_checks.is_base64_text(value)
    return candidate_checks.is_high_entropy(value, _SHORTEST_DRAWN)


def _quoted_arguments(raw: bytes, place: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the quoted arguments of the call whose bracket opens before `place`."""
    stop = min(len(raw), place + _LONGEST_CALL)
    for _ in range(_MOST_ARGUMENTS):
        found = _ARGUMENT.match(raw, place, stop)
        if found is None:
            return
        if found[1]:
            yield found.span(2)
        place = found.end()
        if raw[place - 1 : place] == b")":
            return


def _is_key(value: bytes) -> bool:
    """Return whether a value has the form of a key, and of no id that a vendor calls public."""
    if not _VALUE.occurs_in(value) or _ID.occurs_in(value) or begins_as_published(value):
        return False
    if candidate_checks.UUID.occurs_in(value) or candidate_checks.is_placeholder(value):
        return False
    if not candidate_checks.remove_bytes(value, _HEXADECIMAL):
        return len(value) >= _SHORTEST_HEX and candidate_checks.has_letters_and_digits(value)
    if len(value) >= _SHORTEST_DRAWN and is_drawn(value):
        return True
    return form_of(value) is Form.KEY


_HEXADECIMAL = b"0123456789abcdefABCDEF"

CLIENT_CALLS = Rule(rf"(?i){_FUNCTION}", _find, max_candidates=4000)
"""A window has fewer candidates: each call is one, and most calls take no key."""
