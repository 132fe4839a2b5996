# SPDX-License-Identifier: Apache-2.0
"""Parameters and search spaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union, cast

from . import _core
from .errors import InvalidArgument

__all__ = ["Choice", "Integer", "Levels", "Parameter", "Point", "Real", "SearchSpace", "Value"]

Value = Union[float, int, str]
"""What a parameter takes: a float for Real and Levels, an int for Integer, a str for Choice."""
Point = dict[str, Any]
"""A value (float, int or str) for each parameter, by name."""


@dataclass(frozen=True)
class Real:
    """Any number in [low, high]. ``scale="log"``: equal ratios are equally far apart."""

    name: str
    low: float
    high: float
    scale: str = "linear"


@dataclass(frozen=True)
class Integer:
    """A whole number in low .. high, both included."""

    name: str
    low: int
    high: int
    scale: str = "linear"


@dataclass(frozen=True)
class Choice:
    """One of some words without an order."""

    name: str
    values: Sequence[str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))


@dataclass(frozen=True)
class Levels:
    """One of some numbers, in increasing order."""

    name: str
    values: Sequence[float]
    scale: str = "linear"

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))


Parameter = Union[Real, Integer, Choice, Levels]
_TYPES: dict[str, type[Any]] = {"real": Real, "integer": Integer, "choice": Choice, "levels": Levels}


def _from_table(name: str, table: object) -> Parameter:
    """A parameter from what a mapping gives for its name: a table as in study.toml, a pair, words, or a parameter."""
    if isinstance(table, (Real, Integer, Choice, Levels)):
        return table
    if isinstance(table, tuple) and len(table) == 2:
        return Real(name, *table)
    if isinstance(table, list):
        return Choice(name, table)
    if not isinstance(table, Mapping) or table.get("type") not in _TYPES:
        raise InvalidArgument(
            f'SearchSpace: parameter "{name}" is given as {table!r}; give a table such as '
            '{"type": "real", "low": 0.0, "high": 1.0} (types: real, integer, choice, levels), '
            "a pair (low, high) for a real one, or a list of words for a choice"
        )
    try:
        return cast(Parameter, _TYPES[table["type"]](name, **{k: v for k, v in table.items() if k != "type"}))
    except TypeError as error:
        raise InvalidArgument(
            f'SearchSpace: parameter "{name}" of type {table["type"]}: {str(error).partition(" ")[2]}'
        ) from None


def _describe(parameter: Parameter) -> tuple[Any, ...]:
    """What the engine takes; numbers of foreign types (NumPy's) become Python's."""
    try:
        if isinstance(parameter, Real):
            return ("real", parameter.name, float(parameter.low), float(parameter.high), parameter.scale)
        if isinstance(parameter, Integer):
            low, high = parameter.low, parameter.high
            if low != int(low) or high != int(high):
                raise InvalidArgument(
                    f'SearchSpace: integer parameter "{parameter.name}" has bounds {low} and {high}; give whole numbers'
                )
            return ("integer", parameter.name, int(low), int(high), parameter.scale)
        if isinstance(parameter, Choice):
            for value in parameter.values:
                if not isinstance(value, str):
                    raise InvalidArgument(
                        f'SearchSpace: choice "{parameter.name}" holds {value!r}; its values must be str '
                        "(use Levels for numbers that have an order)"
                    )
            return ("choice", parameter.name, list(parameter.values))
        if isinstance(parameter, Levels):
            return ("levels", parameter.name, [float(v) for v in parameter.values], parameter.scale)
    except (TypeError, ValueError) as error:
        if isinstance(error, InvalidArgument):
            raise
        raise InvalidArgument(f"SearchSpace: {parameter!r}: {error}") from None
    raise InvalidArgument(f"SearchSpace: {parameter!r} is no parameter; give Real, Integer, Choice or Levels")


def _parameter(description: tuple[Any, ...]) -> Parameter:
    return cast(Parameter, _TYPES[description[0]](*description[1:]))


class SearchSpace:
    """The parameters of a function and what they may take. Immutable.

    Takes parameters, or a mapping from names to tables as in a study file::

        SearchSpace([Real("rate", 1e-5, 1e-1, scale="log"), Integer("width", 8, 512), Choice("solver", ["sgd", "adam"])])
        SearchSpace({"rate": {"type": "real", "low": 1e-5, "high": 1e-1, "scale": "log"},
                     "x": (-5.0, 5.0), "solver": ["sgd", "adam"]})

    In the mapping a pair is a real parameter's bounds and a list of words is a choice. Every mistake is reported at once.
    """

    __slots__ = ("_core", "_parameters")

    def __init__(self, parameters: Sequence[Parameter] | Mapping[str, object] | SearchSpace) -> None:
        if isinstance(parameters, SearchSpace):
            parameters = parameters.parameters
        if isinstance(parameters, Mapping):
            parameters = [_from_table(name, table) for name, table in parameters.items()]
        self._core = _core.Space([_describe(p) for p in parameters])
        self._parameters = tuple(_parameter(d) for d in self._core.parameters())

    @classmethod
    def _wrap(cls, core: _core.Space) -> SearchSpace:
        return cls([_parameter(d) for d in core.parameters()])

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self._parameters

    @property
    def names(self) -> list[str]:
        return [p.name for p in self._parameters]

    def checked(self, point: Mapping[str, Value]) -> Point:
        """The point with each value in its parameter's own type; raises InvalidArgument if it is not allowed."""
        return self._core.checked(dict(point))

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self._parameters)

    def __getitem__(self, name: str) -> Parameter:
        for parameter in self._parameters:
            if parameter.name == name:
                return parameter
        raise KeyError(name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SearchSpace) and self._parameters == other._parameters

    def __hash__(self) -> int:
        return hash(self._parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        return (SearchSpace, (list(self._parameters),))

    def __repr__(self) -> str:
        return "SearchSpace([\n" + "".join(f"    {p!r},\n" for p in self._parameters) + "])"
