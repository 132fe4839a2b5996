# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pickle

import numpy as np
import pytest

import summand
from summand import Choice, Integer, Levels, Real, SearchSpace


def test_a_space_reads_the_same_from_parameters_and_from_tables(mixed_space: SearchSpace) -> None:
    tables = {
        "rate": {"type": "real", "low": 1e-5, "high": 1e-1, "scale": "log"},
        "width": {"type": "integer", "low": 8, "high": 512},
        "solver": ["sgd", "adam"],
        "momentum": {"type": "levels", "values": [0.0, 0.5, 0.9, 0.99]},
    }
    assert SearchSpace(tables) == mixed_space
    assert SearchSpace({"x": (-1, 1)}).parameters == (Real("x", -1.0, 1.0),)
    assert mixed_space.names == ["rate", "width", "solver", "momentum"]
    assert mixed_space["width"] == Integer("width", 8, 512)


def test_a_space_survives_pickling_and_its_repr_evaluates_to_itself(mixed_space: SearchSpace) -> None:
    assert pickle.loads(pickle.dumps(mixed_space)) == mixed_space
    assert eval(repr(mixed_space)) == mixed_space
    assert hash(SearchSpace(mixed_space)) == hash(mixed_space)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ([Real("rate", 0.0, 0.1, scale="log")], 'parameter "rate"'),
        ([Real("a", 1.0, 0.0)], 'parameter "a"'),
        ([Real("a", 0.0, 1.0), Real("a", 0.0, 1.0)], '"a"'),
        ([Choice("c", [])], 'parameter "c"'),
        ([Integer("n", 0.5, 3)], "give whole numbers"),
        ([Real("a", "low", 1.0)], "finite number"),
        ([Real("a", 0.0, 1.0, scale="cubic")], '"linear" or "log"'),
        ({"a": 3}, "give a table"),
        ({"a": {"type": "real", "low": 0.0, "hihg": 1.0}}, "hihg"),
        (["a"], "is no parameter"),
        ([], "parameter"),
    ],
)
def test_every_mistake_in_a_space_is_a_sentence(parameters: object, sentence: str) -> None:
    with pytest.raises(summand.InvalidArgument) as raised:
        SearchSpace(parameters)  # type: ignore[arg-type]
    assert sentence in str(raised.value)
    assert isinstance(raised.value, ValueError)


def test_a_point_takes_numpy_numbers_and_comes_back_in_the_types_of_its_parameters(mixed_space: SearchSpace) -> None:
    point = mixed_space.checked(
        {"rate": np.float32(0.001), "width": np.int64(64), "solver": "adam", "momentum": np.float64(0.5)}
    )
    assert [type(value) for value in point.values()] == [float, int, str, float]
    assert mixed_space.checked({**point, "width": 64.0})["width"] == 64


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"rate": 1.0}, '"rate"'),
        ({"solver": "adma"}, '"solver"'),
        ({"width": "many"}, '"width"'),
        ({"width": None}, '"width" was given None; allowed is a number'),
        ({"width": 2**70}, "beyond 64 bits"),
        ({"momentun": 0.5}, 'did you mean "momentum"?'),
        ({"momentum": 0.7}, '"momentum"'),
    ],
)
def test_every_mistake_in_a_point_is_a_sentence(mixed_space: SearchSpace, change: object, sentence: str) -> None:
    point = {"rate": 0.01, "width": 64, "solver": "sgd", "momentum": 0.9}
    with pytest.raises(summand.InvalidArgument) as raised:
        mixed_space.checked({**point, **change})  # type: ignore[dict-item]
    assert sentence in str(raised.value)


def test_a_missing_parameter_is_named(mixed_space: SearchSpace) -> None:
    with pytest.raises(summand.InvalidArgument, match='"momentum" has no value'):
        mixed_space.checked({"rate": 0.01, "width": 64, "solver": "sgd"})


def test_levels_keep_their_numbers() -> None:
    space = SearchSpace([Levels("x", np.array([0.1, 0.2, 0.3]))])
    assert space.parameters == (Levels("x", (0.1, 0.2, 0.3)),)
