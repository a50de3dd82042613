"""Read which code a rule forbids, and tell whether a change of a file adds such code.

Only what code shows surely is read: an import or a call of a forbidden name, a keyword of the language that the
rule names, and a few constructs that have one name and one form. A rule about other code is silent here.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from hooklore.late_pattern import compile_late
from hooklore.text.code_identifiers import CodeChange
from hooklore.text.code_language import language_of, without_comments, without_strings
from hooklore.text.prohibition import find_prohibitions

_SCRIPTS = frozenset(("javascript", "typescript"))
_PYTHON = frozenset(("python",))


class CodeForm(NamedTuple):
    """A form of code in some languages, in any where none is named. `part` is what of the code is searched."""

    pattern: str
    languages: frozenset[str] = frozenset()
    part: str = "code"


_NEGATED = compile_late(
    r"\b(?:no(?! longer)|never|not|don['’]?t|mustn['’]?t|avoid|without|forbidden|banned|prohibited|disallowed"
    r"|deprecated|off[ -]limits)\b|禁止|ない|するな|使うな|避け|ダメ|だめ|不可",
    re.IGNORECASE,
)
_IN_LANGUAGE = compile_late(
    r" in (?:python|typescript|javascript|golang|go|rust|ruby|java|kotlin|php|swift)\b(?: code| files)?",
    re.IGNORECASE,
)
_NEAR = 40
_NEGATED_BEHIND = compile_late(
    r"[^.,;。、]*?(?:\b(?:forbidden|banned|prohibited|disallowed|not allowed|off[ -]limits)\b"
    r"|禁止|ない|するな|使うな|避け|不可)"
    r"|[^.;。]*?\b(?:stand|go|belong)s?\b.{0,12}\btop\b",
    re.IGNORECASE,
)
_NAMED_LANGUAGES = (
    (compile_late(r"\bpython\b|\.py\b", re.IGNORECASE), _PYTHON),
    (compile_late(r"\btypescript\b|\btsx?\b", re.IGNORECASE), frozenset(("typescript",))),
    (compile_late(r"\bjavascript\b|\bjsx?\b", re.IGNORECASE), _SCRIPTS),
    (
        compile_late(r"\bgolang\b|\bGo (?:code|files?)\b|\bin Go\b|Go\s?(?:の|では)"),
        frozenset(("go",)),
    ),
    (compile_late(r"\brust\b", re.IGNORECASE), frozenset(("rust",))),
    (compile_late(r"\bruby\b", re.IGNORECASE), frozenset(("ruby",))),
    (compile_late(r"\bjava\b", re.IGNORECASE), frozenset(("java",))),
    (compile_late(r"\bkotlin\b", re.IGNORECASE), frozenset(("kotlin",))),
    (compile_late(r"\bphp\b", re.IGNORECASE), frozenset(("php",))),
    (compile_late(r"\bswift\b", re.IGNORECASE), frozenset(("swift",))),
    (compile_late(r"\bC(?= code\b|\s?コード| files?\b)|\bin C\b(?![+#])"), frozenset(("c",))),
    (compile_late(r"\bC\+\+"), frozenset(("cpp",))),
    (compile_late(r"\bs?css\b|style ?sheets?", re.IGNORECASE), frozenset(("css",))),
)
_ANY = r"(?::|<|\bas\b|[|,&=])[ \t]*any\b(?!\()"
_CONSTRUCTS = (
    (
        r"\b(?:inline|local|nested|lazy|function[- ]level)\s+imports?\b|\bimports?\s+inside\b|関数内.{0,3}import",
        CodeForm(r"(?<!TYPE_CHECKING:\n)^[ \t]+(?:import[ \t]+\w|from[ \t]+\S+[ \t]+import\b)", _PYTHON),
    ),
    (r"\bdefault\s+exports?\b|\bexport\s+default\b", CodeForm(r"^[ \t]*export[ \t]+default\b", _SCRIPTS)),
    (r"\bbare\s+`?except|裸の\s?`?except", CodeForm(r"\bexcept[ \t]*:", _PYTHON)),
    (
        r"\b(?:wildcard|star)\s+imports?\b|\bimport\s+\*|ワイルドカード.{0,3}(?:import|インポート)",
        CodeForm(r"^[ \t]*(?:from[ \t]+\S+[ \t]+import[ \t]+\*|import[ \t]+[\w.]+\.\*)"),
    ),
    (r"\bselect\s+\*", CodeForm(r"(?i:\bselect[ \t]+\*)", part="strings")),
    (r"!important", CodeForm(r"!important\b", frozenset(("css",)))),
    (r"\bany\s+type\b|\btype\s+`?any\b|(?<!\w)`?any`?\s?型|: any\b", CodeForm(_ANY, frozenset(("typescript",)))),
)  # fmt: skip
_WRITTEN = compile_late(r"`([^`\n]{3,60})`|(?<!\S)(\.\w{2,40}\(\))")
"""Code in a rule: between back quotes, or the call of a method."""
_MARKS = compile_late(
    r"@ts-(?:ignore|nocheck|expect-error)|\btype:\s?ignore|\bnoqa\b|\beslint-disable[\w-]*|\bnolint\b"
)
_KEYWORDS = {
    "var": (r"\bvar[ \t]+[\w{\[$]", _SCRIPTS),
    "any": (_ANY, frozenset(("typescript",))),
    "enum": (r"\benum[ \t]+\w+", frozenset(("typescript",))),
    "lambda": (r"\blambda\b", _PYTHON),
    "global": (r"^[ \t]*global[ \t]+\w", _PYTHON),
    "goto": (r"\bgoto[ \t]+\w", frozenset(("c", "cpp", "go", "csharp"))),
    "unsafe": (r"\bunsafe\b", frozenset(("rust",))),
}
"""Keywords, which no import and no call shows, each in the languages in which the rule means the keyword."""

_NAME = compile_late(r"[A-Za-z_][\w.-]*\Z")
_OWNERS = {"print": _PYTHON, "console.log": _SCRIPTS, "console": _SCRIPTS}
"""Languages of names that other languages have, too."""


def adds_forbidden_code(rule: str, changes: Iterable[CodeChange]) -> bool:
    """Return whether a change adds code that a rule forbids: there is more of it behind the change than before."""
    forms = _forms(rule)
    return bool(forms) and any(_adds(form, change) for change in changes for form in forms)


def forbids_code(rule: str) -> bool:
    """Return whether a rule forbids code of which a change shows that it adds it."""
    return bool(_forms(rule))


def _adds(form: CodeForm, change: CodeChange) -> bool:
    language = language_of(change.path)
    if not language or (form.languages and language not in form.languages):
        return False
    if form.part == "comments":
        sides = [code[: 64 * 1024] for code in (change.before, change.after)]
    else:
        read = without_comments if form.part == "strings" else without_strings
        sides = [read(code, language) for code in (change.before, change.after)]
    before, after = (len(_compile(form.pattern).findall(side)) for side in sides)
    return after > before


@lru_cache(maxsize=256)
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


@lru_cache(maxsize=1024)
def _forms(rule: str) -> tuple[CodeForm, ...]:
    """Return the forms of code that a rule forbids, in the languages that the rule names."""
    text = rule[:600]
    named = frozenset().union(*(of for told, of in _NAMED_LANGUAGES if told.search(text)))
    found = [form for told, form in _CONSTRUCTS if _forbids(told, text)]
    marks = _MARKS.findall(text) if _NEGATED.search(text) else []
    found += [CodeForm(rf"(?:#|//|/\*)[ \t]*{re.escape(m)}", part="comments") for m in marks]  # fmt: skip
    names = [
        each.words[0] for each in find_prohibitions(_IN_LANGUAGE.sub("", text)) if each.is_name
    ]
    found += [form for name in names if _NAME.match(name) for form in _forms_of(name)]
    if named:
        found += _quoted_forms(text)
        found += [CodeForm(rf"(?i:(?<![\w.]){re.escape(name)}(?=\.\w|::))") for name in names]
    if not named:
        return tuple(found)
    # a form holds in those of its languages that the rule names
    kept: list[CodeForm] = []
    for form in found:
        languages = form.languages & named if form.languages else named
        if form.part == "strings":
            kept.append(form)
        elif languages:
            kept.append(form._replace(languages=languages))
    return tuple(kept)


def _forbids(construct: str, text: str) -> bool:
    """Return whether a clause of a text says no to a construct: before it, or behind it."""
    return any(
        _NEGATED.search(
            text[max(0, match.start() - _NEAR) : match.start()]
            .rpartition(",")[2]
            .rpartition(". ")[2]
        )
        or _NEGATED_BEHIND.match(text[match.end() : match.end() + _NEAR])
        for match in re.finditer(construct, text, re.IGNORECASE)
    )


def _quoted_forms(rule: str) -> list[CodeForm]:
    """Return the code that a rule says no to as it is written: `` `using namespace std;` ``, `.unwrap()`, goto."""
    quoted = (found[1] or found[2] for found in _WRITTEN.finditer(rule))
    codes = [
        code.strip("; ").removesuffix(")") for code in quoted if _forbids(re.escape(code), rule)
    ]
    words = [CodeForm(*form) for word, form in _KEYWORDS.items() if _forbids(rf"\b{word}\b", rule)]
    return [*(CodeForm(re.escape(code)) for code in codes if len(code) > 2), *words]


def _forms_of(name: str) -> list[CodeForm]:
    """Return the imports, the calls and the keyword of a name."""
    if name in _KEYWORDS:
        return [CodeForm(*_KEYWORDS[name])]
    called = re.escape(name)
    quoted = rf"['\"]{called}(?:/[^'\"\n]*)?['\"]"
    owners = _OWNERS.get(name, frozenset())
    script = rf"^[ \t]*(?:import|export)\b[^'\"\n]*{quoted}|\brequire\({quoted}|^[ \t]*\}}[ \t]*from[ \t]*{quoted}"
    imports = [
        CodeForm(rf"^[ \t]*(?:import|from)[ \t]+{called}(?![\w-])", _PYTHON),
        CodeForm(rf"(?i:{script})", _SCRIPTS, "strings"),
        CodeForm(rf"^[ \t]*use[ \t]+{called}\b|^[ \t]*extern[ \t]+crate[ \t]+{called}\b", frozenset(("rust",))),
        CodeForm(rf"^[ \t]*require[ \t(]+{quoted}", frozenset(("ruby",)), "strings"),
    ]  # fmt: skip
    call = CodeForm(rf"(?i:(?<![\w.]){called}!?[ \t]*\()(?<!\bdef {called}\()", owners)
    return [*imports, call]


def states_prohibition(text: str) -> bool:
    """Return whether a text forbids or rejects something, also in a form that no step can show."""
    return _NEGATED.search(text[:600]) is not None


def opens_with_ban(text: str) -> bool:
    """Return whether the first words of a text, or all of a short one, forbid something."""
    return _NEGATED.search(text[:_NEAR]) is not None
