"""Redaction of secrets and personal details, before a text reaches the disk.

All functions are pure, read untrusted text, and take time linear in its length.
"""

from hooklore.redaction.engine import RULES_VERSION, redact
from hooklore.redaction.finding import Finding, Redacted
from hooklore.redaction.json_redaction import redact_value

__all__ = ["RULES_VERSION", "Finding", "Redacted", "redact", "redact_value"]
