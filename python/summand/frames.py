# SPDX-License-Identifier: Apache-2.0
"""Tables of pandas and polars in, of pandas out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import numpy.typing as npt

from .checks import listed, text
from .errors import InvalidArgument
from .space import Choice, SearchSpace
from .trial import Best, Trial

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["column", "is_point", "matrix", "rows", "trials_frame"]


def _is_frame(table: object) -> bool:
    return hasattr(table, "columns") and (hasattr(table, "to_dicts") or hasattr(table, "to_dict"))


def is_point(points: object) -> bool:
    """One, not many of them."""
    return isinstance(points, (Mapping, Trial, Best))


def rows(where: str, points: Any) -> list[Mapping[str, Any]]:
    """A table's rows as mappings; of a list, or of one point, the mappings as they are. A trial stands for its point."""
    if not _is_frame(points):
        wanted = "a list of points (mappings with a value for each parameter), or a table"
        given = [points] if is_point(points) else listed(where, "points", points, wanted)
        return [point.parameters if isinstance(point, (Trial, Best)) else point for point in given]
    found = points.to_dicts() if hasattr(points, "to_dicts") else points.to_dict("records")
    return [{str(key): value for key, value in row.items()} for row in found]


def column(values: Any) -> Any:
    """The values of a table's column, those that are missing as None; anything else as it is."""
    if not hasattr(values, "to_list"):
        return values
    given = values.to_list()
    missing = values.isna() if hasattr(values, "isna") else [value != value for value in given]
    return [None if gone else value for value, gone in zip(given, missing)]


def matrix(values: Any, dimensions: int, what: str) -> npt.NDArray[np.float64]:
    try:
        given = np.asarray(values)
        if given.dtype.kind == "c":
            raise TypeError("complex numbers")
        array = given.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgument(f"{what} does not hold numbers only ({error})") from None
    if array.ndim != dimensions:
        raise InvalidArgument(f"{what} has {array.ndim} dimensions; it needs {dimensions}")
    return array


def names_of(names: Optional[Sequence[str]], X: Any, dimension: int) -> list[str]:
    """The given names of the columns, else those of the table, else x1, x2 ..."""
    if names is None and _is_frame(X):
        names = [str(name) for name in X.columns]
    if names is None:
        return [f"x{j + 1}" for j in range(dimension)]
    given = [text("columns", "a name", name) for name in listed("columns", "names", names, "a list with one for each column")]
    if len(given) != dimension:
        raise InvalidArgument(f"names holds {len(given)} names; X has {dimension} columns")
    doubled = sorted({name for name in given if given.count(name) > 1})
    if doubled:
        raise InvalidArgument(f"two columns are named {doubled[0]!r}; give each another name")
    return given


def columns_in_order(X: Any, names: Sequence[str], what: str) -> Any:
    """A table's columns by name; anything else as it is."""
    if not _is_frame(X):
        return X
    own = {str(name): name for name in X.columns}  # as names_of writes them
    missing = [name for name in names if name not in own]
    if missing:
        raise InvalidArgument(f"{what} has no column {missing[0]!r}; the model was fitted to {', '.join(names)}")
    return X[[own[name] for name in names]]


def trials_frame(trials: Sequence[Trial], space: SearchSpace) -> DataFrame:
    """One row for each trial, by id: the parameters, then value, state, reason and added."""
    import pandas

    def free(name: str) -> str:
        return name + "_" if name in space.names else name  # a parameter may have that name too

    index = pandas.Index([trial.id for trial in trials], name="id")
    table: dict[str, Any] = {}
    for parameter in space:
        values = [trial.parameters[parameter.name] for trial in trials]
        # What a choice holds stays what it is: pandas would make NaN of None and 1.0 of 1.
        table[parameter.name] = pandas.Series(values, index, object) if isinstance(parameter, Choice) else values
    table[free("value")] = [float("nan") if trial.value is None else trial.value for trial in trials]
    for key in ("state", "reason", "added"):
        table[free(key)] = [getattr(trial, key) for trial in trials]
    return pandas.DataFrame(table, index=index)
