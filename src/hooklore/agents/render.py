"""The text that a hook prints, in the form that the event's agent accepts."""

from hooklore.agents.agent import Answer
from hooklore.agents.event import RECALLING_EVENTS, HookEvent
from hooklore.agents.registry import agent_of


def render_hook_output(
    event: HookEvent,
    context: str | None,
    notice: str | None,
    stop_reason: str | None,
    refusal: str | None = None,
    *,
    permission: str | None = None,
) -> bytes:
    """Return the bytes to print: `context` for the model, `notice` for the user; b"" for nothing.

    `stop_reason` ends the turn (strict mode). `refusal` keeps a tool from running and says why, `permission`
    lets it run without a question. Only an
    event whose answer may put text before the model gets any: elsewhere text is ignored, makes the turn
    go on, or instructs a summariser. An answer's end may show the user a notice.
    """
    name = event.payload_event or event.wire_event
    agent = agent_of(event.agent_id)
    described = agent.events.get(name)
    if event.event == "answer" and described is not None and not event.subagent_id:
        return agent.print_answer(name, Answer(notice=notice)) if notice else b""
    if event.event not in RECALLING_EVENTS or described is None or not described.recalls:
        return b""
    answer = Answer(context, notice, stop_reason, refusal, permission=permission)
    return agent.print_answer(name, answer)


def render_decision(event: HookEvent, answer: Answer) -> bytes:
    """Return the bytes that refuse a tool, permit it, or make the client ask its user before it runs."""
    name = event.payload_event or event.wire_event
    return agent_of(event.agent_id).print_answer(name, answer)
