# SPDX-License-Identifier: Apache-2.0
"""The optimiser's options: keyword arguments with the names that study files use."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["to_json"]


def _plain(value: object) -> Any:
    """NumPy's numbers and other scalars with .item() as Python's."""
    item = getattr(value, "item", None)
    return item() if callable(item) else value


def to_json(options: Mapping[str, object]) -> str:
    """The options as the engine reads them; those that are None keep their defaults. The engine reports mistakes."""
    return json.dumps({key: value for key, value in options.items() if value is not None}, default=_plain)
