"""Identifiers of a change."""

from hooklore.text.code_identifiers import MAX_IDENTIFIERS, extract_identifiers


def test_identifiers_of_only_one_side_come_first() -> None:
    assert extract_identifiers(
        "total = session_count + agentLines", "total = stepsCount + agentLines"
    ) == [
        "session_count",
        "stepsCount",
        "agentLines",
    ]


def test_plain_words_are_no_identifiers() -> None:
    assert extract_identifiers("return total", "for each in found: print(each)") == []


def test_identifiers_are_found_between_japanese_words() -> None:
    assert extract_identifiers("", "設定 ENTIRE_TELEMETRY_OPTOUT と AgentLines を読む") == [
        "ENTIRE_TELEMETRY_OPTOUT",
        "AgentLines",
    ]


def test_only_the_beginning_of_a_huge_change_is_read() -> None:
    assert (
        len(extract_identifiers("a_b " * 1_000_000, " ".join(f"name_{n}" for n in range(99))))
        == MAX_IDENTIFIERS
    )
