# SPDX-License-Identifier: Apache-2.0
"""Arguments of the wrong kind as sentences, before the engine sees them."""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Sequence
from typing import Any, Optional

from .errors import InvalidArgument

__all__ = ["group_lists", "number", "text", "trial_id", "whole", "word"]


def whole(where: str, name: str, value: Any, least: int) -> int:
    """A whole number of any kind that Python or NumPy has."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or number < least:
        raise InvalidArgument(f"{where}: {name} is {value!r}; it must be a whole number, at least {least}")
    if number > 2**31 - 1:
        raise InvalidArgument(f"{where}: {name} is {value!r}; at most {2**31 - 1} is possible")
    return number


def number(where: str, name: str, value: Any, *, above: Optional[float] = None) -> float:
    """A finite number."""
    fits = isinstance(value, numbers.Real) or hasattr(value, "__float__")
    try:
        found = float(value) if fits else math.nan
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found) or (above is not None and found <= above):
        wanted = "a finite number" + ("" if above is None else f" above {above:g}")
        raise InvalidArgument(f"{where}: {name} is {value!r}; it must be {wanted}")
    return found


def text(where: str, name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidArgument(f"{where}: {name} is {value!r}; it must be a str")
    return value


def word(where: str, name: str, value: Any, allowed: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in allowed:
        listed = ", ".join(f'"{each}"' for each in allowed[:-1]) + f' or "{allowed[-1]}"'
        raise InvalidArgument(f"{where}: {name} is {value!r}; it must be {listed}")
    return value


def trial_id(where: str, trial: Any) -> int:
    """Of a trial, or the id itself."""
    id = getattr(trial, "id", trial)
    try:
        return operator.index(id)
    except TypeError:
        raise InvalidArgument(f"{where}: {trial!r} is no trial; give what ask() gave, or its id") from None


def group_lists(where: str, groups: Any) -> list[list[Any]]:
    """Groups as lists; a str in the place of a group would otherwise become its letters."""
    if isinstance(groups, str) or any(isinstance(group, (str, int)) for group in groups):
        raise InvalidArgument(
            f"{where}: groups is {groups!r}; it must be a list of lists of parameters, for example [['x', 'y'], ['z']]"
        )
    return [list(group) for group in groups]
