"""A person's own forms of tokens: rows of `vendors.toml` in the store, read beside those of hooklore."""

import tomllib

from hooklore.config import StoreLocation
from hooklore.redaction.engine import use_vendor_rows
from hooklore.redaction.rules.vendor_tokens import RowProblem, VendorRow, read_rows

_LARGEST = 1 << 20


def load_vendor_rows(place: StoreLocation) -> None:
    """Look for tokens of the rows in a store from now on. Rows that cannot be used are left out."""
    use_vendor_rows(read_vendor_rows(place)[0])


def read_vendor_rows(place: StoreLocation) -> tuple[list[VendorRow], list[RowProblem]]:
    """Return the rows of a store, and those that are left out. A file that cannot be read is one of those."""
    try:
        with place.vendor_rows.open("rb") as content:
            raw = content.read(_LARGEST + 1)
        if len(raw) > _LARGEST:
            return [], [RowProblem(place.vendor_rows.name, "the file is larger than 1 MB")]
        return read_rows(raw.decode())
    except FileNotFoundError:
        return [], []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return [], [RowProblem(place.vendor_rows.name, str(error))]
