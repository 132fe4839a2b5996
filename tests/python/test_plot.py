# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import summand

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from summand.plot import plot_best, plot_slice, plot_structure  # noqa: E402


def simulated(point: dict[str, Any]) -> float:
    if point["a"] > 0.95:
        raise ValueError("out of range")
    return float(
        4 * (point["a"] - point["b"]) ** 2 + math.log10(point["rate"]) ** 2 / 4 + (0.5 if point["kind"] == "slow" else 0.0)
    )


def result() -> summand.Result:
    space = summand.SearchSpace(
        {"a": (0.0, 1.0), "b": (0.0, 1.0), "rate": {"type": "real", "low": 1e-3, "high": 10.0, "scale": "log"},
         "kind": ["fast", "slow"]}
    )  # fmt: skip
    return summand.minimize(simulated, space, budget=40, batch_size=5, seed=1, groups=[["a", "b"]])


@pytest.mark.filterwarnings("ignore:trial")
def test_a_result_draws_itself(tmp_path: Path) -> None:
    found = result()
    figure = found.plot()
    titles = [ax.get_title() for ax in figure.get_axes()]
    assert "Best so far (minimize)" in titles and "Which parameters belong together" in titles
    # One panel for each slice of the model that leads, whichever it is: of the groups, or of the whole function.
    for view in found.group_slices(8):
        group = "{" + ", ".join(view.parameters) + "}"
        assert group in titles or "the whole function, at the best point" in titles
    assert {"a", "b", "rate", "kind"} <= {ax.get_xlabel() for ax in figure.get_axes()} | {ax.get_ylabel() for ax in figure.get_axes()}
    figure.savefig(tmp_path / "result.png")
    assert (tmp_path / "result.png").stat().st_size > 10_000


@pytest.mark.filterwarnings("ignore:trial")
def test_each_plot_takes_axes_or_makes_them() -> None:
    found = result()
    assert plot_best(found.source).get_xlabel() == "trial"
    assert plot_structure(found.structure).get_title()
    for view in found.group_slices(8):
        assert plot_slice(view).get_xlabel() == view.parameters[0]
    matplotlib.pyplot.close("all")


def test_nothing_learned_yet_is_said() -> None:
    ax = plot_structure(summand.Optimizer({"x": (0.0, 1.0)}).structure())
    assert ax.texts[0].get_text() == "nothing learned yet"


@pytest.mark.parametrize("values", [[None, True], [None, 1, 2], [(1, 2), (3, 4)], [int, float], [None, 1.5], [3, 1, 2]])
def test_values_of_a_choice_are_drawn_without_order(values: list[Any]) -> None:
    space = summand.SearchSpace({"x": (0.0, 1.0), "kind": values})
    for groups in ([["x"], ["kind"]], [["x", "kind"]]):
        optimizer = summand.Optimizer(space, groups=groups)
        optimizer.add([{"x": k / 24, "kind": values[k % len(values)]} for k in range(25)], [math.sin(k) for k in range(25)])
        optimizer.ask()
        [view] = [each for each in optimizer.group_slices(5) if "kind" in each.parameters]
        ax = plot_slice(view)
        labels = ax.get_xticklabels() if view.parameters[0] == "kind" else ax.get_yticklabels()
        assert [label.get_text() for label in labels] == [str(value) for value in values]
        matplotlib.pyplot.close("all")


def test_values_of_any_size_are_drawn() -> None:
    found = summand.minimize(lambda p: 1e308 if p["x"] > 0.5 else -1e308, {"x": (0.0, 1.0)}, budget=20, batch_size=5)
    found.plot().canvas.draw()
    matplotlib.pyplot.close("all")
    assert plot_best(found.source).get_ylabel() == "value / 1e300"
    matplotlib.pyplot.close("all")
    shown = found._repr_html_()
    assert "nan" not in shown and "inf" not in shown
