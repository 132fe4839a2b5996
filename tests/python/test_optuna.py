# SPDX-License-Identifier: Apache-2.0
"""The sampler on Optuna's own terms: its published test cases, and what users of several workers rely on."""

from __future__ import annotations

import itertools
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

optuna = pytest.importorskip("optuna")
cases = pytest.importorskip("optuna.testing.pytest_samplers")

import summand  # noqa: E402
from summand.optuna import SummandSampler, _Column  # noqa: E402

optuna.logging.set_verbosity(optuna.logging.ERROR)


class TestOptunasOwnCases(cases.BasicSamplerTestCase, cases.RelativeSamplerTestCase, cases.SingleOnlySamplerTestCase):  # type: ignore[misc, name-defined]
    @pytest.fixture
    def sampler(self) -> Callable[[], SummandSampler]:
        return lambda: SummandSampler(seed=1, warn_independent_sampling=False)


def objective(trial: Any) -> float:
    x = trial.suggest_float("x", -2, 2)
    rate = trial.suggest_float("rate", 1e-4, 1e-1, log=True)
    width = trial.suggest_int("width", 8, 64, step=8)
    kind = trial.suggest_categorical("kind", ["a", None, 3.5])
    return float((x - 0.5) ** 2 + abs(rate - 0.01) + (width - 32) ** 2 / 1000 + (0.0 if kind is None else 0.5))


def run(sampler: Any, trials: int = 25, **arguments: Any) -> Any:
    study = optuna.create_study(sampler=sampler, direction=arguments.pop("direction", "minimize"))
    study.optimize(objective, n_trials=trials, **arguments)
    return study


def test_a_seed_repeats_a_study_and_another_does_not() -> None:
    params = [[t.params for t in run(SummandSampler(seed=seed)).trials] for seed in (4, 4, 5)]
    assert params[0] == params[1] != params[2]


def test_it_beats_random_search() -> None:
    ours = run(SummandSampler(seed=1), trials=45).best_value
    # The chance that 45 random points all stay above the best of 45 is one half for an equal sampler; ten independent
    # random studies all lose to an equal one with probability 1/11 at most, and ours must beat every one.
    assert ours < min(run(optuna.samplers.RandomSampler(seed=s), trials=45).best_value for s in range(10))


def test_it_maximizes() -> None:
    study = optuna.create_study(direction="maximize", sampler=SummandSampler(seed=1))
    study.optimize(lambda t: -((t.suggest_float("x", -2, 2) - 1) ** 2), n_trials=20)
    assert study.best_value > -0.01


def test_threads_share_a_sampler_and_never_get_the_same_point() -> None:
    study = run(SummandSampler(seed=2), trials=30, n_jobs=4)
    points = {tuple(sorted((k, str(v)) for k, v in t.params.items())) for t in study.trials}
    assert len(study.trials) == len(points) == 30


def test_running_trials_are_pending_and_are_not_suggested_again() -> None:
    def ask(study: Any) -> Any:
        return study.ask({"c": optuna.distributions.CategoricalDistribution(list("abcdef")), "d": optuna.distributions.IntDistribution(0, 1)})

    storage = optuna.storages.InMemoryStorage()
    mine = optuna.create_study(storage=storage, study_name="shared", sampler=SummandSampler(seed=1))
    theirs = optuna.load_study(storage=storage, study_name="shared", sampler=SummandSampler(seed=1))
    first = ask(mine)
    mine.tell(first, 1.0)
    points = [(first.params["c"], first.params["d"])]
    for k in range(11):  # nobody answers; two samplers take turns, and see each other's trials in the storage only
        trial = ask(theirs if k % 2 else mine)
        points.append((trial.params["c"], trial.params["d"]))
    assert len(set(points)) == 12  # all of the 6 x 2 points


def test_failed_and_pruned_trials_are_learned_from() -> None:
    def fails_above(trial: Any) -> float:
        x = trial.suggest_float("x", 0, 1)
        y = trial.suggest_float("y", 0, 1)
        trial.report(x, step=0)
        if x > 0.6:
            raise optuna.TrialPruned if y > 0.5 else ValueError("crashed")
        return -x + y**2

    study = optuna.create_study(sampler=SummandSampler(seed=3, consider_pruned_trials=False))
    study.optimize(fails_above, n_trials=50, catch=(ValueError,))
    bad = [t.state.name != "COMPLETE" for t in study.trials]
    # The optimum lies at the border x = 0.6. Uniform points fall beyond it with probability 0.4: 20 or more of 25 late
    # points would show that failures are not learned from, few show that they are.
    assert sum(bad[25:]) <= 10 and study.best_value < -0.45
    considering = optuna.create_study(sampler=SummandSampler(seed=3, consider_pruned_trials=True))
    considering.optimize(fails_above, n_trials=15, catch=(ValueError,))
    assert len(considering.trials) == 15


def test_enqueued_trials_and_added_trials_count_with_their_own_points() -> None:
    sampler = SummandSampler(seed=1)
    study = optuna.create_study(sampler=sampler)
    study.optimize(lambda t: t.suggest_float("x", 0, 1) ** 2, n_trials=5)
    study.enqueue_trial({"x": 0.123})
    study.optimize(lambda t: t.suggest_float("x", 0, 1) ** 2, n_trials=3)
    assert study.trials[5].params == {"x": 0.123}
    told = {t.parameters["x"]: t.value for t in sampler._session.optimizer.trials() if t.state == "completed"}
    assert told[0.123] == 0.123**2
    assert [t.params["x"] for t in study.trials[:-1]] == list(told)


def test_a_space_that_changes_falls_back_to_independent_sampling(monkeypatch: pytest.MonkeyPatch) -> None:
    study = optuna.create_study(sampler=SummandSampler(seed=1))

    def conditional(trial: Any) -> float:
        value = trial.suggest_float("x", 0, 1)
        if trial.number >= 5:
            value += trial.suggest_float("late", 0, 1)
        return float(value)

    warnings: list[str] = []
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    logger = optuna.logging.get_logger("summand.optuna")
    monkeypatch.setattr(logger, "warning", warnings.append)
    monkeypatch.setattr("summand.optuna._logger", logger)
    study.optimize(conditional, n_trials=10)
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    assert [len(t.params) for t in study.trials] == [1] * 5 + [2] * 5
    assert len(warnings) == 1 and "TPESampler" in warnings[0]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"draw_shore": 0.5}, "no option"),
        ({"preset": "papers"}, "paper"),
        ({"constraints_func": lambda trial: (0.0,)}, "TrialPruned"),
        ({"goal": "maximize"}, "study decides"),
        ({"seed": "a"}, "seed is 'a'; it must be a whole number"),
        ({"independent_sampler": 3}, "a sampler of Optuna"),
        ({"consider_pruned_trials": "no"}, "True or False"),
    ],
)
def test_options_are_checked_before_anything_is_evaluated(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(summand.InvalidArgument, match=sentence):
        SummandSampler(**options)


def test_what_the_engine_cannot_take_is_left_to_the_independent_sampler() -> None:
    def wide(trial: Any) -> float:
        many = trial.suggest_int("i", 0, 2**60) / 2**60 + trial.suggest_float("x", 0, 1e9, step=1e-9) / 1e9
        return float(many + trial.suggest_float("", 0, 1) + trial.suggest_float("known", 0, 1))

    study = optuna.create_study(sampler=SummandSampler(seed=1, warn_independent_sampling=False))
    study.optimize(wide, n_trials=6)
    assert all(len(trial.params) == 4 for trial in study.trials)
    assert study.sampler._session.optimizer.space.names == ["known"]


def test_an_enqueued_value_outside_its_range_does_not_end_the_study() -> None:
    study = optuna.create_study(sampler=SummandSampler(seed=1))
    study.optimize(lambda t: t.suggest_float("x", 0, 1) ** 2, n_trials=4)
    study.enqueue_trial({"x": 7.0})
    with pytest.warns(UserWarning, match="out of range"):
        study.optimize(lambda t: t.suggest_float("x", 0, 1) ** 2, n_trials=1)
    study.optimize(lambda t: t.suggest_float("x", 0, 1) ** 2, n_trials=4)
    assert study.trials[4].params == {"x": 7.0} and len(study.trials) == 9


@pytest.mark.parametrize("value", [0.3, 0.7])
def test_steps_map_to_whole_numbers_and_back(value: float) -> None:
    column = _Column("x", optuna.distributions.FloatDistribution(0.1, 0.9, step=0.2))
    assert column.to_optuna(column.to_engine(value)) == pytest.approx(value)
    assert column.parameter().high == 4  # type: ignore[union-attr]


def test_a_sampler_survives_pickling() -> None:
    study = run(SummandSampler(seed=6), trials=6)
    study.sampler = pickle.loads(pickle.dumps(study.sampler))
    study.optimize(objective, n_trials=3)
    assert len(study.trials) == 9


PROCESS = """
import sys, optuna
from summand.optuna import SummandSampler
optuna.logging.set_verbosity(optuna.logging.ERROR)
study = optuna.load_study(study_name="shared", storage=sys.argv[1], sampler=SummandSampler(seed=7))
study.optimize(lambda t: (t.suggest_float("x", -1, 1) - 0.3) ** 2 + t.suggest_int("n", 0, 9), n_trials=8)
"""


def overlap(one: Any, other: Any) -> bool:
    """Optuna stores the parameters of a trial some time after it asked for them: until then no other process sees them."""
    assert one.datetime_start and one.datetime_complete and other.datetime_start and other.datetime_complete
    return one.datetime_start <= other.datetime_complete and other.datetime_start <= one.datetime_complete


def test_two_processes_share_a_database(tmp_path: Path) -> None:
    storage = f"sqlite:///{tmp_path / 'optuna.db'}"
    optuna.create_study(study_name="shared", storage=storage)
    processes = [subprocess.Popen([sys.executable, "-c", PROCESS, storage]) for _ in range(2)]
    assert [process.wait(timeout=60) for process in processes] == [0, 0]
    trials = optuna.load_study(study_name="shared", storage=storage).trials
    assert [t.state.name for t in trials] == ["COMPLETE"] * 16
    for one, other in itertools.combinations(trials, 2):  # a point comes again only if nobody could have known of it
        assert one.params != other.params or overlap(one, other)
