# SPDX-License-Identifier: Apache-2.0
"""The optimiser's options: keyword arguments with the names that study files use."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from .checks import group_lists, number, shown, text
from .errors import InvalidArgument

__all__ = ["Goal", "to_json"]

Goal = Literal["minimize", "maximize"]


def _plain(key: str, value: Any) -> Any:
    """NumPy's numbers as Python's; what JSON has no word for is refused."""
    if key == "groups":
        return group_lists("Options", value)
    if isinstance(value, str):
        return text("Options", key, value)
    item = getattr(value, "item", None)
    try:
        plain = item() if callable(item) else value
        json.dumps(plain)
    except Exception:  # of arrays and tensors with several elements, or what JSON says of the value
        raise InvalidArgument(f"Options: {key} is {shown(value)}; it must be a number or a word") from None
    if isinstance(plain, (int, float)):
        number("Options", key, plain)
    return plain


def to_json(options: Mapping[str, object]) -> str:
    """The options as the engine reads them; those that are None keep their defaults. The engine reports mistakes."""
    return json.dumps({key: _plain(key, value) for key, value in options.items() if value is not None})
