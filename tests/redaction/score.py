"""What a redaction leaves over, what honest text it touches, and whether its addresses are any.

`python -m tests.redaction.score` prints the tables for the redaction of this project.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import phonenumbers

from tests.redaction.cases import Case, build_cases
from tests.redaction.honest import Paragraph, paragraphs
from tests.redaction.lookalikes import lookalikes

MOST_LEFT_OVER = 0.03
MOST_HONEST_TOUCHED = 0.002
MOST_LOOKALIKES_TOUCHED = 0.02
LEAST_PRECISION = 0.98
FEWEST_PARAGRAPHS = 2_000

_EMAIL, _PHONE = "email", "phone"
_ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}"
)
_REGIONS = ("JP", "US", "GB")


class Finding(Protocol):
    """One masked span: the rule's name and offsets into the text that was given."""

    @property
    def rule(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


class Redacted(Protocol):
    """The masked text, and what was masked."""

    @property
    def text(self) -> str: ...
    @property
    def findings(self) -> Sequence[Finding]: ...


Redact = Callable[[str], Redacted]


@dataclass
class Share:
    """So many of so many."""

    hits: int = 0
    total: int = 0

    def add(self, hit: bool) -> None:
        self.hits += hit
        self.total += 1

    @property
    def value(self) -> float:
        return self.hits / self.total if self.total else 0.0


@dataclass
class Score:
    """Shares over the whole corpus, and what lies behind them.

    `email` and `phone` count the masked spans that are what their rule says; `collateral` is the
    share of the characters beside the secrets that went with them; `unstable` counts the cases that
    a second pass changes.
    """

    left: Share = field(default_factory=Share)
    left_by_label: dict[str, Share] = field(default_factory=dict)
    missed: list[tuple[Case, str, str]] = field(default_factory=list)
    honest: Share = field(default_factory=Share)
    touched: list[tuple[str, str, str]] = field(default_factory=list)
    lookalikes: Share = field(default_factory=Share)
    touched_lookalikes: list[tuple[str, str, str]] = field(default_factory=list)
    email: Share = field(default_factory=Share)
    phone: Share = field(default_factory=Share)
    wrong: list[tuple[str, str]] = field(default_factory=list)
    collateral: Share = field(default_factory=Share)
    unstable: Share = field(default_factory=Share)

    def left_by_group(self) -> dict[str, Share]:
        """The labels summed up by what stands before their slash."""
        groups: dict[str, Share] = {}
        for label, share in self.left_by_label.items():
            group = groups.setdefault(label.split("/")[0], Share())
            group.hits, group.total = group.hits + share.hits, group.total + share.total
        return groups


def score(
    redact: Redact,
    cases: Sequence[Case] | None = None,
    honest: Sequence[Paragraph] | None = None,
) -> Score:
    """Run a redaction over the cases, the honest paragraphs and the look-alikes."""
    result = Score()
    for case in build_cases() if cases is None else cases:
        _score_case(result, redact, case)
    for paragraph in paragraphs() if honest is None else honest:
        _score_honest(result, redact, paragraph)
    for why, text in lookalikes():
        masked = redact(text)
        _score_addresses(result, text, masked)
        result.lookalikes.add(masked.text != text)
        if masked.text != text:
            result.touched_lookalikes.append((why, _rules(masked), text))
    return result


def _score_case(result: Score, redact: Redact, case: Case) -> None:
    masked = redact(case.text)
    survivor = case.left_in(masked.text)
    result.left.add(survivor is not None)
    result.left_by_label.setdefault(case.label, Share()).add(survivor is not None)
    if survivor is not None:
        result.missed.append((case, survivor, masked.text))
    result.unstable.add(redact(masked.text).text != masked.text)
    _score_addresses(result, case.text, masked)
    _score_collateral(result, case, masked)


def _score_collateral(result: Score, case: Case, masked: Redacted) -> None:
    secret: set[int] = set()
    for value in case.secrets:
        for match in re.finditer(re.escape(value), case.text):
            secret.update(range(*match.span()))
    gone: set[int] = set()
    for found in masked.findings:
        gone.update(range(found.start, found.end))
    result.collateral.hits += len(gone - secret)
    result.collateral.total += len(case.text) - len(secret)


def _score_honest(result: Score, redact: Redact, paragraph: Paragraph) -> None:
    masked = redact(paragraph.text)
    _score_addresses(result, paragraph.text, masked)
    other = [found for found in masked.findings if found.rule not in {_EMAIL, _PHONE}]
    untold = masked.text != paragraph.text and not masked.findings
    result.honest.add(bool(other) or untold)
    for found in other:
        said = paragraph.text[max(0, found.start - 60) : found.end + 20]
        result.touched.append((paragraph.source, found.rule, said))
    if untold:
        result.touched.append((paragraph.source, "changed without a finding", paragraph.text[:120]))


def _score_addresses(result: Score, text: str, masked: Redacted) -> None:
    """Whether what was masked as an address or a number is one."""
    for found in masked.findings:
        value = text[found.start : found.end]
        if found.rule == _EMAIL:
            right = _ADDRESS.fullmatch(value) is not None
            result.email.add(right)
        elif found.rule == _PHONE:
            right = _is_number(value)
            result.phone.add(right)
        else:
            continue
        if not right:
            result.wrong.append((found.rule, text[max(0, found.start - 30) : found.end + 10]))


def _is_number(value: str) -> bool:
    for region in _REGIONS:
        try:
            if phonenumbers.is_valid_number(phonenumbers.parse(value, region)):
                return True
        except phonenumbers.NumberParseException:
            continue
    return False


def _rules(masked: Redacted) -> str:
    return ", ".join(sorted({found.rule for found in masked.findings})) or "no finding"


def report(result: Score) -> Iterator[str]:
    """The tables, line by line: groups, labels with something left over, honest text touched."""
    yield f"left over             {_of(result.left)}   goal {MOST_LEFT_OVER:.1%}"
    for name, share in result.left_by_group().items():
        yield f"  {name:<20}{_of(share)}"
    yield f"honest touched        {_of(result.honest)}   goal {MOST_HONEST_TOUCHED:.1%}"
    yield f"look-alikes touched   {_of(result.lookalikes)}   goal {MOST_LOOKALIKES_TOUCHED:.1%}"
    yield f"e-mail is one         {_of(result.email)}   goal {LEAST_PRECISION:.1%}"
    yield f"phone is one          {_of(result.phone)}   goal {LEAST_PRECISION:.1%}"
    yield f"second pass changes   {_of(result.unstable)}"
    yield f"masked beside secrets {_of(result.collateral)}"
    yield from _labels(result)
    rules = Counter(rule for _, rule, _ in result.touched)
    yield f"\nhonest text, spans by rule: {dict(rules.most_common())}"
    for source, rule, said in result.touched:
        yield f"  {rule:<22}{source:<40} {said!r}"
    yield "\nlook-alikes touched"
    for why, rule, text in result.touched_lookalikes:
        yield f"  {rule:<22}{why:<40} {text[:100]!r}"
    yield "\nmasked as an address or number and none"
    for rule, said in result.wrong:
        yield f"  {rule:<22}{said!r}"


def _labels(result: Score) -> Iterator[str]:
    yield "\nlabels with something left over, worst first, and what was missed"
    worst = sorted(result.left_by_label.items(), key=lambda item: -item[1].value)
    for label, share in worst:
        if share.hits:
            yield f"  {label:<28}{_of(share)}"
            for case, survivor, masked in result.missed:
                if case.label == label:
                    yield f"      {case.text[:90]!r} keeps {survivor[:30]!r} in {masked[:90]!r}"


def _of(share: Share) -> str:
    return f"{share.value:7.2%}  ({share.hits} of {share.total})"


def main() -> int:
    """Print the tables for the redaction of this project."""
    from hooklore.redaction import redact

    for line in report(score(redact)):
        sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
