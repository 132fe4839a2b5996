# SPDX-License-Identifier: Apache-2.0
"""Choices of anything, tables in and out, predictions, callbacks, time limits, first points, notebooks, pickles, reports."""

from __future__ import annotations

import pickle
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import summand
from summand import Choice, Optimizer, Real, SearchSpace, Study

pandas = pytest.importorskip("pandas")


def bowl(point: dict[str, Any]) -> float:
    return float((point["x"] - 0.5) ** 2 + (point["y"] + 1.0) ** 2)


def cost(point: dict[str, Any]) -> float:
    return (0.0 if point["cache"] is None else 1.0) + (0.0 if point["deep"] else 2.0) + abs(point["shape"][0] - 3)


ANY = SearchSpace([Choice("cache", [None, 16, 2.5, "all"]), Choice("deep", [False, True]), Choice("shape", [(1, 2), (3, 4)])])


def test_choices_hold_any_hashable(tmp_path: Path) -> None:
    result = summand.minimize(cost, ANY, budget=16, batch_size=4, study=tmp_path / "any.db")
    assert result.parameters == {"cache": None, "deep": True, "shape": (3, 4)} and len(result.trials) == 16
    optimizer = Optimizer(ANY)
    identity = optimizer.add({"cache": np.int64(16), "deep": 1, "shape": (1, 2)}, 3.0)
    assert optimizer.trials()[0].parameters == {"cache": 16, "deep": True, "shape": (1, 2)} and identity == 1
    with pytest.raises(summand.InvalidArgument, match="allowed is one of None, 16"):
        optimizer.add({"cache": 17, "deep": True, "shape": (1, 2)}, 3.0)
    again = pickle.loads(pickle.dumps(optimizer))
    assert again.trials() == optimizer.trials() and again.space == ANY
    stored = Study(tmp_path / "any.db")
    assert stored.space["cache"] == Choice("cache", [None, 16, 2.5, "all"]), "numbers, truth values and None come back"
    assert stored.space["shape"] == Choice("shape", ["(1, 2)", "(3, 4)"]), "anything else as its text"
    assert Study(tmp_path / "any.db", ANY).best() == result.best


def test_tables_go_in_and_out(plane: SearchSpace) -> None:
    table = pandas.DataFrame({"y": [0.0, 1.0], "x": [0.5, -1]})
    for source in (Optimizer(plane), Study(":memory:", plane)):
        source.add(table, pandas.Series([1.0, 2.0]))
        assert [t.parameters for t in source.trials()] == [{"x": 0.5, "y": 0.0}, {"x": -1.0, "y": 1.0}]
    out = summand.minimize(bowl, plane, budget=6).to_dataframe()
    assert list(out.columns) == ["x", "y", "value", "state", "reason", "added"] and list(out.index) == [1, 2, 3, 4, 5, 6]
    assert out["value"].tolist() == [bowl(row) for row in out[["x", "y"]].to_dict("records")]
    renamed = Optimizer([Real("value", 0.0, 1.0)])
    renamed.add({"value": 0.5}, 2.0)
    assert renamed.to_dataframe()[["value", "value_"]].iloc[0].tolist() == [0.5, 2.0]


def test_a_table_names_the_columns_of_structures_and_models() -> None:
    random = np.random.default_rng(3)
    table = pandas.DataFrame({"speed": random.uniform(100, 900, 60), "angle": random.uniform(-3, 3, 60)})
    y = (table["speed"] / 300) ** 2 + np.sin(table["angle"])
    assert summand.learn_structure(table, y, samples=2).names == ["speed", "angle"]
    model = summand.fit_model(table, y)
    assert model.names == ["speed", "angle"]
    mean, _ = model.predict(table[["angle", "speed"]])  # by name, not by position
    assert np.corrcoef(mean, y)[0, 1] > 0.999
    with pytest.raises(summand.InvalidArgument, match="no column 'speed'"):
        model.predict(table[["angle"]])


def test_a_model_takes_data_in_any_units_and_survives_pickling() -> None:
    random = np.random.default_rng(1)
    X = random.uniform([0, -500, 1e-3], [1e4, 500, 2e-3], (120, 3))
    y = np.sin(X[:, 0] / 2000) + (X[:, 1] / 300) ** 2 * (X[:, 2] * 1000)
    model = summand.fit_model(X[:80], y[:80], [[1, 2]])
    mean, stddev = model.predict(X[80:])
    # A model of unscaled data explains next to nothing (0.15); this one is left with the noise of few points.
    assert 1 - np.var(mean - y[80:]) / np.var(y[80:]) > 0.98
    first, _ = model.predict_group(0, X[80:, :1]) if model.groups[0] == ["x1"] else model.predict_group("x1", X[80:, :1])
    assert np.corrcoef(first, np.sin(X[80:, 0] / 2000))[0, 1] > 0.99
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(X[80:])[0], mean) and np.array_equal(again.predict(X[80:])[1], stddev)


def test_predictions_and_the_recommendation(plane: SearchSpace) -> None:
    result = summand.minimize(bowl, plane, budget=30, batch_size=5, seed=1)
    mean, stddev = result.predict([{"x": 0.5, "y": -1.0}, {"x": -2.0, "y": 2.0}])
    assert mean.shape == stddev.shape == (2,) and abs(mean[0]) < 0.3 and abs(mean[1] - 15.25) < 5.0
    assert stddev[1] > stddev[0]  # far from everything that was evaluated
    assert result.predict({"x": 0.5, "y": -1.0})[0][0] == pytest.approx(mean[0], abs=1e-9)  # rounding of values of 15
    assert result.recommended is not None and bowl(result.recommended.parameters) == result.recommended.value
    with pytest.raises(summand.InvalidArgument, match="at least two"):
        Optimizer(plane).predict({"x": 0.0, "y": 0.0})


def test_callbacks_see_every_trial_and_may_end_the_run(plane: SearchSpace) -> None:
    seen: list[tuple[int, float]] = []

    def watch(result: summand.Result, trial: summand.Trial) -> bool:
        seen.append((trial.id, result.value))
        return trial.id == 7

    result = summand.minimize(bowl, plane, budget=40, batch_size=5, callbacks=[watch])
    assert [id for id, _ in seen] == [1, 2, 3, 4, 5, 6, 7] and result.source.evaluation_count == 7
    assert seen[-1][1] == result.value


def test_a_timeout_starts_nothing_more(plane: SearchSpace) -> None:
    def slow(point: dict[str, Any]) -> float:
        time.sleep(0.05)
        return bowl(point)

    result = summand.minimize(slow, plane, budget=10_000, timeout=0.3)
    assert 1 <= result.source.evaluation_count < 10_000


def test_first_points_come_first_and_once(plane: SearchSpace, tmp_path: Path) -> None:
    start = [{"x": 0.25, "y": 0.5}, {"x": 1, "y": 1}]
    result = summand.minimize(bowl, plane, budget=6, batch_size=3, x0=start, study=tmp_path / "s.db")
    assert [t.parameters for t in result.trials[:2]] == start and len(result.trials) == 6
    more = summand.minimize(bowl, plane, budget=8, batch_size=3, x0=start, study=tmp_path / "s.db")
    assert len(more.trials) == 8 and sum(t.parameters == start[0] for t in more.trials) == 1
    assert summand.minimize(bowl, plane, budget=3, x0=start[0]).trials[0].parameters == start[0]
    with pytest.raises(summand.InvalidArgument, match="at most as many"):
        summand.minimize(bowl, plane, budget=1, x0=start)


def test_a_result_shows_itself_in_a_notebook_and_as_a_report(plane: SearchSpace, tmp_path: Path) -> None:
    result = summand.minimize(bowl, plane, budget=12, batch_size=4)
    shown = result._repr_html_()
    assert "<svg" in shown and f"{result.value:.6g}" in shown and "<td>x</td>" in shown
    page = result.report(tmp_path / "r.html")
    assert page.startswith("<!DOCTYPE html>") and (tmp_path / "r.html").read_text() == page
    assert "_repr_html_" in dir(summand.minimize(bowl, plane, budget=1))


def test_studies_and_results_are_pickled_or_say_why_not(plane: SearchSpace, tmp_path: Path) -> None:
    study = Study(tmp_path / "p.db", plane)
    study.tell(study.ask()[0], 1.0)
    assert pickle.loads(pickle.dumps(study)).trials() == study.trials()
    with pytest.raises(summand.InvalidArgument, match="study.optimizer()"):
        pickle.dumps(Study(":memory:", plane))
    result = summand.minimize(bowl, plane, budget=5)
    again = pickle.loads(pickle.dumps(result))
    assert again.trials == result.trials and again.best == result.best
    with pytest.raises(summand.InvalidArgument, match="report"):
        again.report()


def test_the_progress_bar_is_on_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    class Notebook(io.StringIO):
        """Standard error of a kernel: no terminal, and shown below the cell."""

    Notebook.__module__ = "ipykernel.iostream"
    cell = Notebook()
    monkeypatch.setattr("sys.stderr", cell)
    summand.minimize(lambda p: p["x"] ** 2, {"x": (-1.0, 1.0)}, budget=5, batch_size=2)
    assert "5/5" in cell.getvalue()


def test_callbacks_may_come_from_a_generator(plane: SearchSpace) -> None:
    seen: list[int] = []
    summand.minimize(bowl, plane, 3, callbacks=(each for each in [lambda result, trial: seen.append(trial.id)]))  # type: ignore[arg-type]
    assert seen == [1, 2, 3]


def test_the_space_given_with_an_opened_study_has_the_values(tmp_path: Path) -> None:
    space = {"shape": [(1, 2), (3, 4)]}
    Study(tmp_path / "t.db", space)
    seen: list[object] = []

    def shape(point: dict[str, Any]) -> float:
        seen.append(point["shape"])
        return float(point["shape"][0])

    result = summand.minimize(shape, space, 2, study=Study(tmp_path / "t.db"))
    assert set(seen) == {(1, 2), (3, 4)} and result.parameters == {"shape": (1, 2)}
    with pytest.raises(summand.InvalidArgument, match="space differs"):
        summand.minimize(shape, {"shape": [(1, 2), (3, 5)]}, 2, study=Study(tmp_path / "t.db"))
