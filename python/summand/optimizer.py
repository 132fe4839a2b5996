# SPDX-License-Identifier: Apache-2.0
"""The ask/tell optimiser."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional, Union, overload

import numpy as np

from . import _core
from .insight import GroupSlice, Structure, slice_from, structure_from
from .options import to_json
from .space import Parameter, Point, SearchSpace, Value
from .trial import Best, Recommended, Trial, TrialRecord

__all__ = ["Optimizer"]

Event = tuple[Any, ...]


def _outcome(value: Optional[float]) -> Optional[float]:
    return None if value is None else float(value)


class Optimizer:
    """Proposes points of a search space and learns from their values.

    ::

        optimizer = Optimizer(space, goal="minimize", batch_size=8, seed=7)
        for _ in range(25):
            for trial in optimizer.ask():
                optimizer.tell(trial, loss(trial["rate"], trial["width"]))
        print(optimizer.best())

    The state is a function of (space, options, history): the same seed and the same history give the same asks, bit for
    bit, at any number of threads. Asks may come at any time and answers in any order. ``options`` are those of a study file
    (``summand.option_keys()`` lists them); None means the default. Safe to use from several threads; the GIL is released
    while the engine computes, and Ctrl-C interrupts it and leaves the optimiser as it was.

    :param history: what ``Optimizer.history`` gave, to go on from there; ``snapshot`` only spares recomputation.
    """

    def __init__(
        self,
        space: Union[SearchSpace, Sequence[Parameter], Mapping[str, object]],
        *,
        goal: str = "minimize",
        batch_size: int = 1,
        seed: int = 0,
        budget: Optional[int] = None,
        preset: Optional[str] = None,
        groups: Optional[Sequence[Sequence[str]]] = None,
        initial_design: Optional[str] = None,
        initial_points: Optional[int] = None,
        threads: Optional[int] = None,
        history: Iterable[Event] = (),
        snapshot: str = "",
        **options: object,
    ) -> None:
        self._space = space if isinstance(space, SearchSpace) else SearchSpace(space)
        self._options_given = {
            "goal": goal, "batch_size": batch_size, "seed": seed, "budget": budget, "preset": preset,
            "groups": None if groups is None else [list(group) for group in groups], "initial_design": initial_design,
            "initial_points": initial_points, "threads": threads, **options,
        }  # fmt: skip
        self._core = _core.Optimizer(self._space._core, to_json(self._options_given), list(history), snapshot)

    @classmethod
    def _restore(cls, space: SearchSpace, options: dict[str, Any], history: list[Event], snapshot: str) -> Optimizer:
        return cls(space, history=history, snapshot=snapshot, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Optimizer._restore, (self._space, self._options_given, self.history, self.snapshot()))

    def ask(self, count: Optional[int] = None) -> list[Trial]:
        """``count`` points to evaluate (default: batch_size), none of which is pending or has been told.

        Exactly as many as asked for, unless a finite space has fewer left; raises SpaceExhausted if it has none.
        """
        return [Trial(id, point) for id, point in self._core.ask(count)]

    def tell(self, trial: Union[Trial, int], value: Optional[float] = None, *, failed: Optional[str] = None) -> None:
        """The value at a trial (or its id), or ``failed="the reason"``. In any order; late answers are data too.

        A failed evaluation is not proposed again and its neighbourhood is avoided. NaN and infinite values are refused:
        tell them as failed.
        """
        id = trial if isinstance(trial, int) else trial.id
        if (value is None) == (failed is None):
            raise TypeError("tell takes a value or failed=REASON, and just one of them")
        self._core.tell(id, _outcome(value), failed or "")

    @overload
    def add(self, points: Mapping[str, Value], values: Optional[float]) -> int: ...
    @overload
    def add(
        self, points: Sequence[Mapping[str, Value]], values: Sequence[Optional[float]] | np.ndarray[Any, Any]
    ) -> list[int]: ...

    def add(self, points: Any, values: Any) -> Union[int, list[int]]:
        """The user's own data: a point and its value, or many points and their values. None as a value means failed.

        Returns the ids.
        """
        if isinstance(points, Mapping):
            return self._core.add([dict(points)], [_outcome(values)])[0]
        if isinstance(values, np.ndarray):
            outcomes = values.astype(np.float64).tolist()
        else:
            outcomes = [_outcome(v) for v in values]
        return self._core.add([p if type(p) is dict else dict(p) for p in points], outcomes)

    def add_pending(self, point: Mapping[str, Value]) -> int:
        """A point that someone else chose and is evaluating: pending from now on. Returns its id, to be told or dropped."""
        return self._core.add_pending(dict(point))

    def reopen(self, trial: Union[Trial, int]) -> None:
        """A told, failed or dropped trial is pending again: to be evaluated once more, or told another value."""
        self._core.reopen(trial if isinstance(trial, int) else trial.id)

    def drop(self, trial: Union[Trial, int]) -> None:
        """A pending trial will never be answered, or a told one must no longer be used."""
        self._core.drop(trial if isinstance(trial, int) else trial.id)

    def best(self) -> Optional[Best]:
        """The best value told so far and its point; None until a value has been told."""
        found = self._core.best()
        return None if found is None else Best(*found)

    def recommended(self) -> Optional[Recommended]:
        """The told point that the model expects most of, without noise; None before there is a model."""
        found = self._core.recommended()
        return None if found is None else Recommended(*found)

    def pending(self) -> list[Trial]:
        """Asked, not told, not dropped; by id."""
        return [Trial(id, point) for id, point in self._core.pending()]

    def trials(self) -> list[TrialRecord]:
        """All trials with what became of them, by id."""
        return records_of(self.history)

    @property
    def evaluation_count(self) -> int:
        """Values told and in use."""
        return self._core.evaluation_count()

    @property
    def failure_count(self) -> int:
        return self._core.failure_count()

    @property
    def space(self) -> SearchSpace:
        return self._space

    @property
    def options(self) -> dict[str, Any]:
        """All options with the preset's values filled in."""
        resolved: dict[str, Any] = json.loads(self._core.options())
        return resolved

    @property
    def history(self) -> list[Event]:
        """What has happened, in order: ("asked", id, point, ask), ("told", id, value, reason),
        ("added", id, point, value, reason), ("dropped", id), ("reopened", id)."""
        return self._core.history()

    def snapshot(self) -> str:
        """What has been learned, as text: makes ``Optimizer(..., history=h, snapshot=s)`` quick, changes no result."""
        return self._core.snapshot()

    def structure(self) -> Structure:
        """Which parameters belong together, as of the last ask."""
        return structure_from(self._core.structure())

    def importance(self) -> dict[str, float]:
        """The share of the model's variation that each parameter is responsible for; empty before there is a model."""
        return dict(zip(self._space.names, self._core.importance()))

    def slice(self, *parameters: str, resolution: int = 50) -> GroupSlice:
        """The posterior along one parameter, or over two of one group, the others of the group at the best point."""
        return slice_from(self._core.slice(list(parameters), resolution))

    def group_slices(self, resolution: int = 50) -> list[GroupSlice]:
        """One slice for each group of one or two parameters, one for each parameter of a larger group."""
        return [slice_from(view) for view in self._core.group_slices(resolution)]

    def __repr__(self) -> str:
        best = self.best()
        found = f"best {best.value:.6g}" if best else "nothing told yet"
        return (
            f"Optimizer({len(self._space)} parameters, {self._options_given['goal']}: {self.evaluation_count} told, "
            f"{self.failure_count} failed, {len(self.pending())} pending, {found})"
        )


def records_of(history: Iterable[Event]) -> list[TrialRecord]:
    """The trials of a history as they stand at its end, by id."""
    points: dict[int, Point] = {}
    added: set[int] = set()
    ends: dict[int, tuple[str, Optional[float], str]] = {}
    for kind, id, *rest in history:
        if kind in ("asked", "added"):
            points[id] = rest[0]
        if kind == "added":
            added.add(id)
        if kind in ("told", "added"):
            value, reason = rest[-2:]
            ends[id] = ("failed" if value is None else "completed", value, reason)
        if kind == "dropped":
            ends[id] = ("abandoned", None, "")
        if kind == "reopened":
            ends.pop(id, None)
    return [TrialRecord(id, points[id], *ends.get(id, ("running", None, "")), id in added) for id in sorted(points)]
