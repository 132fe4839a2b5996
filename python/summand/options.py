# SPDX-License-Identifier: Apache-2.0
"""The optimiser's options: keyword arguments with the names that study files use."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Literal

from .checks import group_lists
from .errors import InvalidArgument

__all__ = ["Goal", "to_json"]

Goal = Literal["minimize", "maximize"]


def _plain(key: str, value: Any) -> Any:
    """NumPy's numbers as Python's; what JSON has no word for is refused."""
    if key == "groups":
        return group_lists("Options", value)
    item = getattr(value, "item", None)
    plain = item() if callable(item) else value
    if isinstance(plain, float) and not math.isfinite(plain):
        raise InvalidArgument(f"Options: {key} is {plain}; it must be a finite number")
    try:
        json.dumps(plain)
    except (TypeError, ValueError):
        raise InvalidArgument(f"Options: {key} is {value!r}; it must be a number or a word") from None
    return plain


def to_json(options: Mapping[str, object]) -> str:
    """The options as the engine reads them; those that are None keep their defaults. The engine reports mistakes."""
    return json.dumps({key: _plain(key, value) for key, value in options.items() if value is not None})
