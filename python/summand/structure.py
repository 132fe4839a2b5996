# SPDX-License-Identifier: Apache-2.0
"""Learning the additive structure of a function from data, and the model that comes with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import InvalidArgument
from .insight import Array, groups_text

__all__ = ["Model", "Progress", "StructurePosterior", "fit_model", "learn_structure"]

ArrayLike = npt.ArrayLike
Groups = Sequence[Sequence[Union[str, int]]]


@dataclass(frozen=True)
class Progress:
    """Where a chain stands; given to ``progress`` after each sweep."""

    chain: int
    sweep: int
    sweeps: int
    noise_share: float
    log_likelihood: float


@dataclass(frozen=True)
class StructurePosterior:
    """The posterior over structures."""

    names: list[str]
    groups: list[list[str]]
    """The most probable sample; on two-level points the one likeliest as an additive Gaussian process; by ``gibbs``, as in the
    paper, the one of highest likelihood."""
    log_likelihood: float
    consensus: list[list[str]]
    """Pairs joined in more than half of the samples, closed to groups."""
    partitions: list[tuple[list[list[str]], float, float]] = field(repr=False)
    """The distinct samples: groups, weight, log likelihood; heaviest first."""
    samples: npt.NDArray[np.int64] = field(repr=False)
    """All samples, chain by chain: one row each, the group's number for every parameter."""
    pair_probability: Array = field(repr=False)
    """D x D, ones on the diagonal."""
    verdict: str
    """structure-found, arbitrary-pairs, overlapping-groups-suspected or not-additive-or-too-few-points."""
    verdict_text: str
    """One sentence: what was seen, what to do."""
    chain_agreement: float
    effective_samples: float
    site_acceptance: float
    swap_acceptance: float
    resplit_acceptance: float
    noise_share: float
    """Noise variance / variance of y."""
    hyperparameters: dict[str, Any] = field(repr=False)
    two_level: bool
    """Learned from two-level points alone."""
    points_used: int
    sweeps: int
    factorisations: int

    def probability(self, first: str, second: str) -> float:
        """How probable it is that the two parameters belong together."""
        return float(self.pair_probability[self.names.index(first), self.names.index(second)])

    def __repr__(self) -> str:
        guess = "" if self.verdict == "structure-found" else "best guess "
        return f"StructurePosterior({guess}{groups_text(self.groups)}; {self.verdict}; {len(self.samples)} samples)"


def _array(values: ArrayLike, dimensions: int, what: str) -> Array:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != dimensions:
        raise InvalidArgument(f"{what} has {array.ndim} dimensions; it needs {dimensions}")
    return array


def _scaled(X: Array, names: list[str], bounds: Optional[Sequence[tuple[float, float]]]) -> Array:
    """X with each column in [0, 1]."""
    if X.size == 0 or not np.isfinite(X).all():
        return X  # the engine says what is wrong
    low, high = X.min(0), X.max(0)
    if bounds is not None:
        if len(bounds) != len(names):
            raise InvalidArgument(f"bounds holds {len(bounds)} pairs; X has {len(names)} columns")
        given = np.asarray(bounds, dtype=np.float64)
        for j in np.flatnonzero((low < given[:, 0]) | (high > given[:, 1])):
            raise InvalidArgument(
                f"X holds values of {names[j]} from {low[j]:g} to {high[j]:g}, outside its bounds; widen them"
            )
        low, high = given[:, 0], given[:, 1]
    scaled: Array = (X - low) / np.where(high > low, high - low, 1.0)
    return scaled


def _names(names: Optional[Sequence[str]], dimension: int) -> list[str]:
    if names is None:
        return [f"x{j + 1}" for j in range(dimension)]
    if len(names) != dimension:
        raise InvalidArgument(f"names holds {len(names)} names; X has {dimension} columns")
    return list(names)


def _columns(groups: Groups, names: Sequence[str]) -> list[list[int]]:
    """Groups of names or column numbers as column numbers; columns not mentioned are groups of their own."""
    position = {name: j for j, name in enumerate(names)}
    try:
        columns = [[position[c] if isinstance(c, str) else int(c) for c in group] for group in groups]
    except KeyError as error:
        raise InvalidArgument(f"groups name {error.args[0]!r}; the parameters are {', '.join(names)}") from None
    mentioned = {column for group in columns for column in group}
    return columns + [[j] for j in range(len(names)) if j not in mentioned]


def learn_structure(
    X: ArrayLike,
    y: ArrayLike,
    *,
    names: Optional[Sequence[str]] = None,
    bounds: Optional[Sequence[tuple[float, float]]] = None,
    seed: int = 0,
    learner: str = "annealed",
    chains: int = 4,
    max_sweeps: int = 200,
    samples: int = 20,
    all_points: bool = False,
    sweeps: int = 100,
    burn_in: int = 50,
    candidates: int = 5,
    groups: Groups = (),
    prior: str = "dirichlet-multinomial",
    alpha: Union[float, Sequence[float]] = 1.0,
    max_group_size: Optional[int] = None,
    kernel: str = "squared-exponential",
    hyperparameters: Optional[Mapping[str, Any]] = None,
    unordered: Sequence[bool] = (),
    warm_start: Sequence[Groups] = (),
    threads: Optional[int] = None,
    progress: Optional[Callable[[Progress], None]] = None,
) -> StructurePosterior:
    """The posterior over structures of y = f(X) + noise, f a sum over groups of columns.

    :param X: N x D, in any units: columns are scaled to [0, 1] by ``bounds``, one (low, high) for each column, or by the
        data's own range. With given hyperparameters they must lie in [0, 1] already.
    :param y: N values in any units.
    :param learner: "annealed" (chains, max_sweeps, samples, all_points), the paper's "gibbs" (sweeps, burn_in),
        "known" (groups), "none" (one group), "full" (no groups), "best-of-random" (candidates).
    :param alpha: Dirichlet weight of a group: one number, or one for each group.
    :param max_group_size: None: no limit for gibbs, 5 for annealed.
    :param hyperparameters: None: learned; or {"lengthscale", "variance", "noise_variance", "mean"} in the units of y.
    :param unordered: which columns are choices.
    :param warm_start: structures that chains start from.
    :param threads: None: all cores. Never changes a result.
    """
    inputs, values = _array(X, 2, "X"), _array(y, 1, "y")
    columns = _names(names, inputs.shape[1])
    if hyperparameters is None:
        inputs = _scaled(inputs, columns, bounds)
    settings = {
        "learner": learner, "chains": chains, "max_sweeps": max_sweeps, "samples": samples, "all_points": all_points,
        "sweeps": sweeps, "burn_in": burn_in, "candidates": candidates, "groups": _columns(groups, columns),
        "prior": prior, "alpha": [float(alpha)] if isinstance(alpha, (int, float)) else [float(a) for a in alpha],
        "max_group_size": max_group_size, "kernel": kernel,
        "hyperparameters": None if hyperparameters is None else _given(hyperparameters, kernel),
        "unordered": [bool(u) for u in unordered], "threads": threads,
        "warm_start": [_labels(_columns(start, columns)) for start in warm_start],
    }  # fmt: skip
    found = _core.learn_structure(
        inputs, values, seed, settings, None if progress is None else lambda *now: progress(Progress(*now))
    )
    return _posterior(found, columns)


def _given(hyperparameters: Mapping[str, Any], kernel: str) -> dict[str, Any]:
    defaults = {"kernel": kernel, "lengthscale": 0.1, "variance": 1.0, "noise_variance": 1e-4, "mean": 0.0}
    unknown = set(hyperparameters) - set(defaults)
    if unknown:
        raise InvalidArgument(f"hyperparameters hold {', '.join(sorted(unknown))}; known are {', '.join(defaults)}")
    given = {**defaults, **hyperparameters}
    return {**given, "lengthscale": np.atleast_1d(np.asarray(given["lengthscale"], float)).tolist()}


def _labels(columns: list[list[int]]) -> list[int]:
    label = {column: m for m, group in enumerate(columns) for column in group}
    return [label[j] for j in range(len(label))]


def _posterior(found: dict[str, Any], names: list[str]) -> StructurePosterior:
    def named(groups: list[list[int]]) -> list[list[str]]:
        return [[names[j] for j in group] for group in groups]

    return StructurePosterior(
        **{
            **found,
            "names": names,
            "groups": named(found["groups"]),
            "consensus": named(found["consensus"]),
            "partitions": [(named(groups), weight, score) for groups, weight, score in found["partitions"]],
            "samples": np.asarray(found["samples"], np.int64).reshape(len(found["samples"]), len(names)),
        }
    )


class Model:
    """An additive Gaussian process with fitted hyperparameters: made by ``fit_model``. Inputs are in the unit cube."""

    def __init__(self, core: _core.Model, names: list[str]) -> None:
        self._core, self._names = core, names

    @property
    def groups(self) -> list[list[str]]:
        return [[self._names[j] for j in group] for group in self._core.groups()]

    @property
    def hyperparameters(self) -> dict[str, Any]:
        """lengthscale for each parameter, variance for each group, noise_variance, mean; in the units of y."""
        return self._core.hyperparameters()

    @property
    def log_likelihood(self) -> float:
        return self._core.log_likelihood()

    def predict(self, X: ArrayLike) -> tuple[Array, Array]:
        """Mean and standard deviation of the function (without noise) at the rows of X."""
        return self._core.predict(_array(X, 2, "X"))

    def predict_group(self, group: Union[int, str], Z: ArrayLike) -> tuple[Array, Array]:
        """Mean and standard deviation of one group's part at the rows of Z, which holds the group's own columns only.

        :param group: its number in ``groups``, or the name of any of its parameters.
        """
        if isinstance(group, str):
            group = next((m for m, members in enumerate(self.groups) if group in members), -1)
        members = self._core.groups()
        if not 0 <= group < len(members):
            raise InvalidArgument(f"predict_group: there is no such group; the model has {groups_text(self.groups)}")
        points = _array(Z, 2, "Z")
        if points.shape[1] != len(members[group]):
            raise InvalidArgument(
                f"predict_group: Z has {points.shape[1]} columns; group {group} has {len(members[group])} parameters"
            )
        return self._core.predict_group(group, points)

    def __repr__(self) -> str:
        return f"Model({groups_text(self.groups)}; {self._core.size()} points)"


def fit_model(
    X: ArrayLike,
    y: ArrayLike,
    groups: Groups = (),
    *,
    names: Optional[Sequence[str]] = None,
    kernel: str = "matern52",
    unordered: Sequence[bool] = (),
    seed: int = 0,
) -> Model:
    """The additive model of y = f(X) + noise with the given groups, its hyperparameters fitted to the data.

    :param groups: names or column numbers; columns not mentioned are groups of their own.
    """
    inputs, values = _array(X, 2, "X"), _array(y, 1, "y")
    columns = _names(names, inputs.shape[1])
    core = _core.fit_model(inputs, values, _columns(groups, columns), kernel, [bool(u) for u in unordered], seed)
    return Model(core, columns)
