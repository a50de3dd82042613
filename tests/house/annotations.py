"""Type annotations that hold a dictionary without a type of its own, directly or by an alias."""

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from tests.house.source_tree import AnyFunction, Module, SourceTree

Shape = Callable[[ast.expr], bool]

_DICTS: Final = ("dict", "Dict")
_MAPPINGS: Final = (*_DICTS, "Mapping", "MutableMapping")
_OPEN: Final = ("Any", "object")
_TYPE_EXPRESSIONS: Final = (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp)


def is_bare_dict(node: ast.expr) -> bool:
    """Return True for `dict` and `dict[str, Any]`."""
    if isinstance(node, ast.Subscript):
        return _last_name(node.value) in _DICTS and _arguments(node) == ["str", "Any"]
    return _last_name(node) in _DICTS


def is_open_mapping(node: ast.expr) -> bool:
    """Return True for any other mapping to `Any` or `object`, `Mapping[str, Any]` for example."""
    if not isinstance(node, ast.Subscript) or is_bare_dict(node):
        return False
    return _last_name(node.value) in _MAPPINGS and _arguments(node)[-1] in _OPEN


class Annotations:
    """Finds a shape of type in the annotations of one tree."""

    def __init__(self, tree: SourceTree, shape: Shape = is_bare_dict) -> None:
        self._shape = shape
        self._names = {module.dotted: _bindings(module) for module in tree.modules}

    def holds(self, module: Module, annotation: ast.expr | None) -> bool:
        """Return True if the shape stands anywhere in `annotation`."""
        return annotation is not None and self._holds(module.dotted, annotation, frozenset())

    def _holds(self, module: str, node: ast.AST, seen: frozenset[tuple[str, str]]) -> bool:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node = _parsed(node.value)
        if isinstance(node, ast.Subscript):
            return self._shape(node) or self._holds(module, node.slice, seen)
        if isinstance(node, ast.Name | ast.Attribute):
            return self._shape(node) or self._is_alias(module, ast.unparse(node), seen)
        return any(self._holds(module, child, seen) for child in ast.iter_child_nodes(node))

    def _is_alias(self, module: str, name: str, seen: frozenset[tuple[str, str]]) -> bool:
        """Return True if `name` stands for the shape in `module`; follow aliases and imports."""
        if (module, name) in seen:
            return False
        seen |= {(module, name)}
        bound = self._names.get(module, {}).get(name)
        if isinstance(bound, ast.expr):
            return self._holds(module, bound, seen)
        return any(self._is_alias(*place, seen) for place in self._origins(module, name, bound))

    def _origins(self, module: str, name: str, bound: str | None) -> Iterator[tuple[str, str]]:
        """Yield the (module, name) pairs that an imported `name` may stand for."""
        if bound is not None:
            origin, _, imported = bound.rpartition(".")
            yield origin, imported
        head, _, rest = name.rpartition(".")
        imported_module = self._names.get(module, {}).get(head)
        if isinstance(imported_module, str):
            yield imported_module, rest


def parameters(function: AnyFunction) -> Iterator[ast.arg]:
    """Yield every parameter except `self` and `cls`; `*args` and `**kwargs` are parameters."""
    given = function.args
    variable = [each for each in (given.vararg, given.kwarg) if each is not None]
    for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, *variable):
        if each.arg not in ("self", "cls"):
            yield each


def _bindings(module: Module) -> Mapping[str, ast.expr | str]:
    """Return the aliases of a module as expressions and its imports as dotted names."""
    found: dict[str, ast.expr | str] = {}
    for node in ast.walk(module.syntax):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
        elif isinstance(node, ast.Import):
            found |= {each.asname or each.name: each.name for each in node.names}
    for statement in module.syntax.body:
        found |= _alias(statement)
    return found


def _alias(statement: ast.stmt) -> dict[str, ast.expr]:
    """Return the name and the value of an assignment that may define a type alias."""
    if isinstance(statement, ast.Assign):
        target, value = statement.targets[0], statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        target, value = statement.target, statement.value
    else:
        return {}
    is_alias = isinstance(target, ast.Name) and isinstance(value, _TYPE_EXPRESSIONS)
    return {ast.unparse(target): value} if is_alias else {}


def _parsed(annotation: str) -> ast.AST:
    """Parse an annotation that is written as a string."""
    try:
        return ast.parse(annotation, mode="eval").body
    except SyntaxError:
        return ast.Constant(None)


def _last_name(node: ast.expr) -> str:
    return (
        ast.unparse(node).rpartition(".")[2] if isinstance(node, ast.Name | ast.Attribute) else ""
    )


def _arguments(node: ast.Subscript) -> list[str]:
    """Return the type arguments, without the module in front of a name."""
    given = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return [ast.unparse(each).rpartition(".")[2] for each in given]
