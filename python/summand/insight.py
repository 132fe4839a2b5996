# SPDX-License-Identifier: Apache-2.0
"""What an optimiser has learned: which parameters belong together, and how each group behaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from .checks import shown
from .errors import InvalidArgument
from .space import Choice, SearchSpace

__all__ = ["GroupSlice", "Importance", "Structure"]

Array = npt.NDArray[np.float64]


def groups_text(groups: list[list[str]]) -> str:
    return " ".join("{" + ", ".join(group) + "}" for group in groups)


def pair(names: list[str], matrix: Array, first: str, second: str) -> float:
    for name in (first, second):
        if not isinstance(name, str) or name not in names:
            raise InvalidArgument(f"probability: there is no parameter {shown(name)}; there are {', '.join(names)}")
    return float(matrix[names.index(first), names.index(second)]) if matrix.size else float(first == second)


class Importance(float):
    """A parameter's share of the function's variation: a number, with what is known of it. ``low`` and ``high``: nine of ten
    functions that fit the values have their share between these."""

    low: float
    high: float

    def __new__(cls, share: float, low: float, high: float) -> Importance:
        self = super().__new__(cls, share)
        self.low, self.high = low, high
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Importance, (float(self), self.low, self.high)


@dataclass(frozen=True, eq=False)  # an array has no truth value to compare by
class Structure:
    """Which parameters belong together, as the optimiser sees it. Empty groups: nothing has been learned yet."""

    names: list[str]
    groups: list[list[str]]
    """The structure in use; one guess among others unless ``found``."""
    found: bool
    """The learner's verdict: ``groups`` are the structure, or they were given."""
    pair_probability: Array = field(repr=False)
    """How probable it is that two parameters belong together: D x D in the order of ``names``, ones on the diagonal."""
    verdict: str
    """How sure the learner is, in words."""
    log_likelihood: float
    structures: list[tuple[list[list[str]], float]] = field(repr=False)
    """The most probable structures with their weights, heaviest first."""
    models: list[tuple[str, float]] = field(repr=False)
    """The models kept side by side with their weights; empty if there is only one."""
    sentences: list[str] = field(repr=False)
    """What is known, for people: the groups if they are found, else the likely pairs; the verdict; the model that leads."""

    def probability(self, first: str, second: str) -> float:
        """How probable it is that the two parameters belong together."""
        return pair(self.names, self.pair_probability, first, second)

    def __repr__(self) -> str:
        return f"Structure({' '.join(self.sentences)})"


@dataclass(frozen=True, eq=False)  # an array has no truth value to compare by
class GroupSlice:
    """The posterior of one group's part of the function along one of its parameters, or over two of them."""

    group: list[str]
    parameters: list[str]
    """One or two of the group: the axes."""
    axes: list[list[Any]]
    """For each axis the parameter's values, in its own units."""
    mean: Array = field(repr=False)
    """In the user's units; one dimension for each axis."""
    stddev: Array = field(repr=False)
    additive: bool = True
    """False: one group of all parameters, so this is a cut through the whole function."""
    choices: tuple[bool, ...] = ()
    """For each axis whether it is a choice: its values have no order."""


def structure_from(view: dict[str, Any]) -> Structure:
    size = len(view["pair_probability"])
    matrix = np.asarray(view["pair_probability"], float).reshape(size, size)
    if size == 0 and view["groups"]:  # the groups were given, nothing is uncertain
        group = {name: m for m, names in enumerate(view["groups"]) for name in names}
        labels = np.array([group[name] for name in view["names"]])
        matrix = (labels[:, None] == labels[None, :]).astype(float)
    return Structure(**{**view, "pair_probability": matrix})


def slice_from(view: dict[str, Any], space: SearchSpace) -> GroupSlice:
    shape = tuple(len(axis) for axis in view["axes"])
    arrays = {key: np.asarray(view[key], float).reshape(shape) for key in ("mean", "stddev")}
    axes = [space._translation.axis(name, axis) for name, axis in zip(view["parameters"], view["axes"])]
    choices = tuple(isinstance(space[name], Choice) for name in view["parameters"])
    return GroupSlice(**{**view, **arrays, "axes": axes, "choices": choices})
