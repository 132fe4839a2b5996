# SPDX-License-Identifier: Apache-2.0
"""A sampler for Optuna: ``import summand.optuna``, then ``optuna.create_study(sampler=summand.optuna.SummandSampler(seed=1))``."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.samplers import BaseSampler, TPESampler
from optuna.search_space import IntersectionSearchSpace
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from . import _core
from .checks import index, shown, truth
from .errors import InvalidArgument, SpaceExhausted
from .optimizer import Optimizer
from .options import Goal, to_json
from .space import Choice, Integer, Parameter, Real, Scale, SearchSpace

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .option_types import OptimizerOptions

__all__ = ["SummandSampler"]

_logger = optuna.logging.get_logger(__name__)


class _Column:
    """One distribution as a parameter of the engine. Steps become whole numbers 0 .. n, choices their positions."""

    def __init__(self, name: str, distribution: BaseDistribution) -> None:
        self.name, self.distribution = name, distribution

    def parameter(self) -> Parameter:
        d = self.distribution
        if isinstance(d, CategoricalDistribution):
            return Choice(self.name, [str(k) for k in range(len(d.choices))])
        assert isinstance(d, (FloatDistribution, IntDistribution))
        scale: Scale = "log" if d.log else "linear"
        if isinstance(d, FloatDistribution) and d.step is None:
            return Real(self.name, d.low, d.high, scale)
        if d.log:
            return Integer(self.name, int(d.low), int(d.high), scale)
        assert d.step is not None
        return Integer(self.name, 0, round((d.high - d.low) / d.step))

    def fits(self) -> bool:
        """Whether the engine takes it: not a parameter without a name, nor one of more than 2^53 steps."""
        try:
            SearchSpace([self.parameter()])
            return not self.distribution.single()
        except InvalidArgument:
            return False

    def to_engine(self, value: Any) -> Any:
        d = self.distribution
        if isinstance(d, CategoricalDistribution):
            return str(int(d.to_internal_repr(value)))
        assert isinstance(d, (FloatDistribution, IntDistribution))
        if d.step is None or d.log:
            return value
        return round((value - d.low) / d.step)

    def to_optuna(self, value: Any) -> Any:
        d = self.distribution
        if isinstance(d, CategoricalDistribution):
            return d.choices[int(value)]
        assert isinstance(d, (FloatDistribution, IntDistribution))
        if d.step is None or d.log:
            return value
        return min(d.low + value * d.step, d.high)


@dataclass
class _Known:
    """A trial the engine knows: its id there, the point it stands for, and whether it is over."""

    id: int
    point: dict[str, Any]
    over: bool = False


class _Session:
    """The engine's optimiser for one study and one search space, kept in step with the study's trials."""

    def __init__(self, key: object, space: dict[str, BaseDistribution], goal: Goal, options: dict[str, Any]) -> None:
        self.key = key
        self.columns = [_Column(name, distribution) for name, distribution in sorted(space.items())]
        self.optimizer = Optimizer([column.parameter() for column in self.columns], goal=goal, **options)
        self.known: dict[int, _Known] = {}

    def point_of(self, trial: FrozenTrial) -> Optional[dict[str, Any]]:
        """The trial's point; None if it lacks a parameter of this space, has it from another range or (enqueued) outside of it."""
        if any(trial.distributions.get(c.name) != c.distribution for c in self.columns):
            return None
        try:
            return self.optimizer.space.checked({c.name: c.to_engine(trial.params[c.name]) for c in self.columns})
        except (InvalidArgument, ValueError, OverflowError):
            return None

    def update(self, trials: Sequence[FrozenTrial], own: int, pruned_count: bool) -> None:
        for trial in trials:
            known = self.known.get(trial.number)
            if trial.number == own or (known is not None and known.over):
                continue
            point = self.point_of(trial)
            if trial.state.is_finished():
                self.settle(trial, known, point, _value_of(trial, pruned_count))
            elif trial.state == TrialState.RUNNING and known is None and point is not None:
                self.known[trial.number] = _Known(self.optimizer.add_pending(point), point)

    def settle(
        self, trial: FrozenTrial, known: Optional[_Known], point: Optional[dict[str, Any]], value: Optional[float]
    ) -> None:
        reason = trial.state.name.lower()
        if known is not None and known.point == point:
            self.optimizer.tell(known.id, value, failed=reason if value is None else None)
        else:  # enqueued and partly fixed trials end at other points than were suggested
            if known is not None:
                self.optimizer.abandon(known.id)
            if point is None:
                self.known[trial.number] = _Known(0, {}, over=True)
                return
            known = _Known(self.optimizer.add(point, value), point)
        known.over = True
        self.known[trial.number] = known

    def ask(self, number: int) -> dict[str, Any]:
        [trial] = self.optimizer.ask(1)
        self.known[number] = _Known(trial.id, trial.parameters)
        return {c.name: c.to_optuna(trial[c.name]) for c in self.columns}


def _value_of(trial: FrozenTrial, pruned_count: bool) -> Optional[float]:
    """What a finished trial tells the engine; None: failed, its neighbourhood is avoided."""
    value: Optional[float] = None
    if trial.state == TrialState.COMPLETE:
        value = trial.value
    elif trial.state == TrialState.PRUNED and pruned_count and trial.last_step is not None:
        value = trial.intermediate_values[trial.last_step]
    return value if value is not None and math.isfinite(value) else None


def _check(budget: Optional[int], options: dict[str, Any]) -> None:
    """Mistakes in the options show at once; names in groups can only be checked with the first trial."""
    for key in ("goal", "batch_size", "history", "snapshot"):
        if key in options:
            raise InvalidArgument(f"SummandSampler: {key} cannot be given: Optuna's study decides it")
    _core.check_options(to_json({"budget": budget, **options}))


class SummandSampler(BaseSampler):
    """Suggests points with Summand's optimiser.

    Float (log, step), int (log, step) and categorical distributions. Running trials, of other threads and processes too, are
    pending points (another process sees one once Optuna has stored its parameters: two that ask in the same instant may be
    given the same point); failed trials are learned from: their neighbourhood is avoided. Parameters that not all completed
    trials share (conditional branches), whose range changed, or that have more than 2^53 steps are sampled by
    ``independent_sampler``, by default Optuna's TPE. For one objective, without constraints: prune a trial that breaks one, and its neighbourhood is avoided.

    :param seed: None: from the operating system. Given, a study in one thread repeats itself.
    :param budget: the number of trials planned, if known: sizes the initial design, and near its end the search stays near.
    :param consider_pruned_trials: take a pruned trial's last intermediate value as its value; otherwise it counts as failed.
    :param options: further options of ``summand.Optimizer``; checked here, before anything has been evaluated.
    """

    def __init__(
        self,
        *,
        seed: Optional[int] = None,
        budget: Optional[int] = None,
        independent_sampler: Optional[BaseSampler] = None,
        warn_independent_sampling: bool = True,
        consider_pruned_trials: bool = False,
        constraints_func: None = None,
        **options: Unpack[OptimizerOptions],
    ) -> None:
        if constraints_func is not None:
            raise InvalidArgument(
                "SummandSampler: constraints_func is not supported; raise optuna.TrialPruned in the objective where a constraint "
                "is broken: such points and their neighbourhood are then avoided"
            )
        _check(budget, dict(options))
        if seed is not None and (isinstance(seed, bool) or index(seed) is None):
            raise InvalidArgument(f"SummandSampler: seed is {shown(seed)}; it must be a whole number, or None for one by chance")
        if not isinstance(independent_sampler, (BaseSampler, type(None))):
            raise InvalidArgument(
                f"SummandSampler: independent_sampler is {shown(independent_sampler)}; it must be a sampler of Optuna, or None for its TPE"
            )
        self._seed = int(seed) if seed is not None else int.from_bytes(os.urandom(4), "little")
        self._options: dict[str, Any] = {"budget": budget, **options}
        self._warned = False
        self._independent_sampler = independent_sampler
        self._warn_independent_sampling = truth("SummandSampler", "warn_independent_sampling", warn_independent_sampling)
        self._consider_pruned_trials = truth("SummandSampler", "consider_pruned_trials", consider_pruned_trials)
        self._forget()

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._search_space = IntersectionSearchSpace()
        self._session: Optional[_Session] = None

    def __getstate__(self) -> dict[str, Any]:
        dropped = ("_lock", "_search_space", "_session")
        return {key: value for key, value in self.__dict__.items() if key not in dropped}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()

    def reseed_rng(self) -> None:
        """For the independent sampler. The engine needs none: it never suggests a pending point again."""
        if self._independent_sampler is not None:
            self._independent_sampler.reseed_rng()

    def _seed_at(self, trial: FrozenTrial) -> int:
        """Processes that share a storage and a seed start at different trials, so what they draw differs."""
        return (self._seed + 1_000_003 * trial.number) % 2**32

    def _independent(self, trial: FrozenTrial) -> BaseSampler:
        if self._independent_sampler is None:
            self._independent_sampler = TPESampler(seed=self._seed_at(trial))
        return self._independent_sampler

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        with self._lock:
            shared = self._search_space.calculate(study)
        return {name: distribution for name, distribution in shared.items() if _Column(name, distribution).fits()}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        self._raise_error_if_multi_objective(study)
        if not search_space:
            return {}
        with self._lock:
            session = self._session_for(study, trial, search_space)
            session.update(study.get_trials(deepcopy=False), trial.number, self._consider_pruned_trials)
            try:
                return session.ask(trial.number)
            except SpaceExhausted:  # every point has been tried: repeat one, as Optuna's samplers do
                return {
                    name: self._independent(trial).sample_independent(study, trial, name, distribution)
                    for name, distribution in search_space.items()
                }

    def _session_for(self, study: Study, trial: FrozenTrial, space: dict[str, BaseDistribution]) -> _Session:
        key = (study.study_name, id(study._storage), tuple(sorted(space.items())))
        if self._session is None or self._session.key != key:
            goal: Goal = "maximize" if study.direction == StudyDirection.MAXIMIZE else "minimize"
            self._session = _Session(key, space, goal, {"seed": self._seed_at(trial), **self._options})
        return self._session

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        self._raise_error_if_multi_objective(study)
        if self._warn_independent_sampling and self._session is not None and not self._warned:
            self._warned = True
            _logger.warning(
                f"parameter {param_name!r} of trial {trial.number} is sampled by "
                f"{type(self._independent(trial)).__name__}, as are all that not every completed trial has with the same range, and "
                "those of no name or of more than 2^53 steps. "
                "This is said once; SummandSampler(warn_independent_sampling=False) silences it."
            )
        return self._independent(trial).sample_independent(study, trial, param_name, param_distribution)

    def before_trial(self, study: Study, trial: FrozenTrial) -> None:
        self._independent(trial).before_trial(study, trial)

    def after_trial(
        self, study: Study, trial: FrozenTrial, state: TrialState, values: Optional[Sequence[float]]
    ) -> None:
        self._independent(trial).after_trial(study, trial, state, values)
