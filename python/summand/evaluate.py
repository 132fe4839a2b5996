# SPDX-License-Identifier: Apache-2.0
"""One evaluation of the user's function, wherever it runs: what is a value, what is a failure, what is a mistake."""

from __future__ import annotations

import math
import pickle
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from .errors import Error, InvalidArgument

__all__ = ["Answer", "Catch", "Function", "checked_catch", "evaluate"]

Function = Callable[[dict[str, Any]], float]
Catch = Union[type[BaseException], tuple[type[BaseException], ...], None]

_MISTAKES = (TypeError, NameError, AttributeError, LookupError, ImportError, SyntaxError, NotImplementedError)
"""What shows that the program is wrong, not the point: repeating it at other points would only use up the budget."""


@dataclass(frozen=True)
class Answer:
    """What a worker found: a value, a failure with its reason, or an error that ends the run."""

    value: Optional[float] = None
    reason: str = ""
    error: Optional[BaseException] = None


def checked_catch(catch: Any) -> Catch:
    kinds = catch if isinstance(catch, tuple) else () if catch is None else (catch,)
    for kind in kinds:
        if not isinstance(kind, type) or not issubclass(kind, Exception):
            raise InvalidArgument(
                f"catch is {catch!r}; give an exception class or a tuple of them, for example catch=(OSError, KeyError)"
            )
    return None if catch is None else kinds


def _is_failure(error: Exception, catch: Catch) -> bool:
    return not isinstance(error, _MISTAKES) if catch is None else isinstance(error, catch)


def _reason(error: Exception) -> str:
    name = type(error).__name__
    try:
        return f"{name}: {error}"
    except Exception:  # its __str__ is the user's too
        return name


def _portable(error: Exception) -> BaseException:
    """The error itself if it can be sent back to the caller's process, else its text."""
    with suppress(Exception):  # one that is frozen takes no note; nor does any before Python 3.11
        # The traceback stays behind in the worker.
        error.add_note("".join(traceback.format_exception(type(error), error, error.__traceback__)).rstrip())
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        return Error("".join(traceback.format_exception_only(type(error), error)).strip())


def _as_number(value: Any) -> float:
    try:
        if not isinstance(value, (str, bytes, np.complexfloating)):
            return float(value)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"the function returned {value!r}; it must return a number (NaN or an exception for a failure)")


def evaluate(function: Function, parameters: dict[str, Any], attempt: int, catch: Catch, here: bool = False) -> Answer:
    """Runs in the worker. The function's own exceptions become data here, so whatever a future raises is the worker's loss.

    The number of the attempt makes each call another one for executors that remember calls, such as Dask's.
    """
    try:
        number = _as_number(function(dict(parameters)))
    except Exception as error:
        if _is_failure(error, catch):
            return Answer(reason=_reason(error))
        return Answer(error=error if here else _portable(error))
    if not math.isfinite(number):
        return Answer(reason=f"the function returned {number}")
    return Answer(value=number)
