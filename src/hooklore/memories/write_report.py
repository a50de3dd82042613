"""Describe in lines what a deliberate write did, for a person and for an agent."""

from collections.abc import Callable

from hooklore.memories.write_result import WriteResult
from hooklore.records.ids import short_id

_WARNINGS = {
    "content_too_long": "over 1,200 characters; a memory is a few short lines",
    "style": "a memory is one to five short lines, and bullets",
    "weak_key": "the key says nothing of what it is about",
    "unknown_prefix": "what stands before `:` in a key is its kind",
    "high_overwrites_low": "it took the place of something less sure",
    "low_over_high": "it is less sure than what stands under this key",
    "over_the_user": "the user has said something else under this key, or confirmed it",
    "forgotten_before": "the user has forgotten these words",
    "rejected_before": "the user has said no to these words",
    "gives_orders": "it tells agents what to do, so no model is shown it",
    "hidden_characters": "it holds characters that nobody sees",
    "run_limit": "agents have kept enough at this prompt",
    "high_stake": "a person must confirm it",
    "inferred": "nobody said it and nothing showed it",
    "unconfirmed": "it is not sure",
    "agents_word": "you want agents' words to wait (`curated.agents_word`)",
    "after_foreign": "a page, a fetched text or another server was read since your last prompt",
    "masked": "a word of it reads like a secret, and stands as a mask",
    "title_taken": "another memory near it has this title",
}

_UNKNOWN_WARNING = "seldom worth keeping"
_KEPT_PRIVATELY = " (kept privately: never synced)"


def describe_write(
    result: WriteResult, clean: Callable[[str], str], *, is_private: bool = False
) -> list[str]:
    """Return the line that says where a memory went, then those about related rules, then all others about it.

    `clean` makes the texts of other memories fit for a terminal. A private memory has a note of that.
    """
    under = f" under {result.key}" if result.key else ""
    place = result.scope or "the spool"
    note = _KEPT_PRIVATELY if is_private else ""
    lines = [f"{result.status} {result.id or ''}{under} in {place}{note}"]
    lines += [
        f"replaces {short_id(each.id)}: {clean(each.text)} (its words: “{clean(each.later)}” against "
        f"“{clean(each.earlier)}”; take back: `hooklore archive {short_id(result.id or '')}`)"
        for each in result.replaces
    ]
    lines += [
        f"beside {short_id(each.id)}, which says otherwise: {clean(each.text)} (both stand; "
        f"replace that one: `hooklore resolve {short_id(each.id)} --keep newer`, or say it again with "
        f"`--supersedes {each.id}`)"
        for each in result.beside
    ]
    if result.supersedes and result.status == "updated":
        lines.append(f"it takes the place of {result.supersedes}")
    lines += result.left_out
    lines += [
        f"warning: {code}: {_WARNINGS.get(code, _UNKNOWN_WARNING)}" for code in result.warnings
    ]
    told = [
        *(("similar", each.id, each.key, each.text, each.private) for each in result.similar),
        *(("near", each.id, each.key, each.title, each.private) for each in result.near),
    ]
    for sort, id_, key, text, is_other_private in told:
        named = f" ({key})" if key else ""
        mark = " (private: true)" if is_other_private else ""
        lines.append(f"{sort}: {id_}{named}: {clean(text)}{mark}")
    lines += [f"hint: {result.hint}"] if result.hint else []
    return [*lines, *([f"no_when: {result.no_when}"] if result.no_when else [])]
