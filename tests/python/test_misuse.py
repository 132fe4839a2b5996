# SPDX-License-Identifier: Apache-2.0
"""What a user may get wrong: each is a sentence, and none burns the budget."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import summand
from summand import Choice, Integer, Optimizer, Real, SearchSpace, Study, _processor


def bowl(point: dict[str, Any]) -> float:
    return float((point["x"] - 0.5) ** 2 + (point["y"] + 1.0) ** 2)


def misnamed(point: dict[str, Any]) -> float:
    return float(point["z"])


KILLED = """
import os, signal, sys, summand
calls = []
def f(p):
    calls.append(p)
    if len(calls) == 8:
        os.kill(os.getpid(), signal.SIGKILL)
    return p["x"] ** 2
summand.minimize(f, {"x": (-1.0, 1.0)}, budget=40, batch_size=8, study=sys.argv[1])
"""


def test_every_finished_evaluation_is_stored_at_once(tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "a.db")])
    assert killed.returncode == -signal.SIGKILL
    assert Study(tmp_path / "a.db").counts()["completed"] == 7


def test_ctrl_c_in_a_batch_keeps_the_evaluations_before_it(plane: SearchSpace) -> None:
    calls = []

    def interrupted_at_six(point: dict[str, Any]) -> float:
        calls.append(point)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return bowl(point)

    with pytest.raises(summand.Interrupted) as raised:
        summand.minimize(interrupted_at_six, plane, budget=40, batch_size=8)
    assert raised.value.result.best is not None and raised.value.result.source.evaluation_count == 5


@pytest.mark.parametrize("executor", [None, lambda: ThreadPoolExecutor(2), lambda: ProcessPoolExecutor(2)])
def test_an_error_of_the_program_ends_the_run_with_what_was_done(plane: SearchSpace, executor: Any) -> None:
    with pytest.raises(KeyError, match="z") as raised:
        summand.minimize(misnamed, plane, budget=50, batch_size=4, executor=executor)
    assert raised.value.result.source.evaluation_count == 0  # type: ignore[attr-defined]


def test_catch_says_what_counts_as_a_failure(plane: SearchSpace) -> None:
    def breaks(point: dict[str, Any]) -> float:
        raise OSError("no licence")

    with pytest.warns(RuntimeWarning, match="KeyError"):
        assert len(summand.minimize(misnamed, plane, budget=3, catch=KeyError).trials) == 3
    with pytest.warns(RuntimeWarning, match="no licence"):
        assert len(summand.minimize(breaks, plane, budget=3).trials) == 3
    with pytest.raises(OSError, match="no licence"):
        summand.minimize(breaks, plane, budget=3, catch=())
    with pytest.raises(summand.InvalidArgument, match="exception class"):
        summand.minimize(breaks, plane, budget=3, catch="OSError")  # type: ignore[arg-type]


def test_errors_of_the_engine_and_of_the_executor_carry_the_result(plane: SearchSpace) -> None:
    class Breaks(ThreadPoolExecutor):
        def submit(self, *args: Any, **kwargs: Any) -> Any:
            if self._work_queue.qsize() + len(done) >= 2:
                raise RuntimeError("the cluster is gone")
            done.append(1)
            return super().submit(*args, **kwargs)

    done: list[int] = []
    with Breaks(1) as executor, pytest.raises(summand.ExecutorError, match="gone") as raised:
        summand.minimize(bowl, plane, budget=9, executor=executor)
    assert raised.value.result is not None and raised.value.result.source.evaluation_count == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"function": 3}, "no function"),
        ({"executor": "threads"}, "concurrent.futures"),
        ({"goal": "maximize"}, "leave it out"),
        ({"budget": 2.5}, "whole number"),
        ({"timeout": -1}, "above 0"),
        ({"reissues": -1}, "at least 0"),
        ({"callbacks": print}, "list of functions"),
        ({"callbacks": 3}, "list of functions"),
        ({"study": 3}, "path of a database"),
        ({"space": None}, "space is None"),
        ({"groups": ["x", "y"]}, "list of lists"),
        ({"model_points": math.nan}, "model_points is nan"),
        ({"model_points": object()}, "number or a word"),
        ({"x0": {"x": 0.0}}, '"y" has no value'),
    ],
)
def test_misuse_of_minimize_is_a_sentence_before_any_evaluation(
    plane: SearchSpace, arguments: dict[str, Any], sentence: str
) -> None:
    calls: list[object] = []
    with pytest.raises(summand.InvalidArgument, match=sentence):
        summand.minimize(**{"function": calls.append, "space": plane, "budget": 3, **arguments})
    assert calls == []


def test_a_function_that_returns_no_number_or_takes_other_arguments_is_an_error(plane: SearchSpace) -> None:
    for wrong in (lambda p: None, lambda p: "3", lambda x, y: x + y):
        with pytest.raises(TypeError):
            summand.minimize(wrong, plane, budget=3)  # type: ignore[arg-type, misc, return-value]


def test_a_study_brings_its_own_goal_space_and_options(plane: SearchSpace) -> None:
    study = Study(":memory:", plane, goal="maximize")
    with pytest.raises(summand.InvalidArgument, match="summand.maximize"):
        summand.minimize(bowl, plane, budget=3, study=study)
    for wrong in ({"space": {"z": (0.0, 1.0)}}, {"seed": 4}, {"groups": [["x", "y"]]}):
        with pytest.raises(summand.InvalidArgument, match="leave it out"):
            summand.maximize(**{"function": bowl, "space": None, "budget": 3, "study": study, **wrong})
    assert len(summand.maximize(bowl, None, budget=3, study=study).trials) == 3


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: SearchSpace([Real(3, 0, 1)]), "must be a str"),  # type: ignore[arg-type]
        (lambda: SearchSpace([Real("x", 0, 1, scale=None)]), '"linear" or "log"'),  # type: ignore[arg-type]
        (lambda: SearchSpace([Integer("x", 0, 2**70)]), "2^53"),
        (lambda: SearchSpace({"a": Real("b", 0, 1)}), 'named "b"'),
        (lambda: Choice("x", "abc"), "list of values"),
        (lambda: SearchSpace([Choice("x", [1, "1"])]), "stored alike"),
        (lambda: SearchSpace([Choice("x", [[1], [2]])]), "not hashable"),  # type: ignore[list-item]
        (lambda: SearchSpace(3), "a list of parameters"),  # type: ignore[arg-type]
    ],
)
def test_parameters_of_wrong_kinds_are_sentences(make: Any, sentence: str) -> None:
    with pytest.raises(summand.InvalidArgument) as raised:
        make()
    assert sentence in str(raised.value)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"workers": 0}, "at least 1"),
        ({"retries": -1}, "at least 0"),
        ({"command": "python train.py"}, "as a list"),
        ({"lease_seconds": 0}, "above 0"),
        ({"budget": 0}, "at least 1"),
        ({"name": 3}, "must be a str"),
        ({"optimum": math.inf}, "finite"),
    ],
)
def test_settings_of_a_study_are_checked(plane: SearchSpace, settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(summand.InvalidArgument, match=sentence):
        Study(":memory:", plane, **settings)


def test_the_path_of_a_study_is_a_path(plane: SearchSpace) -> None:
    for arguments in ((3,), (3, plane), (None,)):
        with pytest.raises(summand.InvalidArgument, match="path of a database"):
            Study(*arguments)  # type: ignore[arg-type]


def test_ids_may_be_numpys_and_nothing_else_than_a_trial_is_taken(plane: SearchSpace) -> None:
    for source in (Optimizer(plane), Study(":memory:", plane)):
        [trial] = source.ask()
        source.tell(np.int64(trial.id), np.float32(1.0))  # type: ignore[arg-type]
        assert source.evaluation_count == 1
        with pytest.raises(summand.InvalidArgument, match="no trial"):
            source.tell("first", 1.0)  # type: ignore[arg-type]
        with pytest.raises(summand.InvalidArgument, match="must be a number"):
            source.tell(trial, "much")  # type: ignore[arg-type]
        with pytest.raises(summand.InvalidArgument, match="whole number"):
            source.ask(2.5)  # type: ignore[arg-type]


def test_a_trial_of_another_optimizer_is_refused(plane: SearchSpace) -> None:
    for mine, other in ((Optimizer(plane, seed=1), Optimizer(plane, seed=2)),
                        (Study(":memory:", plane, seed=1), Study(":memory:", plane, seed=2))):  # fmt: skip
        [foreign], [own] = other.ask(), mine.ask()
        with pytest.raises(summand.InvalidArgument, match="another optimiser"):
            mine.tell(foreign, 1.0)
        mine.tell(own, 1.0)
    rebuilt = Optimizer(plane, seed=1, history=Optimizer(plane, seed=1).history)
    assert rebuilt.ask() == Optimizer(plane, seed=1).ask()


@pytest.mark.parametrize("history", [[1, 2], [("told",)], [("asked", 1, 3, 0)], [("sung", 1)]])
def test_a_history_of_something_else_is_a_sentence(plane: SearchSpace, history: Any) -> None:
    with pytest.raises(summand.InvalidArgument, match="history"):
        Optimizer(plane, history=history)


def test_very_many_points_at_once_are_said_to_take_long(plane: SearchSpace) -> None:
    with pytest.warns(RuntimeWarning, match="at most 1000 at a time"):
        assert len(Optimizer(plane, initial_points=2000).ask(1001)) == 1001


def test_names_of_columns_are_unique_and_groups_are_lists() -> None:
    X, y = np.random.default_rng(0).uniform(size=(20, 2)), np.arange(20.0)
    for wrong in ({"names": ["a", "a"]}, {"learner": "known", "groups": ["x1", "x2"]}, {"chains": -1}, {"prior": "flat"}):
        with pytest.raises(summand.InvalidArgument):
            summand.learn_structure(X, y, **wrong)
    with pytest.raises(summand.InvalidArgument, match="numbers only"):
        summand.learn_structure([["a", "b"]], [1.0])


def test_a_log_range_whose_ratio_overflows_can_be_searched() -> None:
    result = summand.minimize(
        lambda p: abs(math.log10(p["x"])), [Real("x", 1e-300, 1e300, scale="log")], budget=25, batch_size=5
    )
    assert all(1e-300 <= t["x"] <= 1e300 for t in result.trials) and result.value < 30


def test_an_old_processor_is_a_sentence(tmp_path: Path) -> None:
    info = tmp_path / "cpuinfo"
    info.write_text("processor : 0\nflags : fpu sse sse2 avx\n")
    with pytest.raises(ImportError, match="lacks avx2"):
        _processor.check_processor(str(info), "x86-64-v3")
    _processor.check_processor(str(info), "x86-64")
    _processor.check_processor(os.devnull, "x86-64-v3")


def test_a_value_that_is_a_word_is_refused_and_a_trial_can_be_a_key(plane: SearchSpace) -> None:
    study = Study(":memory:", plane)
    (trial,) = study.ask(1)
    with pytest.raises(summand.InvalidArgument, match="must be a number"):
        study.tell(trial, "3.0")  # type: ignore[arg-type]
    with pytest.raises(summand.InvalidArgument, match="must be a number"):
        study.add([{"x": 0.0, "y": 0.0}], np.array(["3.0"]))
    assert {trial: "running"}[study.trials()[0]] == "running"


def test_an_array_is_no_parameter_and_a_text_no_value() -> None:
    with pytest.raises(summand.InvalidArgument, match='parameter "x" is given as array'):
        SearchSpace({"x": np.array([1, 2, 3])})
    optimizer = Optimizer(SearchSpace({"x": (0.0, 1.0)}))
    (trial,) = optimizer.ask(1)
    with pytest.raises(summand.InvalidArgument, match='a number, or failed="why" instead of a value'):
        optimizer.tell(trial, "3")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [".", "..", "a\0b", "a\nb"])
def test_a_study_has_a_name_that_an_address_can_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(summand.InvalidArgument, match="give (it )?another"):
        Study(tmp_path / "study.db", SearchSpace({"x": (0.0, 1.0)}), name=name)


def test_a_batch_has_at_most_a_thousand_points() -> None:
    with pytest.raises(summand.InvalidArgument, match="batch_size is 1000000000; .*between 1 and 10000"):
        Optimizer(SearchSpace({"x": (0.0, 1.0)}), batch_size=1000000000)


@pytest.mark.parametrize("name", ["asynchronous", "progress"])
def test_a_word_is_no_truth_value(plane: SearchSpace, name: str) -> None:
    with pytest.raises(summand.InvalidArgument, match=f"{name} is 'no'; it must be True or False"):
        summand.minimize(bowl, plane, 2, **{name: "no"})  # type: ignore[arg-type]
    with pytest.raises(summand.InvalidArgument, match="asynchronous is 'no'; it must be True or False"):
        Study(":memory:", plane, asynchronous="no")  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [bowl, (1, bowl), frozenset({"a", "b"})])
def test_a_stored_choice_has_values_that_another_process_knows(tmp_path: Path, value: Any) -> None:
    with pytest.raises(summand.InvalidArgument, match="give its name as a word"):
        Study(tmp_path / "c.db", {"c": [value, "other"]})
    assert not (tmp_path / "c.db").exists()
    Study(":memory:", {"c": [value, "other"]})
    Study(tmp_path / "d.db", {"c": [frozenset({1, 2}), frozenset({"a"}), (1, "at 0x1"), " at 0x1"]})
