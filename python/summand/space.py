# SPDX-License-Identifier: Apache-2.0
"""Parameters and search spaces."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Union, cast

from . import _core
from .checks import listed, number, shown, text, word
from .errors import InvalidArgument
from .values import Translation, value_of, words_of

__all__ = ["Choice", "Integer", "Levels", "Parameter", "Point", "Real", "Scale", "SearchSpace", "Value"]

Value = Hashable
"""What a parameter takes: a float for Real and Levels, an int for Integer, one of its values for Choice."""
Point = dict[str, Any]
"""A value for each parameter, by name."""
Scale = Literal["linear", "log"]


@dataclass(frozen=True)
class Real:
    """Any number in [low, high]. ``scale="log"``: equal ratios are equally far apart."""

    name: str
    low: float
    high: float
    scale: Scale = "linear"


@dataclass(frozen=True)
class Integer:
    """A whole number in low .. high, both included."""

    name: str
    low: int
    high: int
    scale: Scale = "linear"


@dataclass(frozen=True)
class Choice:
    """One of some values without an order: words, numbers, truth values, None, or anything else that is hashable."""

    name: str
    values: Sequence[Hashable]

    def __post_init__(self) -> None:
        values = listed(f'Choice "{self.name}"', "values", self.values, 'a list of values, for example ["sgd", "adam"]')
        object.__setattr__(self, "values", tuple(values))


@dataclass(frozen=True)
class Levels:
    """One of some numbers, in increasing order."""

    name: str
    values: Sequence[float]
    scale: Scale = "linear"

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(listed(f'Levels "{self.name}"', "values", self.values, "a list of numbers")))


Parameter = Union[Real, Integer, Choice, Levels]
_TYPES: dict[str, type[Any]] = {"real": Real, "integer": Integer, "choice": Choice, "levels": Levels}


def _from_table(name: str, table: object) -> Parameter:
    """A parameter from what a mapping gives for its name: a table as in study.toml, a pair, values, or a parameter."""
    if isinstance(table, (Real, Integer, Choice, Levels)):
        if table.name != name:
            raise InvalidArgument(
                f'SearchSpace: the parameter under "{name}" is named "{table.name}"; give both the same name, or a list '
                "of parameters instead of a mapping"
            )
        return table
    if isinstance(table, tuple) and len(table) == 2:
        return Real(name, *table)
    if isinstance(table, list):
        return Choice(name, table)
    if isinstance(table, Mapping) and dict(table) == {"type": "bool"}:
        return Choice(name, [False, True])
    if not isinstance(table, Mapping) or table.get("type") not in list(_TYPES):
        raise InvalidArgument(
            f'SearchSpace: parameter "{name}" is given as {shown(table)}; give a table such as '
            '{"type": "real", "low": 0.0, "high": 1.0} (types: real, integer, choice, levels, bool), '
            "a pair (low, high) for a real one, or a list of values for a choice"
        )
    try:
        return cast(Parameter, _TYPES[table["type"]](name, **{k: v for k, v in table.items() if k != "type"}))
    except TypeError as error:
        raise InvalidArgument(
            f'SearchSpace: parameter "{name}" of type {table["type"]}: {str(error).partition(" ")[2]}'
        ) from None


def _whole_bounds(parameter: Integer, where: str) -> tuple[int, int]:
    low, high = (number(where, key, getattr(parameter, key)) for key in ("low", "high"))
    if low != int(low) or high != int(high):
        raise InvalidArgument(f"{where} has bounds {parameter.low} and {parameter.high}; give whole numbers")
    if max(abs(low), abs(high)) > 2.0**53:
        raise InvalidArgument(
            f"{where} has bounds {parameter.low} and {parameter.high}; integers must lie within -2^53 and 2^53"
        )
    return int(parameter.low), int(parameter.high)


def _describe(parameter: Parameter) -> tuple[Any, ...]:
    """What the engine takes; numbers of foreign types (NumPy's) become Python's, values of choices words."""
    if not isinstance(parameter, (Real, Integer, Choice, Levels)):
        raise InvalidArgument(f"SearchSpace: {shown(parameter)} is no parameter; give Real, Integer, Choice or Levels")
    name = text("SearchSpace", f"the name of {shown(parameter)}", parameter.name)
    where = f'SearchSpace: parameter "{name}"'
    if isinstance(parameter, Choice):
        return ("choice", name, words_of(name, parameter.values))
    scale = word(where, "scale", parameter.scale, ("linear", "log"))
    if isinstance(parameter, Real):
        return ("real", name, number(where, "low", parameter.low), number(where, "high", parameter.high), scale)
    if isinstance(parameter, Integer):
        return ("integer", name, *_whole_bounds(parameter, where), scale)
    return ("levels", name, [number(where, "a level", value) for value in parameter.values], scale)


def _parameter(description: tuple[Any, ...]) -> Parameter:
    return cast(Parameter, _TYPES[description[0]](*description[1:]))


class SearchSpace:
    """The parameters of a function and what they may take. Immutable.

    Takes parameters, or a mapping from names to tables as in a study file::

        SearchSpace([Real("rate", 1e-5, 1e-1, scale="log"), Integer("width", 8, 512), Choice("solver", ["sgd", "adam"])])
        SearchSpace({"rate": {"type": "real", "low": 1e-5, "high": 1e-1, "scale": "log"},
                     "x": (-5.0, 5.0), "solver": ["sgd", "adam", None]})

    In the mapping a pair is a real parameter's bounds and a list is a choice of its values. Every mistake is reported at once.
    """

    __slots__ = ("_core", "_parameters", "_translation")

    def __init__(self, parameters: Sequence[Parameter] | Mapping[str, object] | SearchSpace) -> None:
        if isinstance(parameters, SearchSpace):
            parameters = parameters.parameters
        if isinstance(parameters, Mapping):
            parameters = [_from_table(name, table) for name, table in parameters.items()]
        given = listed("SearchSpace", "parameters", parameters, 'a list of parameters, or a mapping such as {"x": (0.0, 1.0)}')
        self._core = _core.Space([_describe(p) for p in given])
        self._parameters = tuple(
            p if isinstance(p, Choice) else _parameter(d) for p, d in zip(given, self._core.parameters())
        )
        self._translation = Translation({p.name: p.values for p in given if isinstance(p, Choice)})

    @classmethod
    def _wrap(cls, core: _core.Space, literals: Mapping[str, Sequence[str]]) -> SearchSpace:
        """From the engine's; ``literals``: words of choices that stand for numbers, truth values and None."""
        parameters = [_parameter(d) for d in core.parameters()]
        return cls(
            [
                Choice(p.name, [value_of(str(v), literals.get(p.name, ())) for v in p.values]) if isinstance(p, Choice) else p
                for p in parameters
            ]
        )

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self._parameters

    @property
    def names(self) -> list[str]:
        return [p.name for p in self._parameters]

    def checked(self, point: Mapping[str, Value]) -> Point:
        """The point with each value in its parameter's own type; raises InvalidArgument if it is not allowed."""
        return self._from_engine(self._core.checked(self._to_engine(point)))

    def _to_engine(self, point: Mapping[str, Value]) -> Point:
        if not isinstance(point, Mapping):
            raise InvalidArgument(f"{shown(point)} is no point; give a mapping with a value for each parameter")
        return self._translation.to_words(point)

    def _from_engine(self, point: Point) -> Point:
        return self._translation.to_values(point)

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


SpaceLike = Union[SearchSpace, Sequence[Parameter], Mapping[str, object]]
