# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import summand


def bowl(point: dict[str, Any]) -> float:
    return float((point["x"] - 0.5) ** 2 + (point["y"] + 1.0) ** 2)


def fails_on_the_right(point: dict[str, Any]) -> float:
    if point["x"] > 1.0:
        raise ValueError("the mesh degenerates")
    return bowl(point)


def test_one_line_minimizes_and_maximizes(plane: summand.SearchSpace) -> None:
    result = summand.minimize(bowl, plane, budget=40, batch_size=4, seed=1)
    assert result.best is not None and result.value == bowl(result.parameters)
    assert result.value == min(t.value for t in result.trials if t.value is not None)
    assert len(result.trials) == 40 and result.goal == "minimize"
    assert "best" in repr(result) and "x = " in repr(result)
    upwards = summand.maximize(lambda p: -bowl(p), plane, budget=40, batch_size=4, seed=1)
    # The same function with its sign turned, and the same seed: the same points, bit for bit.
    assert [t.parameters for t in upwards.trials] == [t.parameters for t in result.trials]


@pytest.mark.parametrize("make", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_gives_the_trials_of_a_serial_run(plane: summand.SearchSpace, make: Any) -> None:
    serial = summand.minimize(bowl, plane, budget=24, batch_size=4, seed=2)
    with make(2) as executor:
        parallel = summand.minimize(bowl, plane, budget=24, batch_size=4, seed=2, executor=executor)
        assert parallel.trials == serial.trials
        asynchronous = summand.minimize(
            bowl, plane, budget=24, batch_size=4, seed=2, executor=executor, asynchronous=True
        )
    assert sum(t.state == "completed" for t in asynchronous.trials) == 24


def test_exceptions_and_nan_are_failures_with_their_reason(plane: summand.SearchSpace) -> None:
    with pytest.warns(RuntimeWarning, match="the mesh degenerates"):
        result = summand.minimize(fails_on_the_right, plane, budget=30, batch_size=5, seed=1)
    reasons = {t.reason for t in result.trials if t.state == "failed"}
    assert reasons == {"ValueError: the mesh degenerates"}
    assert len(result.trials) == 30 and result.best is not None
    with pytest.warns(RuntimeWarning, match="returned nan"):
        empty = summand.minimize(lambda p: float("nan"), plane, budget=3)
    assert empty.best is None and empty.parameters == {} and "3 failed" in repr(empty)


class DiesOnce:
    """Kills its own process the first time it is called at all."""

    def __init__(self, mark: Path) -> None:
        self.mark = str(mark)

    def __call__(self, point: dict[str, Any]) -> float:
        try:
            os.close(os.open(self.mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return bowl(point)
        os.kill(os.getpid(), signal.SIGKILL)
        return 0.0


def test_trials_of_a_dead_worker_are_issued_again(plane: summand.SearchSpace, tmp_path: Path) -> None:
    expected = summand.minimize(bowl, plane, budget=12, batch_size=3, seed=4)
    result = summand.minimize(
        DiesOnce(tmp_path / "dead"), plane, budget=12, batch_size=3, seed=4, executor=lambda: ProcessPoolExecutor(2)
    )
    assert result.trials == expected.trials


def test_a_worker_of_loky_may_die(plane: summand.SearchSpace, tmp_path: Path) -> None:
    loky = pytest.importorskip("loky")
    result = summand.minimize(
        DiesOnce(tmp_path / "dead"), plane, budget=6, batch_size=3, seed=4,
        executor=lambda: loky.get_reusable_executor(max_workers=2, kill_workers=True),
    )  # fmt: skip
    assert [t.state for t in result.trials] == ["completed"] * 6


def always_dies(point: dict[str, Any]) -> float:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0.0


def test_a_point_that_kills_every_worker_counts_as_failed_in_the_end(plane: summand.SearchSpace) -> None:
    with pytest.warns(RuntimeWarning, match="died 2 times"):
        result = summand.minimize(always_dies, plane, budget=1, reissues=1, executor=lambda: ProcessPoolExecutor(1))
    assert [(t.state, t.reason) for t in result.trials] == [("failed", "lost: its worker died 2 times")]


def test_a_broken_or_unsuitable_executor_is_a_sentence(plane: summand.SearchSpace) -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(summand.ExecutorError, match="give a function that makes one"):
        summand.minimize(bowl, plane, budget=2, executor=executor)
    with ProcessPoolExecutor(1) as processes:
        with pytest.raises(summand.InvalidArgument, match="top level of a module"):
            summand.minimize(lambda p: 1.0, plane, budget=2, executor=processes)


def test_a_small_space_ends_the_run_early() -> None:
    result = summand.minimize(lambda p: len(p["c"]), {"c": ["a", "bb", "ccc"]}, budget=50, batch_size=2)
    assert len(result.trials) == 3 and result.value == 1


def test_ctrl_c_in_the_function_keeps_what_was_done(plane: summand.SearchSpace) -> None:
    calls = []

    def interrupted_at_seven(point: dict[str, Any]) -> float:
        calls.append(point)
        if len(calls) == 7:
            raise KeyboardInterrupt
        return bowl(point)

    with pytest.raises(KeyboardInterrupt) as raised:
        summand.minimize(interrupted_at_seven, plane, budget=40, seed=1)
    assert isinstance(raised.value, summand.Interrupted)
    assert sum(t.state == "completed" for t in raised.value.result.trials) == 6


def test_ctrl_c_stops_the_engine() -> None:
    random = np.random.default_rng(0)
    X = random.uniform(size=(400, 30))
    y = X[:, 0] * X[:, 1] + random.normal(size=400)
    alarm = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    started = time.monotonic()
    alarm.start()
    with pytest.raises(KeyboardInterrupt):
        # Many minutes of work if nobody interrupts it.
        summand.learn_structure(X, y, learner="gibbs", sweeps=10_000, burn_in=10)
    # How soon is measured in benchmarks/python_overhead.py; here only that it stops at all, on the busiest machine.
    assert time.monotonic() - started < 30


def test_the_progress_bar_shows_trials_and_the_best(
    plane: summand.SearchSpace, capsys: pytest.CaptureFixture[str]
) -> None:
    def slow(point: dict[str, Any]) -> float:
        time.sleep(0.11)
        return bowl(point)

    summand.minimize(slow, plane, budget=4, progress=True)
    shown = capsys.readouterr().err
    assert "3/4" in shown and "4/4" in shown.splitlines()[-1] and "best" in shown and shown.endswith("\n")
    summand.minimize(bowl, plane, budget=4)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("wrong", [{"budget": 0}, {"budget": 3, "batch_size": 0}])
def test_mistakes_are_sentences(plane: summand.SearchSpace, wrong: dict[str, int]) -> None:
    with pytest.raises(summand.InvalidArgument, match="at least 1"):
        summand.minimize(bowl, plane, **wrong)
