"""Redaction: secrets and personal details leave a text before it touches the disk.

Pure functions over untrusted text, in time linear in its length.
"""

from hooklore.policy.redact.finding import Finding, Redacted
from hooklore.policy.redact.scan import RULES_VERSION, redact
from hooklore.policy.redact.walk import redact_value

__all__ = ["RULES_VERSION", "Finding", "Redacted", "redact", "redact_value"]
