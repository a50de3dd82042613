"""Lines of a log that this version cannot read whole: newer ones, and ones that lack a field."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from hooklore.records.ids import next_id

Json = dict[str, Any]

WRONG = (7, True, None, "x", [7], ["x"], {"x": 7})
"""Values of every JSON type, most of which are of the wrong type for a field."""


def sealed(fields: Json) -> bytes:
    """A whole line with these fields, and the hash of its own bytes."""
    body = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
    digest = hashlib.blake2b(body, digest_size=16).hexdigest()
    return body + b',"hash":"' + digest.encode() + b'"}\n'


class OddLines:
    """Makes odd lines of whole ones; every line has an id of its own, after those of the log."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self.whole = [json.loads(line) for line in lines]
        self._last = max(each["id"] for each in self.whole)

    def _renewed(self, fields: Json) -> Json:
        self._last = next_id(self._last, 0, 0)
        fresh = {n: v for n, v in fields.items() if n not in ("hash", "natural_key")}
        return fresh | {"id": self._last}

    def examples(self) -> Iterator[Json]:
        """One record of each stream and kind."""
        found = {(each["stream"], each["kind"]): each for each in self.whole}
        yield from found.values()

    def newer(self) -> list[bytes]:
        """Of every stream: a kind that this version lacks, and the record in a stream that it lacks."""
        found = []
        changes = ({"kind": "x_future"}, {"stream": "x_future"}, {"body": {"x_future": [1]}})
        for each in self.examples():
            found += [sealed(self._renewed(each) | {"v": 2} | change) for change in changes]
        return found

    def lacking(self) -> list[bytes]:
        """Of every kind, the record without each of its fields in turn, `v` and `id` included."""
        found = []
        for each in self.examples():
            for name in each:
                fields = self._renewed(each)
                fields.pop(name, None)
                found.append(sealed(fields))
            for name in each["body"]:
                fields = self._renewed(each)
                fields["body"] = {n: v for n, v in each["body"].items() if n != name}
                found.append(sealed(fields))
        return found

    def mistyped(self) -> list[bytes]:
        """Of every kind, the record with each of its fields in turn as a value of every type."""
        found = []
        for each in self.examples():
            for value in WRONG:
                found += [sealed(self._renewed(each) | {name: value}) for name in each]
                for name in each["body"]:
                    fields = self._renewed(each)
                    fields["body"] = each["body"] | {name: value}
                    found.append(sealed(fields))
        return found
