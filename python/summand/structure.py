# SPDX-License-Identifier: Apache-2.0
"""Learning the additive structure of a function from data, and the model that comes with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .checks import group_lists, index, listed, marks, number, shown, text, truth, whole, word
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


@dataclass(frozen=True, eq=False)  # an array has no truth value to compare by
class StructurePosterior:
    """The posterior over structures."""

    names: list[str]
    groups: list[list[str]]
    """The likeliest as an additive Gaussian process, of the samples and of merges that they lack; with given hyperparameters the
    most probable sample; by ``gibbs``, as in the paper, the one of highest likelihood."""
    log_likelihood: float
    consensus: list[list[str]]
    """Pairs joined in more than half of the samples, closed to groups."""
    partitions: list[tuple[list[list[str]], float, float]] = field(repr=False)
    """The distinct samples: groups, share of the posterior, log likelihood; heaviest first."""
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
        low, high = X.min(0), X.max(0)
        if bounds is None:
            return Box(low, np.where(high > low, high, low + 1.0))
        given = matrix(bounds, 2, "bounds")
        if len(given) != len(names):
            raise InvalidArgument(f"bounds holds {len(given)} pairs; X has {len(names)} columns")
        if given.shape[1] != 2 or not (np.isfinite(given).all() and (given[:, 0] < given[:, 1]).all()):
            raise InvalidArgument("bounds must hold a pair (low, high) with low below high for each column")
        for j in np.flatnonzero((low < given[:, 0]) | (high > given[:, 1])):
            raise InvalidArgument(
                f"X holds values of {names[j]} from {low[j]:g} to {high[j]:g}, outside its bounds; widen them"
            )
        return Box(given[:, 0], given[:, 1])

    @staticmethod
    def unit(X: Array, names: list[str]) -> Box:
        """[0, 1] as it is: for given lengthscales, which are shares of a range that only the caller knows."""
        for j in np.flatnonzero((X.min(0) < 0.0) | (X.max(0) > 1.0)):
            raise InvalidArgument(
                f"learn_structure: X holds values of {names[j]} from {X[:, j].min():g} to {X[:, j].max():g}, and a given lengthscale "
                "is a share of a column's range; give the ranges too, as bounds=[(low, high), ...], or scale X to [0, 1]"
            )
        return Box(np.zeros(len(names)), np.ones(len(names)))

    def scaled(self, X: Array, columns: Sequence[int]) -> Array:
        low, high = self.low[columns], self.high[columns]
        scaled: Array = (X - low) / (high - low)
        return scaled


def _columns(where: str, groups: Groups, names: Sequence[str]) -> list[list[int]]:
    """Groups of names or column numbers as column numbers; columns not mentioned are groups of their own."""
    position: dict[Union[str, int], int] = {name: j for j, name in enumerate(names)}
    position.update({j: j for j in range(len(names))})
    try:
        columns = [[position[column] for column in group] for group in group_lists(where, groups)]
    except KeyError as error:
        raise InvalidArgument(
            f"{where}: groups name {error.args[0]!r}; the parameters are {', '.join(names)}, the columns 0 to {len(names) - 1}"
        ) from None
    mentioned = [column for group in columns for column in group]
    for column in mentioned:
        if mentioned.count(column) > 1:
            raise InvalidArgument(f"{where}: groups name {names[column]!r} twice; each parameter has one group")
    return columns + [[j] for j in range(len(names)) if j not in mentioned]


def _data(where: str, X: ArrayLike, y: ArrayLike, names: Optional[Sequence[str]]) -> tuple[Array, Array, list[str]]:
    """Points, their values and the names of the columns: enough of each to learn from."""
    inputs, values = matrix(X, 2, "X"), matrix(y, 1, "y")
    points, dimension = inputs.shape
    if len(values) != points:
        raise InvalidArgument(f"{where}: X has {points} rows and y has {len(values)} values; each point needs one value")
    if points < 2 or dimension < 1:
        raise InvalidArgument(
            f"{where}: {points} points of {dimension} parameters were given; at least 2 points and 1 parameter are needed"
        )
    if not (np.isfinite(inputs).all() and np.isfinite(values).all()):
        raise InvalidArgument(f"{where}: X or y holds NaN or an infinite value; leave such points out")
    return inputs, values, names_of(names, X, dimension)


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
        data's own range. With given hyperparameters, whose lengthscales are shares of a range, and without ``bounds`` they must lie
        in [0, 1] already.
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
    inputs, values, columns = _data("learn_structure", X, y, names)
    if progress is not None and not callable(progress):
        raise InvalidArgument(f"learn_structure: progress is {shown(progress)}; it must be a function of one argument")
    given = None if hyperparameters is None else _given(hyperparameters, kernel)
    box = Box.unit(inputs, columns) if given is not None and bounds is None else Box.of(inputs, columns, bounds)
    counts = {
        key: whole("learn_structure", key, value, 0)
        for key, value in (
            ("chains", chains), ("max_sweeps", max_sweeps), ("samples", samples), ("sweeps", sweeps), ("burn_in", burn_in),
            ("candidates", candidates),
        )
    }  # fmt: skip
    settings = {
        **counts, "learner": text("learn_structure", "learner", learner), "all_points": truth("learn_structure", "all_points", all_points),
        "groups": _columns("learn_structure", groups, columns),
        "prior": word("learn_structure", "prior", prior, ("dirichlet-multinomial", "dirichlet-process")),
        "alpha": [float(a) for a in np.atleast_1d(matrix(np.atleast_1d(alpha), 1, "alpha"))],
        "max_group_size": None if max_group_size is None else whole("learn_structure", "max_group_size", max_group_size, 1),
        "kernel": text("learn_structure", "kernel", kernel),
        "hyperparameters": given,
        "unordered": marks("learn_structure", "unordered", unordered, len(columns)),
        "threads": None if threads is None else whole("learn_structure", "threads", threads, 1),
        "warm_start": [
            _labels(_columns("learn_structure, warm start", start, columns)) for start in listed("learn_structure", "warm_start", warm_start, "a list of structures")
        ],
    }  # fmt: skip
    found = _core.learn_structure(
        box.scaled(inputs, range(len(columns))), values, whole("learn_structure", "seed", seed, 0), settings,
        None if progress is None else lambda *now: progress(Progress(*now)),
    )  # fmt: skip
    return _posterior(found, columns)


def _given(hyperparameters: Mapping[str, Any], kernel: str) -> dict[str, Any]:
    defaults = {"kernel": kernel, "lengthscale": 0.1, "variance": 1.0, "noise_variance": 1e-4, "mean": 0.0}
    if not isinstance(hyperparameters, Mapping):
        raise InvalidArgument(f"hyperparameters is {shown(hyperparameters)}; it must be a mapping of {', '.join(defaults)}, or None")
    unknown = [str(key) for key in hyperparameters if key not in defaults]
    if unknown:
        raise InvalidArgument(f"hyperparameters hold {', '.join(sorted(unknown))}; known are {', '.join(defaults)}")
    given = {**defaults, **hyperparameters}
    return {
        "kernel": text("hyperparameters", "kernel", given["kernel"]),
        "lengthscale": matrix(np.atleast_1d(given["lengthscale"]), 1, "lengthscale").tolist(),
        **{key: number("hyperparameters", key, given[key]) for key in ("variance", "noise_variance", "mean")},
    }


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
        return self._core.predict(self._scaled("predict", X, "X", list(range(len(self._names)))))

    def predict_group(self, group: Union[int, str], Z: ArrayLike) -> tuple[Array, Array]:
        """Mean and standard deviation of one group's part at the rows of Z, which holds the group's own columns only.

        :param group: its number in ``groups``, or the name of any of its parameters.
        """
        named = next((m for m, names in enumerate(self.groups) if isinstance(group, str) and group in names), None)
        m, members = index(group) if named is None else named, self._core.groups()
        if m is None or not 0 <= m < len(members):
            raise InvalidArgument(
                f"predict_group: there is no such group as {shown(group)}; the model has {groups_text(self.groups)}: give a "
                "number from 0, or a name"
            )
        return self._core.predict_group(m, self._scaled("predict_group", Z, "Z", members[m]))

    def _scaled(self, where: str, X: ArrayLike, what: str, columns: list[int]) -> Array:
        """Points over some of the columns in the model's own units."""
        names = [self._names[j] for j in columns]
        points = matrix(columns_in_order(X, names, what), 2, what)
        if points.shape[1] != len(names):
            raise InvalidArgument(f"{where}: {what} has {points.shape[1]} columns; it needs {len(names)}: {', '.join(names)}")
        if not np.isfinite(points).all():
            raise InvalidArgument(f"{where}: {what} holds NaN or an infinite value; leave such points out")
        return self._box.scaled(points, columns)

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
    inputs, values, columns = _data("fit_model", X, y, names)
    box = Box.of(inputs, columns, bounds)
    core = _core.fit_model(
        box.scaled(inputs, range(len(columns))), values, _columns("fit_model", groups, columns), text("fit_model", "kernel", kernel),
        marks("fit_model", "unordered", unordered, len(columns)), whole("fit_model", "seed", seed, 0),
    )  # fmt: skip
    return Model(core, columns, box)
