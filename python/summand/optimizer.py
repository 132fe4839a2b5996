# SPDX-License-Identifier: Apache-2.0
"""The ask/tell optimiser."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union, overload

import numpy as np

from . import _core
from .checks import encodable, listed, shown, text, trial_id, whole
from .errors import InvalidArgument
from .frames import column, is_point, rows, trials_frame
from .insight import Array, GroupSlice, Importance, Structure, slice_from, structure_from
from .options import Goal, to_json
from .predict import Predictor
from .space import Point, SearchSpace, SpaceLike, Value
from .trial import Best, PointLike, Recommended, State, Trial, refuse_foreign

if TYPE_CHECKING:
    from pandas import DataFrame
    from typing_extensions import Unpack

    from .option_types import OptimizerOptions

__all__ = ["Optimizer"]

Event = tuple[Any, ...]
_MANY = 1000


def asked_count(count: Optional[int]) -> Optional[int]:
    """Checked; very many points at once are said to take long."""
    if count is None:
        return None
    count = whole("ask", "count", count, 1)
    if count > _MANY:
        warnings.warn(
            f"ask({count}): each point is chosen with regard to all others, so this takes long and uses nothing that the "
            f"first of them would teach; ask for at most {_MANY} at a time (Ctrl-C stops it and changes nothing)",
            RuntimeWarning,
            stacklevel=3,
        )
    return count


def one_outcome(where: str, value: Optional[float], failed: Optional[str]) -> tuple[Optional[float], str]:
    """A value, or None and the reason."""
    if (value is None) == (failed is None):
        raise InvalidArgument(f"{where}: give a value or failed=REASON, and just one of them")
    if failed is not None and not isinstance(failed, str):
        raise InvalidArgument(f"{where}: failed is {shown(failed)}; it must be a str")
    return outcome(where, value), encodable(failed or "")


def outcome(where: str, value: Any) -> Optional[float]:
    if value is None:
        return None
    try:
        if isinstance(value, (str, bytes, np.complexfloating)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        failure = "None for a failure" if where == "add" else 'failed="why" instead of a value'
        raise InvalidArgument(f"{where}: the value is {shown(value)}; it must be a number, or {failure}") from None


def outcomes(values: Any) -> list[Optional[float]]:
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "biuf":
        return [float(value) for value in values]
    return [outcome("add", value) for value in listed("add", "values", column(values), "a list with one for each point")]


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
        space: SpaceLike,
        *,
        goal: Goal = "minimize",
        batch_size: int = 1,
        seed: int = 0,
        budget: Optional[int] = None,
        history: Iterable[Event] = (),
        snapshot: str = "",
        **options: Unpack[OptimizerOptions],
    ) -> None:
        self._space = space if isinstance(space, SearchSpace) else SearchSpace(space)
        self._options_given = {"goal": goal, "batch_size": batch_size, "seed": seed, "budget": budget, **options}
        events = listed("Optimizer", "history", history, "what Optimizer.history gave")
        text("Optimizer", "snapshot", snapshot)
        self._core = _core.Optimizer(self._space._core, to_json(self._options_given), events, snapshot)
        self._source = os.urandom(8).hex()
        self._predictor = Predictor()

    @classmethod
    def _restore(cls, space: SearchSpace, options: dict[str, Any], history: list[Event], snapshot: str) -> Optimizer:
        return cls(space, history=history, snapshot=snapshot, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Optimizer._restore, (self._space, self._options_given, self.history, self.snapshot()))

    def _trial(self, id: int, point: Point) -> Trial:
        return Trial(id, self._space._from_engine(point), source=self._source)

    def ask(self, count: Optional[int] = None) -> list[Trial]:
        """``count`` points to evaluate (default: batch_size), none of which is pending or has been told.

        Exactly as many as asked for, unless a finite space has fewer left; raises SpaceExhausted if it has none.
        """
        return [self._trial(id, point) for id, point in self._core.ask(asked_count(count))]

    def tell(self, trial: Union[Trial, int], value: Optional[float] = None, *, failed: Optional[str] = None) -> None:
        """The value at a trial (or its id), or ``failed="the reason"``. In any order; late answers are data too.

        A failed evaluation is not proposed again and its neighbourhood is avoided. NaN and infinite values are refused:
        tell them as failed.
        """
        number, reason = one_outcome("tell", value, failed)
        id = trial_id("tell", trial)
        if isinstance(trial, Trial) and trial.source != self._source:
            refuse_foreign("tell", trial, self._source, self.trials())
        self._core.tell(id, number, reason)

    @overload
    def add(self, points: PointLike, values: Optional[float]) -> int: ...
    @overload
    def add(
        self,
        points: Union[Sequence[PointLike], DataFrame],
        values: Union[Sequence[Optional[float]], np.ndarray[Any, Any], Any],
    ) -> list[int]: ...

    def add(self, points: Any, values: Any) -> Union[int, list[int]]:
        """The user's own data: a point and its value, or many points (mappings, or a table) and their values. None as a value
        means failed, and so does what is missing (NaN) in a table's column.

        Returns the ids.
        """
        single = is_point(points)
        converted = [self._space._to_engine(point) for point in rows("add", points)]
        ids = self._core.add(converted, [outcome("add", values)] if single else outcomes(values))
        return ids[0] if single else ids

    def add_pending(self, point: Mapping[str, Value]) -> int:
        """A point that someone else chose and is evaluating: pending from now on. Returns its id, to be told or abandoned."""
        return self._core.add_pending(self._space._to_engine(point))

    def reopen(self, trial: Union[Trial, int]) -> None:
        """A told, failed or abandoned trial is pending again: to be evaluated once more, or told another value."""
        self._core.reopen(trial_id("reopen", trial))

    def abandon(self, trial: Union[Trial, int]) -> None:
        """A pending trial will never be answered, or a told one must no longer be used."""
        self._core.abandon(trial_id("abandon", trial))

    def best(self) -> Optional[Best]:
        """The best value told so far and its point; None until a value has been told."""
        found = self._core.best()
        return None if found is None else Best(found[0], self._space._from_engine(found[1]), found[2])

    def recommended(self) -> Optional[Recommended]:
        """The told point with the best posterior mean: what to use when values are noisy; None before there is a model."""
        found = self._core.recommended()
        return None if found is None else Recommended(found[0], self._space._from_engine(found[1]), *found[2:])

    def predict(self, points: Union[PointLike, Sequence[PointLike], DataFrame]) -> tuple[Array, Array]:
        """Mean and standard deviation of the function, without noise, at a point or at each of some points.

        By one additive model with the groups that were found (none found: one group of all parameters), fitted to what has
        been told. The optimiser itself weighs several such models.
        """
        return self._predictor.predict(self._space, self.trials(), self.structure(), points)

    def pending(self) -> list[Trial]:
        """Asked, not told, not abandoned; by id."""
        return [self._trial(id, point) for id, point in self._core.pending()]

    def trials(self) -> list[Trial]:
        """All trials with what became of them, by id."""
        return records_of(self.history, self._space)

    def to_dataframe(self) -> DataFrame:
        """All trials as a table (needs pandas)."""
        return trials_frame(self.trials(), self._space)

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
        ("added", id, point, value, reason), ("abandoned", id), ("reopened", id). Values of choices are written as words."""
        return self._core.history()

    def snapshot(self) -> str:
        """What has been learned, as text: makes ``Optimizer(..., history=h, snapshot=s)`` quick, changes no result."""
        return self._core.snapshot()

    def structure(self) -> Structure:
        """Which parameters belong together, as of the last ask."""
        return structure_from(self._core.structure())

    def importance(self) -> dict[str, Importance]:
        """The share of the model's variation that each parameter is responsible for; empty before there is a model."""
        return {name: Importance(*share) for name, share in zip(self._space.names, self._core.importance())}

    def slice(self, *parameters: str, resolution: int = 50) -> GroupSlice:
        """The posterior along one parameter, or over two of one group, the others of the group at the best point."""
        names = [text("slice", "a parameter", name) for name in parameters]
        return slice_from(self._core.slice(names, whole("slice", "resolution", resolution, 2)), self._space)

    def group_slices(self, resolution: int = 50) -> list[GroupSlice]:
        """One slice for each group of one or two parameters, one for each parameter of a larger group."""
        views = self._core.group_slices(whole("group_slices", "resolution", resolution, 2))
        return [slice_from(view, self._space) for view in views]

    def __repr__(self) -> str:
        best = self.best()
        found = f"best {best.value:.6g}" if best else "nothing told yet"
        return (
            f"Optimizer({len(self._space)} parameters, {self._options_given['goal']}: {self.evaluation_count} told, "
            f"{self.failure_count} failed, {len(self.pending())} pending, {found})"
        )


def records_of(history: Iterable[Event], space: SearchSpace) -> list[Trial]:
    """The trials of a history as they stand at its end, by id."""
    points: dict[int, Point] = {}
    added: set[int] = set()
    ends: dict[int, tuple[State, Optional[float], str]] = {}
    for kind, id, *rest in history:
        if kind in ("asked", "added"):
            points[id] = space._from_engine(rest[0])
        if kind == "added":
            added.add(id)
        if kind in ("told", "added"):
            value, reason = rest[-2:]
            ends[id] = ("failed" if value is None else "completed", value, reason)
        if kind == "abandoned":
            ends[id] = ("abandoned", None, "")
        if kind == "reopened":
            ends.pop(id, None)
    return [Trial(id, points[id], *ends.get(id, ("running", None, "")), id in added) for id in sorted(points)]
