"""Make the options of a command from the arguments of a verb."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from hooklore.requests.arguments import Arguments, Option


def with_options(
    command: Callable[..., None], arguments: type[Arguments], *, argument: str
) -> Callable[..., None]:
    """Return the command with an option for each field of `arguments`; the field `argument` stands without one.

    The command takes the fields by name as they were typed: what a text means is the arguments' to read.
    """
    fields = arguments.model_fields
    made = [_parameter(argument, fields[argument], is_option=False)]
    made += [_parameter(n, each, is_option=True) for n, each in fields.items() if n != argument]

    def run(**given: object) -> None:
        command(**given)

    run.__doc__, run.__name__ = command.__doc__, command.__name__.lstrip("_")
    run.__signature__ = inspect.Signature([*made, *_own_parameters(command)])  # type: ignore[attr-defined]
    return run


def _own_parameters(command: Callable[..., None]) -> Iterator[inspect.Parameter]:
    given = inspect.signature(command, eval_str=True).parameters.values()
    return (each for each in given if each.kind is not inspect.Parameter.VAR_KEYWORD)


def _parameter(name: str, field: FieldInfo, *, is_option: bool) -> inspect.Parameter:
    form = next((each for each in field.metadata if isinstance(each, Option)), Option())
    told = form.help or field.description or ""
    kind, default = _typed(field.annotation)
    if is_option:
        info: Any = typer.Option(form.name, metavar=form.metavar or None, help=told)
    else:
        info = typer.Argument(metavar=form.metavar or None, help=told)
        default = inspect.Parameter.empty
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info]
    )


def _typed(annotation: Any) -> tuple[Any, object]:
    """Return the type by which typer reads a field, and its default: a flag, a list, a number or a text."""
    kinds = get_args(annotation) if get_origin(annotation) is UnionType else (annotation,)
    (kind,) = (each for each in kinds if each is not NoneType)
    if kind is bool:
        return bool, False
    if get_origin(kind) is Sequence:
        return list[str] | None, None
    return kind | None, None
