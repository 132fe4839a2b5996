# SPDX-License-Identifier: Apache-2.0
"""``minimize`` and ``maximize``: the whole loop in one call, on any executor."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Optional, ParamSpec, Union

from .checks import number, truth, whole
from .errors import InvalidArgument
from .evaluate import Catch, Function, checked_catch
from .frames import rows
from .loop import Callback, Loop, LoopSettings
from .options import Goal
from .progress import ProgressBar
from .result import Interrupted, Result
from .space import Point, SearchSpace, SpaceLike
from .study import Study
from .trial import PointLike
from .workers import ExecutorLike, Workers

if TYPE_CHECKING:
    from pandas import DataFrame
    from typing_extensions import Unpack

    from .option_types import OptimizerOptions

__all__ = ["maximize", "minimize"]

P = ParamSpec("P")
StudyLike = Union[Study, str, "os.PathLike[str]", None]
Points = Union[PointLike, Sequence[PointLike], "DataFrame", None]


def _given_study(goal: Goal, study: Study, space: Optional[SpaceLike], seed: int, options: dict[str, Any]) -> Study:
    """A study brings its own space, goal and options: others beside it would be ignored, so they are refused."""
    if study.options["goal"] != goal:
        raise InvalidArgument(f"{goal}: the study's goal is to {study.options['goal']}; call summand.{study.options['goal']}")
    given = study.space if space is None else SearchSpace(space)
    if given._core.parameters() != study.space._core.parameters():
        raise InvalidArgument(f"{goal}: space differs from the study's; leave it out (None)")
    if options or (seed != 0 and seed != study.options["seed"]):
        listed = ", ".join(options) or "seed"
        raise InvalidArgument(f"{goal}: {listed} cannot be given with a study, which has its own options; leave it out")
    return study if given == study.space else study._with_values_of(given)


def _open(
    goal: Goal, space: Optional[SpaceLike], budget: int, batch_size: int, seed: int, study: StudyLike, options: dict[str, Any]
) -> Study:  # fmt: skip
    if "goal" in options:
        raise InvalidArgument(f"{goal}: goal is {options['goal']!r}; {goal} has its goal in its name, so leave it out")
    if "trials" in options:
        raise InvalidArgument(f"{goal}: trials is called budget since version 0.2; write budget={options['trials']!r}")
    if isinstance(study, Study):
        return _given_study(goal, study, space, seed, options)
    if space is None:
        raise InvalidArgument(f"{goal}: space is None; only a Study object brings a space with it")
    common: dict[str, Any] = {"goal": goal, "batch_size": batch_size, "seed": seed, "budget": budget, **options}
    return Study._in_memory(space, common) if study is None else Study(study, space, **common)


def _checked_x0(goal: str, space: Optional[SpaceLike], study: StudyLike, x0: Points, budget: int) -> list[Point]:
    """The points to begin with, before anything is made."""
    if x0 is None:
        return []
    if isinstance(study, Study):
        known = study.space
    elif space is None:
        return []  # refused when the study is opened
    else:
        known = space if isinstance(space, SearchSpace) else SearchSpace(space)
    points = [known.checked(point) for point in rows(goal, x0)]
    if len(points) > budget:
        raise InvalidArgument(f"{goal}: x0 holds {len(points)} points, and budget is {budget}; give at most as many")
    return points


def _enqueue(study: Study, points: list[Point]) -> None:
    """A study that goes on has had them already."""
    if not points:
        return
    digest = hashlib.sha256(json.dumps([repr(point) for point in points]).encode()).hexdigest()[:16]
    study.enqueue(points, key=f"x0 {digest}")


def _attach(result: Result, error: BaseException) -> None:
    with suppress(Exception):  # one that takes no attributes, or has its own .result, stays as it is
        error.result = result  # type: ignore[attr-defined]


def _optimize(
    goal: Goal, function: Function, space: Optional[SpaceLike], budget: int, batch_size: int, executor: ExecutorLike,
    asynchronous: bool, seed: int, study: StudyLike, x0: Points, timeout: Optional[float], catch: Catch,
    callbacks: Sequence[Callback], progress: Optional[bool], reissues: int, options: Any,
) -> Result:  # fmt: skip
    if not callable(function):
        raise InvalidArgument(f"{goal}: {function!r} is no function; give one that takes a dict of parameters")
    listeners = tuple(callbacks) if isinstance(callbacks, Iterable) else (None,)
    if not all(callable(each) for each in listeners):
        raise InvalidArgument(f"{goal}: callbacks is {callbacks!r}; give a list of functions (result, trial)")
    settings = LoopSettings(
        whole(goal, "budget", budget, 1), whole(goal, "batch_size", batch_size, 1),
        truth(goal, "asynchronous", asynchronous), whole(goal, "reissues", reissues, 0), listeners,
        None if timeout is None else number(goal, "timeout", timeout, above=0.0),
    )  # fmt: skip
    shown = None if progress is None else truth(goal, "progress", progress)
    first = _checked_x0(goal, space, study, x0, settings.trials)
    workers = Workers(executor, checked_catch(catch))
    try:
        source = _open(goal, space, budget, batch_size, seed, study, dict(options))
        _enqueue(source, first)
    except BaseException:
        workers.close()
        raise
    bar = ProgressBar(shown, source, settings.trials)
    try:
        Loop(function, source, workers, settings, bar).run()
    except KeyboardInterrupt:
        raise Interrupted(Result(source)) from None
    except BaseException as error:
        _attach(Result(source), error)
        raise
    finally:
        bar.close()
    return Result(source)


def minimize(
    function: Function,
    space: Optional[SpaceLike],
    budget: int = 100,
    batch_size: int = 1,
    *,
    executor: ExecutorLike = None,
    asynchronous: bool = False,
    seed: int = 0,
    study: StudyLike = None,
    x0: Points = None,
    timeout: Optional[float] = None,
    catch: Catch = None,
    callbacks: Sequence[Callback] = (),
    progress: Optional[bool] = None,
    reissues: int = 2,
    **options: Unpack[OptimizerOptions],
) -> Result:
    """Finds parameters for which ``function(parameters)`` is small; ``parameters`` is a dict.

    ::

        result = summand.minimize(loss, {"x": (-5.0, 5.0), "y": (-5.0, 5.0)}, budget=200, batch_size=8)
        print(result.best, result.structure)

    An exception of the function, NaN and infinities are told as failures and the run goes on; errors of the program
    (TypeError, KeyError, NameError and the like) end it, with everything so far as the exception's ``.result``.

    :param budget: trials in all; with a ``Study`` object: trials of this call, within the study's own budget.
    :param batch_size: evaluations at a time.
    :param executor: any ``concurrent.futures.Executor`` (processes, Dask's ``client.get_executor()``, ``MPIPoolExecutor``, loky),
        or a function or class that makes one, to have it replaced when it breaks. None: one evaluation after the other, here.
    :param asynchronous: start the next evaluation as soon as one ends, instead of batch by batch. Results then depend on who
        was faster.
    :param seed: the same seed gives the same trials.
    :param study: keep everything in this file (or PostgreSQL database, or ``Study``) and go on where it stopped; every
        finished evaluation is stored at once.
    :param x0: points to evaluate first, each a mapping with all parameters; or one of them, or a table.
    :param timeout: seconds; after that no evaluation is started, and those that run are waited for. What a pool has queued and
        not begun is given back to the study, but for Dask, which does not say what it has begun.
    :param catch: exceptions that count as failures. None: all but errors of the program; () none at all.
    :param callbacks: functions called as ``callback(result, trial)`` after each evaluation; one that returns True ends the run.
        After an exception, theirs or the function's, what is finished is told without calling them.
    :param progress: show a progress bar; None: on a terminal and in a notebook.
    :param reissues: how often a trial is issued again whose worker died; after that it counts as failed.
    :param options: the optimiser's, as for ``Optimizer``.

    Raises ``Interrupted`` (a KeyboardInterrupt with ``.result``) on Ctrl-C.
    """
    return _optimize("minimize", function, space, budget, batch_size, executor, asynchronous, seed, study, x0, timeout,
                     catch, callbacks, progress, reissues, options)  # fmt: skip


def _with_the_arguments_of(other: Callable[P, Result]) -> Callable[[Callable[..., Result]], Callable[P, Result]]:
    """For type checkers and ``help``."""

    def of(function: Callable[..., Result]) -> Callable[P, Result]:
        function.__signature__ = inspect.signature(other)  # type: ignore[attr-defined]
        return function

    return of


@_with_the_arguments_of(minimize)
def maximize(*arguments: Any, **named: Any) -> Result:
    """Finds parameters for which ``function(parameters)`` is large; otherwise as ``minimize``."""
    given = inspect.signature(minimize).bind(*arguments, **named)
    given.apply_defaults()
    return _optimize("maximize", **given.arguments)
