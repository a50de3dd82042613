"""Redaction: secrets and personal details leave a text before it touches the disk.

Pure functions over untrusted text, in time linear in its length.
"""

from hooklore.redaction.engine import RULES_VERSION, redact
from hooklore.redaction.finding import Finding, Redacted
from hooklore.redaction.json_redaction import redact_value

__all__ = ["RULES_VERSION", "Finding", "Redacted", "redact", "redact_value"]
