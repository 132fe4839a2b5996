# SPDX-License-Identifier: Apache-2.0
"""What Python can say and the engine cannot: texts, numbers and lists of foreign kinds are taken as what they mean, or are a sentence."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import summand
from summand import Choice, Integer, InvalidArgument, Levels, Optimizer, Real, SearchSpace, Study

BIG, SURROGATE = 10**400, "\ud800"
X = np.random.default_rng(0).random((20, 3))
Y = X.sum(1)
POINT = {"x": 0.5, "y": 0.5}
GIVEN = {"lengthscale": 0.3, "variance": 1.0, "noise_variance": 1e-4}


class Bytes(os.PathLike[bytes]):
    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> bytes:
        return os.fsencode(self.path)


class Speechless:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


class Number:
    """As a tensor of one element: it has __index__, and refuses it."""

    def __float__(self) -> float:
        return 0.25

    def __index__(self) -> int:
        raise TypeError("only whole numbers have an index")


def told(value: Any, **how: Any) -> Callable[[], Any]:
    def tell() -> None:
        optimizer = Optimizer({"x": (0.0, 1.0)})
        optimizer.tell(optimizer.ask()[0], value, **how)

    return tell


def made(**options: Any) -> Callable[[], Any]:
    return lambda: Optimizer({"x": (0.0, 1.0), "y": (0.0, 1.0)}, **options)


def study(**settings: Any) -> Study:
    return Study(":memory:", {"x": (0.0, 1.0), "y": (0.0, 1.0)}, **settings)


def learned(**change: Any) -> Callable[[], Any]:
    return lambda: summand.learn_structure(**{"X": X, "y": Y, **change})


def fitted(**change: Any) -> Callable[[], Any]:
    return lambda: summand.fit_model(**{"X": X, "y": Y, **change})


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: SearchSpace([Real("x", 0, BIG)]), "finite number"),
        (lambda: SearchSpace([Integer("x", 0, BIG)]), "finite number"),
        (lambda: SearchSpace([Levels("x", [0, BIG])]), "finite number"),
        (told(BIG), "must be a number"),
        (told(10**6000), "a value of type int"),
        (lambda: summand.minimize(lambda p: 0.0, {"x": (0.0, 1.0)}, timeout=BIG), "finite number"),
        (made(initial_points=BIG), "finite number"),
        (made(initial_points=np.array([1, 2])), "a number or a word"),
        (made(history=[Speechless()]), "what Optimizer.history gave"),
        (lambda: SearchSpace({"x": Speechless()}), "a value of type Speechless"),
        (lambda: SearchSpace(np.array(0.5)), "a list of parameters"),  # type: ignore[arg-type]
        (made(history=None), "what Optimizer.history gave"),
        (made(groups=5), "list of lists"),
        (made(groups=[None]), "list of lists"),
        (made(groups=[np.int64(1)]), "list of lists"),
        (made(groups=[[b"x"]]), "list of lists"),
        (made(groups=[[SURROGATE]]), "UTF-8"),
        (made(strategy=SURROGATE), "UTF-8"),
        (lambda: SearchSpace({SURROGATE: (0.0, 1.0)}), "UTF-8"),
        (lambda: SearchSpace({"x": ["a", SURROGATE]}), "UTF-8"),
        (lambda: SearchSpace({"a\0b": (0.0, 1.0)}), r"a\x00b"),
        (lambda: SearchSpace({"x": {"type": ["real"], "low": 0, "high": 1}}), "types: real"),
        (lambda: Choice("x", np.array(3)), "list of values"),  # type: ignore[arg-type]
        (lambda: Optimizer({"x": ["a", "b"]}).add({"x": SURROGATE}, 1.0), 'one of "a", "b"'),
        (lambda: Optimizer({"x": ["a", "b"]}).add({"x": "a\0"}, 1.0), 'one of "a", "b"'),
        (lambda: Optimizer({"x": ["a", "b"]}).add({"x": None}, 1.0), 'parameter "x" was given None; allowed is one of its words'),
        (lambda: Optimizer({"x": (0.0, 1.0)}).add({"x": None}, 1.0), 'parameter "x" was given None; allowed is a number'),
        (lambda: Optimizer({"x": (0.0, 1.0)}).add({"x": np.array([0.1, 0.2])}, 1.0), "allowed is a number"),
        (lambda: study().add(None, 1.0), "list of points"),
        (lambda: study().add([POINT], 1.0), "one for each point"),
        (lambda: study().enqueue(3), "list of points"),  # type: ignore[arg-type]
        (lambda: study().predict(None), "list of points"),  # type: ignore[arg-type]
        (lambda: summand.minimize(lambda p: 0.0, {"x": (0.0, 1.0)}, x0=3), "list of points"),  # type: ignore[arg-type]
        (lambda: study(command=3), "as a list"),
        (lambda: study(command=[]), "as a list"),
        (lambda: study(command=["python", None]), "as a list"),
        (lambda: study(asynchronous="no"), "True or False"),
        (lambda: study().ask(worker=SURROGATE), "UTF-8"),
        (lambda: Study("/tmp/\udcff.db", {"x": (0.0, 1.0)}), "UTF-8"),
        (lambda: Study("/tmp/a\0b.db", {"x": (0.0, 1.0)}), r"a\x00b.db"),
    ],
)
def test_what_the_engine_cannot_hold_is_a_sentence(make: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(InvalidArgument) as raised:
        make()
    assert sentence in str(raised.value)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (fitted(X=np.empty((5, 0)), y=np.arange(5.0)), "5 points of 0 parameters"),
        (fitted(X=X[:0], y=Y[:0]), "at least 2 points"),
        (fitted(X=np.empty((0, 0)), y=np.empty(0)), "at least 2 points"),
        (fitted(y=Y[:5]), "fit_model: X has 20 rows and y has 5 values"),
        (fitted(y=[math.nan] * 20), "fit_model: X or y holds NaN"),
        (fitted(X=X + 1j), "complex"),
        (fitted(X=[[BIG]] * 20), "numbers only"),
        (fitted(groups=None), "list of lists"),
        (fitted(groups=[[7]]), "the columns 0 to 2"),
        (fitted(groups=[[0, 1], ["x1"]]), "'x1' twice"),
        (fitted(unordered=[True]), "each of the 3 columns"),
        (learned(unordered="abc"), "each of the 3 columns"),
        (learned(unordered=5), "each of the 3 columns"),
        (learned(y=Y + 1j), "complex"),
        (learned(names=5), "one for each column"),
        (learned(names=[1, 2, 3]), "must be a str"),
        (learned(bounds=5), "bounds has 0 dimensions"),
        (learned(hyperparameters=3), "must be a mapping"),
        (learned(hyperparameters={"lengthscale": "a"}), "numbers only"),
        (learned(hyperparameters={"variance": [1, 2]}), "variance is [1, 2]; it must be a finite number"),
        (learned(hyperparameters={"noise_variance": None}), "finite number"),
        (learned(warm_start=5), "list of structures"),
        (learned(warm_start=[[[9]]]), "the columns 0 to 2"),
        (learned(all_points="no"), "True or False"),
        (learned(progress=3), "must be a function"),
        (learned(X=1000 * X, hyperparameters=GIVEN), "give the ranges too"),
        (lambda: fitted()().predict([[math.nan] * 3]), "predict: X holds NaN"),
        (lambda: fitted()().predict_group(None, X[:, :1]), "no such group"),
        (lambda: fitted()().predict_group(1.5, X[:, :1]), "no such group"),
        (lambda: fitted()().predict_group([0], X[:, :1]), "no such group"),
    ],
)
def test_what_is_no_data_is_a_sentence(make: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(InvalidArgument) as raised:
        make()
    assert sentence in str(raised.value)


def test_given_hyperparameters_take_data_in_any_units_with_their_bounds() -> None:
    expected = summand.learn_structure(X, Y, samples=3, hyperparameters=GIVEN)
    scaled = summand.learn_structure(1024 * X, Y, samples=3, hyperparameters=GIVEN, bounds=[(0, 1024)] * 3)
    assert np.array_equal(scaled.samples, expected.samples) and scaled.log_likelihood == expected.log_likelihood


def test_ids_beyond_what_is_counted_are_no_trials() -> None:
    optimizer, kept = made()(), study()
    for act in (optimizer.abandon, optimizer.reopen, kept.abandon, lambda id: optimizer.tell(id, 1.0), lambda id: kept.tell(id, 1.0)):
        with pytest.raises(InvalidArgument, match="there is no trial 1180591620717411303424"):
            act(2**70)


@pytest.mark.filterwarnings("ignore:trial")
def test_a_failure_is_stored_whatever_its_text_holds(tmp_path: Path) -> None:
    def fails(point: dict[str, Any]) -> float:
        raise RuntimeError("exit 1: \udcff\0 bad")

    result = summand.minimize(fails, {"x": (0.0, 1.0)}, budget=2, study=tmp_path / "s.db")
    assert [trial.reason for trial in result.trials] == [r"RuntimeError: exit 1: \udcff\x00 bad"] * 2
    optimizer = Optimizer({"x": (0.0, 1.0)})
    optimizer.tell(optimizer.ask()[0], failed=SURROGATE)
    assert optimizer.trials()[0].reason == r"\ud800"


def test_a_path_may_give_bytes(tmp_path: Path) -> None:
    made = Study(Bytes(tmp_path / "s.db"), {"x": (0.0, 1.0)})  # type: ignore[arg-type]
    assert made.database == str(tmp_path / "s.db")


def test_numbers_of_foreign_kinds_are_numbers() -> None:
    optimizer = Optimizer({"x": (0.0, 1.0), "n": {"type": "integer", "low": 0, "high": 9}})
    for x, n in ((np.array(0.5), np.array(3)), (Number(), np.int8(3)), (np.float32(0.5), 3.0)):
        optimizer.add({"x": x, "n": n}, 1.0)
    assert [trial.parameters for trial in optimizer.trials()] == [{"x": x, "n": 3} for x in (0.5, 0.25, 0.5)]
    assert Optimizer({"x": (0.0, 1.0)}, initial_points=np.array(4)).options["initial_points"] == 4  # type: ignore[arg-type]


def test_classes_are_values_of_a_choice() -> None:
    optimizer = Optimizer({"dtype": [np.float32, np.float64]})
    optimizer.add({"dtype": np.float64}, 1.0)
    assert optimizer.trials()[0]["dtype"] is np.float64


def test_a_trial_stands_for_its_point() -> None:
    def bowl(point: dict[str, Any]) -> float:
        return float(point["x"] ** 2)

    first = summand.minimize(bowl, {"x": (-1.0, 1.0)}, budget=5)
    assert first.best is not None
    assert summand.minimize(bowl, {"x": (-1.0, 1.0)}, budget=3, x0=first.best).trials[0].parameters == first.parameters
    optimizer = Optimizer({"x": (-1.0, 1.0)})
    assert optimizer.add(first.best, 1.0) == 1 and optimizer.add(first.trials[:2], [1.0, 2.0]) == [2, 3]


def test_what_holds_arrays_can_be_compared() -> None:
    optimizer = Optimizer({"x": (0.0, 1.0)}, groups=[["x"]])
    optimizer.add([{"x": k / 9} for k in range(10)], [math.sin(k) for k in range(10)])
    optimizer.ask()
    for one in (optimizer.structure(), optimizer.slice("x"), learned(samples=2)()):
        assert one == one and one in [one]
    with pytest.raises(InvalidArgument, match="between 2 and 1000"):
        optimizer.group_slices(10**9)


def test_tables_survive_what_pandas_makes_of_them() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.random.default_rng(1).random((40, 3)))
    model = summand.fit_model(frame, frame.sum(axis=1))  # its columns are called 0, 1 and 2
    assert np.array_equal(model.predict(frame)[0], model.predict(frame.to_numpy())[0])

    source = Optimizer({"x": (0.0, 1.0), "aug": ["flip", None], "k": [1, None]})
    points = [{"x": k / 9, "aug": ("flip", None)[k % 2], "k": (None, 1)[k % 2]} for k in range(10)]
    source.add(points, [None if k == 3 else float(k) for k in range(10)])
    table = source.to_dataframe()
    for values in (table["value"], table["value"].astype("Float64")):
        again = Optimizer(source.space)
        again.add(table[["x", "aug", "k"]], values)
        assert again.trials() == source.trials()
    assert len(source.predict(table[["x", "aug", "k"]])[0]) == 10
    with pytest.raises(InvalidArgument, match="NaN"):
        Optimizer(source.space).add(points, table["value"].to_numpy())  # nothing says that these NaN stand for failures
