# SPDX-License-Identifier: Apache-2.0
"""Trials: points to evaluate, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from .space import Point

__all__ = ["Best", "Trial", "TrialRecord"]


@dataclass(frozen=True)
class Trial:
    """A point to evaluate: ``trial["rate"]``, or all values as the dict ``trial.parameters``."""

    id: int
    parameters: Point

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
    """The told point that the model expects most of: with noise the best value told is mostly the luckiest."""

    mean: float  #: of the function there, without noise
    stddev: float  #: how uncertain that is


@dataclass(frozen=True)
class TrialRecord:
    """A trial and what became of it. ``state``: running, lost, completed, failed or abandoned."""

    id: int
    parameters: Point
    state: str
    value: Optional[float] = None
    reason: str = ""
    added: bool = False
    """The user's own data: nobody asked for it."""

    def __getitem__(self, name: str) -> Any:
        return self.parameters[name]
