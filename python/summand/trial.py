# SPDX-License-Identifier: Apache-2.0
"""Trials: points to evaluate, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Optional, Union

from .errors import InvalidArgument
from .space import Point, Value

__all__ = ["Best", "PointLike", "Recommended", "State", "Trial"]

State = Literal["waiting", "running", "lost", "completed", "failed", "abandoned"]


@dataclass(frozen=True)
class Trial:
    """A point and what has become of it: ``trial["rate"]``, or all values as the dict ``trial.parameters``."""

    id: int
    parameters: Point
    state: State = "running"
    value: Optional[float] = None
    reason: str = ""
    """Of a failed one."""
    added: bool = False
    """The user's own data: nobody asked for it."""
    source: str = field(default="", repr=False, compare=False)
    """Which optimiser or study gave it out; empty: not known."""

    def __hash__(self) -> int:
        return hash(self.id)

    def __getitem__(self, name: str) -> Any:
        return self.parameters[name]


@dataclass(frozen=True)
class Best:
    """The best value told so far and its point."""

    id: int
    parameters: Point
    value: float

    def __getitem__(self, name: str) -> Any:
        return self.parameters[name]


@dataclass(frozen=True)
class Recommended(Best):
    """The told point that the model expects most of: with noise the best value told is mostly the luckiest, and it may be wrong."""

    mean: float  #: of the function there, without noise
    stddev: float  #: how uncertain that is
    noise_stddev: float  #: of one value told, as the model sees it
    noisy: bool  #: whether that is enough to decide which value is the best
    best_doubted: bool  #: whether the best value told is so far from what the others foretell that it is taken for an error of its evaluation


PointLike = Union[Mapping[str, Value], Trial, Best]
"""A point, or what has one."""


def refuse_foreign(where: str, trial: object, source: str, trials: list[Trial]) -> None:
    """A trial that another optimiser gave out has an id here too, but another point."""
    if not isinstance(trial, Trial) or trial.source == source:
        return
    own = next((t.parameters for t in trials if t.id == trial.id), None)
    if own is not None and own != trial.parameters:
        raise InvalidArgument(
            f"{where}: trial {trial.id} is {own} here, and {trial.parameters} was given: it comes from another optimiser "
            "or study; use add() for data of your own"
        )
