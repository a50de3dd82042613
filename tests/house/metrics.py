"""The figures that are counted one offender at a time."""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, Literal, NamedTuple

from tests.house.annotations import Annotations, Shape, is_bare_dict, is_open_mapping, parameters
from tests.house.source_tree import FUNCTIONS, AnyFunction, Module, Offender, SourceTree

LONG: Final = 40
"""Lines above which a function counts as long."""

_DOCUMENTED: Final = (ast.Module, ast.ClassDef, *FUNCTIONS)
_QUESTION: Final = re.compile(r"(?:Wh\w*|How)\b")
_FOUR_QUESTIONS: Final = re.compile(r"(?:What|Whether|Which|How)\b")


@dataclass(frozen=True)
class Count:
    """Offenders, and the size of the population that they were found in."""

    offenders: tuple[Offender, ...]
    population: int

    def per(self, base: int) -> float:
        """Return the offenders for every `base` members of the population."""
        return base * len(self.offenders) / self.population if self.population else 0.0


class Metric(NamedTuple):
    """A row of the table: its text, the unit of its figure, and the function that counts."""

    text: str
    unit: Literal["lines", "percent", "names"]
    counted: Callable[[SourceTree], Count]

    def figure(self, count: Count) -> float:
        """Return the figure of a count: for every 1,000 lines, in per cent, or a number of names."""
        if self.unit == "names":
            return count.population
        return round(count.per(1_000 if self.unit == "lines" else 100), 2)

    def worded(self, figure: float) -> str:
        """Return the figure as the table shows it."""
        return {"lines": f"{figure:.1f}", "percent": f"{figure:.1f} %"}.get(
            self.unit, f"{figure:g}"
        )


def string_keys(tree: SourceTree) -> Count:
    """Count reads by a constant string key, `x["k"]` and `x.get("k")`, among all lines."""
    found = [
        module.offender(node, name)
        for module in tree.modules
        for node in ast.walk(module.syntax)
        if isinstance(node, ast.expr) and (name := _string_key(node))
    ]
    return Count(tuple(sorted(found)), tree.lines)


def bare_dict_parameters(tree: SourceTree) -> Count:
    """Count parameters whose annotation holds a bare dictionary, among all parameters."""
    return _parameters(tree, is_bare_dict)


def open_mapping_parameters(tree: SourceTree) -> Count:
    """Count parameters that hold another mapping to `Any` or `object`."""
    return _parameters(tree, is_open_mapping)


def bare_dict_results(tree: SourceTree) -> Count:
    """Count functions whose return annotation holds a bare dictionary, among all functions."""
    annotations, functions = Annotations(tree), list(_functions(tree))
    return Count(
        tuple(
            module.offender(function, f"{function.name}()")
            for module, function in functions
            if annotations.holds(module, function.returns)
        ),
        len(functions),
    )


def bare_dict_fields(tree: SourceTree) -> Count:
    """Count class fields whose annotation holds a bare dictionary, among all annotated fields."""
    annotations, found, population = Annotations(tree), [], 0
    for module, owner, field in _fields(tree):
        population += 1
        if annotations.holds(module, field.annotation):
            found.append(module.offender(field, f"{owner}.{ast.unparse(field.target)}"))
    return Count(tuple(sorted(found)), population)


def bare_dict_signatures(tree: SourceTree) -> Count:
    """Count functions with a bare dictionary in a parameter or in the result."""
    annotations, functions = Annotations(tree), list(_functions(tree))
    found = []
    for module, function in functions:
        signature = (*(each.annotation for each in parameters(function)), function.returns)
        if any(annotations.holds(module, each) for each in signature):
            found.append(module.offender(function, function.name))
    return Count(tuple(sorted(found)), len(functions))


def one_word_functions(tree: SourceTree) -> Count:
    """Count public module-level functions without an underscore in the name."""
    return _one_word(tree.modules)


def one_word_functions_outside_cli(tree: SourceTree) -> Count:
    """Count the same functions outside `cli/`, where a command's name is a function's name."""
    return _one_word(tuple(module for module in tree.modules if not module.is_below("cli")))


def question_docstrings(tree: SourceTree) -> Count:
    """Count docstrings that begin with a question word: What, Whether, Which, How, Where, Who …"""
    return _docstrings(tree, lambda line: _QUESTION.match(line) is not None)


def four_question_docstrings(tree: SourceTree) -> Count:
    """Count docstrings that begin with What, Whether, Which or How alone."""
    return _docstrings(tree, lambda line: _FOUR_QUESTIONS.match(line) is not None)


def semicolon_docstrings(tree: SourceTree) -> Count:
    """Count docstrings with a semicolon in the first line."""
    return _docstrings(tree, lambda line: ";" in line)


def long_functions(tree: SourceTree) -> Count:
    """Count functions of more than `LONG` lines."""
    functions = list(_functions(tree))
    return Count(
        tuple(
            module.offender(function, f"{function.name} ({length} lines)")
            for module, function in functions
            if (length := function_lines(function)) > LONG
        ),
        len(functions),
    )


def repeated_names(tree: SourceTree) -> Count:
    """Count files whose name another file has, `__init__.py` left out."""
    return _repeated(tree.modules)


def repeated_names_outside(tree: SourceTree) -> Count:
    """Count the same files outside `cli/` and `instructions/`, where names repeat by design."""
    return _repeated(
        tuple(module for module in tree.modules if not module.is_below("cli", "instructions"))
    )


METRICS: Final[Mapping[str, Metric]] = {
    "string-keys": Metric("reads by string key per 1,000 lines", "lines", string_keys),
    "bare-dict-parameters": Metric(
        "parameters typed as a bare dict", "percent", bare_dict_parameters
    ),
    "open-mapping-parameters": Metric(
        "parameters typed as another mapping to Any", "percent", open_mapping_parameters
    ),
    "bare-dict-results": Metric("results typed as a bare dict", "percent", bare_dict_results),
    "bare-dict-fields": Metric("class fields typed as a bare dict", "percent", bare_dict_fields),
    "bare-dict-signatures": Metric(
        "functions with a bare dict in their signature", "percent", bare_dict_signatures
    ),
    "one-word-functions": Metric(
        "public module-level functions of one word", "percent", one_word_functions
    ),
    "one-word-functions-outside-cli": Metric(
        "public functions of one word outside cli/", "percent", one_word_functions_outside_cli
    ),
    "question-docstrings": Metric(
        "docstrings that begin with a question word", "percent", question_docstrings
    ),
    "four-question-docstrings": Metric(
        "docstrings that begin with What/Whether/Which/How", "percent", four_question_docstrings
    ),
    "semicolon-docstrings": Metric(
        "first docstring line with a semicolon", "percent", semicolon_docstrings
    ),
    "long-functions": Metric("functions over 40 lines", "percent", long_functions),
    "repeated-names": Metric("file names that occur twice", "names", repeated_names),
    "repeated-names-outside": Metric(
        "file names twice outside cli/ and instructions/", "names", repeated_names_outside
    ),
}


def function_lines(function: AnyFunction) -> int:
    """Count the lines from `def` to the end of the body, the docstring included."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def _string_key(node: ast.expr) -> str | None:
    """Return the read as it is written, or None if `node` is no read by a string key."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        return ast.unparse(node) if _is_string(node.slice) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        is_read = node.func.attr == "get" and _is_string(node.args[0])
        return ast.unparse(node) if is_read else None
    return None


def _is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _functions(tree: SourceTree) -> Iterator[tuple[Module, AnyFunction]]:
    for module in tree.modules:
        for function in module.functions():
            yield module, function


def _fields(tree: SourceTree) -> Iterator[tuple[Module, str, ast.AnnAssign]]:
    for module in tree.modules:
        for owner in ast.walk(module.syntax):
            if isinstance(owner, ast.ClassDef):
                for node in owner.body:
                    if isinstance(node, ast.AnnAssign):
                        yield module, owner.name, node


def _parameters(tree: SourceTree, shape: Shape) -> Count:
    annotations, found, population = Annotations(tree, shape), [], 0
    for module, function in _functions(tree):
        given = list(parameters(function))
        population += len(given)
        found += [
            module.offender(each, f"{function.name}({each.arg})")
            for each in given
            if annotations.holds(module, each.annotation)
        ]
    return Count(tuple(sorted(found)), population)


def _one_word(modules: tuple[Module, ...]) -> Count:
    public = [(module, each) for module in modules for each in module.public_functions()]
    return Count(
        tuple(module.offender(each, each.name) for module, each in public if "_" not in each.name),
        len(public),
    )


def _docstrings(tree: SourceTree, is_counted: Callable[[str], bool]) -> Count:
    found, population = [], 0
    for module in tree.modules:
        for node in ast.walk(module.syntax):
            text = ast.get_docstring(node) if isinstance(node, _DOCUMENTED) else None
            if text is None:
                continue
            population += 1
            first = text.split("\n", 1)[0]
            if is_counted(first):
                found.append(Offender(module.path, getattr(node, "lineno", 1), first))
    return Count(tuple(sorted(found)), population)


def _repeated(modules: tuple[Module, ...]) -> Count:
    """Count one offender a file; the population is the number of names that occur twice."""
    named = [(PurePosixPath(module.path).name, module) for module in modules]
    times = Counter(name for name, _ in named if name != "__init__.py")
    found = sorted((name, module.path) for name, module in named if times[name] > 1)
    return Count(
        tuple(Offender(path, 1, name) for name, path in found),
        sum(number > 1 for number in times.values()),
    )
