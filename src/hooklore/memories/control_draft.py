"""Draft the control records that commands append in a person's name."""

from hooklore.records.draft import Draft
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION


def draft_control(
    kind: str,
    scope: str,
    body: Body,
    *,
    detail: str,
    project: str | None = None,
    basis: str = "user",
) -> Draft:
    """Return the draft of a control record of this kind. `detail` names the command behind the record."""
    return Draft.of(
        v=SCHEMA_VERSION,
        stream="control",
        kind=kind,
        agent_id="person",
        scope=scope,
        project=project,
        basis=basis,
        source={"system": "cli", "detail": detail},
        body=body,
    )


def draft_verdict(about: Record, verdict: str, targets: list[str], **more: object) -> Draft:
    """Return the draft of a person's answer, which ends the waiting of its `targets`."""
    body = Body({"targets": targets, "verdict": verdict, **more})
    return draft_control("approval", about.scope, body, detail=verdict, project=about.project)
