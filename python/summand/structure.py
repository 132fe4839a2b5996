# SPDX-License-Identifier: Apache-2.0
"""Learning the additive structure of a function from data, and the model that comes with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .checks import group_lists, text, whole, word
from .errors import InvalidArgument
from .frames import columns_in_order, matrix, names_of
from .insight import Array, groups_text, pair

__all__ = ["Model", "Progress", "StructurePosterior", "fit_model", "learn_structure"]

ArrayLike = Any
"""What NumPy takes as an array, or a table of pandas or polars."""
Groups = Sequence[Sequence[Union[str, int]]]
Learner = Literal["annealed", "gibbs", "known", "none", "full", "best-of-random"]
Prior = Literal["dirichlet-multinomial", "dirichlet-process"]
Kernel = Literal["squared-exponential", "matern52"]


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
        return pair(self.names, self.pair_probability, first, second)

    def __repr__(self) -> str:
        guess = "" if self.verdict == "structure-found" else "best guess "
        return f"StructurePosterior({guess}{groups_text(self.groups)}; {self.verdict}; {len(self.samples)} samples)"


@dataclass(frozen=True)
class Box:
    """The range of each column, which becomes [0, 1]."""

    low: Array
    high: Array

    @staticmethod
    def of(X: Array, names: list[str], bounds: Optional[Sequence[tuple[float, float]]]) -> Box:
        if X.size == 0 or not np.isfinite(X).all():
            return Box(np.zeros(X.shape[1]), np.ones(X.shape[1]))  # the engine says what is wrong
        low, high = X.min(0), X.max(0)
        if bounds is None:
            return Box(low, np.where(high > low, high, low + 1.0))
        if len(bounds) != len(names):
            raise InvalidArgument(f"bounds holds {len(bounds)} pairs; X has {len(names)} columns")
        given = matrix(bounds, 2, "bounds")
        if given.shape[1] != 2 or not (given[:, 0] < given[:, 1]).all():
            raise InvalidArgument("bounds must hold a pair (low, high) with low below high for each column")
        for j in np.flatnonzero((low < given[:, 0]) | (high > given[:, 1])):
            raise InvalidArgument(
                f"X holds values of {names[j]} from {low[j]:g} to {high[j]:g}, outside its bounds; widen them"
            )
        return Box(given[:, 0], given[:, 1])

    def scaled(self, X: Array, columns: Sequence[int]) -> Array:
        low, high = self.low[columns], self.high[columns]
        scaled: Array = (X - low) / (high - low)
        return scaled


def _columns(groups: Groups, names: Sequence[str]) -> list[list[int]]:
    """Groups of names or column numbers as column numbers; columns not mentioned are groups of their own."""
    position = {name: j for j, name in enumerate(names)}
    lists = group_lists("groups", groups)
    try:
        columns = [[position[c] if isinstance(c, str) else whole("groups", "a column", c, 0) for c in group] for group in lists]
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
    learner: Learner = "annealed",
    chains: int = 4,
    max_sweeps: int = 200,
    samples: int = 20,
    all_points: bool = False,
    sweeps: int = 100,
    burn_in: int = 50,
    candidates: int = 5,
    groups: Groups = (),
    prior: Prior = "dirichlet-multinomial",
    alpha: Union[float, Sequence[float]] = 1.0,
    max_group_size: Optional[int] = None,
    kernel: Kernel = "squared-exponential",
    hyperparameters: Optional[Mapping[str, Any]] = None,
    unordered: Sequence[bool] = (),
    warm_start: Sequence[Groups] = (),
    threads: Optional[int] = None,
    progress: Optional[Callable[[Progress], None]] = None,
) -> StructurePosterior:
    """The posterior over structures of y = f(X) + noise, f a sum over groups of columns.

    :param X: N x D, an array or a table (its columns' names are used), in any units: columns are scaled to [0, 1] by ``bounds``, one (low, high) for each column, or by the
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
    inputs, values = matrix(X, 2, "X"), matrix(y, 1, "y")
    columns = names_of(names, X, inputs.shape[1])
    if hyperparameters is None:
        inputs = Box.of(inputs, columns, bounds).scaled(inputs, range(len(columns)))
    counts = {
        key: whole("learn_structure", key, value, 0)
        for key, value in (
            ("chains", chains), ("max_sweeps", max_sweeps), ("samples", samples), ("sweeps", sweeps), ("burn_in", burn_in),
            ("candidates", candidates),
        )
    }  # fmt: skip
    settings = {
        **counts, "learner": text("learn_structure", "learner", learner), "all_points": bool(all_points),
        "groups": _columns(groups, columns),
        "prior": word("learn_structure", "prior", prior, ("dirichlet-multinomial", "dirichlet-process")),
        "alpha": [float(a) for a in np.atleast_1d(matrix(np.atleast_1d(alpha), 1, "alpha"))],
        "max_group_size": None if max_group_size is None else whole("learn_structure", "max_group_size", max_group_size, 1),
        "kernel": text("learn_structure", "kernel", kernel),
        "hyperparameters": None if hyperparameters is None else _given(hyperparameters, kernel),
        "unordered": [bool(u) for u in unordered],
        "threads": None if threads is None else whole("learn_structure", "threads", threads, 1),
        "warm_start": [_labels(_columns(start, columns)) for start in warm_start],
    }  # fmt: skip
    found = _core.learn_structure(
        inputs, values, whole("learn_structure", "seed", seed, 0), settings, None if progress is None else lambda *now: progress(Progress(*now))
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
    """An additive Gaussian process with fitted hyperparameters: made by ``fit_model``. Takes points in the units of its data."""

    def __init__(self, core: _core.Model, names: list[str], box: Box) -> None:
        self._core, self._names, self._box = core, names, box

    @property
    def names(self) -> list[str]:
        return list(self._names)

    @property
    def groups(self) -> list[list[str]]:
        return [[self._names[j] for j in group] for group in self._core.groups()]

    @property
    def hyperparameters(self) -> dict[str, Any]:
        """lengthscale for each parameter, as a share of its range; variance for each group, noise_variance and mean in the
        units of y."""
        return self._core.hyperparameters()

    @property
    def log_likelihood(self) -> float:
        return self._core.log_likelihood()

    def predict(self, X: ArrayLike) -> tuple[Array, Array]:
        """Mean and standard deviation of the function (without noise) at the rows of X."""
        points = matrix(columns_in_order(X, self._names, "X"), 2, "X")
        if points.shape[1] != len(self._names):
            raise InvalidArgument(f"predict: X has {points.shape[1]} columns; the model has {len(self._names)} parameters")
        return self._core.predict(self._box.scaled(points, range(len(self._names))))

    def predict_group(self, group: Union[int, str], Z: ArrayLike) -> tuple[Array, Array]:
        """Mean and standard deviation of one group's part at the rows of Z, which holds the group's own columns only.

        :param group: its number in ``groups``, or the name of any of its parameters.
        """
        if isinstance(group, str):
            group = next((m for m, members in enumerate(self.groups) if group in members), -1)
        members = self._core.groups()
        if not 0 <= group < len(members):
            raise InvalidArgument(f"predict_group: there is no such group; the model has {groups_text(self.groups)}")
        columns = members[group]
        points = matrix(columns_in_order(Z, [self._names[j] for j in columns], "Z"), 2, "Z")
        if points.shape[1] != len(columns):
            raise InvalidArgument(
                f"predict_group: Z has {points.shape[1]} columns; group {group} has {len(columns)} parameters"
            )
        return self._core.predict_group(group, self._box.scaled(points, columns))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self._core.state(), self._names, self._box))

    def __repr__(self) -> str:
        return f"Model({groups_text(self.groups)}; {self._core.size()} points)"


def _restored(state: tuple[Any, ...], names: list[str], box: Box) -> Model:
    return Model(_core.restore_model(state), names, box)


def fit_model(
    X: ArrayLike,
    y: ArrayLike,
    groups: Groups = (),
    *,
    names: Optional[Sequence[str]] = None,
    bounds: Optional[Sequence[tuple[float, float]]] = None,
    kernel: Kernel = "matern52",
    unordered: Sequence[bool] = (),
    seed: int = 0,
) -> Model:
    """The additive model of y = f(X) + noise with the given groups, its hyperparameters fitted to the data.

    :param X: N x D, in any units, as for ``learn_structure``: columns are scaled by ``bounds`` or by the data's own range.
    :param groups: names or column numbers; columns not mentioned are groups of their own.
    """
    inputs, values = matrix(X, 2, "X"), matrix(y, 1, "y")
    columns = names_of(names, X, inputs.shape[1])
    box = Box.of(inputs, columns, bounds)
    core = _core.fit_model(
        box.scaled(inputs, range(len(columns))), values, _columns(groups, columns), text("fit_model", "kernel", kernel),
        [bool(u) for u in unordered], whole("fit_model", "seed", seed, 0),
    )  # fmt: skip
    return Model(core, columns, box)
