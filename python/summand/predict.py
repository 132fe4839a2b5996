# SPDX-License-Identifier: Apache-2.0
"""The function at points nobody has evaluated, from what has been told."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import InvalidArgument
from .frames import rows
from .insight import Array, Structure
from .space import SearchSpace
from .trial import Trial

__all__ = ["Predictor"]

_MOST_POINTS = 1000  # a fit costs their cube


def _thinned(values: Array) -> npt.NDArray[np.intp]:
    """Positions of at most _MOST_POINTS values: half of them the best and the worst ends, the others evenly spread."""
    order = np.argsort(values, kind="stable")
    if len(order) <= _MOST_POINTS:
        return order
    ends = np.concatenate([order[: _MOST_POINTS // 4], order[-(_MOST_POINTS // 4) :]])
    between = np.linspace(_MOST_POINTS // 4, len(order) - _MOST_POINTS // 4 - 1, _MOST_POINTS // 2).astype(int)
    used: npt.NDArray[np.intp] = np.unique(np.concatenate([ends, order[between]]))
    return used


class Predictor:
    """Fits an additive model to the completed trials when something was told since the last time."""

    def __init__(self) -> None:
        self._key: object = None
        self._model: Optional[_core.Model] = None

    def predict(
        self, space: SearchSpace, trials: list[Trial], structure: Structure, points: Any
    ) -> tuple[Array, Array]:
        wanted = rows("predict", points)
        encoded = _core.encode(space._core, [space._to_engine(point) for point in wanted])
        told = [trial for trial in trials if trial.value is not None]
        if len(told) < 2:
            raise InvalidArgument(f"predict: {len(told)} values have been told; a model needs at least two")
        groups = structure.groups if structure.found else []
        key = (tuple((t.id, t.value) for t in told), repr(groups))
        if self._model is None or self._key != key:
            self._model, self._key = self._fit(space, told, groups), key
        return self._model.predict(encoded)

    def _fit(self, space: SearchSpace, told: list[Trial], groups: list[list[str]]) -> _core.Model:
        values = np.array([trial.value for trial in told], float)
        used = _thinned(values)
        X = _core.encode(space._core, [space._to_engine(told[i].parameters) for i in used])
        names = space.names
        columns = [[names.index(name) for name in group] for group in groups] or [list(range(len(names)))]
        return _core.fit_model(X, values[used], columns, "matern52", _core.unordered(space._core), 0)
