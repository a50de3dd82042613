"""Prepare a write to wait on this machine's disk: check it, refuse a secret, mask a conversation's."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from hooklore.api.outbox import QueuedWrite
from hooklore.records.record import Record, parse_flag
from hooklore.redaction import redact_value
from hooklore.redaction.private_parts import without_private_in
from hooklore.redaction.secret_refusal import find_refusal
from hooklore.requests.arguments import parse_arguments
from hooklore.requests.response import Response
from hooklore.requests.results import Ingested
from hooklore.requests.verb_table import all_verbs
from hooklore.requests.verbs.remember import RememberOptions


def prepare_to_wait(write: QueuedWrite, cause: str) -> tuple[QueuedWrite | None, Response]:
    """Return a write as it may lie on a disk, and the response to it; None for one that holds a secret.

    A conversation's secrets are masked, as the gateway would: who says them cannot rephrase (seed 000 §8).
    Raise RequestInvalid for arguments that the verb does not take.
    """
    arguments: dict[str, Any] = without_private_in(dict(write.arguments))[0]
    verb = all_verbs()[write.verb]
    parse_arguments(verb.arguments, arguments)
    if verb.result is Ingested:
        masked = redact_value(arguments)[0]
        given = {"session_id": arguments.get("session_id"), "queued": _count_new(arguments)}
        return replace(write, arguments=masked), _respond_queued(arguments, cause, given)
    refusal = find_refusal(Record({"stream": "memory", "body": arguments}))
    if refusal is None:
        return replace(write, arguments=arguments), _respond_queued(arguments, cause, {})
    return None, Response(
        success=False, content={"refusal": asdict(refusal)}, problem=f"could not keep it: {refusal}",
        hint="say where it is kept instead of what it is, without the value", code="secret",
    )  # fmt: skip


def _respond_queued(
    arguments: Mapping[str, Any], cause: str, given: Mapping[str, object]
) -> Response:
    event = arguments.get("event")
    told = event if isinstance(event, dict) else RememberOptions.rename(arguments)
    is_private = parse_flag(told.get("is_private") or told.get("private"))
    content = {"status": "queued", "private": is_private, **given}
    return Response(
        success=True, text=f"queued until the gateway answers: {cause}", content=content
    )


def _count_new(arguments: Mapping[str, Any]) -> int:
    return len(arguments.get("messages") or ()) - int(arguments.get("overlap") or 0)
