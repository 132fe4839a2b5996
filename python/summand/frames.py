# SPDX-License-Identifier: Apache-2.0
"""Tables of pandas and polars in, of pandas out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import numpy.typing as npt

from .errors import InvalidArgument

if TYPE_CHECKING:
    from pandas import DataFrame

    from .trial import Trial

__all__ = ["matrix", "rows", "trials_frame"]


def _is_frame(table: object) -> bool:
    return hasattr(table, "columns") and (hasattr(table, "to_dicts") or hasattr(table, "to_dict"))


def rows(points: Any) -> list[Mapping[str, Any]]:
    """A table's rows as mappings; a sequence of mappings as it is."""
    if not _is_frame(points):
        return list(points)
    found = points.to_dicts() if hasattr(points, "to_dicts") else points.to_dict("records")
    return [{str(key): value for key, value in row.items()} for row in found]


def matrix(values: Any, dimensions: int, what: str) -> npt.NDArray[np.float64]:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
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
    if isinstance(names, str) or len(names) != dimension:
        raise InvalidArgument(f"names holds {len(names)} names; X has {dimension} columns")
    doubled = sorted({name for name in names if list(names).count(name) > 1})
    if doubled:
        raise InvalidArgument(f"two columns are named {doubled[0]!r}; give each another name")
    return list(names)


def columns_in_order(X: Any, names: Sequence[str], what: str) -> Any:
    """A table's columns by name; anything else as it is."""
    if not _is_frame(X):
        return X
    missing = [name for name in names if name not in list(X.columns)]
    if missing:
        raise InvalidArgument(f"{what} has no column {missing[0]!r}; the model was fitted to {', '.join(names)}")
    return X[list(names)]


def trials_frame(trials: Sequence[Trial], names: Sequence[str]) -> DataFrame:
    """One row for each trial, by id: the parameters, then value, state, reason and added."""
    import pandas

    def column(name: str) -> str:
        return name + "_" if name in names else name  # a parameter may have that name too

    table: dict[str, list[Any]] = {name: [trial.parameters[name] for trial in trials] for name in names}
    values = [float("nan") if trial.value is None else trial.value for trial in trials]
    table[column("value")] = values
    for key in ("state", "reason", "added"):
        table[column(key)] = [getattr(trial, key) for trial in trials]
    return pandas.DataFrame(table, index=pandas.Index([trial.id for trial in trials], name="id"))
