# SPDX-License-Identifier: Apache-2.0
"""``minimize`` and ``maximize``: the whole loop in one call, on any executor."""

from __future__ import annotations

import math
import os
import pickle
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any, Optional, Union

from .errors import ExecutorError, InvalidArgument, SpaceExhausted
from .optimizer import Optimizer
from .progress import ProgressBar
from .result import Interrupted, Result
from .space import Parameter, SearchSpace
from .study import Study
from .trial import Trial

__all__ = ["maximize", "minimize"]

Function = Callable[[dict[str, Any]], float]
Outcome = tuple[Optional[float], str]
"""A value, or None and the reason."""
ExecutorLike = Union[Executor, Callable[[], Executor], None]


def evaluate(function: Function, parameters: dict[str, Any], attempt: int) -> Outcome:
    """Runs in the worker: the function's own exceptions become data here, so whatever a future raises is the worker's loss.

    The number of the attempt makes each call another one for executors that remember calls, such as Dask's.
    """
    try:
        value = function(parameters)
        number = float(value)
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"
    if not math.isfinite(number):
        return None, f"the function returned {number}"
    return number, ""


class _Inline(Executor):
    """Evaluates at once, in the calling thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class _Workers:
    """An executor that replaces itself when it breaks, if it was given as a function that makes one."""

    def __init__(self, executor: ExecutorLike) -> None:
        self._make = executor if callable(executor) and not isinstance(executor, Executor) else None
        self._executor = self._make() if self._make else executor if isinstance(executor, Executor) else _Inline()

    def submit(self, function: Function, trial: Trial, attempt: int = 1) -> Future[Outcome]:
        try:
            return self._executor.submit(evaluate, function, trial.parameters, attempt)
        except RuntimeError as error:  # broken, or shut down
            if self._make is None:
                raise ExecutorError(
                    f"the executor takes no more work ({error}); give a function that makes one "
                    "(executor=lambda: ProcessPoolExecutor(8)) to have it replaced when a worker dies"
                ) from error
            self._executor = self._make()
            return self._executor.submit(evaluate, function, trial.parameters, attempt)

    def close(self) -> None:
        """Shuts down what this object made; the user's own executor stays open."""
        if self._make:
            self._executor.shutdown(wait=False)


def _outcome_of(future: Future[Outcome]) -> Optional[Outcome]:
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


class _Loop:
    """Keeps the workers busy and the optimiser informed."""

    def __init__(
        self, function: Function, source: Union[Optimizer, Study], trials: int, batch_size: int, executor: ExecutorLike,
        asynchronous: bool, reissues: int, bar: ProgressBar,
    ) -> None:  # fmt: skip
        self.function, self.source, self.bar = function, source, bar
        self.left, self.batch_size = trials, batch_size
        self.asynchronous, self.reissues = asynchronous, reissues
        self.workers = _Workers(executor)
        self.running: dict[Future[Outcome], Trial] = {}
        self.losses: dict[int, int] = {}
        self.warned = False

    def run(self) -> None:
        try:
            while self.start():
                self.finish()
        finally:
            for future in self.running:
                future.cancel()
            self.workers.close()

    def start(self) -> bool:
        """Asks for what there is room for; false when nothing runs and nothing is left."""
        room = self.batch_size - len(self.running)
        if self.left > 0 and (self.asynchronous or not self.running):
            try:
                trials = self.source.ask(min(room, self.left))
            except SpaceExhausted:
                trials = []
            self.left = self.left - len(trials) if trials else 0
            for trial in trials:
                self.running[self.workers.submit(self.function, trial)] = trial
        return bool(self.running)

    def finish(self) -> None:
        """Waits for the batch, or for one answer, and tells. A batch is told by id, so that who was faster does not matter;
        a study is told at once, so that nothing is lost."""
        outcomes: list[tuple[Trial, Outcome]] = []
        at_once = self.asynchronous or isinstance(self.source, Study)
        while self.running and not (at_once and outcomes):
            done, _ = wait(self.running, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in done:
                trial = self.running.pop(future)
                outcome = self.settle(trial, _outcome_of(future))
                if outcome is not None:
                    outcomes.append((trial, outcome))
            self.bar.show(self.source, len(self.running))
        for trial, outcome in sorted(outcomes, key=lambda each: each[0].id):
            self.tell(trial, outcome)

    def settle(self, trial: Trial, outcome: Optional[Outcome]) -> Optional[Outcome]:
        """The outcome; a lost trial is issued again until it has been lost too often."""
        if outcome is not None:
            return outcome
        self.losses[trial.id] = self.losses.get(trial.id, 0) + 1
        if self.losses[trial.id] > self.reissues:
            return None, f"lost: its worker died {self.losses[trial.id]} times"
        self.running[self.workers.submit(self.function, trial, self.losses[trial.id] + 1)] = trial
        return None

    def tell(self, trial: Trial, outcome: Outcome) -> None:
        value, reason = outcome
        if value is None:
            self.source.tell(trial, failed=reason)
            if not self.warned:
                warnings.warn(f"trial {trial.id} failed ({reason}); later failures are only counted", RuntimeWarning, 6)
            self.warned = True
        else:
            self.source.tell(trial, value)
        self.bar.show(self.source, len(self.running))


def _optimize(
    goal: str, function: Function, space: Union[SearchSpace, Sequence[Parameter], Mapping[str, object]], trials: int,
    batch_size: int, executor: ExecutorLike, asynchronous: bool, seed: int,
    study: Union[Study, str, os.PathLike[str], None], progress: Optional[bool], reissues: int, options: dict[str, Any],
) -> Result:  # fmt: skip
    if trials < 1 or batch_size < 1:
        raise InvalidArgument(f"{goal}: trials is {trials} and batch_size is {batch_size}; both must be at least 1")
    common: dict[str, Any] = {"goal": goal, "batch_size": batch_size, "seed": seed, "budget": trials, **options}
    source: Union[Optimizer, Study]
    if isinstance(study, Study):
        source = study
    elif study is not None:
        source = Study(study, space, **common)
    else:
        source = Optimizer(space, **common)
    bar = ProgressBar(progress, trials)
    loop = _Loop(function, source, trials, batch_size, executor, asynchronous, reissues, bar)
    try:
        loop.run()
    except KeyboardInterrupt:
        if isinstance(source, Study):
            source.release()
        raise Interrupted(Result(source)) from None
    finally:
        bar.close()
    return Result(source)


def minimize(
    function: Function,
    space: Union[SearchSpace, Sequence[Parameter], Mapping[str, object]],
    trials: int = 100,
    batch_size: int = 1,
    *,
    executor: ExecutorLike = None,
    asynchronous: bool = False,
    seed: int = 0,
    study: Union[Study, str, os.PathLike[str], None] = None,
    progress: Optional[bool] = None,
    reissues: int = 2,
    **options: Any,
) -> Result:
    """Finds parameters for which ``function(parameters)`` is small; ``parameters`` is a dict.

    ::

        result = summand.minimize(loss, {"x": (-5.0, 5.0), "y": (-5.0, 5.0)}, trials=200, batch_size=8)
        print(result.best, result.structure)

    An exception of the function, NaN and infinities are told as failures; the run goes on.

    :param trials: evaluations in all.
    :param batch_size: evaluations at a time.
    :param executor: any ``concurrent.futures.Executor`` (processes, Dask's ``client.get_executor()``, ``MPIPoolExecutor``, loky),
        or a function that makes one, to have it replaced when it breaks. None: one evaluation after the other, here.
    :param asynchronous: start the next evaluation as soon as one ends, instead of batch by batch. Results then depend on who
        was faster.
    :param study: a ``Study``, or the path of its database: everything is stored, and the same call goes on where it stopped.
    :param progress: show a progress bar; None: if standard error is a terminal.
    :param reissues: how often a trial is issued again whose worker died; after that it counts as failed.
    :param options: the optimiser's, as for ``Optimizer``.

    Raises ``Interrupted`` (a KeyboardInterrupt with ``.result``) on Ctrl-C.
    """
    return _optimize("minimize", function, space, trials, batch_size, executor, asynchronous, seed, study, progress,
                     reissues, options)  # fmt: skip


def maximize(
    function: Function,
    space: Union[SearchSpace, Sequence[Parameter], Mapping[str, object]],
    trials: int = 100,
    batch_size: int = 1,
    *,
    executor: ExecutorLike = None,
    asynchronous: bool = False,
    seed: int = 0,
    study: Union[Study, str, os.PathLike[str], None] = None,
    progress: Optional[bool] = None,
    reissues: int = 2,
    **options: Any,
) -> Result:
    """Finds parameters for which ``function(parameters)`` is large; otherwise as ``minimize``."""
    return _optimize("maximize", function, space, trials, batch_size, executor, asynchronous, seed, study, progress,
                     reissues, options)  # fmt: skip
