# SPDX-License-Identifier: Apache-2.0
"""Everything the package raises. Messages are the engine's sentences: where, what was given, what is allowed, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .result import Result

__all__ = ["Error", "ExecutorError", "InvalidArgument", "NumericalError", "SpaceExhausted", "StorageError"]


class Error(Exception):
    """The base of all errors of Summand."""

    result: Optional[Result] = None
    """What was done until then, if ``minimize`` or ``maximize`` raised it."""


class InvalidArgument(Error, ValueError):
    """The caller's mistake; nothing has changed."""


class SpaceExhausted(InvalidArgument):
    """Every point of a finite search space has been evaluated or is being evaluated."""


class NumericalError(Error, ArithmeticError):
    """A computation that cannot be carried out in double precision; the message names the likely cause."""


class StorageError(Error):
    """The database of a study could not be read or written; the message names the file."""


class ExecutorError(Error, RuntimeError):
    """The executor no longer takes work."""
