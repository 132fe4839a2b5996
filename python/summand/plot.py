# SPDX-License-Identifier: Apache-2.0
"""Plots with matplotlib (``pip install summand[plot]``): best so far, the structure, the groups."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from .insight import Array, GroupSlice, Structure
from .structure import StructurePosterior

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

    from .optimizer import Optimizer
    from .result import Result
    from .study import Study

__all__ = ["plot_best", "plot_result", "plot_slice", "plot_structure"]

_LINE, _DOT, _BAND = "#1f5fa8", "#9aa5b1", "#c6d9ee"
_MOST_SLICES = 9


def _axes(ax: Optional[Axes]) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(6, 4), layout="constrained")[1]


def _unit(values: Array) -> tuple[float, str]:
    """What to divide values by whose differences would overflow, and how an axis says so."""
    return (1e300, " / 1e300") if np.abs(values).max(initial=0.0) > 1e300 else (1.0, "")


def plot_best(source: Union[Result, Optimizer, Study], ax: Optional[Axes] = None) -> Axes:
    """Every value told, and the best so far, over the trials."""
    trials = source.trials if not callable(source.trials) else source.trials()
    goal = source.goal if hasattr(source, "goal") else source.options["goal"]
    ax = _axes(ax)
    done = [t for t in trials if t.value is not None]
    failed = [t.id for t in trials if t.state == "failed"]
    values = np.array([t.value for t in done], float)
    unit, per_unit = _unit(values)
    values = values / unit
    best = (np.maximum if goal == "maximize" else np.minimum).accumulate(values)
    ax.plot([t.id for t in done], values, ".", color=_DOT, markersize=5, label="told")
    ax.step([t.id for t in done], best, where="post", color=_LINE, linewidth=2, label="best so far")
    if failed:
        ax.plot(failed, np.full(len(failed), 0.02), "x", color="#b3261e", transform=ax.get_xaxis_transform(),
                label=f"failed ({len(failed)})")  # fmt: skip
    if len(values) > 4:  # a few very bad first values would flatten everything that matters
        low, high = np.percentile(values, [2, 98])
        low, high = min(low, best.min()), max(high, best[len(best) // 10 :].max())
        pad = 0.05 * (high - low) or 1.0
        ax.set_ylim(low - pad, high + pad)
    ax.set(xlabel="trial", ylabel="value" + per_unit, title=f"Best so far ({goal})")
    ax.legend(frameon=False)
    return ax


def _ordered(structure: Union[Structure, StructurePosterior]) -> list[int]:
    """Parameters by group, larger groups first, so that groups are blocks on the diagonal."""
    groups = sorted(structure.groups, key=lambda group: -len(group))
    return [structure.names.index(name) for group in groups for name in group]


def plot_structure(structure: Union[Structure, StructurePosterior], ax: Optional[Axes] = None) -> Axes:
    """How probable it is that two parameters belong together; groups that were found are framed."""
    from matplotlib.patches import Rectangle

    ax = _axes(ax)
    ax.set_title("Which parameters belong together")
    if not structure.groups or structure.pair_probability.size == 0:
        ax.text(0.5, 0.5, "nothing learned yet", ha="center", va="center", transform=ax.transAxes)
        ax.set_axis_off()
        return ax
    order = _ordered(structure)
    image = ax.imshow(structure.pair_probability[np.ix_(order, order)], vmin=0, vmax=1, cmap="Blues")
    size = max(3.0, min(9.0, 140 / len(order)))
    names = [structure.names[j] for j in order]
    ax.set_xticks(range(len(order)), names, rotation=90, fontsize=size)
    ax.set_yticks(range(len(order)), names, fontsize=size)
    start = 0
    found = structure.found if isinstance(structure, Structure) else structure.verdict == "structure-found"
    for length in sorted((len(group) for group in structure.groups), reverse=True):
        if found and length > 1:
            ax.add_patch(Rectangle((start - 0.5, start - 0.5), length, length, fill=False, edgecolor="#d1495b", linewidth=1.5))
        start += length
    ax.figure.colorbar(image, ax=ax, label="probability", shrink=0.8)
    return ax


def _scale(values: Sequence[Any]) -> str:
    """Of numbers: log if equal ratios are equally far apart."""
    if len(values) < 3 or values[0] <= 0:
        return "linear"
    return "log" if abs(values[1] - values[0]) * 3 < abs(values[-1] - values[-2]) else "linear"


def _is_choice(view: GroupSlice, k: int) -> bool:
    """Whether the axis has no order and no distances."""
    return view.choices[k] if view.choices else any(isinstance(value, str) for value in view.axes[k])


def _plot_curve(view: GroupSlice, ax: Axes) -> None:
    [axis] = view.axes
    unit, per_unit = _unit(np.append(view.mean, view.stddev))
    mean, spread = view.mean / unit, 2 * (view.stddev / unit)
    if _is_choice(view, 0):
        ax.errorbar(range(len(axis)), mean, yerr=spread, fmt="o", color=_LINE, ecolor=_BAND, capsize=3)
        ax.set_xticks(range(len(axis)), [str(v) for v in axis])
    else:
        ax.fill_between(axis, mean - spread, mean + spread, color=_BAND, linewidth=0)
        ax.plot(axis, mean, color=_LINE, linewidth=1.8)
        ax.set_xscale(_scale(axis))
    ax.set(xlabel=view.parameters[0], ylabel=("part of the value" if view.additive else "value") + per_unit)


def _plot_map(view: GroupSlice, ax: Axes) -> None:
    first, second = view.axes
    words = [_is_choice(view, k) for k in range(2)]
    unit, per_unit = _unit(view.mean)
    heights = view.mean.T / unit
    positions = [np.arange(len(axis)) if word else np.asarray(axis, float) for axis, word in zip(view.axes, words)]
    if any(words):
        drawn: ScalarMappable = ax.pcolormesh(*positions, heights, cmap="viridis", shading="nearest")
    else:
        drawn = ax.contourf(*positions, heights, levels=14, cmap="viridis")
    for axis, word, ticks, scale in ((first, words[0], ax.set_xticks, ax.set_xscale), (second, words[1], ax.set_yticks, ax.set_yscale)):
        ticks(range(len(axis)), [str(v) for v in axis]) if word else scale(_scale(axis))
    ax.figure.colorbar(drawn, ax=ax, shrink=0.8, label="value" + per_unit if per_unit else "")
    ax.set(xlabel=view.parameters[0], ylabel=view.parameters[1])


def plot_slice(view: GroupSlice, ax: Optional[Axes] = None) -> Axes:
    """The posterior of one group: a curve with a band of two standard deviations, or a map of the mean."""
    ax = _axes(ax)
    if len(view.parameters) == 1:
        _plot_curve(view, ax)
    else:
        _plot_map(view, ax)
    shown = view.group if len(view.group) <= 3 else [*view.group[:3], "..."]
    ax.set_title("{" + ", ".join(shown) + "}" if view.additive else "the whole function, at the best point", fontsize=9)
    return ax


def _shown(result: Result) -> list[GroupSlice]:
    """The groups that matter most, by the importance of their parameters."""
    importance = result.importance
    slices = result.group_slices(30)
    slices.sort(key=lambda view: -sum(importance.get(name, 0.0) for name in view.parameters))
    return slices[:_MOST_SLICES]


def plot_result(result: Result) -> Figure:
    """Best so far, the structure, and the most important groups in one figure."""
    import matplotlib.pyplot as plt

    slices = _shown(result)
    rows = math.ceil(len(slices) / 3)
    figure = plt.figure(figsize=(12, 4.2 + 2.8 * rows), layout="constrained")
    parts: Any = figure.subfigures(2, 1, height_ratios=[4.2, 2.8 * rows]) if rows else [figure]
    left, right = parts[0].subplots(1, 2)
    plot_best(result, left)
    plot_structure(result.structure, right)
    if rows:
        axes = parts[1].subplots(rows, 3, squeeze=False).ravel()
        for ax, view in zip(axes, slices):
            plot_slice(view, ax)
        for ax in axes[len(slices) :]:
            ax.set_axis_off()
    return figure
