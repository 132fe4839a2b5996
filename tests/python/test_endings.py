# SPDX-License-Identifier: Apache-2.0
"""However a run ends: what was finished is kept, what was not is given back, and the first error is the one that comes out."""

from __future__ import annotations

import os
import sys
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import summand
from summand import Study

SQUARE = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
SPACE = {"x": (0.0, 1.0)}


def first(point: dict[str, Any]) -> float:
    return float(point["x"])


def breaks_at(number: int, error: BaseException) -> Callable[[dict[str, Any]], float]:
    """One that raises at its call of this number, and only there."""
    calls: list[object] = []

    def function(point: dict[str, Any]) -> float:
        calls.append(point)
        if len(calls) == number:
            raise error
        return first(point)

    return function


def wait_until(happened: Callable[[], bool]) -> None:
    """For a minute at most: a defect is to fail the test, not to stop it."""
    ends_at = time.monotonic() + 60
    while not happened() and time.monotonic() < ends_at:
        time.sleep(0.01)


class AtOnce(Executor):
    """Each future has its answer before anybody can ask for it."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), KeyError("z")])
@pytest.mark.parametrize("batch_size", [1, 4])
def test_the_trial_that_ended_a_run_is_given_back(tmp_path: Path, error: BaseException, batch_size: int) -> None:
    function = breaks_at(4, error)
    with pytest.raises(type(error)) as raised:
        summand.minimize(function, SQUARE, 8, batch_size, study=tmp_path / "k.db")
    assert raised.value.result.source.evaluation_count == 3  # type: ignore[attr-defined]
    again = summand.minimize(function, SQUARE, 8, batch_size, study=tmp_path / "k.db")
    assert [trial.state for trial in again.trials] == ["completed"] * 8


def test_what_an_executor_refuses_is_given_back(tmp_path: Path) -> None:
    class Closes(AtOnce):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            if args[1]["x"] in seen:
                raise RuntimeError("cannot schedule new futures after shutdown")
            seen.append(args[1]["x"])
            if len(seen) == 3:
                seen.extend(t["x"] for t in Study(tmp_path / "e.db").trials())
            return super().submit(fn, *args, **kwargs)

    seen: list[float] = []
    with pytest.raises(summand.ExecutorError, match="after shutdown"):
        summand.minimize(first, SQUARE, 8, 4, study=tmp_path / "e.db", executor=Closes())
    counts = Study(tmp_path / "e.db").counts()
    assert (counts["completed"], counts["running"], counts["lost"]) == (3, 0, 1)


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("stored", [False, True])
def test_everything_finished_is_kept_when_one_evaluation_ends_the_run(
    tmp_path: Path, asynchronous: bool, stored: bool
) -> None:
    study = Study(tmp_path / "f.db" if stored else ":memory:", SQUARE)
    with pytest.raises(KeyError, match="z"):
        summand.minimize(
            breaks_at(1, KeyError("z")), None, 8, 4, study=study, executor=AtOnce(), asynchronous=asynchronous
        )
    assert study.counts() | {"completed": 3, "running": 0, "lost": 1} == study.counts()


def test_a_callback_that_raises_is_called_no_more_and_the_run_is_cleaned_up() -> None:
    made: list[ThreadPoolExecutor] = []

    def make() -> ThreadPoolExecutor:
        made.append(ThreadPoolExecutor(4))
        return made[-1]

    def complain(result: summand.Result, trial: summand.Trial) -> None:
        complaints.append(trial.id)
        raise ValueError(f"complaint {len(complaints)}")

    complaints: list[int] = []
    barrier = threading.Barrier(4)

    def together(point: dict[str, Any]) -> float:
        barrier.wait()
        return first(point)

    study = Study(":memory:", SQUARE)
    with pytest.raises(ValueError, match="complaint 1"):
        summand.minimize(together, None, 4, 4, study=study, executor=make, callbacks=[complain])
    assert study.counts() | {"completed": 4, "running": 0} == study.counts()
    with pytest.raises(RuntimeError, match="shutdown"):
        made[0].submit(print)


@pytest.mark.parametrize("by", ["timeout", "callback"])
def test_an_end_takes_back_what_a_pool_has_only_queued(by: str) -> None:
    class Watched(ThreadPoolExecutor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            futures.append(super().submit(fn, *args, **kwargs))
            return futures[-1]

    futures: list[Future[Any]] = []
    started: list[float] = []

    def lasts_until_the_end(point: dict[str, Any]) -> float:
        started.append(point["x"])
        if by == "timeout" or len(started) > 1:
            wait_until(lambda: any(future.cancelled() for future in futures))
        return first(point)

    study = Study(":memory:", SQUARE)
    with Watched(1) as pool:
        summand.minimize(lasts_until_the_end, None, 6, 6, study=study, executor=pool, asynchronous=True,
                         timeout=0.2 if by == "timeout" else None, callbacks=[lambda result, trial: by == "callback"])  # fmt: skip
    counts = study.counts()
    # A callback is heard only when the next evaluation may have begun.
    assert counts["completed"] == len(started) <= (1 if by == "timeout" else 2)
    assert counts["running"] == 0 and counts["lost"] in (0, 6 - len(started))  # 0: too busy a machine to ask in time


def test_a_run_gives_back_only_its_own_trials(tmp_path: Path) -> None:
    entered, leave = threading.Event(), threading.Event()

    def slow(point: dict[str, Any]) -> float:
        entered.set()
        leave.wait(60)
        return first(point)

    study = Study(tmp_path / "two.db", SQUARE)
    other = threading.Thread(target=summand.minimize, args=(slow, None, 1), kwargs={"study": study})
    other.start()
    entered.wait(60)
    for same in (study, Study(tmp_path / "two.db", SQUARE)):
        with pytest.raises(KeyError):
            summand.minimize(breaks_at(1, KeyError("z")), None, 1, study=same)
        assert study.trials()[0].state == "running"
    leave.set()
    other.join()
    assert study.trials()[0].state == "completed"


@dataclass(frozen=True)
class Frozen(Exception):
    code: int


class Sealed(Exception):
    @property
    def result(self) -> str:
        return "its own"


@pytest.mark.parametrize("error", [Frozen(3), Sealed("z")])
def test_an_exception_that_takes_no_attributes_comes_through_unchanged(error: Exception) -> None:
    with pytest.raises(type(error)) as raised:
        summand.minimize(breaks_at(2, error), SQUARE, 4, catch=())
    assert raised.value is error
    # Of one that cannot be pickled a pool sends the text.
    with pytest.raises(Exception, match=r"Frozen: 3|z"):
        summand.minimize(breaks_at(2, error), SQUARE, 4, catch=(), executor=lambda: ThreadPoolExecutor(1))


def test_an_exception_without_a_text_is_a_failure_like_any_other() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("str")

    with pytest.warns(RuntimeWarning, match=r"trial 1 failed \(Mute\)"):
        result = summand.minimize(breaks_at(1, Mute()), SQUARE, 2)
    assert [(t.state, t.reason) for t in result.trials] == [("failed", "Mute"), ("completed", "")]


def test_ctrl_c_says_how_many_were_finished() -> None:
    with pytest.raises(summand.Interrupted, match="interrupted after 7 finished trials"):
        summand.minimize(breaks_at(8, KeyboardInterrupt()), SQUARE, 12)


@pytest.mark.parametrize("optimize", [summand.minimize, summand.maximize])
def test_a_warning_names_the_line_that_called(optimize: Callable[..., summand.Result]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        optimize(lambda p: float("nan"), SQUARE, 2)
    assert [each.filename for each in caught] == [__file__]


def test_the_class_of_an_executor_makes_one() -> None:
    assert len(summand.minimize(first, SQUARE, 4, 2, executor=ThreadPoolExecutor).trials) == 4
    with pytest.raises(summand.InvalidArgument, match="concurrent.futures"):
        summand.minimize(first, SQUARE, 4, executor=int)  # type: ignore[arg-type]


def test_without_a_standard_error_there_is_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Written:
        def write(self, text: str) -> None:
            raise AssertionError("no terminal")

    for instead in (None, Written()):
        for progress in (None, True):
            monkeypatch.setattr(sys, "stderr", instead)
            assert len(summand.minimize(first, SQUARE, 2, progress=progress).trials) == 2


def test_the_bar_ends_full(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def last(budget: int, study: Any, space: Any = None) -> str:
        summand.minimize(first, space, budget, study=study, progress=True)
        return capsys.readouterr().err.split("\r")[-1]

    study = Study(":memory:", SQUARE)
    study.add([{"x": 0.1, "y": 0.1}], [0.1])
    assert "12/12" in last(12, study) and "18/18" in last(6, study)
    assert "10/10" in last(100, Study(":memory:", SQUARE, budget=10))
    assert "10/10" in last(10, tmp_path / "b.db", SQUARE) and "10/10" in last(4, tmp_path / "b.db", SQUARE)


def test_evaluations_that_end_together_with_an_error_are_kept_or_given_back() -> None:
    barrier = threading.Barrier(4)

    def together(point: dict[str, Any]) -> float:
        if barrier.wait() == 0:
            raise KeyError("z")
        return first(point)

    with pytest.raises(KeyError, match="z") as raised:
        summand.minimize(together, SQUARE, 4, 4, executor=lambda: ThreadPoolExecutor(4))
    counts = raised.value.result.source.counts()  # type: ignore[attr-defined]
    # Mostly 3 and 1; on a busy machine a thread may take longer than the loop waits. What is told is whole either way.
    assert counts["completed"] + counts["lost"] == 4 and counts["running"] == 0


def never_works() -> None:
    raise OSError("no licence")


def test_workers_that_never_work_end_the_run_instead_of_using_up_the_budget(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with pytest.warns(RuntimeWarning), pytest.raises(summand.ExecutorError, match="no worker has answered yet"):
        summand.minimize(first, SPACE, 8, 2, study=path, executor=lambda: ProcessPoolExecutor(2, initializer=never_works))
    assert summand.Study(path).counts()["failed"] == 1
    result = summand.minimize(first, SPACE, 8, 2, study=path)
    assert [t.state for t in result.trials].count("completed") == 7


def kills_at_the_top(p: dict[str, Any]) -> float:
    if p["x"] > 0.75:
        os._exit(1)
    time.sleep(0.3)
    return float(p["x"])


def test_a_point_that_kills_its_worker_does_not_take_the_others_of_its_batch_with_it() -> None:
    points = [{"x": 0.1}, {"x": 0.9}, {"x": 0.3}, {"x": 0.5}]
    with pytest.warns(RuntimeWarning, match="died"):
        result = summand.minimize(kills_at_the_top, SPACE, 4, 4, x0=points, executor=lambda: ProcessPoolExecutor(4))
    assert [(t["x"], t.state) for t in result.trials] == [
        (0.1, "completed"), (0.9, "failed"), (0.3, "completed"), (0.5, "completed")
    ]  # fmt: skip


def test_nothing_begins_after_the_timeout_in_a_pool_that_is_busy_with_other_work() -> None:
    go, begun = threading.Event(), []

    def counted(p: dict[str, Any]) -> float:
        begun.append(p)
        return float(p["x"])

    with ThreadPoolExecutor(1) as pool:
        pool.submit(go.wait)
        result = summand.minimize(counted, SPACE, 100, 4, executor=pool, timeout=0.3)
        go.set()
    assert (begun, result.best) == ([], None)


def test_what_is_refused_makes_no_file(tmp_path: Path) -> None:
    for refused in ({"x0": [{"x": 5.0}]}, {"executor": 4}, {"x0": [{"x": 0.5}] * 9}):
        with pytest.raises(summand.InvalidArgument):
            summand.minimize(first, SPACE, 4, study=tmp_path / "s.db", **refused)
    assert list(tmp_path.iterdir()) == []


def test_a_trial_whose_lease_has_ended_is_not_given_to_the_run_that_has_it() -> None:
    study = summand.Study(":memory:", SPACE, lease_seconds=0.3, budget=4)
    calls = []

    def slow_at_first(p: dict[str, Any]) -> float:
        calls.append(p["x"])
        time.sleep(1.0 if len(calls) == 1 else 0.1)
        return float(p["x"])

    with ThreadPoolExecutor(2) as pool:
        summand.minimize(slow_at_first, None, 4, 2, study=study, executor=pool, asynchronous=True)
    assert len(set(calls)) == len(calls) == study.counts()["completed"] == 4


def test_a_complex_value_is_no_number() -> None:
    with pytest.raises(TypeError, match="must return a number"):
        summand.minimize(lambda p: np.complex128(1 + 5j), SPACE, 2)
    optimizer = summand.Optimizer(SPACE)
    (trial,) = optimizer.ask()
    with pytest.raises(summand.InvalidArgument):
        optimizer.tell(trial, np.complex128(1 + 5j))
