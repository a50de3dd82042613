"""Make commands from the rows of verbs: options and help from the arguments, one way to carry them out."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import annotated_types
import typer
from pydantic.fields import FieldInfo

from hooklore.cli import output
from hooklore.cli.indexing import index_missing
from hooklore.cli.memory.asker import Agent, Json, asker, writer
from hooklore.cli.store import keys_of, opened
from hooklore.requests.arguments import Option
from hooklore.requests.request_context import RequestContext
from hooklore.requests.verb import Verb
from hooklore.requests.verb_table import all_verbs

if TYPE_CHECKING:
    from hooklore.broker import Broker
    from hooklore.records.draft import Principal


def command_of(name: str) -> Callable[..., None]:
    """Return the command of a verb that prints its answer's text, or its content with `--json`."""
    from hooklore.requests.desk import carry_out

    verb = all_verbs()[name]

    def run(*, agent: Agent = None, as_json: Json = False, **given: object) -> None:
        with opened() as broker, index_missing(broker):
            who = writer(broker, agent) if verb.writes else asker(broker, agent)
            response = carry_out(verb, asked_by(broker, who), given)
        if not response.success:
            output.say(f"error: {response.problem}")
            output.say(f"hint: {response.hint}")
            raise typer.Exit(1)
        if as_json:
            output.json(dict(response.content))
        else:
            output.data(output.plain(response.text))

    run.__doc__, run.__name__ = verb.summary, verb.name
    return with_arguments(verb)(run)


def asked_by(broker: "Broker", who: "Principal") -> RequestContext:
    """Return the context of a command: who asks, in the project of the working directory."""
    from hooklore.retrieval.semantic.availability import own_recall

    return RequestContext(broker, own_recall(broker), who, keys_of(None), broker.append)


def print_opened(verb: Literal["get", "recall"], words: list[str]) -> None:
    """Print to an agent what the resident answers, where none runs. Raise Exit for nothing found."""
    from hooklore.retrieval.opening import open_for_question, open_named

    with opened() as broker, index_missing(broker):
        asked = asked_by(broker, asker(broker, None))
        if verb == "recall":
            found = open_for_question(asked.recall, asked.who, " ".join(words))
        else:
            found = open_named(broker, asked.who, words)
        asked.record_use(list(found.ids), verb)
    if found.text:
        output.data(found.text.removesuffix("\n"))
    if found.problems:
        output.say(found.problems.removesuffix("\n"))
    if not found.text:
        raise typer.Exit(1)


def with_arguments(verb: Verb) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that makes a command of a function: its options are the verb's arguments.

    A parameter called like an argument gets its option and help there, and `**given` all others, before the
    function's own options. The subject of the verb stands without an option. What a text means is the
    arguments' to read.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        def run(**given: object) -> None:
            command(**given)

        run.__doc__, run.__name__ = command.__doc__, command.__name__.lstrip("_")
        made = list(_parameters(command, verb))
        run.__signature__ = inspect.Signature(made)  # type: ignore[attr-defined]
        return run

    return decorate


def _parameters(command: Callable[..., None], verb: Verb) -> Iterator[inspect.Parameter]:
    fields, own = verb.arguments.model_fields, inspect.signature(command, eval_str=True).parameters
    if any(each.kind is each.VAR_KEYWORD for each in own.values()):
        rest = sorted(
            fields.keys() - own.keys(), key=lambda n: (n != verb.subject, [*fields].index(n))
        )
        yield from (_parameter(name, fields[name], verb) for name in rest)
    for each in own.values():
        if each.name in fields:
            yield _parameter(each.name, fields[each.name], verb)
        elif each.kind is not each.VAR_KEYWORD:
            yield each.replace(kind=each.KEYWORD_ONLY)


def _parameter(name: str, field: FieldInfo, verb: Verb) -> inspect.Parameter:
    form = next((each for each in field.metadata if isinstance(each, Option)), None)
    least = next((each.ge for each in field.metadata if isinstance(each, annotated_types.Ge)), None)
    kind, default = _typed(field)
    told: dict[str, Any] = {
        "metavar": (form and form.metavar) or None,
        "help": (form and form.help) or field.description or name.replace("_", " "),
        "min": least,
    }
    if name == verb.subject or (form and not form.name):
        info: Any = typer.Argument(**told)
    else:
        info = typer.Option(form.name if form else f"--{name.replace('_', '-')}", **told)
    default = inspect.Parameter.empty if field.is_required() else default
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info]
    )


def _typed(field: FieldInfo) -> tuple[Any, object]:
    """Return the type by which typer reads a field, and its default: a flag, a list, a number or a text."""
    annotation = field.annotation
    kinds = get_args(annotation) if get_origin(annotation) is UnionType else (annotation,)
    (kind,) = (each for each in kinds if each is not NoneType)
    kind = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if kind is bool:
        return bool, False
    if get_origin(kind) is Sequence:
        return list[str] if field.is_required() else list[str] | None, None
    if field.is_required():
        return kind, None
    return (kind, field.default) if isinstance(field.default, int) else (kind | None, None)
