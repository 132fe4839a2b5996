# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import numpy as np
import pytest

import summand


def pairs(points: int = 80) -> tuple[np.ndarray, np.ndarray]:
    """Two-level points of f(x) = x0 x1 + x2 x3 (in -1, +1): interactions within the pairs only."""
    sign = np.random.default_rng(3).choice([-1.0, 1.0], (points, 5))
    return 0.5 + 0.4 * sign, sign[:, 0] * sign[:, 1] - 2 * sign[:, 2] * sign[:, 3] + 0.5 * sign[:, 4]


def test_the_groups_of_a_function_are_found() -> None:
    X, y = pairs()
    posterior = summand.learn_structure(X, y, names=list("abcde"), seed=1)
    assert [group for group in posterior.groups if len(group) > 1] == [["a", "b"], ["c", "d"]]
    assert posterior.verdict == "structure-found" and posterior.verdict_text.endswith(".")
    assert posterior.probability("a", "b") > 0.9 > 0.1 > posterior.probability("a", "c")
    assert posterior.pair_probability.shape == (5, 5)
    assert np.array_equal(posterior.pair_probability, posterior.pair_probability.T)
    assert posterior.samples.shape[1] == 5 and len(posterior.samples) > 0
    assert sum(weight for _, weight, _ in posterior.partitions) == pytest.approx(1.0)
    assert repr(posterior).startswith("StructurePosterior({a, b} {c, d} {e}; structure-found")


def test_arrays_of_any_layout_and_type_give_the_same_posterior() -> None:
    X, y = pairs()
    expected = summand.learn_structure(X, y, seed=2, samples=3)
    wide = np.zeros((X.shape[0], 2 * X.shape[1]))
    wide[:, ::2] = X
    for same in (np.asfortranarray(X), wide[:, ::2], X.tolist()):
        found = summand.learn_structure(same, list(y), seed=2, samples=3, threads=2)
        assert np.array_equal(found.pair_probability, expected.pair_probability)
        assert np.array_equal(found.samples, expected.samples)


def test_units_do_not_matter() -> None:
    X, y = pairs()
    expected = summand.learn_structure(X, y, seed=2, samples=3, bounds=[(0.0, 1.0)] * 5)
    scaled = summand.learn_structure(8 * X - 4, y, seed=2, samples=3, bounds=[(-4.0, 4.0)] * 5)
    assert np.array_equal(scaled.samples, expected.samples)
    with pytest.raises(summand.InvalidArgument, match="values of x1 from"):
        summand.learn_structure(X, y, bounds=[(0.2, 1.0)] * 5)
    with pytest.raises(summand.InvalidArgument, match="bounds holds 1"):
        summand.learn_structure(X, y, bounds=[(0.2, 1.0)])


def test_every_learner_and_the_progress_of_a_chain() -> None:
    X, y = pairs(40)
    seen: list[summand.structure.Progress] = []
    gibbs = summand.learn_structure(
        X, y, learner="gibbs", sweeps=6, burn_in=2, seed=1, progress=seen.append,
        hyperparameters={"lengthscale": 0.3, "variance": 2.0, "noise_variance": 0.01},
    )  # fmt: skip
    assert len(gibbs.samples) == 4 and len(seen) >= 6
    assert gibbs.hyperparameters["variance"] == pytest.approx(2.0)
    known = summand.learn_structure(X, y, learner="known", groups=[["x1", "x2"], [2, 3]])
    assert known.groups == [["x1", "x2"], ["x3", "x4"], ["x5"]]
    assert summand.learn_structure(X, y, learner="none").groups == [["x1", "x2", "x3", "x4", "x5"]]
    assert len(summand.learn_structure(X, y, learner="full").groups) == 5
    assert len(summand.learn_structure(X, y, learner="best-of-random", candidates=3).samples) >= 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"X": np.zeros(3)}, "X has 1 dimensions"),
        ({"y": np.zeros(3)}, "3"),
        ({"y": np.full(40, np.nan)}, "NaN"),
        ({"learner": "magic"}, "annealed"),
        ({"names": ["a"]}, "names holds 1"),
        ({"learner": "known", "groups": [["z"]]}, "'z'"),
        ({"hyperparameters": {"lenght": 1.0}}, "lenght"),
        ({"kernel": "linear"}, "matern52"),
        ({"kernel": "two-scales"}, "matern52"),  # it once was one
        ({"alpha": -1.0}, "alpha"),
    ],
)
def test_mistakes_are_sentences(change: dict[str, object], sentence: str) -> None:
    X, y = pairs(40)
    with pytest.raises(summand.InvalidArgument) as raised:
        summand.learn_structure(**{"X": X, "y": y, **change})  # type: ignore[arg-type]
    assert sentence in str(raised.value)


def test_an_exception_in_progress_reaches_the_caller() -> None:
    def stop(progress: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        summand.learn_structure(*pairs(40), progress=stop)


def test_the_posterior_of_each_group_adds_up_to_that_of_the_sum() -> None:
    random = np.random.default_rng(1)
    X = random.uniform(size=(60, 3))
    y = 4 * X[:, 0] * X[:, 1] + np.sin(5 * X[:, 2])
    model = summand.fit_model(X, y, [["a", "b"]], names=["a", "b", "c"])
    assert model.groups == [["a", "b"], ["c"]]
    points = random.uniform(size=(20, 3))
    mean, stddev = model.predict(points)
    first, spread = model.predict_group("b", points[:, :2])
    second, _ = model.predict_group(1, points[:, 2:])
    # The same sums of products in another order: rounding of a few hundred operations on numbers of size 10.
    assert np.allclose(first + second + model.hyperparameters["mean"], mean, atol=1e-8)
    assert np.abs(mean - 4 * points[:, 0] * points[:, 1] - np.sin(5 * points[:, 2])).max() < 0.2
    assert (stddev >= 0).all() and (spread >= 0).all() and np.isfinite(model.log_likelihood)
    with pytest.raises(summand.InvalidArgument, match="columns"):
        model.predict_group(0, points)
    with pytest.raises(summand.InvalidArgument, match="no such group"):
        model.predict_group("z", points)
