# SPDX-License-Identifier: Apache-2.0
"""Where evaluations run: the calling thread, or any ``concurrent.futures`` executor."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Optional, Union

from .errors import ExecutorError, InvalidArgument
from .evaluate import Answer, Catch, Function, evaluate
from .trial import Trial

__all__ = ["ExecutorLike", "Workers", "answer_of"]

ExecutorLike = Union[Executor, Callable[[], Executor], None]


class _Inline(Executor):
    """Evaluates at once, in the calling thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs, here=True))
        return future


class Workers:
    """An executor that replaces itself when it breaks, if it was given as a function that makes one."""

    def __init__(self, executor: ExecutorLike, catch: Catch) -> None:
        self._catch = catch
        self.inline = executor is None
        given: Any = executor
        self._make = given if isinstance(given, type) or (callable(given) and not hasattr(given, "submit")) else None
        made: Any = _Inline() if given is None else self._make() if self._make else given
        if not hasattr(made, "submit") or not hasattr(made, "shutdown"):
            raise InvalidArgument(
                f"executor is {executor!r}; give an executor of concurrent.futures, for example ThreadPoolExecutor(8), or a "
                "function that makes one (of a Dask client: client.get_executor())"
            )
        self._executor: Executor = made

    @property
    def say_what_runs(self) -> bool:
        """Whether a future that has begun is known to say so."""
        return isinstance(self._executor, (ProcessPoolExecutor, ThreadPoolExecutor))

    def submit(self, function: Function, trial: Trial, attempt: int = 1) -> Future[Answer]:
        try:
            return self._executor.submit(evaluate, function, trial.parameters, attempt, self._catch)
        except RuntimeError as error:  # broken, or shut down
            if self._make is None:
                raise ExecutorError(
                    f"the executor takes no more work ({error}); give a function that makes one "
                    "(executor=lambda: ProcessPoolExecutor(8)) to have it replaced when a worker dies"
                ) from error
            self._executor = self._make()
            return self._executor.submit(evaluate, function, trial.parameters, attempt, self._catch)

    def close(self) -> None:
        """Shuts down what this object made; the user's own executor stays open."""
        if self._make:
            self._executor.shutdown(wait=False)


def answer_of(future: Future[Answer]) -> Optional[Answer]:
    """What the worker answered; None if the worker was lost."""
    try:
        return future.result()
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InvalidArgument(
            f"the executor could not send the function or its parameters to a worker ({error}); define the function at the "
            "top level of a module, or use an executor that sends functions by value (Dask, loky)"
        ) from error
    except Exception:
        return None
