# SPDX-License-Identifier: Apache-2.0
"""Arguments of the wrong kind as sentences, before the engine sees them."""

from __future__ import annotations

import math
import numbers
import operator
import os
from collections.abc import Sequence
from typing import Any, Optional

import numpy as np

from .errors import InvalidArgument

__all__ = [
    "encodable", "group_lists", "index", "listed", "marks", "number", "path_text", "shown", "text", "trial_id", "truth",
    "whole", "word",
]  # fmt: skip


def shown(value: Any) -> str:
    """As Python writes it, cut short."""
    try:
        written = repr(value)
    except Exception:  # whatever a user's class raises; a ValueError of whole numbers with thousands of digits
        return f"a value of type {type(value).__name__}"
    return written if len(written) <= 100 else written[:100] + "..."


def index(value: Any) -> Optional[int]:
    """A whole number of any kind that Python or NumPy has; None if it is something else."""
    try:
        return operator.index(value)
    except Exception:  # tensors of several elements raise errors of their own
        return None


def whole(where: str, name: str, value: Any, least: int) -> int:
    found = index(value)
    if found is None or isinstance(value, bool) or found < least:
        raise InvalidArgument(f"{where}: {name} is {shown(value)}; it must be a whole number, at least {least}")
    if found > 2**31 - 1:
        raise InvalidArgument(f"{where}: {name} is {shown(value)}; at most {2**31 - 1} is possible")
    return found


def number(where: str, name: str, value: Any, *, above: Optional[float] = None) -> float:
    """A finite number."""
    fits = (isinstance(value, numbers.Real) or hasattr(value, "__float__")) and not isinstance(value, np.complexfloating)
    try:
        found = float(value) if fits else math.nan
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found) or (above is not None and found <= above):
        wanted = "a finite number" + ("" if above is None else f" above {above:g}")
        raise InvalidArgument(f"{where}: {name} is {shown(value)}; it must be {wanted}")
    return found


def truth(where: str, name: str, value: Any) -> bool:
    """What is true of any word, "no" as well, is not asked."""
    if not isinstance(value, (bool, np.bool_)):
        raise InvalidArgument(f"{where}: {name} is {shown(value)}; it must be True or False")
    return bool(value)


def encodable(value: str) -> str:
    """With escapes for what neither UTF-8 nor a C string can hold: text of programs may hold anything."""
    if value.isascii() and "\0" not in value:
        return value
    return value.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


def text(where: str, name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidArgument(f"{where}: {name} is {shown(value)}; it must be a str")
    if encodable(value) != value:
        raise InvalidArgument(f"{where}: {name} is {value!r}, which holds a NUL or what UTF-8 has no bytes for; give another one")
    return value


def path_text(where: str, path: Any) -> str:
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidArgument(f"{where}: path is {shown(path)}; give the path of a database or study file, or postgresql://...")
    return text(where, "path", os.fsdecode(path))


def word(where: str, name: str, value: Any, allowed: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in allowed:
        choices = ", ".join(f'"{each}"' for each in allowed[:-1]) + f' or "{allowed[-1]}"'
        raise InvalidArgument(f"{where}: {name} is {shown(value)}; it must be {choices}")
    return value


def listed(where: str, name: str, values: Any, wanted: str) -> list[Any]:
    """Of anything that can be iterated over, but text."""
    try:
        if isinstance(values, (str, bytes)):
            raise TypeError
        found = iter(values)
    except TypeError:
        raise InvalidArgument(f"{where}: {name} is {shown(values)}; it must be {wanted}") from None
    return list(found)


def marks(where: str, name: str, values: Any, count: int) -> list[bool]:
    """True or False for each of some columns, or nothing at all."""
    wanted = f"True or False for each of the {count} columns, or be left out"
    found = listed(where, name, values, wanted)
    if found and (len(found) != count or not all(isinstance(m, (bool, np.bool_)) or index(m) in (0, 1) for m in found)):
        raise InvalidArgument(f"{where}: {name} is {shown(values)}; it must be {wanted}")
    return [bool(mark) for mark in found]


def trial_id(where: str, trial: Any) -> int:
    """Of a trial, or the id itself."""
    id = index(getattr(trial, "id", trial))
    if id is None:
        raise InvalidArgument(f"{where}: {shown(trial)} is no trial; give what ask() gave, or its id")
    if abs(id) >= 2**63:  # more than the engine can count
        raise InvalidArgument(f"{where}: there is no trial {shown(id)}; give what ask() gave, or its id")
    return id


def group_lists(where: str, groups: Any) -> list[list[Any]]:
    """Groups as lists of names and numbers; a str in the place of a group would otherwise become its letters."""
    try:
        given = [groups] if isinstance(groups, str) else list(groups)
        if any(isinstance(group, (str, bytes)) for group in given):
            raise TypeError
        return [
            [text(where, "a name in groups", each) if isinstance(each, str) else operator.index(each) for each in group]
            for group in given
        ]
    except TypeError:
        raise InvalidArgument(
            f"{where}: groups is {shown(groups)}; it must be a list of lists of parameters, for example [['x', 'y'], ['z']]"
        ) from None
